/// Finds where the values of a JSON text stand.
///
/// It is given only texts that `AHAPDecoder` has accepted, or pieces of such, so it checks no grammar beyond
/// what it needs to stay within the bytes; what it cannot make out it gives up on with nil.
struct SyntaxScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var at: Int

  // Safety: whoever makes a scanner lends it the bytes for as long as the scanner is used; every read is at
  // an index that has been compared with the count.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int = 0) {
    self.bytes = bytes
    at = start
  }

  /// The byte that is looked at, 0 at the end.
  @inline(__always) var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

  /// Passes over space.
  @inline(__always)
  mutating func skipSpace() {
    while byte.isSpace { at += 1 }
  }

  /// Passes over a comma, if there is one, and the space around it.
  mutating func skipComma() {
    skipSpace()
    if byte == UInt8(ascii: ",") { at += 1 }
    skipSpace()
  }

  /// Passes over a text; its opening quote is looked at.
  /// - Returns: The bytes between the quotes.
  mutating func text() -> Range<Int>? {
    let start = at + 1
    at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at += 1
        return start..<at - 1
      case UInt8(ascii: "\\"): at += 2
      default: at += 1
      }
    }
    return nil
  }

  /// Passes over a key and its colon.
  /// - Returns: The bytes between its quotes.
  mutating func key() -> Range<Int>? {
    guard byte == UInt8(ascii: "\""), let key = text() else { return nil }
    skipSpace()
    guard byte == UInt8(ascii: ":") else { return nil }
    at += 1
    skipSpace()
    return key
  }

  /// Passes over a value, whatever it holds.
  mutating func value() -> Range<Int>? {
    let start = at
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        guard text() != nil else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return nil }
        depth -= 1
        at += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: at += 1
      default: skipWord()
      }
      if depth == 0 { return start..<at }
    }
    return nil
  }

  /// Passes over a number, `true`, `false` or `null`.
  private mutating func skipWord() {
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
        return
      default: at += 1
      }
    }
  }

  /// Whether the bytes of a text, its escapes read, are a name in ASCII.
  func spells(_ range: Range<Int>, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    if range.count == count {
      for index in 0..<count where bytes[range.lowerBound + index] != name.utf8Start[index] { return false }
      return true
    }
    guard range.count > count, bytes[range].contains(UInt8(ascii: "\\")) else { return false }
    return unescaped(range) == name.description
  }

  /// A text with its escapes read.
  func unescaped(_ range: Range<Int>) -> String {
    var units: [UInt16] = []
    var plain: [UInt8] = []
    var index = range.lowerBound
    // An escape can be half a pair, so all of the text goes through UTF-16.
    func flush() {
      units.append(contentsOf: String(decoding: plain, as: UTF8.self).utf16)
      plain.removeAll()
    }
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
        plain.append(bytes[index])
        index += 1
        continue
      }
      let letter = bytes[index + 1]
      index += 2
      switch letter {
      case UInt8(ascii: "b"): plain.append(0x08)
      case UInt8(ascii: "f"): plain.append(0x0C)
      case UInt8(ascii: "n"): plain.append(0x0A)
      case UInt8(ascii: "r"): plain.append(0x0D)
      case UInt8(ascii: "t"): plain.append(0x09)
      case UInt8(ascii: "u"):
        flush()
        let digits = String(decoding: bytes[index..<min(index + 4, range.upperBound)], as: UTF8.self)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
        index = min(index + 4, range.upperBound)
      default: plain.append(letter)
      }
    }
    flush()
    return String(decoding: units, as: UTF16.self)
  }
}

extension UInt8 {
  /// Whether the byte is space in JSON.
  @inline(__always) var isSpace: Bool {
    self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09)
  }

  /// Whether the byte ends a line, or is the first of two that do.
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}
