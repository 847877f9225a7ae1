import Glibc
import ThrumPattern

/// A pattern's text under a designer's hand.
///
/// Edits change the bytes that say what is changed and no others: metadata, unknown keys, the order of keys
/// and entries, the style of numbers, indentation, line ends and a byte order mark stay as they are. What an
/// AHAP means is for `AHAPDecoder` alone to say: after each edit it reads the new text, and where that does
/// not mean what was intended the edit is refused and the document is as it was.
///
/// A text that cannot be read keeps the last pattern that could, and tells its errors in ``diagnostics``;
/// edits are refused until it is mended, undo is not.
///
/// Threads: a value; one thread at a time. Real-time: no.
public struct PatternDocument: Sendable {
  /// The file, whose name is in the diagnostics and whose folder is where sounds are looked for; `-` has
  /// none.
  public let file: FileName
  /// The whole text as it would be saved.
  public internal(set) var bytes: [UInt8]
  /// The last pattern that could be read; nil where none could yet.
  public internal(set) var pattern: Pattern?
  /// Errors, warnings and notes on the text, in its order.
  public internal(set) var diagnostics: [Diagnostic] = []
  /// Whether the text can be read, so that `pattern` is what it says.
  public internal(set) var isReadable = false
  /// Whether the text is not what was last saved or read from the disk.
  public internal(set) var isModified = false
  /// What the file holds on disk where that was changed while the document was modified; nil once that is
  /// settled.
  public internal(set) var diskBytes: [UInt8]?

  /// Where the entries stand in the text; nil while it cannot be read.
  var map: DocumentMap?
  /// The text as it is on disk as far as is known; nil where the file is gone or was never saved.
  var savedBytes: [UInt8]?
  var history: EditHistory

  /// Begins with what a file holds.
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - file: Its name.
  ///   - undoByteLimit: The most bytes that are kept to undo by; beyond, the oldest steps go. The last one
  ///     stays.
  public init(_ bytes: [UInt8], file: FileName, undoByteLimit: Int = 64 << 20) {
    self.file = file
    self.bytes = bytes
    savedBytes = bytes
    history = EditHistory(byteLimit: undoByteLimit)
    take(Reading(bytes, file: file))
  }

  /// Begins with a pattern that is in no file yet; it counts as modified.
  /// - Parameter pattern: What to begin with, values in their ranges; nothing where not given.
  public init(new pattern: Pattern = Pattern(version: 1), file: FileName, undoByteLimit: Int = 64 << 20) {
    self.init(AHAPEncoder.encode(pattern), file: file, undoByteLimit: undoByteLimit)
    savedBytes = nil
    isModified = true
  }

  /// The text; what is not UTF-8 shows as U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The entries of `pattern` in the order of the text; empty where there is no pattern.
  public var entries: PatternEntryList {
    PatternEntryList(entries: pattern?.entries ?? PatternEntries(), map: map)
  }

  /// The line and column of an entry, counted as diagnostics count; nil while the text cannot be read.
  public func position(ofEntry index: Int) -> Diagnostic.Position? {
    guard let range = map?.range(ofEntry: index) else { return nil }
    let start = bytes.starts(with: DocumentMap.byteOrderMark) ? DocumentMap.byteOrderMark.count : 0
    var line = 1
    var lineStart = start
    for offset in start..<range.lowerBound {
      // A carriage return ends a line unless a line feed follows, which then does.
      let isEnd = bytes[offset] == 0x0A || bytes[offset] == 0x0D && bytes[offset + 1] != 0x0A
      guard isEnd else { continue }
      line += 1
      lineStart = offset + 1
    }
    return Diagnostic.Position(line: line, column: range.lowerBound - lineStart + 1)
  }

  // MARK: - Edits

  /// Makes an edit, or nothing.
  ///
  /// Edits of the same number one after another are one step to undo; ``endGesture()`` ends that, and so do
  /// saving, undo and every other edit.
  /// - Throws: ``EditRefusal``; the document is as it was.
  @discardableResult
  public mutating func apply(_ edit: PatternEdit) throws(EditRefusal) -> EditOutcome {
    let plan = try plan(for: edit)
    guard let splice = plan.splice else { return plan.outcome }
    var changed = bytes
    changed.replaceSubrange(splice.range, with: splice.bytes)
    let reading = Reading(changed, file: file)
    guard let result = reading.pattern else {
      let reason =
        reading.diagnostics.first { $0.severity == .error }?.message ?? "the text would not be read"
      throw EditRefusal("not done: \(reason)")
    }
    guard result == plan.expected, reading.map != nil else {
      throw EditRefusal("not done: the text is written in a way that this edit would not come out right")
    }
    let step = HistoryStep(
      splice, in: bytes, name: plan.outcome.name, key: plan.key, keyBefore: plan.keyBefore,
      before: plan.entryBefore,
      after: plan.outcome.entry, point: plan.outcome.point)
    history.record(step, in: bytes)
    bytes = changed
    take(reading)
    return plan.outcome
  }

  /// Ends a row of nudges, so that the next one is a step of its own to undo.
  public mutating func endGesture() { history.endGesture() }

  /// What the next undo takes back, such as `intensity`; nil where there is nothing to undo.
  public var undoName: String? { history.undoName }

  /// What the next redo brings back; nil where there is nothing to redo.
  public var redoName: String? { history.redoName }

  /// Takes back the last step.
  /// - Returns: What was done; nil where there is nothing to undo.
  public mutating func undo() -> EditOutcome? {
    guard let step = history.undo() else { return nil }
    bytes.replaceSubrange(step.start..<step.start + step.inserted.count, with: step.removed)
    take(Reading(bytes, file: file))
    return EditOutcome(entry: step.before.flatMap(present), name: step.name)
  }

  /// Brings back the last step that was undone.
  /// - Returns: What was done; nil where there is nothing to redo.
  public mutating func redo() -> EditOutcome? {
    guard let step = history.redo() else { return nil }
    bytes.replaceSubrange(step.start..<step.start + step.removed.count, with: step.inserted)
    take(Reading(bytes, file: file))
    return EditOutcome(entry: step.after.flatMap(present), point: step.point, name: step.name)
  }

  private func present(_ entry: Int) -> Int? { entry < (pattern?.entries.count ?? 0) ? entry : nil }

  /// Takes over what was read of `bytes`.
  mutating func take(_ reading: Reading) {
    if let pattern = reading.pattern { self.pattern = pattern }
    isReadable = reading.pattern != nil
    diagnostics = reading.diagnostics
    map = reading.map
    updateModified()
  }

  mutating func updateModified() {
    isModified = savedBytes.map { !areSame($0, bytes) } ?? true
  }
}

/// Whether two texts hold the same bytes.
func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count, !left.isEmpty else { return left.count == right.count }
  return left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in
      // Safety: both pointers are lent for the call and hold as many bytes as are compared.
      guard let first = left.baseAddress, let second = right.baseAddress else { return false }
      return memcmp(first, second, left.count) == 0
    }
  }
}

/// A text as the reader understands it.
struct Reading {
  /// What it says; nil where it is refused.
  var pattern: Pattern?
  var diagnostics: [Diagnostic]
  /// Where its entries stand; nil where it is refused.
  var map: DocumentMap?

  init(_ bytes: [UInt8], file: FileName) {
    let folder: FileName? = file == "-" ? nil : file.folder
    let report = bytes.withUnsafeBytes { AHAPDecoder.check($0, file: file.text, soundFolder: folder) }
    pattern = report.pattern
    diagnostics = report.diagnostics
    map = report.pattern.flatMap { DocumentMap(bytes, of: $0) }
  }
}
