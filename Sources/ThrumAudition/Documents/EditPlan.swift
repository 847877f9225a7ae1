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
  /// The entry to select when the edit has been undone.
  var entryBefore: Int?
}

extension PatternDocument {
  /// Works out an edit.
  func plan(for edit: PatternEdit) throws(EditRefusal) -> EditPlan {
    throw EditRefusal("edits are not possible in this text")
  }
}
