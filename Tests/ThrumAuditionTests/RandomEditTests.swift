import TestSupport
import Testing
import ThrumAudition
import ThrumPattern

/// Random edits of every public file: the reader takes each result, only what was meant changes, and undo
/// gives the very bytes back.
@Suite struct RandomEditTests {
  /// The readable files of the corpus.
  private func files(for test: String) throws -> [(name: String, bytes: [UInt8])]? {
    guard let folder = SharedFiles.locate("corpus/ahap", for: test) else { return nil }
    return try SharedFiles.patterns(in: folder).map { name in
      (name, try SharedFiles.bytes(of: folder.appendingPathComponent(name)))
    }
  }

  @Test func undoGivesEveryByteBack() throws {
    guard let files = try files(for: "undoGivesEveryByteBack") else { return }
    var changes = 0
    var refusals: [String: Int] = [:]
    for (number, file) in files.enumerated() {
      let seed = UInt64(7000 + number)
      var generator = SeededGenerator(seed: seed)
      var document = PatternDocument(file.bytes, file: FileName(file.name))
      // A large file takes as many edits as keep the test short.
      let edits = file.bytes.count > 50_000 ? 4 : 24
      for _ in 0..<edits where document.isReadable {
        let edit = RandomEdits.edit(of: document, &generator)
        let before = document
        do throws(EditRefusal) {
          let outcome = try document.apply(edit)
          if outcome.isChanged { changes += 1 }
          #expect(outcome.isChanged == (document.bytes != before.bytes), "\(file.name) seed \(seed): \(edit)")
          expectOnlyOwnBytes(before, document, edit, "\(file.name) seed \(seed): \(edit)")
        } catch {
          refusals[error.message, default: 0] += 1
          #expect(document.bytes == before.bytes, "\(file.name) seed \(seed): \(edit)")
        }
        if generator.chance(0.1), document.undo() != nil, generator.chance(0.5) {
          #expect(document.redo() != nil, "\(file.name) seed \(seed)")
        }
      }
      while document.redo() != nil {}
      let last = document.bytes
      while document.undo() != nil {}
      #expect(document.bytes == file.bytes, "\(file.name) seed \(seed)")
      #expect(!document.isModified, "\(file.name) seed \(seed)")
      while document.redo() != nil {}
      #expect(document.bytes == last, "\(file.name) seed \(seed)")
    }
    // Every file that can be read can be edited, and no edit fails for the way a text is written.
    #expect(changes > 1200, "\(changes) changes")
    #expect(refusals.keys.filter { $0.hasPrefix("not done") } == [], "\(refusals)")
  }

  @Test func findsTheEntriesOfWhateverIsAccepted() throws {
    guard let files = try files(for: "findsTheEntriesOfWhateverIsAccepted") else { return }
    var accepted = 0
    for (number, file) in files.enumerated() where file.bytes.count < 20_000 && !file.bytes.isEmpty {
      let seed = UInt64(9000 + number)
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<12 {
        let bytes = damaged(file.bytes, &generator)
        var document = PatternDocument(bytes, file: FileName(file.name))
        guard document.isReadable else { continue }
        accepted += 1
        #expect(document.entries.allSatisfy { $0.sourceRange != nil }, "\(file.name) seed \(seed)")
        let edit = RandomEdits.edit(of: document, &generator)
        do throws(EditRefusal) {
          try document.apply(edit)
        } catch {
          #expect(!error.message.hasPrefix("not done"), "\(file.name) seed \(seed): \(edit): \(error)")
        }
        while document.undo() != nil {}
        #expect(document.bytes == bytes, "\(file.name) seed \(seed): \(edit)")
      }
    }
    #expect(accepted > 100, "\(accepted)")
  }

  /// A text with a byte changed, put in or repeated with its neighbours.
  private func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let place = generator.whole(in: 0...(bytes.count - 1))
    let byte = generator.one(of: Array(" \t\n\r,,}]\"\\09.e".utf8))
    switch generator.whole(in: 0...3) {
    case 0: bytes[place] = byte
    case 1: bytes.insert(byte, at: place)
    case 2: bytes.remove(at: place)
    default:
      // A member again behind itself, so that keys come twice.
      let start = bytes[..<place].lastIndex(of: UInt8(ascii: ",")) ?? 0
      let end = bytes[place...].firstIndex(of: UInt8(ascii: ",")) ?? place
      bytes.insert(contentsOf: Array(bytes[start..<end]), at: end)
    }
    return bytes
  }

  /// What is not of the entry that was changed has the bytes it had; of a number, only its digits change.
  private func expectOnlyOwnBytes(
    _ before: PatternDocument, _ after: PatternDocument, _ edit: PatternEdit, _ message: String
  ) {
    let old = before.bytes
    let new = after.bytes
    var head = 0
    while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    let removed = old[head..<old.count - tail]
    let added = new[head..<new.count - tail]
    switch edit {
    case .set(let field, let entry, _), .nudge(let field, let entry, _):
      guard let range = before.entries[entry].sourceRange, head < old.count,
        !removed.isEmpty || !added.isEmpty
      else {
        break
      }
      #expect(head >= range.lowerBound && old.count - tail <= range.upperBound, "\(message)")
      if case .pointTime = field { break }
      // Only the digits of one number, or an addition.
      let isNumber = (removed + added).allSatisfy { "0123456789.-+eE".utf8.contains($0) }
      #expect(isNumber || removed.isEmpty, "\(message)")
    case .addEvent, .addParameter, .addCurve, .addPoint: #expect(removed.isEmpty, "\(message)")
    case .remove, .removePoint, .clear: #expect(added.isEmpty, "\(message)")
    case .movePoint(_, let entry, _):
      guard let range = before.entries[entry].sourceRange, !removed.isEmpty || !added.isEmpty else { break }
      #expect(head >= range.lowerBound && old.count - tail <= range.upperBound, "\(message)")
    }
  }
}

/// Edits that make sense more often than not.
enum RandomEdits {
  /// An edit of what a document holds.
  static func edit(of document: PatternDocument, _ generator: inout SeededGenerator) -> PatternEdit {
    let count = document.entries.count
    if count == 0 || generator.chance(0.25) { return addition(&generator) }
    let index = generator.whole(in: 0...(count - 1))
    if generator.chance(0.12) { return .remove(index) }
    let entry = document.entries[index]
    switch entry.kind {
    case .event(let type): return change(of: index, type, &generator)
    case .parameter: return amount(generator.chance(0.5) ? .time : .value, index, &generator)
    case .curve:
      let points = entry.points.count
      if points == 0 || generator.chance(0.3) { return .addPoint(point(&generator), to: index) }
      let point = generator.whole(in: 0...(points - 1))
      switch generator.whole(in: 0...4) {
      case 0: return .movePoint(point, of: index, to: Self.point(&generator))
      case 1: return .removePoint(point, of: index)
      case 2: return amount(.pointTime(point), index, &generator)
      case 3: return amount(.pointValue(point), index, &generator)
      default: return amount(.time, index, &generator)
      }
    }
  }

  private static func change(
    of index: Int, _ type: EventType, _ generator: inout SeededGenerator
  ) -> PatternEdit {
    let ids: [EventParameterID] =
      type.isHaptic
      ? [.hapticIntensity, .hapticSharpness, .attackTime, .releaseTime, .sustained]
      : [.audioVolume, .audioPan, .audioPitch, .attackTime]
    let fields: [PatternField] = [.time, .duration] + ids.map { .parameter($0) }
    let field = generator.one(of: fields)
    return generator.chance(0.1) ? .clear(field, of: index) : amount(field, index, &generator)
  }

  private static func amount(
    _ field: PatternField, _ index: Int, _ generator: inout SeededGenerator
  ) -> PatternEdit {
    if generator.chance(0.5) { return .set(field, of: index, to: generator.number(in: -0.2..<3)) }
    return .nudge(field, of: index, by: generator.one(of: [-0.1, -0.05, -0.01, 0.001, 0.01, 0.05, 0.25]))
  }

  private static func point(_ generator: inout SeededGenerator) -> ParameterCurve.Point {
    .init(time: generator.number(in: 0..<4), value: Float(generator.number(in: -1.1..<1.1)))
  }

  private static func addition(_ generator: inout SeededGenerator) -> PatternEdit {
    let time = generator.number(in: 0..<5)
    let value = Float(generator.number(in: -0.1..<1.1))
    switch generator.whole(in: 0...3) {
    case 0: return .addTransient(at: time, intensity: value, sharpness: 0.5)
    case 1: return .addContinuous(at: time, duration: 0.3, intensity: value, sharpness: 0)
    case 2:
      let id = generator.one(of: DynamicParameterID.allCases)
      return .addParameter(DynamicParameter(id: id, value: value, time: time))
    default:
      let points = (0...generator.whole(in: 0...4)).map { _ in point(&generator) }
      return .addCurve(ParameterCurve(id: .hapticIntensityControl, time: time, points: points))
    }
  }
}
