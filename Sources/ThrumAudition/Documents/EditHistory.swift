/// What is changed again and again by one gesture.
enum EditKey: Sendable, Equatable {
  case field(PatternField, entry: Int)
  /// A point, by its place after the edit.
  case point(Int, entry: Int)
  case reload
}

/// One step that can be undone: bytes at one place that took the place of others.
struct HistoryStep: Sendable, Equatable {
  var start: Int
  var removed: [UInt8]
  var inserted: [UInt8]
  var name: String
  /// What the step changed, where the next change of the same is to be part of it.
  var key: EditKey?
  /// What it changed as it was named before: by that it is part of the last step.
  var keyBefore: EditKey?
  /// The entry to select when the step has been undone.
  var before: Int?
  /// The entry to select when the step has been done again.
  var after: Int?
  /// The point to select when the step has been done again.
  var point: Int?

  init(
    _ splice: Splice, in bytes: [UInt8], name: String, key: EditKey? = nil, keyBefore: EditKey? = nil,
    before: Int? = nil,
    after: Int? = nil, point: Int? = nil
  ) {
    start = splice.range.lowerBound
    removed = Array(bytes[splice.range])
    inserted = splice.bytes
    self.name = name
    self.key = key
    self.keyBefore = keyBefore ?? key
    self.before = before
    self.after = after
    self.point = point
  }

  /// What it takes to keep it.
  var byteCount: Int { removed.count + inserted.count + MemoryLayout<HistoryStep>.stride }

  /// This step and the next one as one.
  func followed(by next: HistoryStep, in middle: (Range<Int>) -> [UInt8]) -> HistoryStep {
    // Both ranges are of the text between the two steps; what they span is all that either touches.
    let mine = start..<start + inserted.count
    let theirs = next.start..<next.start + next.removed.count
    let span = min(mine.lowerBound, theirs.lowerBound)..<max(mine.upperBound, theirs.upperBound)
    var step = next
    step.before = before
    step.start = span.lowerBound
    step.removed =
      middle(span.lowerBound..<mine.lowerBound) + removed + middle(mine.upperBound..<span.upperBound)
    step.inserted =
      middle(span.lowerBound..<theirs.lowerBound) + next.inserted
      + middle(theirs.upperBound..<span.upperBound)
    return step
  }
}

/// The steps of a document, those done and those undone.
struct EditHistory: Sendable {
  private let byteLimit: Int
  private var done: [HistoryStep] = []
  private var undone: [HistoryStep] = []
  private var byteCount = 0
  /// Whether the next step may become part of the last one.
  private var isGesture = false

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  var undoName: String? { done.last?.name }
  var redoName: String? { undone.last?.name }

  /// Keeps a step that has just been made; those that were undone are gone.
  /// - Parameter bytes: The text before the step.
  mutating func record(_ step: HistoryStep, in bytes: [UInt8]) {
    undone.removeAll()
    if isGesture, let last = done.last, let key = step.keyBefore, last.key == key {
      done.removeLast()
      byteCount -= last.byteCount
      keep(last.followed(by: step) { Array(bytes[$0]) })
    } else {
      keep(step)
    }
    isGesture = step.key != nil
    trim()
  }

  mutating func endGesture() { isGesture = false }

  /// Takes the last step off those done.
  mutating func undo() -> HistoryStep? {
    isGesture = false
    guard let step = done.popLast() else { return nil }
    byteCount -= step.byteCount
    undone.append(step)
    return step
  }

  /// Takes the last step off those undone.
  mutating func redo() -> HistoryStep? {
    isGesture = false
    guard let step = undone.popLast() else { return nil }
    keep(step)
    return step
  }

  private mutating func keep(_ step: HistoryStep) {
    done.append(step)
    byteCount += step.byteCount
  }

  private mutating func trim() {
    var dropped = 0
    while byteCount > byteLimit, dropped < done.count - 1 {
      byteCount -= done[dropped].byteCount
      dropped += 1
    }
    if dropped > 0 { done.removeFirst(dropped) }
  }
}
