import Foundation
import TestSupport
import Testing

@testable import ThrumPattern

/// The nearest Double to every decimal number, whatever its length and whatever the locale.
@Suite struct NumberTests {
  private func number(_ text: String) throws -> Double {
    try Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      let value = try scanner.number()
      #expect(scanner.at == bytes.count)
      return value
    }
  }

  @Test(arguments: [
    "0", "-0", "1", "-1", "0.1", "0.5", "1.0", "10e-1", "100e-2", "1E2", "1e+2", "-0.0", "9007199254740993",
    "9007199254740992", "9007199254740991", "18446744073709551615", "18446744073709551616",
    "123456789012345678901",
    "0.30000000000000004", "0.1000000000000000055511151231257827", "1.7976931348623157e308",
    "1.7976931348623159e308",
    "1e308", "1e309", "1e400", "2.2250738585072014e-308", "2.2250738585072011e-308",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-324", "1e-400", "3.4028235e38", "0.75", "1e22",
    "1e23",
    "8.41e21", "9.5e-27", "1e-27", "1e27", "1e28", "0.000000000000000000000000001",
    "4503599627370496.5", "4503599627370497.5", "0.500000000000000166533453693773481063544750213623046875",
    "9007199254740993.000000000000000000000000000000000001", "1e99999999999999999999",
    "0e99999999999999999999",
    "1e-99999999999999999999",
  ])
  func readsHardNumbers(text: String) throws {
    let value = try number(text)
    #expect(value.bitPattern == (Double(text) ?? .nan).bitPattern, "\(text) read as \(value)")
  }

  @Test func readsLikeTheStandardLibrary() throws {
    let seed: UInt64 = 20_250_101
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40_000 {
      let text = spelling(&random)
      let value = try number(text)
      let expected = Double(text) ?? .nan
      #expect(
        value.bitPattern == expected.bitPattern, "\(text) read as \(value), not \(expected), seed \(seed)")
    }
  }

  /// A number with up to 25 digits around the point and an exponent near the ends of what is exact.
  private func spelling(_ random: inout SeededGenerator) -> String {
    var text = random.chance(0.2) ? "-" : ""
    let digits = random.whole(in: 1...25)
    let point = random.whole(in: 0...digits)
    for digit in 0..<digits {
      if digit == point { text += digit == 0 ? "0." : "." }
      // No leading zeros before the point.
      let lowest = digit == 0 && point != 0 && (digits > 1) ? 1 : 0
      text += String(random.whole(in: lowest...9))
    }
    if random.chance(0.6) { text += "e\(random.whole(in: -60...60))" }
    return text
  }

  @Test func readsBackEveryShortestSpelling() throws {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40_000 {
      let value = Double(bitPattern: random.next() & 0x7FFF_FFFF_FFFF_FFFF)
      guard value.isFinite else { continue }
      #expect(try number(value.description) == value, "seed \(seed)")
      let unit = random.number(in: 0..<1)
      #expect(try number(unit.description) == unit, "seed \(seed)")
    }
  }

  @Test func readsFloatsBackThroughDoubles() throws {
    let seed: UInt64 = 11
    var random = SeededGenerator(seed: seed)
    for index in 0..<80_000 {
      // The first thousand are the smallest of all, whose spellings have a single digit or two.
      let bits = index < 1000 ? UInt32(index) : UInt32(truncatingIfNeeded: random.next()) & 0x7FFF_FFFF
      let value = Float(bitPattern: bits)
      guard value.isFinite else { continue }
      #expect(Float(try number(value.description)) == value, "\(value), seed \(seed)")
    }
  }

  @Test func readsAMillionDigits() throws {
    #expect(try number("0." + String(repeating: "3", count: 1_000_000)) == 1.0 / 3)
    #expect(try number("0." + String(repeating: "0", count: 1_000_000) + "1") == 0)
    #expect(try number("0." + String(repeating: "0", count: 100_000) + "1e100001") == 1)
    #expect(try number("1" + String(repeating: "0", count: 100_000) + "e-100000") == 1)
    #expect(try number(String(repeating: "9", count: 1_000_000)) == .infinity)
  }

  @Test func knowsNoLocale() throws {
    let text = file(buzz(parameters(("HapticIntensity", "0.75"))))
    let before = try decode(text).pattern
    let written = AHAPEncoder.encode(before)
    guard try setDecimalComma() else { return print("skipped: knowsNoLocale: no localedef to make a locale") }
    defer { setlocale(LC_NUMERIC, "C") }
    #expect(localeconv().pointee.decimal_point.map { String(cString: $0) } == ",")
    #expect(try decode(text).pattern == before)
    #expect(AHAPEncoder.encode(before) == written)
    // More digits than the exact arithmetic takes, so that the standard library reads it.
    #expect(try number("0." + String(repeating: "3", count: 60)) == 1.0 / 3)
    #expect(try number("1.5e-200") == 1.5e-200)
  }

  /// Makes a locale with a decimal comma and sets it for the process.
  /// - Returns: Whether there was a tool to make it.
  private func setDecimalComma() throws -> Bool {
    let tool = "/usr/bin/localedef"
    guard FileManager.default.isExecutableFile(atPath: tool) else { return false }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "thrum-locale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { removeFolder(folder) }
    let source = folder.appendingPathComponent("source")
    let text =
      "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\n"
    try Data((text + "END LC_NUMERIC\n").utf8).write(to: source)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    // The other categories are missing, which it warns of.
    process.arguments = ["-c", "-i", source.path, "-f", "UTF-8", folder.appendingPathComponent("comma").path]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    setenv("LOCPATH", folder.path, 1)
    return setlocale(LC_NUMERIC, "comma") != nil
  }

  private func removeFolder(_ folder: URL) {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("left over: \(folder.path)") }
  }
}
