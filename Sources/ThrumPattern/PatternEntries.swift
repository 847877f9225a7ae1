/// The entries of a pattern in the order of its file, packed: an event takes 12 bytes, 4 more for each parameter it
/// carries and 8 for a duration.
///
/// It is used like an array, and like one it is a value. Entries are made as they are asked for, so that a pattern of a
/// million events is no larger in memory than what its file says. Appending, and reading in order or at any place, take
/// constant time; anything else that changes it may copy what stands behind.
public struct PatternEntries: Sendable {
  var storage = EntryStorage()
  /// The sound files that events name, each once.
  var texts: [String] = []
  private var places: [String: UInt32] = [:]

  /// No entries.
  public init() {}

  /// Whether the storage is this value's own.
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = EntryStorage(copying: storage) }
  }

  /// Adds an entry at the end.
  public mutating func append(_ entry: Pattern.Entry) {
    makeUnique()
    write(entry, to: storage.beginRecord(words: Self.length(of: entry)))
  }

  /// Each entry turned into another, in one pass.
  public func mapped(_ transform: (Pattern.Entry) -> Pattern.Entry) -> PatternEntries {
    var result = PatternEntries()
    for entry in self { result.append(transform(entry)) }
    return result
  }

  /// Drops the entries from a position on.
  mutating func truncate(to count: Int) {
    guard count < self.count else { return }
    makeUnique()
    storage.truncate(to: count)
  }

  /// Gives back memory that was allocated for entries to come.
  mutating func trim() {
    makeUnique()
    storage.trim()
  }

  /// Words that an entry takes.
  private static func length(of entry: Pattern.Entry) -> Int {
    switch entry {
    case .event(let event): RecordHeader(event).words
    case .parameter: 4
    case .curve(let curve): 4 + 3 * curve.points.count
    }
  }

  private mutating func write(_ entry: Pattern.Entry, to word: Int) {
    switch entry {
    case .event(let event): write(event, to: word)
    case .parameter(let parameter):
      storage.set(word, RecordHeader(.parameter, id: parameter.id).bits)
      storage.set(word + 1, double: parameter.time)
      storage.set(word + 3, parameter.value.bitPattern)
    case .curve(let curve):
      storage.set(word, RecordHeader(.curve, id: curve.id).bits)
      storage.set(word + 1, double: curve.time)
      storage.set(word + 3, UInt32(curve.points.count))
      var next = word + 4
      for point in curve.points {
        storage.set(next, double: point.time)
        storage.set(next + 2, point.value.bitPattern)
        next += 3
      }
    }
  }

  private mutating func write(_ event: Event, to word: Int) {
    storage.set(word, RecordHeader(event).bits)
    storage.set(word + 1, double: event.time)
    var next = word + 3
    if let duration = event.duration {
      storage.set(next, double: duration)
      next += 2
    }
    if let path = event.waveformPath {
      storage.set(next, place(of: path))
      next += 1
    }
    if let number = event.soundNumber {
      storage.set(next, UInt32(bitPattern: Int32(number)))
      next += 1
    }
    event.parameters.forEachValue { value in
      storage.set(next, value.bitPattern)
      next += 1
    }
  }

  private mutating func place(of text: String) -> UInt32 {
    if let place = places[text] { return place }
    let place = UInt32(texts.count)
    texts.append(text)
    places[text] = place
    return place
  }

  /// The entry whose record begins at a word.
  fileprivate func entry(atWord word: Int) -> Pattern.Entry {
    let header = storage.header(at: word)
    let time = storage.double(at: word + 1)
    switch header.kind {
    case .parameter:
      let value = Float(bitPattern: storage.word(at: word + 3))
      return .parameter(DynamicParameter(id: header.id, value: value, time: time))
    case .curve:
      let points = (0..<Int(storage.word(at: word + 3))).map { storage.point($0, ofCurveAt: word) }
      return .curve(ParameterCurve(id: header.id, time: time, points: points))
    default: return .event(event(header, time, from: word + 3))
    }
  }

  private func event(_ header: RecordHeader, _ time: Double, from word: Int) -> Event {
    var event = Event(type: header.eventType, time: time)
    var next = word
    if header.hasDuration {
      event.duration = storage.double(at: next)
      next += 2
    }
    if header.hasPath {
      event.waveformPath = texts[Int(storage.word(at: next))]
      next += 1
    }
    if header.hasNumber {
      event.soundNumber = Int(Int32(bitPattern: storage.word(at: next)))
      next += 1
    }
    event.usesVolumeEnvelope = header.usesVolumeEnvelope
    event.isLooped = header.isLooped
    event.parameters = EventParameters(present: header.parameters) {
      defer { next += 1 }
      return Float(bitPattern: storage.word(at: next))
    }
    return event
  }
}

extension PatternEntries: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// The position of the first entry: 0.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { storage.count }

  /// The entry at a position.
  public subscript(position: Int) -> Pattern.Entry {
    get { entry(atWord: storage.record(position)) }
    set {
      makeUnique()
      let word = storage.record(position)
      if Self.length(of: newValue) == storage.length(at: word) {
        write(newValue, to: word)
      } else {
        replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue))
      }
    }
  }

  /// Replaces the entries of a range; those behind it are written anew.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<Pattern.Entry>
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of the entries")
    makeUnique()
    let rest = range.upperBound == count ? [] : Array(self[range.upperBound...])
    storage.truncate(to: range.lowerBound)
    for entry in newElements { append(entry) }
    for entry in rest { append(entry) }
  }

  /// Removes all entries.
  public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
    self = PatternEntries()
  }

  /// Walks over the entries in order.
  public struct Iterator: IteratorProtocol {
    private let entries: PatternEntries
    private var word = 0

    fileprivate init(_ entries: PatternEntries) { self.entries = entries }

    /// The next entry, nil at the end.
    public mutating func next() -> Pattern.Entry? {
      guard word < entries.storage.wordCount else { return nil }
      defer { word += entries.storage.length(at: word) }
      return entries.entry(atWord: word)
    }
  }

  /// Begins with the first entry.
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension PatternEntries: Equatable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// Whether both hold equal entries in the same order.
  public static func == (left: PatternEntries, right: PatternEntries) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// The entries of a literal.
  public init(arrayLiteral entries: Pattern.Entry...) { self.init(entries) }

  /// The entries as an array shows them.
  public var description: String { Array(self).description }
}

/// What can be told of an entry without making it.
package struct EntryOutline {
  /// What the entry is.
  package enum Kind {
    case event(EventType)
    case parameter(DynamicParameterID)
    case curve(DynamicParameterID)
  }

  package var kind: Kind
  /// Seconds from the start of the pattern.
  package var time: Double
  /// An event's duration in seconds, nil where it has none.
  package var duration: Double?
  /// How many points a curve has.
  package var pointCount = 0
}

extension PatternEntries {
  /// Outlines every entry, in order, with its position.
  package func forEachOutline(_ body: (Int, EntryOutline) -> Void) {
    var word = 0
    var position = 0
    while word < storage.wordCount {
      body(position, outline(atWord: word))
      word += storage.length(at: word)
      position += 1
    }
  }

  /// Outlines the entry at a position.
  package func outline(at position: Int) -> EntryOutline { outline(atWord: storage.record(position)) }

  /// A point of the curve at a position.
  package func point(_ point: Int, ofCurveAt position: Int) -> ParameterCurve.Point {
    storage.point(point, ofCurveAt: storage.record(position))
  }

  private func outline(atWord word: Int) -> EntryOutline {
    let header = storage.header(at: word)
    let time = storage.double(at: word + 1)
    switch header.kind {
    case .parameter: return EntryOutline(kind: .parameter(header.id), time: time)
    case .curve:
      return EntryOutline(
        kind: .curve(header.id), time: time, pointCount: Int(storage.word(at: word + 3)))
    default:
      return EntryOutline(
        kind: .event(header.eventType), time: time,
        duration: header.hasDuration ? storage.double(at: word + 3) : nil)
    }
  }
}
