/// A place in a JSON text that moves along it.
struct JSONReader {
  let bytes: [UInt8]
  let deepest: Int
  private var at = 0

  init(bytes: [UInt8], deepest: Int) {
    self.bytes = bytes
    self.deepest = deepest
  }

  /// The next byte; nil behind the last one.
  private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func fault(_ message: String) -> LocatedJSON.Fault {
    LocatedJSON.Fault(offset: min(at, bytes.count), message: message)
  }

  /// What to say where something else stands, or nothing any more.
  private func missing(_ what: String) -> LocatedJSON.Fault {
    fault(byte == nil ? "the text ends too early; \(what) belongs here" : "\(what) belongs here")
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  private mutating func passes(_ character: UInt8) -> Bool {
    guard byte == character else { return false }
    at += 1
    return true
  }

  /// The whole text.
  mutating func document() throws(LocatedJSON.Fault) -> LocatedJSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    let value = try value(depth: 0)
    skipSpace()
    if byte != nil { throw fault("something follows the end of the value") }
    return value
  }

  private mutating func value(depth: Int) throws(LocatedJSON.Fault) -> LocatedJSON {
    skipSpace()
    if depth > deepest { throw fault("nested more than \(deepest) deep") }
    let start = at
    let value: LocatedJSON.Value
    switch byte {
    case UInt8(ascii: "{"): value = .object(try members(depth))
    case UInt8(ascii: "["): value = .array(try elements(depth))
    case UInt8(ascii: "\""): value = .string(try string())
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): value = .number(try number())
    default: value = try word()
    }
    return LocatedJSON(value: value, offset: start)
  }

  private mutating func word() throws(LocatedJSON.Fault) -> LocatedJSON.Value {
    for (word, value) in [("true", LocatedJSON.Value.bool(true)), ("false", .bool(false)), ("null", .null)]
    where bytes[min(at, bytes.count)...].starts(with: word.utf8) {
      at += word.utf8.count
      return value
    }
    throw missing("a value")
  }

  private mutating func members(_ depth: Int) throws(LocatedJSON.Fault) -> [LocatedJSON.Member] {
    var members: [LocatedJSON.Member] = []
    var known: Set<String> = []
    at += 1
    skipSpace()
    if passes(UInt8(ascii: "}")) { return members }
    while true {
      skipSpace()
      let start = at
      guard byte == UInt8(ascii: "\"") else { throw missing("a key in double quotes") }
      let key = try string()
      if !known.insert(key).inserted {
        at = start
        throw fault("the key \"\(key)\" is there twice")
      }
      skipSpace()
      guard passes(UInt8(ascii: ":")) else { throw missing("a colon") }
      members.append(.init(key: key, offset: start, value: try value(depth: depth + 1)))
      skipSpace()
      if passes(UInt8(ascii: "}")) { return members }
      guard passes(UInt8(ascii: ",")) else { throw missing("a comma or }") }
    }
  }

  private mutating func elements(_ depth: Int) throws(LocatedJSON.Fault) -> [LocatedJSON] {
    var elements: [LocatedJSON] = []
    at += 1
    skipSpace()
    if passes(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if passes(UInt8(ascii: "]")) { return elements }
      guard passes(UInt8(ascii: ",")) else { throw missing("a comma or ]") }
    }
  }
}

// Texts and numbers.
extension JSONReader {
  private mutating func string() throws(LocatedJSON.Fault) -> String {
    let start = at
    at += 1
    var result: [UInt8] = []
    while let next = byte {
      if next < 0x20 { throw fault("a control character is not for a text; write \\n or \\u and its number") }
      at += 1
      if next == UInt8(ascii: "\"") {
        guard let text = String(validating: result, as: UTF8.self) else {
          at = start
          throw fault("the text is not UTF-8")
        }
        return text
      }
      if next == UInt8(ascii: "\\") { result += try escape() } else { result.append(next) }
    }
    throw fault("the text ends too early; a double quote belongs here")
  }

  /// The bytes of what follows a backslash.
  private mutating func escape() throws(LocatedJSON.Fault) -> [UInt8] {
    let start = at - 1
    guard let letter = byte else { throw missing("the letter of an escape") }
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"): return try character(start)
    default:
      at = start
      throw fault("there is no such escape; \\\\ is a backslash")
    }
  }

  /// The character behind `\u`; those beyond the first 65,536 are written as two.
  private mutating func character(_ start: Int) throws(LocatedJSON.Fault) -> [UInt8] {
    var code = try codeUnit()
    if (0xD800...0xDBFF).contains(code), passes(UInt8(ascii: "\\")), passes(UInt8(ascii: "u")) {
      let second = try codeUnit()
      if (0xDC00...0xDFFF).contains(second) { code = 0x10000 + (code - 0xD800) << 10 + (second - 0xDC00) }
    }
    guard let scalar = UnicodeScalar(code) else {
      at = start
      throw fault("half of a surrogate pair; write both, such as \\ud83d\\ude00")
    }
    return Array(String(Character(scalar)).utf8)
  }

  /// Four hexadecimal digits, no sign among them.
  private mutating func codeUnit() throws(LocatedJSON.Fault) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte, byte < 0x80, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        throw missing("one of the four hexadecimal digits of \\u")
      }
      code = code << 4 | UInt32(digit)
      at += 1
    }
    return code
  }

  private mutating func number() throws(LocatedJSON.Fault) -> Double {
    let start = at
    if byte == UInt8(ascii: "-") { at += 1 }
    let first = at
    try passDigits()
    if bytes[first] == UInt8(ascii: "0"), at - first > 1 {
      at = start
      throw fault("a number has no zeros before its digits")
    }
    if passes(UInt8(ascii: ".")) { try passDigits() }
    if passes(UInt8(ascii: "e")) || passes(UInt8(ascii: "E")) {
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { at += 1 }
      try passDigits()
    }
    guard let number = decimal(String(decoding: bytes[start..<at], as: UTF8.self)) else {
      at = start
      throw fault("the number is too large")
    }
    return number
  }

  private mutating func passDigits() throws(LocatedJSON.Fault) {
    let start = at
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
    if at == start { throw missing("a digit") }
  }
}
