/// A text of the file, between its quotes, not yet decoded.
struct ScannedText {
  /// The bytes between the quotes.
  var range: Range<Int>
  /// Whether a backslash is among them.
  var hasEscapes: Bool
  /// Whether a byte of 0x80 or more is among them.
  var hasHighBytes: Bool
}

extension ByteScanner {
  /// Passes over a text; the opening quote is looked at.
  ///
  /// Escapes are checked here and decoded only where the text matters.
  @discardableResult
  mutating func text() throws(Fault) -> ScannedText {
    let start = at + 1
    var index = start
    var hasEscapes = false
    var high: UInt8 = 0
    while index < end {
      index = plainRun(from: index)
      guard index < end else { break }
      let byte = byte(at: index)
      if byte == .quote {
        at = index + 1
        return ScannedText(range: start..<index, hasEscapes: hasEscapes, hasHighBytes: high >= 0x80)
      }
      if byte == .backslash {
        hasEscapes = true
        index = try escape(at: index)
        continue
      }
      guard byte >= 0x20 else {
        if byte == 0x0A || byte == 0x0D {
          throw .syntax(at: start - 1, "this text is not closed on its line; a closing quote is missing")
        }
        let digits = String(byte, radix: 16, uppercase: true)
        let found = "the control character 0x\(byte < 16 ? "0" : "")\(digits)"
        throw .syntax(at: index, "found \(found) in a text; write it as an escape")
      }
      high |= byte
      index += 1
    }
    throw .syntax(at: start - 1, "the file ends inside this text; it may be cut off", isOfEnd: true)
  }

  /// The first byte from an index on that may be more than a letter, found eight at a time.
  @inline(__always)
  private func plainRun(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = start
    while let word = word(at: index) {
      // The top bit of each byte that is a quote, a backslash, a control character or not ASCII. A borrow can
      // only mark a byte above a marked one, so the lowest mark is always true.
      let quotes = word ^ (ones &* UInt64(UInt8.quote))
      let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
      let marks =
        ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) | word)
        & (ones &* 0x80)
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    return index
  }

  /// The byte after the escape that begins at a backslash.
  private func escape(at backslash: Int) throws(Fault) -> Int {
    switch byte(at: backslash + 1) {
    case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return backslash + 2
    case UInt8(ascii: "u"):
      for digit in 2..<6 where hexadecimal(byte(at: backslash + digit)) == nil {
        throw .syntax(at: backslash, "the escape `\\u` takes four hexadecimal digits")
      }
      return backslash + 6
    default:
      let found = excerpt(backslash..<min(backslash + 2, end))
      throw .syntax(at: backslash, "`\(found)` is no escape; a backslash is written as `\\\\`")
    }
  }

  private func hexadecimal(_ byte: UInt8) -> UInt16? {
    if byte.isDigit { return UInt16(byte &- 0x30) }
    let letter = byte | 0x20
    return letter >= 0x61 && letter <= 0x66 ? UInt16(letter - 0x61 + 10) : nil
  }

  /// Lends the decoded bytes of a text: the file's own where it has no escapes.
  @inline(__always)
  func withBytes<Value>(of text: ScannedText, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    text.hasEscapes ? unescaped(text).withUnsafeBytes(body) : body(bytes(text.range))
  }

  /// A text as a string; what is not UTF-8 becomes U+FFFD.
  func string(_ text: ScannedText) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a text is UTF-8.
  func isUTF8(_ text: ScannedText) -> Bool {
    !text.hasHighBytes || String(validating: bytes(text.range), as: UTF8.self) != nil
  }

  /// The bytes of a text with its escapes replaced; half a surrogate pair becomes U+FFFD.
  private func unescaped(_ text: ScannedText) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.range.count)
    var index = text.range.lowerBound
    while index < text.range.upperBound {
      let byte = byte(at: index)
      guard byte == .backslash else {
        result.append(byte)
        index += 1
        continue
      }
      let letter = self.byte(at: index + 1)
      index += 2
      switch letter {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        let scalar = scalar(at: &index, end: text.range.upperBound)
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: result.append(letter)
      }
    }
    return result
  }

  /// The scalar whose four digits are at an index, or eight where two escapes make a pair.
  private func scalar(at index: inout Int, end: Int) -> Unicode.Scalar {
    let high = codeUnit(at: index)
    index += 4
    if let scalar = Unicode.Scalar(high) { return scalar }
    let isPair =
      high & 0xFC00 == 0xD800 && index + 6 <= end
      && byte(at: index) == .backslash && byte(at: index + 1) == UInt8(ascii: "u")
    guard isPair else { return "\u{FFFD}" }
    let low = codeUnit(at: index + 2)
    guard low & 0xFC00 == 0xDC00 else { return "\u{FFFD}" }
    index += 6
    return Unicode.Scalar(0x10000 + UInt32(high & 0x3FF) << 10 + UInt32(low & 0x3FF)) ?? "\u{FFFD}"
  }

  private func codeUnit(at index: Int) -> UInt16 {
    var unit: UInt16 = 0
    for digit in 0..<4 { unit = unit << 4 | (hexadecimal(byte(at: index + digit)) ?? 0) }
    return unit
  }

  /// Bytes of the file fit to be shown: at most 60 of them, nothing that a terminal would act on.
  func excerpt(_ range: Range<Int>) -> String {
    let shown = range.lowerBound..<min(range.upperBound, range.lowerBound + 60)
    let text = printable(String(decoding: bytes(shown), as: UTF8.self))
    return shown == range ? text : text + "…"
  }

  /// A text of the file fit to be shown.
  func excerpt(_ text: ScannedText) -> String {
    guard text.hasEscapes else { return excerpt(text.range) }
    let string = string(text)
    let shown = string.unicodeScalars.prefix(60)
    var beginning = String.UnicodeScalarView()
    beginning.append(contentsOf: shown)
    let ending = shown.endIndex < string.unicodeScalars.endIndex ? "…" : ""
    return printable(String(beginning)) + ending
  }
}

/// The string with control and format characters spelled out.
public func printable(_ string: String) -> String {
  var result = ""
  for scalar in string.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      result += scalar.escaped(asASCII: true)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
