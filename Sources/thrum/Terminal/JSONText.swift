import ThrumJSON

/// A value that can be written as JSON.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Written with as many digits as tell it apart from its neighbours; infinity and NaN become null.
  case number(Double)
  /// A Float32, written with its own digits rather than those of the nearest Float64.
  case float(Float)
  case string(String)
  case array([JSONValue])
  /// An array of so many members that they are made one at a time.
  case longArray(AnySequence<JSONValue>)
  /// Members in the order in which they are written.
  case object([(String, JSONValue)])

  /// A whole number.
  static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  /// A string, or null.
  static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

  /// A number, or null.
  static func optional(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }

  /// The value on one line.
  var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// Writes the value in pieces, so that a long one is never there as a whole.
  func write(to put: (String) -> Void) {
    var text = ""
    append(to: &text) { text in
      if text.utf8.count < 1 << 16 { return }
      put(text)
      text = ""
    }
    put(text)
  }

  /// - Parameter pass: Is lent the text behind each member, and may take it away.
  private func append(to text: inout String, pass: (inout String) -> Void = { _ in }) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .float(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): JSONString.append(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.append(to: &text)
      }
      text += "]"
    case .longArray(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.append(to: &text)
        pass(&text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        JSONString.append(member.0, to: &text)
        text += ":"
        member.1.append(to: &text, pass: pass)
      }
      text += "}"
    }
  }
}
