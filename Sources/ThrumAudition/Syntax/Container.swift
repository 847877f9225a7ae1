/// An object or a list of a text, and how members or items come into it and go from it.
struct Container {
  /// From bracket to bracket.
  var range: Range<Int>
  /// Its members or items, in order.
  var children: [Range<Int>]

  init(_ node: SyntaxNode) {
    range = node.range
    children = node.children.map(\.range)
  }

  init(_ range: Range<Int>, children: [Range<Int>]) {
    self.range = range
    self.children = children
  }

  /// What separates two neighbours: the bytes from the end of one to the beginning of the other.
  private func separator(after index: Int, in bytes: [UInt8]) -> [UInt8] {
    Array(bytes[children[index].upperBound..<children[index + 1].lowerBound])
  }

  /// What would separate a new child from its neighbour at a position.
  func separator(at position: Int, in bytes: [UInt8], style: TextStyle) -> [UInt8] {
    if children.count > 1 {
      return separator(after: min(max(position - 1, 0), children.count - 2), in: bytes)
    }
    guard let only = children.first else { return [] }
    let lead = bytes[(range.lowerBound + 1)..<only.lowerBound]
    return lead.contains(where: \.isLineEnd) ? [UInt8(ascii: ",")] + lead : style.comma
  }

  /// Puts in a child.
  /// - Parameters:
  ///   - child: Its text.
  ///   - position: How many stand before it then.
  ///   - indent: What the line is set in by on which the container begins.
  func inserting(
    _ child: [UInt8], at position: Int, in bytes: [UInt8], style: TextStyle, indent: [UInt8]
  ) -> Splice {
    if children.isEmpty {
      let inside = range.lowerBound + 1..<range.upperBound - 1
      guard let lineEnd = style.lineEnd else { return Splice(inside, child) }
      return Splice(inside, lineEnd + indent + style.indent + child + lineEnd + indent)
    }
    let separator = separator(at: position, in: bytes, style: style)
    if position == 0 {
      let start = children[0].lowerBound
      return Splice(start..<start, child + separator)
    }
    let end = children[position - 1].upperBound
    return Splice(end..<end, separator + child)
  }

  /// Takes out a child, with the space and the comma that set it off.
  func removing(at position: Int) -> Splice {
    if children.count == 1 { return Splice(range.lowerBound + 1..<range.upperBound - 1, []) }
    if position + 1 < children.count {
      return Splice(children[position].lowerBound..<children[position + 1].lowerBound, [])
    }
    return Splice(children[position - 1].upperBound..<children[position].upperBound, [])
  }

  /// Puts other children into the places of those that are there: as many, or fewer or more.
  func replacing(_ new: [[UInt8]], in bytes: [UInt8], style: TextStyle) -> Splice {
    guard let first = children.first, let last = children.last else { return Splice(range, []) }
    var text: [UInt8] = []
    for (index, child) in new.enumerated() {
      text += child
      guard index + 1 < new.count else { break }
      text +=
        index + 1 < children.count
        ? separator(after: index, in: bytes)
        : separator(at: children.count, in: bytes, style: style)
    }
    return Splice(first.lowerBound..<last.upperBound, text)
  }
}
