import Glibc
import ThrumAudition
import ThrumEngine
import ThrumPattern

extension AuditionSession {
  /// Makes a change in the pattern in hand. Nudges that follow one another are one step to undo; after a rest another begins.
  func apply(_ edit: ScreenEdit) {
    let now = MonotonicClock.nanoseconds
    let isRested = now - lastEdit > Self.gestureRestNanoseconds
    lastEdit = now
    change { document throws(EditRefusal) in
      if isRested { document.endGesture() }
      var outcome: EditOutcome?
      for part in Self.edits(for: edit, in: document) { outcome = try document.apply(part) }
      return outcome
    }
  }

  /// Takes a step back, or brings it back.
  func step(back: Bool) {
    change { document throws(EditRefusal) in
      let name = back ? document.undoName : document.redoName
      guard let name, let outcome = back ? document.undo() : document.redo() else {
        throw EditRefusal(back ? "there is nothing to undo" : "there is nothing to redo")
      }
      self.tell(.note, "\(back ? "undone" : "redone"): \(name)")
      return outcome
    }
  }

  private func change(_ body: (inout PatternDocument) throws(EditRefusal) -> EditOutcome?) {
    guard let item, var document = documents[item.path] else {
      return tell(.warning, "this pattern is too long to be edited here, or was not read yet")
    }
    let before = document.bytes
    do throws(EditRefusal) {
      model.message = nil
      let outcome = try body(&document)
      documents[item.path] = document
      if let pattern = document.pattern, document.bytes != before {
        showHand(NamedPattern(path: item.path, pattern: pattern), isNew: false)
      }
      if let outcome { model.select(entry: outcome.entry, point: outcome.point) }
      if outcome?.isClamped == true { tell(.note, "that is as far as it goes") }
    } catch {
      // A first part may have been made.
      documents[item.path] = document
      tell(.warning, error.message)
    }
    refreshList()
  }

  /// The changes of the text that a change on the screen is.
  private static func edits(for edit: ScreenEdit, in document: PatternDocument) -> [PatternEdit] {
    switch edit {
    case .setTime(let entry, let time): return [.set(.time, of: entry, to: time)]
    case .setDuration(let entry, let duration): return [.set(.duration, of: entry, to: duration)]
    case .setIntensity(let entry, let value):
      guard document.entries.indices.contains(entry) else { return [] }
      if case .event(let event) = document.entries[entry].content, !event.type.isHaptic {
        return [.set(.parameter(.audioVolume), of: entry, to: value)]
      }
      return [.set(.intensity, of: entry, to: value)]
    case .setSharpness(let entry, let value): return [.set(.sharpness, of: entry, to: value)]
    case .setPoint(let entry, let index, let time, let value):
      return pointEdits(entry, index, time, value, in: document)
    case .addTap(let time, let intensity, let sharpness):
      return [.addTransient(at: time, intensity: Float(intensity), sharpness: Float(sharpness))]
    case .addContinuous(let time, let duration, let intensity, let sharpness):
      return [
        .addContinuous(
          at: time, duration: duration, intensity: Float(intensity), sharpness: Float(sharpness))
      ]
    case .addPoint(let isSharpness, let time, let value):
      return [pointAddition(isSharpness, time, value, in: document)]
    case .removeEntry(let entry): return [.remove(entry)]
    case .removePoint(let entry, let index):
      guard let index, document.entries.indices.contains(entry), document.entries[entry].points.count > 1
      else { return [.remove(entry)] }
      return [.removePoint(index, of: entry)]
    }
  }

  private static func pointEdits(
    _ entry: Int, _ index: Int?, _ time: Double, _ value: Double, in document: PatternDocument
  ) -> [PatternEdit] {
    guard document.entries.indices.contains(entry) else { return [] }
    let old = document.entries[entry]
    guard let index else {
      return old.time == time ? [.set(.value, of: entry, to: value)] : [.set(.time, of: entry, to: time)]
    }
    guard old.points.indices.contains(index) else { return [] }
    let place = max(0, time - old.time)
    if abs(old.points[index].time - place) < 1e-7 { return [.set(.pointValue(index), of: entry, to: value)] }
    return [.movePoint(index, of: entry, to: .init(time: place, value: Float(value)))]
  }

  /// A point on the curve that is in force at a time, or a curve where none is.
  private static func pointAddition(
    _ isSharpness: Bool, _ time: Double, _ value: Double, in document: PatternDocument
  ) -> PatternEdit {
    let id: DynamicParameterID = isSharpness ? .hapticSharpnessControl : .hapticIntensityControl
    var found: (index: Int, start: Double)?
    for entry in document.entries {
      guard case .curve(let curve) = entry.content, curve.id == id, curve.time <= time else { continue }
      if found.map({ $0.start <= curve.time }) ?? true { found = (entry.index, curve.time) }
    }
    if let found {
      return .addPoint(.init(time: time - found.start, value: Float(value)), to: found.index)
    }
    let point = ParameterCurve.Point(time: time, value: Float(value))
    let start = ParameterCurve.Point(time: 0, value: id.neutralValue)
    return .addCurve(ParameterCurve(id: id, time: 0, points: time > 0 ? [start, point] : [point]))
  }

  // MARK: Saving

  func save(isForced: Bool) {
    guard let item, let document = documents[item.path] else {
      return tell(.warning, "there is nothing to save")
    }
    guard document.isModified else { return tell(.note, "\(item.name) has no changes") }
    if let refusal = write(item.path, isForced: isForced) {
      if case .question = model.mode { return }
      tell(.error, refusal)
    } else {
      tell(.note, "saved \(item.name)")
    }
    refreshList()
  }

  /// Saves all that has changes.
  /// - Returns: Whether none is left; else the first that could not be saved is in hand, and a line or a
  ///   question says why.
  func saveAll() -> Bool {
    var failed: (path: FileName, words: String)?
    for path in documents.modified {
      if let refusal = write(path, isForced: false), failed == nil { failed = (path, refusal) }
    }
    refreshList()
    guard let failed else { return true }
    let question = model.mode
    if let place = items.firstIndex(where: { $0.path == failed.path }), place != model.list.chosen {
      perform(.choose(place))
    }
    // What is answered concerns the pattern in hand.
    model.mode = question
    tell(.error, failed.words)
    if documents[failed.path]?.hasConflict == true {
      model.mode = .question(.overwrite(name: failed.path.lastPart.description))
    }
    return false
  }

  /// Writes a document to its file.
  /// - Returns: Why it was not; nil where it was.
  private func write(_ path: FileName, isForced: Bool) -> String? {
    guard var document = documents[path] else { return nil }
    if let disk = DocumentShelf.bytes(of: path), document.noteDisk(disk) == .conflict {
      guard isForced else {
        documents[path] = document
        model.mode = .question(.overwrite(name: path.lastPart.description))
        return "\(path.lastPart) has changed on the disk"
      }
      document.keepMine()
    }
    // The file is replaced, for which the folder's permission is enough; but somebody has said that it is not to change.
    if DocumentShelf.isProtected(path) {
      return "\(path.lastPart) is write-protected; \"chmod u+w\" lets it be saved"
    }
    do throws(CommandError) {
      try OutputFile.write(document.bytes, to: path)
      document.markSaved()
      documents[path] = document
      // OutputFile takes signals over for the time of its own, where they end the process at once.
      Interruption.askFirst()
      return nil
    } catch {
      Interruption.askFirst()
      return error.words
    }
  }

  /// Takes what is on the disk and gives up what was changed here; undo has it still.
  func revert() {
    guard let item, var document = documents[item.path] else { return }
    document.takeDisk()
    documents[item.path] = document
    if let pattern = document.pattern {
      showHand(NamedPattern(path: item.path, pattern: pattern), isNew: false)
    }
    tell(.note, "\(item.name) is as it is on the disk; u has the changes back")
    refreshList()
  }

  /// Puts what would be lost by a signal into the folder of states.
  /// - Returns: Lines that say where it is.
  func keepUnsaved() -> [String] {
    guard Interruption.caught != nil else { return [] }
    guard let folder = StateFile.folder?.appending("unsaved") else {
      return documents.modified.map { "the changes of \($0) could not be kept: there is no HOME" }
    }
    var lines: [String] = []
    if let take = unsavedTake {
      let (name, file) = Self.unsavedFile(for: "take.ahap")
      let bytes = take.encoded(quantised: nil, startsAtFirst: true)
      lines = [
        file.write(String(decoding: bytes, as: UTF8.self)).map { "the recording could not be kept: \($0)" }
          ?? "the recording was not saved; it is kept in \(folder.appending(FileName(name)))"
      ]
    }
    for path in documents.modified {
      guard let document = documents[path] else { continue }
      let (name, file) = Self.unsavedFile(for: path.lastPart.text)
      let refusal = file.write(document.text)
      lines.append(
        refusal.map { "the changes of \(path) could not be kept: \($0)" }
          ?? "the changes of \(path) were not saved; they are kept in \(folder.appending(FileName(name)))")
    }
    return lines
  }

  /// A file for what was not saved that no other is kept in: patterns of two folders may have one name, and what
  /// an earlier run kept may still be needed.
  private static func unsavedFile(for name: String) -> (name: String, file: StateFile) {
    let file = StateFile("unsaved/\(name)")
    if !file.exists { return (name, file) }
    let isPattern = name.lowercased().hasSuffix(".ahap")
    let (stem, ending) = isPattern ? (name.dropLast(5), name.suffix(5)) : (name[...], "")
    var number = 2
    while StateFile("unsaved/\(stem)-\(number)\(ending)").exists { number += 1 }
    let free = "\(stem)-\(number)\(ending)"
    return (free, StateFile("unsaved/\(free)"))
  }
}
