/// How a text is laid out, so that what is added looks as if its author had written it.
struct TextStyle {
  /// What ends a line inside an element; nil where elements are written on one line.
  var lineEnd: [UInt8]?
  /// What a level is set in by.
  var indent: [UInt8] = Array("  ".utf8)
  /// What stands between a key and a value that follows on its line.
  var colon: [UInt8] = Array(": ".utf8)
  /// What stands between values on one line.
  var comma: [UInt8] = Array(", ".utf8)
  /// What stands inside the brackets of an object on one line.
  var padding: [UInt8] = []
  /// The numbers of the neighbourhood, by what they are.
  var numbers: [NumberKind: [NumberText]] = [:]

  /// What a number is; authors write times of entries, times of points and values each in their own way.
  enum NumberKind {
    case time, pointTime, value
  }

  /// The most numbers that are looked at.
  private static let mostNumbers = 256

  /// Looks at a text and some of its elements.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - list: Its list of entries, from bracket to bracket.
  ///   - samples: Elements of the list.
  init(_ bytes: [UInt8], list: Range<Int>, samples: [Range<Int>]) {
    if let end = bytes.firstIndex(where: \.isLineEnd) {
      let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
      lineEnd = isPair ? [0x0D, 0x0A] : [bytes[end]]
    }
    readIndent(bytes, list)
    if !samples.isEmpty, !samples.contains(where: { bytes[$0].contains(where: \.isLineEnd) }) {
      lineEnd = nil
    }
    var hasColon = false
    var hasComma = false
    var hasPadding = false
    for sample in samples {
      let bytes = Array(bytes[sample])
      guard let root = SyntaxNode(bytes) else { continue }
      look(at: root, in: bytes, &hasColon, &hasComma, &hasPadding)
    }
    if hasColon, !hasComma { comma = colon.last == 0x20 ? Array(", ".utf8) : Array(",".utf8) }
    if !hasColon, let first = bytes[..<list.lowerBound].lastIndex(of: UInt8(ascii: "\"")) {
      let written = Array(bytes[(first + 1)..<list.lowerBound])
      if !written.contains(where: \.isLineEnd) { colon = written }
      if colon.last != 0x20 { comma = Array(",".utf8) }
    }
  }

  private mutating func readIndent(_ bytes: [UInt8], _ list: Range<Int>) {
    let outer = Self.indentOfLine(at: list.lowerBound, in: bytes)
    let lead = bytes[(list.lowerBound + 1)...].prefix(while: \.isSpace)
    if lead.contains(where: \.isLineEnd), lead.endIndex < list.upperBound - 1 {
      let inner = Array(lead.reversed().prefix { !$0.isLineEnd }.reversed())
      if inner.count > outer.count, inner.starts(with: outer) {
        indent = Array(inner.dropFirst(outer.count))
        return
      }
    }
    if !outer.isEmpty { indent = outer }
  }

  /// The space at the beginning of the line on which a byte stands.
  static func indentOfLine(at offset: Int, in bytes: [UInt8]) -> [UInt8] {
    var start = offset
    while start > 0, !bytes[start - 1].isLineEnd { start -= 1 }
    return Array(bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
  }

  private mutating func look(
    at node: SyntaxNode, in bytes: [UInt8], ofPoint isOfPoint: Bool = false, _ hasColon: inout Bool,
    _ hasComma: inout Bool, _ hasPadding: inout Bool
  ) {
    var previous: SyntaxNode.Child?
    for child in node.children {
      if let previous {
        let between = bytes[previous.range.upperBound..<child.range.lowerBound]
        if !hasComma, node.shape == .object, !between.contains(where: \.isLineEnd) {
          comma = Array(between)
          hasComma = true
        }
      } else if !hasPadding, node.shape == .object {
        let lead = bytes[(node.range.lowerBound + 1)..<child.range.lowerBound]
        // Only an innermost object shows how one on a line is written.
        let isInnermost = node.children.allSatisfy { $0.value.children.isEmpty }
        if isInnermost, !lead.contains(where: \.isLineEnd) {
          padding = Array(lead)
          hasPadding = true
        }
      }
      if child.value.children.isEmpty, let name = child.name {
        if !hasColon, let colon = Self.colon(of: child, in: bytes) {
          self.colon = colon
          hasColon = true
        }
        keepNumber(name, child.value, bytes, isOfPoint: isOfPoint)
      } else {
        let isOfPoint = isOfPoint || child.name == "ParameterCurveControlPoints"
        look(at: child.value, in: bytes, ofPoint: isOfPoint, &hasColon, &hasComma, &hasPadding)
      }
      previous = child
    }
  }

  private static func colon(of child: SyntaxNode.Child, in bytes: [UInt8]) -> [UInt8]? {
    let written = bytes[child.range.lowerBound..<child.value.range.lowerBound]
    guard let quote = written.lastIndex(of: UInt8(ascii: "\"")) else { return nil }
    let colon = Array(written[(quote + 1)...])
    return colon.contains(where: \.isLineEnd) ? nil : colon
  }

  private mutating func keepNumber(
    _ name: String, _ value: SyntaxNode, _ bytes: [UInt8], isOfPoint: Bool
  ) {
    let isTime = name == "Time" || name == "EventDuration"
    let kind: NumberKind = isTime ? (isOfPoint ? .pointTime : .time) : .value
    guard isTime || name == "ParameterValue", value.shape == .plain,
      numbers[kind, default: []].count < Self.mostNumbers, let number = NumberText(bytes[value.range])
    else { return }
    numbers[kind, default: []].append(number)
  }

  // MARK: - New text

  /// A value that is not in the text yet.
  indirect enum Fresh {
    /// An object that begins a line for each member where the text has lines.
    case object([(String, Fresh)])
    /// An object on one line.
    case line([(String, Fresh)])
    case list([Fresh])
    case plain(String)
  }

  /// Writes a value as it would stand on a line that is set in.
  func written(_ value: Fresh, indent outer: [UInt8]) -> [UInt8] {
    switch value {
    case .plain(let text): return Array(text.utf8)
    case .line(let members):
      let parts = members.map { written($0.0, $0.1, indent: outer) }
      return bracketed("{", parts, "}", lead: padding, separator: comma, trail: padding)
    case .object(let members):
      return onLines("{", members.map { member in { written(member.0, member.1, indent: $0) } }, "}", outer)
    case .list(let items):
      return onLines("[", items.map { item in { written(item, indent: $0) } }, "]", outer)
    }
  }

  /// Writes a member.
  func written(_ key: String, _ value: Fresh, indent: [UInt8]) -> [UInt8] {
    Array("\"\(key)\"".utf8) + colon + written(value, indent: indent)
  }

  private func onLines(
    _ open: Unicode.Scalar, _ parts: [([UInt8]) -> [UInt8]], _ close: Unicode.Scalar, _ outer: [UInt8]
  ) -> [UInt8] {
    guard let lineEnd, !parts.isEmpty else {
      let lead = open == "{" ? padding : []
      return bracketed(open, parts.map { $0(outer) }, close, lead: lead, separator: comma, trail: lead)
    }
    let inner = outer + indent
    return bracketed(
      open, parts.map { $0(inner) }, close, lead: lineEnd + inner,
      separator: [UInt8(ascii: ",")] + lineEnd + inner, trail: lineEnd + outer)
  }

  private func bracketed(
    _ open: Unicode.Scalar, _ parts: [[UInt8]], _ close: Unicode.Scalar, lead: [UInt8], separator: [UInt8],
    trail: [UInt8]
  ) -> [UInt8] {
    var bytes = [UInt8(ascii: open)]
    if !parts.isEmpty { bytes += lead }
    bytes += parts.joined(separator: separator)
    if !parts.isEmpty { bytes += trail }
    return bytes + [UInt8(ascii: close)]
  }
}
