/// A value of a JSON text and where it stands, for messages that name the place.
struct LocatedJSON {
  /// What it holds.
  indirect enum Value {
    case null, bool(Bool), number(Double), string(String), array([LocatedJSON]), object([Member])
  }

  /// A member of an object.
  struct Member {
    var key: String
    var value: LocatedJSON
  }

  /// Why a text is not JSON, and the offset where that shows.
  struct Fault: Error {
    var offset: Int
    var message: String
  }

  var value: Value
  /// Bytes from the start of the text.
  var offset: Int

  /// What the value is, for a message.
  var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// A member of an object.
  subscript(key: String) -> LocatedJSON? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Reads a text.
  static func parse(_ bytes: [UInt8]) throws(Fault) -> LocatedJSON {
    var reader = Reader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    if reader.at < bytes.count { throw reader.fault("something follows the end of the value") }
    return value
  }

  /// The line and the column, in bytes, of an offset, both from 1.
  static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes.prefix(offset)
    let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (line, offset - start + 1)
  }

  private struct Reader {
    let bytes: [UInt8]
    var at = 0
    private static let deepest = 32

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    func fault(_ message: String) -> Fault { Fault(offset: min(at, bytes.count), message: message) }

    mutating func skipSpace() {
      while [0x20, 0x09, 0x0A, 0x0D].contains(byte), at < bytes.count { at += 1 }
    }

    mutating func value(depth: Int) throws(Fault) -> LocatedJSON {
      if depth > Self.deepest { throw fault("nested more than \(Self.deepest) deep") }
      skipSpace()
      let start = at
      let value: Value
      switch byte {
      case UInt8(ascii: "{"): value = try object(depth)
      case UInt8(ascii: "["): value = try array(depth)
      case UInt8(ascii: "\""): value = .string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try number())
      default: value = try word()
      }
      return LocatedJSON(value: value, offset: start)
    }

    private mutating func word() throws(Fault) -> Value {
      for (word, value) in [("true", Value.bool(true)), ("false", .bool(false)), ("null", .null)]
      where bytes[min(at, bytes.count)...].starts(with: word.utf8) {
        at += word.utf8.count
        return value
      }
      throw fault(at < bytes.count ? "a value belongs here" : "the text ends too early")
    }

    private mutating func object(_ depth: Int) throws(Fault) -> Value {
      var members: [Member] = []
      at += 1
      skipSpace()
      if closes("}") { return .object(members) }
      while true {
        skipSpace()
        guard byte == UInt8(ascii: "\"") else { throw fault("a key in double quotes belongs here") }
        let key = try string()
        skipSpace()
        guard byte == UInt8(ascii: ":") else { throw fault("a colon belongs behind the key \"\(key)\"") }
        at += 1
        members.append(Member(key: key, value: try value(depth: depth + 1)))
        skipSpace()
        if closes("}") { return .object(members) }
        try passComma("}")
      }
    }

    private mutating func array(_ depth: Int) throws(Fault) -> Value {
      var elements: [LocatedJSON] = []
      at += 1
      skipSpace()
      if closes("]") { return .array(elements) }
      while true {
        elements.append(try value(depth: depth + 1))
        skipSpace()
        if closes("]") { return .array(elements) }
        try passComma("]")
      }
    }

    private mutating func closes(_ bracket: Character) -> Bool {
      guard at < bytes.count, byte == bracket.asciiValue else { return false }
      at += 1
      return true
    }

    private mutating func passComma(_ bracket: Character) throws(Fault) {
      guard byte == UInt8(ascii: ",") else {
        throw fault(at < bytes.count ? "a comma or \(bracket) belongs here" : "the text ends too early")
      }
      at += 1
    }

    private mutating func string() throws(Fault) -> String {
      at += 1
      var result: [UInt8] = []
      while at < bytes.count {
        let next = byte
        if next < 0x20 { throw fault("a control character is not for a text") }
        at += 1
        if next == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
        if next == UInt8(ascii: "\\") { result += try escape() } else { result.append(next) }
      }
      throw fault("a text does not end")
    }

    private mutating func escape() throws(Fault) -> [UInt8] {
      let letter = byte
      at += 1
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
      case UInt8(ascii: "n"): return [0x0A]
      case UInt8(ascii: "r"): return [0x0D]
      case UInt8(ascii: "t"): return [0x09]
      case UInt8(ascii: "b"): return [0x08]
      case UInt8(ascii: "f"): return [0x0C]
      case UInt8(ascii: "u"):
        let digits = String(decoding: bytes[min(at, bytes.count)..<min(at + 4, bytes.count)], as: UTF8.self)
        guard digits.utf8.count == 4, let code = UInt32(digits, radix: 16) else {
          throw fault("\\u takes four hexadecimal digits")
        }
        at += 4
        // Names of devices are all that comes this way; half a pair shows as a replacement.
        return Array(String(Character(UnicodeScalar(code) ?? "\u{FFFD}")).utf8)
      default: throw fault("there is no such escape")
      }
    }

    private mutating func number() throws(Fault) -> Double {
      let start = at
      let allowed = Set("0123456789.-+eE".utf8)
      while allowed.contains(byte) { at += 1 }
      guard let number = decimal(String(decoding: bytes[start..<at], as: UTF8.self)) else {
        at = start
        throw fault("this is no number")
      }
      return number
    }
  }
}
