import ThrumPattern

/// The versions that are compared: those that were kept as A and B, and the pattern in hand, which plays in the slot that
/// nothing was kept in.
struct VersionShelf {
  /// A version as it was kept.
  struct Kept {
    var name: String
    var pattern: NamedPattern
    var drawing: PatternDrawing
  }

  private var kept: [BenchSlot: Kept] = [:]
  /// Whether what the bench has in a slot is what was kept there; else it is a version of the pattern in hand.
  private var isKeptLoaded: [BenchSlot: Bool] = [:]

  subscript(slot: BenchSlot) -> Kept? {
    get { kept[slot] }
    set {
      kept[slot] = newValue
      isKeptLoaded[slot] = false
    }
  }

  /// Where the pattern in hand plays.
  var handSlot: BenchSlot { kept[.a] != nil && kept[.b] == nil ? .b : .a }

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
