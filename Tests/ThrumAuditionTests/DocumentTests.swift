import Testing
import ThrumAudition
import ThrumPattern

/// Undo, saving, the disk, and texts that cannot be read.
@Suite struct DocumentTests {
  @Test func takesARowOfNudgesBackAtOnce() throws {
    var document = document(pretty)
    for _ in 0..<5 { try document.apply(.nudge(.intensity, of: 0, by: -0.05)) }
    try document.apply(.nudge(.intensity, of: 1, by: -0.05))
    #expect(document.undoName == "intensity")
    #expect(document.undo() == EditOutcome(entry: 1, name: "intensity"))
    #expect(document.entries[0].intensity == 0.55)
    #expect(document.undo()?.entry == 0)
    #expect(document.text == pretty)
    #expect(document.undoName == nil && document.redoName == "intensity")
    #expect(document.redo()?.entry == 0)
    #expect(document.entries[0].intensity == 0.55)
  }

  @Test func takesANewParameterAndItsNudgesBackAtOnce() throws {
    var document = document(pretty)
    for _ in 0..<4 { try document.apply(.nudge(.sharpness, of: 1, by: 0.1)) }
    #expect(document.entries[1].sharpness == 0.822601)
    #expect(document.undo() != nil)
    #expect(document.text == pretty)
  }

  @Test func takesAPointBackAtOnceThatWentPastAnother() throws {
    var document = document(pretty)
    var point = 0
    for _ in 0..<8 {
      let outcome = try document.apply(.nudge(.pointTime(point), of: 2, by: 0.1))
      point = outcome.point ?? -1
    }
    #expect(point == 1 && document.entries[2].points.map(\.time) == [0.5, 0.8])
    #expect(document.undo() != nil)
    #expect(document.text == pretty)
  }

  @Test func endsARowWhereItIsTold() throws {
    var document = document(pretty)
    try document.apply(.nudge(.time, of: 1, by: 0.1))
    document.endGesture()
    try document.apply(.nudge(.time, of: 1, by: 0.1))
    document.markSaved()
    try document.apply(.nudge(.time, of: 1, by: 0.1))
    #expect(document.undo() != nil)
    #expect(!document.isModified && document.entries[1].time == 0.45)
    #expect(document.undo() != nil)
    #expect(document.isModified && document.entries[1].time == 0.35)
    #expect(document.undo() != nil)
    #expect(document.text == pretty)
  }

  @Test func forgetsWhatWasUndoneOnceAnotherEditIsMade() throws {
    var document = document(pretty)
    try document.apply(.remove(0))
    #expect(document.undo()?.entry == 0)
    try document.apply(.remove(1))
    #expect(document.redo() == nil)
    #expect(document.undo() != nil)
    #expect(document.text == pretty)
  }

  @Test func isModifiedWhereTheTextIsNotTheSavedOne() throws {
    var document = document(pretty)
    #expect(!document.isModified)
    try document.apply(.nudge(.intensity, of: 0, by: 0.1))
    #expect(document.isModified)
    // By hand back to the digits of the file.
    try document.apply(.nudge(.intensity, of: 0, by: -0.1))
    #expect(document.text == pretty && !document.isModified)
    let new = PatternDocument(new: Pattern(version: 1), file: "new.ahap")
    #expect(new.isModified && new.isReadable && new.entries.isEmpty)
  }

  @Test func keepsTheLastStepsWhereTheyOutgrowTheirBytes() throws {
    var document = PatternDocument(Array(pretty.utf8), file: "t.ahap", undoByteLimit: 2000)
    for number in 0..<100 { try document.apply(.set(.time, of: number % 3, to: Double(number + 1) / 8)) }
    var steps = 0
    while document.undo() != nil { steps += 1 }
    #expect((1..<20).contains(steps), "\(steps)")
    var tight = PatternDocument(Array(pretty.utf8), file: "t.ahap", undoByteLimit: 0)
    try tight.apply(.remove(0))
    #expect(tight.undo() != nil)
    #expect(tight.text == pretty)
  }

  // MARK: - Texts that cannot be read

  @Test func keepsTheLastGoodPattern() throws {
    var document = document(pretty)
    let good = document.pattern
    let broken = pretty.replacing(
      "\"Time\": 0.25,\n        \"EventType\"", with: "\"Time\": 0.25\n        \"EventType\"")
    #expect(document.noteDisk(Array(broken.utf8)) == .taken)
    #expect(!document.isReadable && document.pattern == good && document.text == broken)
    let error = try #require(document.diagnostics.first { $0.severity == .error })
    #expect(error.file == "t.ahap" && error.position?.line == 21, "\(error)")
    #expect(document.entries.count == 3)
    #expect(document.entries.allSatisfy { $0.sourceRange == nil })
    #expect(document.position(ofEntry: 0) == nil)
    #expect(refusalOf(.remove(0), document)?.hasPrefix("the text cannot be read") ?? false)
    // The broken text was only on the way; one undo leads to what was before it.
    let mended = pretty.replacing("0.25", with: "0.75")
    #expect(document.noteDisk(Array(mended.utf8)) == .taken)
    #expect(document.isReadable && document.entries[1].time == 0.75 && !document.isModified)
    #expect(document.undo() != nil)
    #expect(document.text == pretty && document.isModified)
    #expect(document.undo() == nil)
  }

  @Test func hasNoPatternWhereThereNeverWasOne() {
    let document = document("{\"Pattern\": [")
    #expect(document.pattern == nil && document.entries.isEmpty && !document.isReadable)
    #expect(document.diagnostics.map(\.severity) == [.error])
  }

  @Test func tellsOfWarningsThatAnEditBrings() throws {
    var document = document(pretty)
    #expect(document.diagnostics.count == 1, "\(document.diagnostics)")
    try document.apply(.remove(1))
    #expect(document.diagnostics.map(\.position?.line) == [18], "\(document.diagnostics)")
  }

  private func refusalOf(_ edit: PatternEdit, _ document: PatternDocument) -> String? {
    var copy = document
    do throws(EditRefusal) {
      try copy.apply(edit)
      return nil
    } catch { return error.message }
  }

  // MARK: - The disk

  private let other = Array(pretty.replacing("0.25", with: "0.5").utf8)

  @Test func takesAChangeOnDiskWhereNothingWasChangedHere() {
    var document = document(pretty)
    #expect(document.noteDisk(Array(pretty.utf8)) == .same)
    #expect(document.noteDisk(other) == .taken)
    #expect(document.bytes == other && !document.isModified && !document.hasConflict)
    #expect(document.undoName == "the change on disk")
    #expect(document.undo() != nil)
    #expect(document.text == pretty && document.isModified)
  }

  @Test func asksWhereBothWereChanged() throws {
    var document = document(pretty)
    try document.apply(.remove(0))
    let mine = document.bytes
    #expect(document.noteDisk(other) == .conflict)
    #expect(document.hasConflict && document.diskBytes == other && document.bytes == mine)
    // Edits go on meanwhile.
    try document.apply(.remove(0))
    #expect(document.undo() != nil)

    var taking = document
    taking.takeDisk()
    #expect(taking.bytes == other && !taking.isModified && !taking.hasConflict)
    #expect(taking.undo() != nil)
    #expect(taking.bytes == mine && taking.isModified)

    var keeping = document
    keeping.keepMine()
    #expect(keeping.bytes == mine && keeping.isModified && !keeping.hasConflict)
    #expect(keeping.undo() != nil)
    #expect(keeping.bytes == other && !keeping.isModified)
    #expect(keeping.undo() != nil)
    #expect(keeping.bytes == mine)
    #expect(keeping.undo() != nil)
    #expect(keeping.text == pretty)
  }

  @Test func settlesAConflictThatEndsByItself() throws {
    var document = document(pretty)
    try document.apply(.remove(0))
    #expect(document.noteDisk(other) == .conflict)
    #expect(document.noteDisk(Array(pretty.utf8)) == .same)
    #expect(!document.hasConflict && document.isModified)
    #expect(document.noteDisk(document.bytes) == .taken)
    #expect(!document.isModified)
  }

  @Test func countsAsModifiedWhereItsFileIsGone() {
    var document = document(pretty)
    document.noteRemoval()
    #expect(document.isModified)
    document.markSaved()
    #expect(!document.isModified)
    #expect(document.noteDisk(Array(pretty.utf8)) == .same)
  }

  @Test func knowsWhatWasSavedWhileItWasEditedOn() throws {
    var document = document(pretty)
    try document.apply(.remove(0))
    let saved = document.bytes
    try document.apply(.remove(0))
    document.markSaved(saved)
    #expect(document.isModified)
    #expect(document.undo() != nil)
    #expect(!document.isModified)
  }

  // MARK: - Entries

  @Test func tellsWhatIsWhere() throws {
    let document = document(pretty)
    let kinds = document.entries.map(\.kind)
    #expect(kinds == [.event(.hapticTransient), .event(.hapticContinuous), .curve(.hapticIntensityControl)])
    let vibration = document.entries[1]
    #expect(vibration.index == 1 && vibration.time == 0.25 && vibration.duration == 1.5)
    #expect(vibration.intensity == 0.5 && vibration.sharpness == 0.422601)
    #expect(document.entries[2].intensity == nil && document.entries[2].points.count == 2)
    let range = try #require(vibration.sourceRange)
    let source = String(decoding: document.bytes[range], as: UTF8.self)
    #expect(source.hasPrefix("{\n      \"_comment\"") && source.hasSuffix("}\n    }"))
    #expect(document.position(ofEntry: 1) == .init(line: 17, column: 5))
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{FEFF}\n"]) func countsLinesAsDiagnosticsDo(_ end: String) {
    let mark = end.hasPrefix("\u{FEFF}") ? "\u{FEFF}" : ""
    let line = end.replacing("\u{FEFF}", with: "")
    let event = "{\"Event\":{\"EventType\":\"HapticTransient\",\"Time\":-1}}"
    let text = mark + "{\"Pattern\":[" + line + line + "  \(event)]}"
    let place = document(text).diagnostics.first?.position
    let good = document(text.replacing("-1", with: "1"))
    #expect(good.position(ofEntry: 0)?.line == place?.line, "\(String(describing: place))")
    #expect(good.position(ofEntry: 0)?.column == 3)
  }
}
