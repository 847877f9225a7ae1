/// What stops the reading of a file, before its place has been turned into a line and a key path.
struct Fault: Error {
  var code: PatternErrorCode
  /// Byte of the file, from 0.
  var offset: Int
  var message: String
  /// Whether it is the end of the text that is wrong.
  var isOfEnd = false

  /// Text that is not JSON at all.
  static func syntax(at offset: Int, _ message: String, isOfEnd: Bool = false) -> Fault {
    Fault(code: .invalidPatternData, offset: offset, message: message, isOfEnd: isOfEnd)
  }
}

extension UInt8 {
  /// Whether the byte is one of `0` to `9`.
  @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }
  /// Whether the byte is an ASCII letter.
  @inline(__always) var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
}

/// A place in the bytes of a JSON text, and the steps that move it on.
///
/// It knows words, not meanings: space, punctuation, text, numbers, and whole values to be passed over. It
/// accepts a comma before a closing bracket, as files in the wild have it, and nothing else beyond JSON.
struct ByteScanner {
  /// The deepest nesting of a value that is passed over.
  static let maximumDepth = 128

  // Safety: the caller of the decoder lends the bytes for the length of the call, the scanner does not
  // outlive it, and every read is at an index that has been compared with `end`, and is `at` or later or has been
  // compared with `start`.
  private var base: UnsafePointer<UInt8>
  private static let nothing: StaticString = ""
  /// The place in the text of the first byte that can be looked at.
  private(set) var start = 0
  /// The place behind the last byte.
  private(set) var end: Int
  /// The byte that is looked at, from 0 to `end`.
  var at: Int
  /// The first comma before a closing bracket, nil where there is none.
  var firstTrailingComma: Int?

  /// Looks at the first byte.
  init(_ bytes: UnsafeRawBufferPointer) {
    base = Self.address(of: bytes)
    end = bytes.count
    at = 0
  }

  /// Goes on in other bytes.
  /// - Parameters:
  ///   - bytes: Those that hold the byte that is looked at, and what is known of the text behind it.
  ///   - start: The place in the text of the first.
  mutating func continues(in bytes: UnsafeRawBufferPointer, from start: Int) {
    base = Self.address(of: bytes)
    self.start = start
    end = start + bytes.count
  }

  private static func address(of bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
    // No bytes have no address; an index is never below `end` then, so any address will do.
    (bytes.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)).assumingMemoryBound(to: UInt8.self)
  }

  /// The byte at a place, 0 past the end (a zero byte is never legal, so the two need no telling apart).
  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    index < end ? base[index &- start] : 0
  }

  /// The eight bytes from a place on, the first lowest; nil where there are fewer.
  @inline(__always)
  func word(at index: Int) -> UInt64? {
    guard index <= end - 8 else { return nil }
    return UInt64(littleEndian: UnsafeRawPointer(base + (index &- start)).loadUnaligned(as: UInt64.self))
  }

  /// The byte that is looked at, 0 at the end.
  @inline(__always) var byte: UInt8 { byte(at: at) }

  /// The bytes of a range that has been scanned.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= start && range.upperBound <= end, "bytes that are there")
    return UnsafeRawBufferPointer(start: base + (range.lowerBound &- start), count: range.count)
  }

  /// Passes over space.
  @inline(__always)
  mutating func skipSpace() {
    while at < end {
      let byte = byte
      // Everything that can begin a word is above the space, so one comparison ends most calls.
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      at += 1
    }
  }

  /// Passes over the comma or the bracket after a member of a list or object.
  /// - Returns: Whether another member follows; where not, the closing bracket has been passed over.
  @inline(__always)
  mutating func nextMember(before closer: UInt8, isFirst: Bool) throws(Fault) -> Bool {
    skipSpace()
    if byte == closer {
      at += 1
      return false
    }
    if isFirst { return true }
    guard byte == .comma else {
      throw unexpected(closer == .closeBrace ? "a comma or `}`" : "a comma or `]`")
    }
    let comma = at
    at += 1
    skipSpace()
    if byte == closer {
      if firstTrailingComma == nil { firstTrailingComma = comma }
      at += 1
      return false
    }
    return true
  }

  /// Passes over the colon after a key, and the space around it.
  @inline(__always)
  mutating func colon() throws(Fault) {
    skipSpace()
    guard byte == .colon else { throw unexpected("a colon after the key") }
    at += 1
    skipSpace()
  }

  /// Passes over a whole value, whatever it is, in constant memory.
  mutating func skipValue() throws(Fault) {
    // One bit for each open bracket, the innermost lowest: 1 for an object, 0 for a list.
    var open: UInt128 = 0
    var depth = 0
    value: while true {
      skipSpace()
      let first = byte
      switch first {
      case .openBrace, .openBracket:
        guard depth < Self.maximumDepth else {
          throw .syntax(at: at, "nested more than \(Self.maximumDepth) deep; AHAP needs six levels")
        }
        let isObject = first == .openBrace
        open = open << 1 | (isObject ? 1 : 0)
        depth += 1
        at += 1
        if try nextMember(before: isObject ? .closeBrace : .closeBracket, isFirst: true) {
          if isObject { try skipKey() }
          continue value
        }
        open >>= 1
        depth -= 1
      case .quote: try text()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
      default: try word()
      }
      while depth > 0 {
        let isObject = open & 1 == 1
        if try nextMember(before: isObject ? .closeBrace : .closeBracket, isFirst: false) {
          if isObject { try skipKey() }
          continue value
        }
        open >>= 1
        depth -= 1
      }
      return
    }
  }

  /// Passes over a key and its colon.
  private mutating func skipKey() throws(Fault) {
    guard byte == .quote else { throw unexpected("a key in double quotes") }
    try text()
    try colon()
  }

  /// Passes over `true`, `false` or `null`; every other word is refused.
  private mutating func word() throws(Fault) {
    let length = wordLength
    let word = bytes(at..<at + length)
    guard word.spell("true") || word.spell("false") || word.spell("null") else { throw unexpected("a value") }
    at += length
  }

  /// The number of letters, digits and signs from the byte that is looked at.
  private var wordLength: Int {
    var index = at
    while index < end {
      let byte = byte(at: index)
      guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") else { break }
      index += 1
    }
    return index - at
  }

  /// Says what was found at the byte that is looked at, and what belongs there.
  func unexpected(_ wanted: String) -> Fault {
    guard at < end else {
      return .syntax(at: at, "the file ends where \(wanted) belongs; it may be cut off", isOfEnd: true)
    }
    let length = wordLength
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "#"):
      return .syntax(at: at, "found a comment, where \(wanted) belongs; AHAP has no comments, remove it")
    case UInt8(ascii: "'"):
      return .syntax(at: at, "found a single quote, where \(wanted) belongs; text takes double quotes")
    case UInt8(ascii: "+"), UInt8(ascii: "."):
      return .syntax(
        at: at,
        "found `\(excerpt(at..<at + 1 + wordLength(from: at + 1)))`, where \(wanted) belongs; "
          + "a number begins with a digit or a minus")
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let found = excerpt(at..<at + length)
      return .syntax(
        at: at, "found `\(found)`, where \(wanted) belongs; numbers take a point, not a decimal comma")
    case let byte where byte.isLetter:
      let word = bytes(at..<at + length)
      let isNotFinite = word.spell("NaN") || word.spell("nan") || word.spell("Infinity") || word.spell("inf")
      let reason = isNotFinite ? "; every number is finite" : "; text takes double quotes"
      return .syntax(at: at, "found `\(excerpt(at..<at + length))`, where \(wanted) belongs\(reason)")
    case let byte where byte < 0x20 || byte >= 0x7F:
      let digits = String(byte, radix: 16, uppercase: true)
      return .syntax(
        at: at, "found the byte 0x\(byte < 16 ? "0" : "")\(digits), where \(wanted) belongs")
    default:
      return .syntax(at: at, "found `\(excerpt(at..<at + 1))`, where \(wanted) belongs")
    }
  }

  private func wordLength(from index: Int) -> Int {
    var copy = self
    copy.at = min(index, end)
    return copy.wordLength
  }
}
