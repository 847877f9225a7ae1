/// Numbers as text, with `.` as the decimal mark in every locale.
enum NumberText {
  /// A number with so many decimals, rounded half away from zero; `-` where it is no number.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return value.isFinite ? "\(value)" : "-" }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * Double(scale)).rounded()
    guard scaled < 9e18 else { return "\(value)" }
    let units = Int64(scaled)
    let sign = value < 0 && units > 0 ? "-" : ""
    if decimals == 0 { return "\(sign)\(units)" }
    let fraction = String(units % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(units / scale).\(zeros)\(fraction)"
  }

  /// A number with at most two decimals, without zeros at its end.
  static func short(_ value: Double) -> String {
    var text = fixed(value, 2)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// A linear gain or peak as a level in dB with one decimal, `-inf dB` for silence.
  static func level(_ gain: Double) -> String {
    gain > 0 ? "\(fixed(decibels(gain), 1)) dB" : "-inf dB"
  }

  /// A count and its noun, `1 event` or `2 events`.
  static func count(_ count: Int, _ noun: String) -> String { Self.count(count, noun, noun + "s") }

  /// A count and its noun, where more of it have a form of their own.
  static func count(_ count: Int, _ noun: String, _ plural: String) -> String {
    "\(count) \(count == 1 ? noun : plural)"
  }

  /// Text set to the right of a column.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Text set to the left of a column.
  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
