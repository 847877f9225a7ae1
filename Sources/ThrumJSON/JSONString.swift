/// Texts as JSON writes them.
public enum JSONString {
  /// A text in double quotes, its control characters as escapes.
  ///
  /// Threads: any. Real-time: no.
  public static func quoted(_ string: String) -> String {
    var text = ""
    append(string, to: &text)
    return text
  }

  /// Writes a text in double quotes behind what is there.
  ///
  /// Threads: any. Real-time: no.
  public static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Also those behind ASCII, which a terminal may obey.
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
