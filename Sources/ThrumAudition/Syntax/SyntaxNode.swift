/// A value of a JSON text and where it stands, with what it holds.
struct SyntaxNode {
  /// What a value is.
  enum Shape {
    case object, list, text
    /// A number or a word.
    case plain
  }

  /// A member of an object or an item of a list.
  struct Child {
    /// The key, its escapes read; nil in a list.
    var name: String?
    /// From the key's opening quote, or the value's first byte in a list, to the value's last byte.
    var range: Range<Int>
    var value: SyntaxNode
  }

  var shape: Shape
  var range: Range<Int>
  var children: [Child] = []

  /// How deep values are looked into; AHAP needs six levels, and what is deeper is passed over whole.
  private static let deepest = 6

  /// Reads the value that a piece of text is; nil where it is not one.
  init?(_ bytes: [UInt8]) {
    let root = bytes.withUnsafeBufferPointer { bytes in
      var scanner = SyntaxScanner(bytes)
      return SyntaxNode(&scanner, depth: 0)
    }
    guard let root, root.range == bytes.indices else { return nil }
    self = root
  }

  private init?(_ scanner: inout SyntaxScanner, depth: Int) {
    let start = scanner.at
    switch scanner.byte {
    case UInt8(ascii: "{") where depth < Self.deepest: shape = .object
    case UInt8(ascii: "[") where depth < Self.deepest: shape = .list
    case let first:
      guard let range = scanner.value() else { return nil }
      shape = first == UInt8(ascii: "\"") ? .text : .plain
      self.range = range
      return
    }
    range = start..<start
    let closer = shape == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
    scanner.at += 1
    scanner.skipSpace()
    while scanner.byte != closer {
      let first = scanner.at
      var name: String?
      if shape == .object {
        guard let key = scanner.key() else { return nil }
        name = scanner.unescaped(key)
      }
      guard let value = SyntaxNode(&scanner, depth: depth + 1) else { return nil }
      children.append(Child(name: name, range: first..<value.range.upperBound, value: value))
      scanner.skipComma()
    }
    scanner.at += 1
    range = start..<scanner.at
  }

  /// The position of the member that counts among those of a name: the last.
  func member(_ name: String) -> Int? { children.lastIndex { $0.name == name } }

  /// The value of a member.
  subscript(name: String) -> SyntaxNode? { member(name).map { children[$0].value } }

  /// The text of a member, its quotes taken off and its escapes read.
  func text(_ name: String, in bytes: [UInt8]) -> String? {
    guard let value = self[name], value.shape == .text else { return nil }
    return bytes.withUnsafeBufferPointer {
      SyntaxScanner($0).unescaped(value.range.lowerBound + 1..<value.range.upperBound - 1)
    }
  }
}
