import Glibc
import ThrumEngine
import ThrumJSON
import ThrumPattern

/// A run that was written with `--json`.
struct RunFile {
  let name: FileName
  let mode: String
  let milliseconds: [Double]
  let rate: Double
  /// What it was measured with: key, and value in words.
  let settings: [(key: String, value: String)]

  /// Keys whose difference makes two runs differ in more than what is compared, in the order of the report.
  private static let settingKeys = [
    "mode", "thrum", "device", "rate", "channels", "format", "periodFrames", "bufferFrames", "actuator",
    "scheduling",
    "machine", "preemption", "input", "inputRate", "inputFormat", "signal", "level", "thresholdDeviations",
    "keys",
  ]
  /// More is no run: a hundred thousand trials take four million bytes.
  private static let mostBytes = 64 << 20
  /// Eleven days: no trial takes longer, and differences of such numbers stay numbers.
  private static let mostMilliseconds = 1e9

  /// Reads a file.
  /// - Throws: `CommandError.failed` with `file:line:column: key: message`.
  static func read(_ name: FileName) throws(CommandError) -> RunFile {
    let bytes = try contents(of: name)
    func refusal(_ offset: Int, _ message: String) -> CommandError {
      let place = LocatedJSON.place(of: offset, in: bytes)
      return .failed("\(name):\(place.line):\(place.column): error: \(message)")
    }
    let root: LocatedJSON
    do throws(LocatedJSON.Fault) {
      root = try LocatedJSON.parse(bytes, mostBytes: mostBytes)
    } catch {
      throw refusal(error.offset, "\(printable(error.message)); a run is what thrum latency --json wrote")
    }
    func member(_ key: String) throws(CommandError) -> LocatedJSON {
      guard let value = root[key] else {
        throw refusal(root.offset, "\(key): is missing; a run is what thrum latency --json wrote")
      }
      return value
    }
    let mode = try member("mode")
    guard case .string(let modeWord) = mode.value else {
      throw refusal(mode.offset, "mode: a text belongs here, not \(mode.kind)")
    }
    guard MeasuredRun.Mode(rawValue: modeWord) != nil else {
      throw refusal(mode.offset, "mode: \"\(printable(modeWord))\" is no mode of thrum latency")
    }
    let rate = try member("rate")
    guard case .number(let frames) = rate.value, frames >= 1 else {
      throw refusal(rate.offset, "rate: a number of 1 or more belongs here")
    }
    let list = try member("milliseconds")
    guard case .array(let elements) = list.value else {
      throw refusal(list.offset, "milliseconds: a list of numbers belongs here, not \(list.kind)")
    }
    var milliseconds: [Double] = []
    for (index, element) in elements.enumerated() {
      guard case .number(let value) = element.value else {
        throw refusal(element.offset, "milliseconds.\(index): a number belongs here, not \(element.kind)")
      }
      guard value.magnitude <= mostMilliseconds else {
        throw refusal(element.offset, "milliseconds.\(index): no trial takes so many milliseconds")
      }
      milliseconds.append(value)
    }
    if milliseconds.isEmpty { throw refusal(list.offset, "milliseconds: there are no trials in it") }
    let settings = settingKeys.compactMap { key in root[key].map { (key, words(of: $0)) } }
    return RunFile(
      name: name, mode: modeWord, milliseconds: milliseconds, rate: frames, settings: settings)
  }

  private static func contents(of name: FileName) throws(CommandError) -> [UInt8] {
    let descriptor = name.withPath { open($0, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 { throw .failed("cannot read \(name): \(errorText(errno))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &part, part.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .failed("cannot read \(name): \(errorText(errno))") }
      if count == 0 { return bytes }
      bytes += part[..<count]
      if bytes.count > mostBytes {
        throw .failed("\(name) has more than \(mostBytes >> 20) MB; a run is what thrum latency --json wrote")
      }
    }
  }

  /// What differs in how the two were measured: key, here, there.
  func differences(from other: RunFile) -> [(key: String, here: String, there: String)] {
    Self.settingKeys.compactMap { key in
      let here = settings.first { $0.key == key }?.value ?? "none"
      let there = other.settings.first { $0.key == key }?.value ?? "none"
      return here == there ? nil : (key, here, there)
    }
  }

  private static func words(of value: LocatedJSON) -> String {
    switch value.value {
    case .string(let text): printable(text)
    case .number(let number): NumberText.short(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null: "none"
    case .array, .object: value.kind
    }
  }
}
