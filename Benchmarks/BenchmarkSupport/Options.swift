import Glibc

/// What every benchmark may be asked for.
public enum Options {
  /// Fewer trials, for a check that must not take long.
  public static let isSmoke = has("--smoke")
  /// Exit 1 where a ratio is beyond its threshold.
  public static let isCheck = has("--check")
  /// Tables for a page.
  public static let isMarkdown = has("--markdown")

  private static func has(_ name: String) -> Bool { CommandLine.arguments.contains(name) }
}

/// Limits that were found good with one version of the compiler, one `name value` a line in Benchmarks/Thresholds.
///
/// They are ratios to something measured in the same run, never times.
public struct Thresholds {
  private var limits: [String: Double] = [:]
  private var isBroken = false

  /// The version of the compiler, as the file is called.
  public static var compiler: String {
    #if compiler(>=6.4)
      "6.4"
    #else
      "6.3"
    #endif
  }

  /// Reads the file for this compiler, from the folder of the package. Ends the benchmark where it cannot be read.
  public init() {
    let path = "Benchmarks/Thresholds/\(Thresholds.compiler)"
    guard let file = fopen(path, "r") else {
      print("\(path) cannot be read; run this from the folder of the package")
      exit(2)
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
      guard words.count >= 2, words[0] != "#", let value = Double(words[1]) else { continue }
      limits[String(words[0])] = value
    }
  }

  /// Says how a ratio stands to its limit.
  public mutating func check(_ name: String, _ value: Double, atLeast: Bool = false, digits: Int = 2) {
    guard let limit = limits[name] else {
      print("\(name) has no threshold")
      isBroken = true
      return
    }
    let isGood = value.isFinite && (atLeast ? value >= limit : value <= limit)
    print(
      "\(name): \(fixed(value, digits)) (at \(atLeast ? "least" : "most") \(fixed(limit, digits)))"
        + (isGood ? "" : "  BEYOND ITS THRESHOLD"))
    if !isGood { isBroken = true }
  }

  /// Ends the benchmark: with 1 where it was to check and something was beyond its limit.
  public func finish() -> Never { exit(Options.isCheck && isBroken ? 1 : 0) }
}
