import Glibc

/// The first word of an entry's record: what it is, and which words follow.
struct RecordHeader {
  /// What a record holds. The first four are the types of events.
  enum Kind: UInt32 {
    case transient, continuous, tone, sound, parameter, curve
  }

  let bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  init(_ event: Event) {
    var bits = Self.kind(of: event.type).rawValue
    bits |= UInt32(event.parameters.present) << 3
    if event.duration != nil { bits |= 1 << 13 }
    if event.waveformPath != nil { bits |= 1 << 14 }
    if event.soundNumber != nil { bits |= 1 << 15 }
    if let uses = event.usesVolumeEnvelope { bits |= uses ? 2 << 16 : 1 << 16 }
    if let isLooped = event.isLooped { bits |= isLooped ? 2 << 18 : 1 << 18 }
    self.bits = bits
  }

  init(_ kind: Kind, id: DynamicParameterID) {
    bits = kind.rawValue | UInt32(Self.ids.firstIndex(of: id) ?? 0) << 3
  }

  private static let ids = DynamicParameterID.allCases

  private static func kind(of type: EventType) -> Kind {
    switch type {
    case .hapticTransient: .transient
    case .hapticContinuous: .continuous
    case .audioContinuous: .tone
    case .audioCustom: .sound
    }
  }

  var kind: Kind { Kind(rawValue: bits & 7) ?? .curve }
  var isEvent: Bool { bits & 7 < 4 }
  var eventType: EventType {
    switch bits & 7 {
    case 0: .hapticTransient
    case 1: .hapticContinuous
    case 2: .audioContinuous
    default: .audioCustom
    }
  }
  /// The control of a parameter or a curve.
  var id: DynamicParameterID { Self.ids[Int(bits >> 3 & 15)] }
  /// A bit for each parameter of an event.
  var parameters: UInt16 { UInt16(bits >> 3 & 0x3FF) }
  var hasDuration: Bool { bits & 1 << 13 != 0 }
  var hasPath: Bool { bits & 1 << 14 != 0 }
  var hasNumber: Bool { bits & 1 << 15 != 0 }
  var usesVolumeEnvelope: Bool? { truth(16) }
  var isLooped: Bool? { truth(18) }

  /// Words of an event's record: this one, two for the time, two for a duration, one for everything else.
  var words: Int {
    3 + (hasDuration ? 2 : 0) + (bits >> 14 & 1 == 0 ? 0 : 1) + (bits >> 15 & 1 == 0 ? 0 : 1)
      + parameters.nonzeroBitCount
  }

  private func truth(_ shift: UInt32) -> Bool? {
    switch bits >> shift & 3 {
    case 1: false
    case 2: true
    default: nil
    }
  }
}

/// The memory of a pattern's entries: their records one behind another, and where every eighth begins.
///
/// It grows by the C allocator's `realloc`, which moves large blocks by their page tables: a million events are never there
/// twice.
final class EntryStorage: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `PatternEntries` changes an object only while it holds the only reference.

  /// Entries from one mark to the next.
  private static let stride = 8

  // Safety: allocated and freed by this object alone; every word is read at an offset that a record it holds gave.
  private var words: UnsafeMutablePointer<UInt32>?
  private var capacity = 0
  private(set) var wordCount = 0
  /// The number of entries.
  private(set) var count = 0
  /// The first word of every eighth record.
  private var marks: [UInt32] = []

  init() {}

  init(copying other: EntryStorage) {
    reserve(words: other.wordCount)
    if let words, let source = other.words { words.update(from: source, count: other.wordCount) }
    wordCount = other.wordCount
    count = other.count
    marks = other.marks
  }

  deinit { free(words) }

  /// Bytes that the records and their marks take.
  var byteCount: Int { (wordCount + marks.count) * MemoryLayout<UInt32>.stride }

  /// Makes room for a record at the end.
  /// - Returns: Its first word.
  func beginRecord(words length: Int) -> Int {
    let start = wordCount
    if start + length > capacity { reserve(words: max(start + length, capacity + capacity / 2, 16)) }
    if count % Self.stride == 0 {
      precondition(start <= UInt32.max, "16 GiB of entries are the most that a pattern holds")
      marks.append(UInt32(start))
    }
    wordCount = start + length
    count += 1
    return start
  }

  /// Drops the records from a position on.
  func truncate(to position: Int) {
    guard position < count else { return }
    wordCount = record(position)
    count = position
    marks.removeLast(marks.count - (position + Self.stride - 1) / Self.stride)
  }

  /// Gives back what was allocated beyond the last record.
  func trim() {
    if capacity > wordCount { reserve(words: max(wordCount, 1)) }
  }

  /// The first word of the record at a position.
  func record(_ position: Int) -> Int {
    precondition(position >= 0 && position < count, "a position of the entries")
    var word = Int(marks[position / Self.stride])
    for _ in 0..<position % Self.stride { word += length(at: word) }
    return word
  }

  /// The words of the record that begins at a word.
  @inline(__always)
  func length(at word: Int) -> Int {
    let header = header(at: word)
    if header.isEvent { return header.words }
    return header.kind == .parameter ? 4 : 4 + 3 * Int(self.word(at: word + 3))
  }

  @inline(__always)
  func header(at word: Int) -> RecordHeader { RecordHeader(bits: self.word(at: word)) }

  @inline(__always)
  func word(at index: Int) -> UInt32 { words.unsafelyUnwrapped[index] }

  @inline(__always)
  func double(at index: Int) -> Double {
    UnsafeRawPointer(words.unsafelyUnwrapped + index).loadUnaligned(as: Double.self)
  }

  func point(_ point: Int, ofCurveAt word: Int) -> ParameterCurve.Point {
    precondition(point >= 0 && point < Int(self.word(at: word + 3)), "a point of the curve")
    let start = word + 4 + 3 * point
    return ParameterCurve.Point(
      time: double(at: start), value: Float(bitPattern: self.word(at: start + 2)))
  }

  @inline(__always)
  func set(_ index: Int, _ word: UInt32) { words.unsafelyUnwrapped[index] = word }

  @inline(__always)
  func set(_ index: Int, double: Double) {
    UnsafeMutableRawPointer(words.unsafelyUnwrapped + index).storeBytes(of: double, as: Double.self)
  }

  private func reserve(words length: Int) {
    let memory = realloc(words, length * MemoryLayout<UInt32>.stride)
    precondition(memory != nil, "there is no memory for \(length / 4) entries")
    words = memory?.assumingMemoryBound(to: UInt32.self)
    capacity = length
  }
}
