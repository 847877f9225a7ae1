import ThrumPattern

/// What an edit will do to the text, and what the pattern must be then.
struct EditPlan {
  /// The bytes that change; nil where none do.
  var splice: Splice?
  /// The pattern that the new text must mean.
  var expected: Pattern
  var outcome: EditOutcome
  /// What is changed, where nudges of the same are one step to undo.
  var key: EditKey?
  /// The same as it was named before the edit, where a point has come to stand elsewhere.
  var keyBefore: EditKey?
  /// The entry to select when the edit has been undone.
  var entryBefore: Int?
}

/// A document that can be edited: one whose text is understood.
struct EditBase {
  let bytes: [UInt8]
  let pattern: Pattern
  let map: DocumentMap

  /// Elements beyond this are not looked at for the style of others, as that would take longer than the edit.
  private static let longestSample = 32 << 10

  /// - Throws: ``EditRefusal`` where the text cannot be read, or its entries cannot be found in it.
  init(_ document: PatternDocument) throws(EditRefusal) {
    guard document.isReadable, let pattern = document.pattern else {
      throw EditRefusal(
        "the text cannot be read; mend what is wrong with it, or undo, before it is edited here")
    }
    guard let map = document.map else { throw ElementText.notUnderstood }
    bytes = document.bytes
    self.pattern = pattern
    self.map = map
  }

  /// Works out an edit.
  func plan(for edit: PatternEdit) throws(EditRefusal) -> EditPlan {
    switch edit {
    case .set(let field, let entry, let value): try plan(field, of: entry) { _ in .to(value) }
    case .nudge(let field, let entry, let step): try plan(field, of: entry) { .by(step, from: $0) }
    case .clear(let field, let entry): try planClear(field, of: entry)
    case .addEvent(let event): try planAdd(event)
    case .addParameter(let parameter): try planAdd(parameter)
    case .addCurve(let curve): try planAdd(curve)
    case .remove(let entry): try planRemove(entry)
    case .addPoint(let point, let entry): try planAdd(point, to: entry)
    case .movePoint(let index, let entry, let point): try planMove(index, of: entry, to: point)
    case .removePoint(let index, let entry): try planRemovePoint(index, of: entry)
    }
  }

  // MARK: - Places

  /// Where an entry stands.
  /// - Throws: ``EditRefusal`` where there is no such entry.
  func place(of entry: Int) throws(EditRefusal) -> DocumentMap.Place {
    guard map.places.indices.contains(entry) else {
      throw EditRefusal("there is no entry \(entry); the pattern has \(map.places.count)")
    }
    return map.places[entry]
  }

  /// An element's text.
  func text(ofElement element: Int) -> [UInt8] { Array(bytes[map.elements[element]]) }

  /// How the text is written around an element.
  func style(near element: Int) -> TextStyle {
    let near = max(0, element - 3)..<min(map.elements.count, element + 4)
    // The element itself first, then its neighbours outwards: the first that shows something counts.
    let samples = near.sorted { abs($0 - element) < abs($1 - element) }
      .map { map.elements[$0] }
      .filter { $0.count <= Self.longestSample }
    return TextStyle(bytes, list: map.list, samples: samples)
  }

  /// The change of the text that comes from a change of one element.
  func splice(
    ofElement element: Int, style: TextStyle, _ change: (inout ElementText) throws(EditRefusal) -> Void
  ) throws(EditRefusal) -> Splice? {
    let range = map.elements[element]
    let old = Array(bytes[range])
    let indent = TextStyle.indentOfLine(at: range.lowerBound, in: bytes)
    var text = try ElementText(old, style: style, firstIndent: indent)
    try change(&text)
    return Splice(from: old, to: text.bytes, at: range.lowerBound)
  }

  /// The entry nearest to an element that fulfils a condition and stands alone in its element.
  func nearestEntry(to element: Int, where isMeant: (Pattern.Entry) -> Bool) -> Int? {
    let start = map.entries(ofElement: element).lowerBound
    for distance in 0...max(1, map.places.count) {
      for entry in distance == 0 ? [start] : [start - distance, start + distance]
      where map.places.indices.contains(entry) {
        let element = Int(map.places[entry].element)
        if map.entries(ofElement: element).count == 1, isMeant(pattern.entries[entry]) { return entry }
      }
    }
    return nil
  }

  /// The pattern with another entry in the place of one.
  func replacing(_ entry: Int, with content: Pattern.Entry) -> Pattern {
    var expected = pattern
    expected.entries[entry] = content
    return expected
  }

  /// A number as this text would write it, and what it means then.
  func written(
    _ value: Double, decimals: Int, in style: TextStyle, as kind: TextStyle.NumberKind,
    replacing old: NumberText? = nil
  ) -> (text: String, value: Double) {
    let numbers = NumberText.Style(replacing: old, among: style.numbers[kind] ?? [])
    let text = NumberText.text(value, decimals: decimals, style: numbers)
    return (text, Double(text) ?? value)
  }
}

extension PatternDocument {
  /// Works out an edit.
  func plan(for edit: PatternEdit) throws(EditRefusal) -> EditPlan { try EditBase(self).plan(for: edit) }
}
