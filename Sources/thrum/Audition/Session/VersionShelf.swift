import ThrumPattern

/// The versions that are compared: those that were kept as A and B, and the pattern in hand, which plays in the slot that
/// nothing was kept in.
struct VersionShelf {
  /// A version as it was kept.
  struct Kept {
    var name: String
    var pattern: NamedPattern
    var drawing: PatternDrawing
    /// Whether it takes on what is saved while it is in hand; else it stays as it was.
    var follows = false
  }

  private var kept: [BenchSlot: Kept] = [:]
  /// Whether what the bench has in a slot is what was kept there; else it is a version of the pattern in hand.
  private var isKeptLoaded: [BenchSlot: Bool] = [:]

  /// What was kept in a slot.
  subscript(slot: BenchSlot) -> Kept? {
    get { kept[slot] }
    set {
      kept[slot] = newValue
      isKeptLoaded[slot] = false
    }
  }

  /// Where the pattern of a file plays while it is in hand: in the slot that follows it, else in the one that is free.
  func handSlot(for path: FileName) -> BenchSlot {
    if let slot = BenchSlot.allCases.first(where: {
      kept[$0].map { $0.follows && $0.pattern.path == path } ?? false
    }) {
      return slot
    }
    return kept[.a] != nil && kept[.b] == nil ? .b : .a
  }

  /// Has a slot that follows its file take on a new version.
  mutating func follow(_ pattern: NamedPattern, _ drawing: PatternDrawing, in slot: BenchSlot) {
    guard kept[slot]?.follows == true, kept[slot]?.pattern.path == pattern.path else { return }
    kept[slot]?.pattern = pattern
    kept[slot]?.drawing = drawing
    isKeptLoaded[slot] = true
  }

  /// Whether the bench has to be given what was kept in a slot.
  mutating func mustLoad(_ slot: BenchSlot) -> Bool {
    defer { isKeptLoaded[slot] = true }
    return isKeptLoaded[slot] != true
  }

  /// Notes that the bench was given the pattern in hand in a slot.
  mutating func noteHand(in slot: BenchSlot) { isKeptLoaded[slot] = false }
}

extension CompareSlot {
  /// The bench's name for it.
  var bench: BenchSlot { self == .a ? .a : .b }
  init(_ slot: BenchSlot) { self = slot == .a ? .a : .b }
}
