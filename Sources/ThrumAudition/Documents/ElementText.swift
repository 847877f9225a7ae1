/// The text of one element of a pattern's list, or of a piece of it, while it is changed.
struct ElementText {
  /// A way into a value: the member of a name that counts, or an item by its position.
  enum Step: Equatable {
    case key(String)
    case item(Int)
  }

  private(set) var bytes: [UInt8]
  private(set) var root: SyntaxNode
  let style: TextStyle
  /// What the line is set in by on which the text begins.
  let firstIndent: [UInt8]

  /// - Throws: ``EditRefusal`` where the text is not one value.
  init(_ bytes: [UInt8], style: TextStyle, firstIndent: [UInt8] = []) throws(EditRefusal) {
    guard let root = SyntaxNode(bytes) else { throw Self.notUnderstood }
    self.bytes = bytes
    self.root = root
    self.style = style
    self.firstIndent = firstIndent
  }

  /// What is said where the text is not as the reader's acceptance of it promised.
  static let notUnderstood = EditRefusal("not done: the text is written in a way that is not understood here")

  /// The value at the end of a way.
  func node(_ path: [Step]) -> SyntaxNode? {
    path.reduce(root) { node, step in
      switch step {
      case .key(let name): node?[name]
      case .item(let index):
        node.flatMap { $0.children.indices.contains(index) ? $0.children[index].value : nil }
      }
    }
  }

  /// The number at the end of a way.
  func number(_ path: [Step]) -> NumberText? { node(path).flatMap { NumberText(bytes[$0.range]) } }

  mutating func make(_ splice: Splice) throws(EditRefusal) {
    bytes.replaceSubrange(splice.range, with: splice.bytes)
    guard let root = SyntaxNode(bytes) else { throw Self.notUnderstood }
    self.root = root
  }

  private func container(_ path: [Step]) throws(EditRefusal) -> Container {
    guard let node = node(path), node.shape == .object || node.shape == .list else {
      throw Self.notUnderstood
    }
    return Container(node)
  }

  /// What the line is set in by on which a byte stands.
  func indent(at offset: Int) -> [UInt8] {
    bytes[..<offset].contains(where: \.isLineEnd)
      ? TextStyle.indentOfLine(at: offset, in: bytes) : firstIndent
  }

  // MARK: - Members

  /// Gives a member a value, and adds it where the object has none of its name.
  /// - Parameter predecessors: The members behind which it is added; at the beginning where none of them is
  ///   there.
  mutating func set(
    _ name: String, of path: [Step], to value: String, after predecessors: [String]
  ) throws(EditRefusal) {
    if let node = node(path + [.key(name)]) { return try make(Splice(node.range, Array(value.utf8))) }
    try insert(Array("\"\(name)\"".utf8) + style.colon + Array(value.utf8), into: path, after: predecessors)
  }

  /// Adds a member.
  mutating func insert(
    _ member: [UInt8], into path: [Step], after predecessors: [String]
  ) throws(EditRefusal) {
    guard let object = node(path) else { throw Self.notUnderstood }
    let last = object.children.lastIndex { child in child.name.map(predecessors.contains) ?? false }
    try insert(member, into: path, at: last.map { $0 + 1 } ?? 0)
  }

  /// Adds a member or an item at a position.
  mutating func insert(_ child: [UInt8], into path: [Step], at position: Int) throws(EditRefusal) {
    let container = try container(path)
    try make(
      container.inserting(
        child, at: position, in: bytes, style: style, indent: indent(at: container.range.lowerBound)))
  }

  /// Removes a member or an item.
  mutating func remove(at position: Int, of path: [Step]) throws(EditRefusal) {
    try make(container(path).removing(at: position))
  }

  /// Removes every member of a name, so that no earlier one comes back to count.
  mutating func remove(_ name: String, of path: [Step]) throws(EditRefusal) {
    while let position = node(path)?.member(name) { try remove(at: position, of: path) }
  }

  /// Removes all members but those of some names, and of each of these all but the one that counts.
  mutating func keep(_ names: [String], of path: [Step]) throws(EditRefusal) {
    var seen: Set<String> = []
    for position in (node(path)?.children.indices ?? 0..<0).reversed() {
      let name = node(path)?.children[position].name ?? ""
      if names.contains(name), seen.insert(name).inserted { continue }
      try remove(at: position, of: path)
    }
  }

  /// Puts other items into a list that has some.
  mutating func replaceItems(of path: [Step], with items: [[UInt8]]) throws(EditRefusal) {
    try make(container(path).replacing(items, in: bytes, style: style))
  }

  /// The text of each member or item.
  func childTexts(of path: [Step]) -> [[UInt8]] { node(path)?.children.map { Array(bytes[$0.range]) } ?? [] }
}
