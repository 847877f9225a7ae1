/// A value of a JSON text, read whole: for small files of settings, not for patterns.
indirect enum JSONNode: Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONNode])
  case object([String: JSONNode])

  /// Why a text is not JSON.
  struct Fault: Error, Equatable {
    var line: Int
    var message: String
  }

  /// Reads a text.
  /// - Throws: ``Fault`` with the line, from 1.
  static func parse(_ text: String) throws(Fault) -> JSONNode {
    var reader = JSONTextReader(bytes: Array(text.utf8))
    let node = try reader.value(depth: 0)
    reader.skipSpace()
    if reader.at < reader.bytes.count { throw reader.fault("something follows the end of the object") }
    return node
  }

  /// The member of an object; nil for none, and for what is no object.
  subscript(name: String) -> JSONNode? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text, nil for others.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The number, nil for others.
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  /// The elements, nil for others.
  var elements: [JSONNode]? { if case .array(let elements) = self { elements } else { nil } }
}

/// A place in a JSON text.
private struct JSONTextReader {
  /// The deepest nesting; a theme needs five levels.
  private static let maximumDepth = 16

  let bytes: [UInt8]
  var at = 0

  private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

  func fault(_ message: String) -> JSONNode.Fault {
    JSONNode.Fault(
      line: 1 + bytes[..<min(at, bytes.count)].count { $0 == UInt8(ascii: "\n") }, message: message)
  }

  mutating func skipSpace() {
    while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
  }

  mutating func value(depth: Int) throws(JSONNode.Fault) -> JSONNode {
    if depth > Self.maximumDepth { throw fault("nested more than \(Self.maximumDepth) deep") }
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default:
      for (word, node) in [("true", JSONNode.bool(true)), ("false", .bool(false)), ("null", .null)]
      where bytes[at...].starts(with: word.utf8) {
        at += word.utf8.count
        return node
      }
      throw fault(at < bytes.count ? "a value belongs here" : "the text ends too early")
    }
  }

  private mutating func object(_ depth: Int) throws(JSONNode.Fault) -> JSONNode {
    var members: [String: JSONNode] = [:]
    while try next(before: UInt8(ascii: "}"), isFirst: members.isEmpty) {
      guard byte == UInt8(ascii: "\"") else { throw fault("a name in double quotes belongs here") }
      let name = try string()
      skipSpace()
      guard byte == UInt8(ascii: ":") else { throw fault("a colon belongs behind a name") }
      at += 1
      if members.updateValue(try value(depth: depth + 1), forKey: name) != nil {
        throw fault("a name is there twice")
      }
    }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(JSONNode.Fault) -> JSONNode {
    var elements: [JSONNode] = []
    while try next(before: UInt8(ascii: "]"), isFirst: elements.isEmpty) {
      elements.append(try value(depth: depth + 1))
    }
    return .array(elements)
  }

  /// Passes over the bracket, the comma, or the bracket at the end.
  private mutating func next(before closer: UInt8, isFirst: Bool) throws(JSONNode.Fault) -> Bool {
    if isFirst { at += 1 }
    skipSpace()
    if byte == closer {
      at += 1
      return false
    }
    if isFirst { return true }
    guard byte == UInt8(ascii: ",") else { throw fault("a comma or the closing bracket belongs here") }
    at += 1
    skipSpace()
    return true
  }

  private mutating func string() throws(JSONNode.Fault) -> String {
    at += 1
    var result: [UInt8] = []
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += try escape()
      case ..<0x20: throw fault("a control character is not for a text")
      default: result.append(byte)
      }
    }
    throw fault("a text does not end")
  }

  private mutating func escape() throws(JSONNode.Fault) -> [UInt8] {
    let byte = byte
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"):
      let digits = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self)
      at += 4
      // Names of events and effects are ASCII, so halves of a pair are refused rather than put together.
      guard digits.utf8.count == 4, let code = UInt32(digits, radix: 16), let scalar = UnicodeScalar(code)
      else { throw fault("\\u takes the four digits of a character") }
      return Array(String(Character(scalar)).utf8)
    default: throw fault("no such escape")
    }
  }

  private mutating func number() throws(JSONNode.Fault) -> Double {
    let start = at
    let allowed = Set("0123456789.-+eE".utf8)
    while allowed.contains(byte) { at += 1 }
    guard let number = decimal(String(decoding: bytes[start..<at], as: UTF8.self)) else {
      throw fault("this is no number")
    }
    return number
  }
}
