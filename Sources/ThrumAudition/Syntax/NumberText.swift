/// A number as a text writes it.
struct NumberText {
  /// The most digits after the point that are written: a Float's from 0 to 1 needs no more.
  static let mostDecimals = 9

  /// What it means.
  var value: Double
  /// How many digits stand after the point.
  var fractionDigits = 0
  /// Whether the last of them is a zero, which a shortest text would not have.
  var endsInZero = false
  /// The exponent with its letter, such as `e-3`; empty where there is none.
  var exponentText = ""
  /// The exponent, 0 where there is none.
  var exponent = 0

  /// Reads a number; nil where the bytes are none.
  init?(_ bytes: some Sequence<UInt8>) {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    guard let value = Double(text), value.isFinite else { return nil }
    self.value = value
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts[0].split(separator: ".", maxSplits: 1)
    if mantissa.count == 2 {
      fractionDigits = mantissa[1].utf8.count
      endsInZero = mantissa[1].hasSuffix("0")
    }
    if parts.count == 2 {
      exponentText = String(text[parts[0].endIndex...])
      exponent = Int(parts[1]) ?? 0
    }
  }

  /// How many digits after the point the number has, written without an exponent.
  var decimals: Int { max(0, fractionDigits - exponent) }

  /// How a number is to be written.
  struct Style: Equatable {
    /// The fewest digits after the point.
    var minimumDecimals = 1
    /// The exponent to write it with.
    var exponentText = ""
    var exponent = 0

    init() {}

    /// As the number that is replaced, or as its neighbours.
    init(replacing old: NumberText?, among neighbours: [NumberText]) {
      if let old, !old.exponentText.isEmpty, abs(old.exponent) <= 12 {
        exponentText = old.exponentText
        exponent = old.exponent
        minimumDecimals = min(old.fractionDigits, 1)
        return
      }
      let plain = (neighbours + (old.map { [$0] } ?? [])).filter { $0.exponentText.isEmpty }
      guard let fewest = plain.map(\.fractionDigits).min() else { return }
      // Two digits or more are a rule only where zeros were written to keep it.
      let isRule = fewest < 2 || plain.contains { $0.fractionDigits == fewest && $0.endsInZero }
      minimumDecimals = isRule ? min(fewest, NumberText.mostDecimals) : 1
    }
  }

  /// Writes a number.
  /// - Parameter decimals: The most digits after the point, as if there were no exponent; zeros at the end
  ///   are left out as the style allows.
  static func text(_ value: Double, decimals: Int, style: Style) -> String {
    var decimals = min(max(decimals, 0), mostDecimals)
    var scaled = abs(value)
    for _ in 0..<decimals { scaled *= 10 }
    // Past 15 digits a Double has no decimals to give.
    while scaled >= 1e15, decimals > 0 {
      decimals -= 1
      scaled = abs(value)
      for _ in 0..<decimals { scaled *= 10 }
    }
    let units = scaled < 9e18 ? Int64(scaled.rounded()) : Int64.max
    let digits = pointed(String(units), fraction: decimals + style.exponent, fewest: style.minimumDecimals)
    return (value < 0 && units > 0 ? "-" : "") + digits + style.exponentText
  }

  /// Sets a point before the last digits.
  private static func pointed(_ digits: String, fraction: Int, fewest: Int) -> String {
    var digits = Array(digits.utf8)
    var fraction = fraction
    while fraction < 0 {
      digits.append(UInt8(ascii: "0"))
      fraction += 1
    }
    while digits.count <= fraction { digits.insert(UInt8(ascii: "0"), at: 0) }
    while fraction > fewest, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      fraction -= 1
    }
    while fraction < fewest {
      digits.append(UInt8(ascii: "0"))
      fraction += 1
    }
    // A mantissa of zeros is one zero, however far the exponent had shifted it.
    while digits.count > fraction + 1, digits[0] == UInt8(ascii: "0") { digits.removeFirst() }
    let whole = String(decoding: digits.dropLast(fraction), as: UTF8.self)
    return fraction == 0 ? whole : whole + "." + String(decoding: digits.suffix(fraction), as: UTF8.self)
  }
}
