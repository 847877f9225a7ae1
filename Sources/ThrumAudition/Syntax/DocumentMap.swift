import ThrumPattern

/// Where the entries of a text that has been accepted stand in it.
struct DocumentMap: Sendable {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The kinds of entry; raw values are bits.
  enum Kind: UInt8, Sendable {
    case event = 1
    case parameter = 2
    case curve = 4

    /// The key of an entry of this kind.
    var key: String {
      switch self {
      case .event: "Event"
      case .parameter: "Parameter"
      case .curve: "ParameterCurve"
      }
    }
  }

  /// An entry of the pattern: which element of the list holds it, under which key.
  struct Place: Sendable {
    var element: Int32
    var kind: Kind
  }

  /// The list that counts, from bracket to bracket.
  private(set) var list = 0..<0
  /// Its elements, from brace to brace.
  private(set) var elements: [Range<Int>] = []
  /// The entries, in the pattern's order.
  private(set) var places: [Place] = []

  /// Looks through a text; nil where it does not hold exactly the entries of the pattern that was read from
  /// it.
  init?(_ bytes: [UInt8], of pattern: Pattern) {
    places.reserveCapacity(pattern.entries.count)
    elements.reserveCapacity(pattern.entries.count)
    let isRead = bytes.withUnsafeBufferPointer { read($0) }
    guard isRead, places.count == pattern.entries.count else { return nil }
    var areSame = true
    pattern.entries.forEachOutline { index, outline in
      let kind: Kind =
        switch outline.kind {
        case .event: .event
        case .parameter: .parameter
        case .curve: .curve
        }
      if places[index].kind != kind { areSame = false }
    }
    guard areSame else { return nil }
  }

  /// The bytes of the element that holds an entry.
  func range(ofEntry index: Int) -> Range<Int>? {
    places.indices.contains(index) ? elements[Int(places[index].element)] : nil
  }

  /// The entries that an element holds.
  func entries(ofElement element: Int) -> Range<Int> {
    let first = places.partitioningIndex { $0.element >= element }
    let last = places.partitioningIndex { $0.element > element }
    return first..<last
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = SyntaxScanner(bytes, at: bytes.starts(with: Self.byteOrderMark) ? 3 : 0)
    scanner.skipSpace()
    guard scanner.byte == UInt8(ascii: "{") else { return false }
    scanner.at += 1
    scanner.skipSpace()
    while scanner.byte != UInt8(ascii: "}") {
      guard let key = scanner.key() else { return false }
      if scanner.spells(key, "Pattern") {
        guard readList(&scanner) else { return false }
      } else {
        guard scanner.value() != nil else { return false }
      }
      scanner.skipComma()
    }
    return true
  }

  private mutating func readList(_ scanner: inout SyntaxScanner) -> Bool {
    // A second list replaces the first.
    elements.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    let start = scanner.at
    guard scanner.byte == UInt8(ascii: "[") else { return false }
    scanner.at += 1
    scanner.skipSpace()
    while scanner.byte != UInt8(ascii: "]") {
      guard readElement(&scanner) else { return false }
      scanner.skipComma()
    }
    scanner.at += 1
    list = start..<scanner.at
    return true
  }

  private mutating func readElement(_ scanner: inout SyntaxScanner) -> Bool {
    let start = scanner.at
    guard scanner.byte == UInt8(ascii: "{") else { return false }
    scanner.at += 1
    scanner.skipSpace()
    var seen: UInt8 = 0
    while scanner.byte != UInt8(ascii: "}") {
      guard let key = scanner.key() else { return false }
      if let kind = kind(of: key, scanner) {
        // A repeated key replaces what the earlier one gave, and stands where it stands.
        if seen & kind.rawValue != 0,
          let earlier = places.lastIndex(where: { $0.kind == kind && $0.element == elements.count })
        {
          places.remove(at: earlier)
        }
        seen |= kind.rawValue
        places.append(Place(element: Int32(elements.count), kind: kind))
      }
      guard scanner.value() != nil else { return false }
      scanner.skipComma()
    }
    scanner.at += 1
    elements.append(start..<scanner.at)
    return true
  }

  private func kind(of key: Range<Int>, _ scanner: SyntaxScanner) -> Kind? {
    if scanner.spells(key, "Event") { return .event }
    if scanner.spells(key, "ParameterCurve") { return .curve }
    return scanner.spells(key, "Parameter") ? .parameter : nil
  }
}

extension Array {
  /// The first index whose element fulfils a condition that, once fulfilled, stays so.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
