import ThrumPattern

/// What a change of the file on disk meant for a document.
public enum DiskNews: Sendable, Equatable {
  /// The file holds what was last saved or read; nothing happened.
  case same
  /// The document was not modified, or held the same text, and now holds what the file does.
  case taken
  /// The file was changed on disk and the document here: ask, then ``PatternDocument/keepMine()`` or
  /// ``PatternDocument/takeDisk()``. Until then the document goes on as it is.
  case conflict
}

extension PatternDocument {
  /// Whether the file was changed on disk and the document here, and nobody has said yet which counts.
  public var hasConflict: Bool { diskBytes != nil }

  /// Tells the document that its text has been saved.
  /// - Parameter bytes: What was saved, where the document may have changed since; else its text.
  public mutating func markSaved(_ bytes: [UInt8]? = nil) {
    savedBytes = bytes ?? self.bytes
    diskBytes = nil
    history.endGesture()
    updateModified()
  }

  /// Tells the document what its file holds now.
  ///
  /// What is taken is one step to undo, so that nothing is lost; a text that cannot be read and is replaced
  /// by the next news leaves no step of its own.
  public mutating func noteDisk(_ contents: [UInt8]) -> DiskNews {
    if let savedBytes, areSame(savedBytes, contents) {
      // Back to what it was before a change that was asked about.
      diskBytes = nil
      return .same
    }
    if areSame(bytes, contents) {
      diskBytes = nil
      savedBytes = contents
      updateModified()
      return .taken
    }
    if isModified {
      diskBytes = contents
      return .conflict
    }
    savedBytes = contents
    replaceText(with: contents, name: "the change on disk")
    return .taken
  }

  /// Tells the document that its file is gone: its text is nowhere else now, so it counts as modified.
  public mutating func noteRemoval() {
    savedBytes = nil
    diskBytes = nil
    updateModified()
  }

  /// Settles a conflict: the document's text counts, and saving it will replace what is on disk.
  ///
  /// The text of the disk can be had by one undo, and this one again by another.
  public mutating func keepMine() {
    guard let disk = diskBytes else { return }
    let mine = bytes
    diskBytes = nil
    savedBytes = disk
    replaceText(with: disk, name: "the change on disk", isCoalesced: false)
    replaceText(with: mine, name: "keeping this version", isCoalesced: false)
  }

  /// Settles a conflict: the text of the disk counts; the edits here can be had back by undo.
  public mutating func takeDisk() {
    guard let disk = diskBytes else { return }
    diskBytes = nil
    savedBytes = disk
    replaceText(with: disk, name: "the change on disk", isCoalesced: false)
  }

  /// Replaces the whole text, as one step to undo.
  private mutating func replaceText(with contents: [UInt8], name: String, isCoalesced: Bool = true) {
    let key = isCoalesced ? EditKey.reload : nil
    if isReadable || !isCoalesced { history.endGesture() }
    if let splice = Splice(from: bytes, to: contents) {
      history.record(HistoryStep(splice, in: bytes, name: name, key: key), in: bytes)
    }
    bytes = contents
    take(Reading(bytes, file: file))
  }
}
