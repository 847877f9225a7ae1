import ThrumPattern

/// An entry of a document: what is drawn of it, and where it stands in the text.
public struct PatternEntry: Sendable, Equatable {
  /// What an entry is.
  public enum Kind: Sendable, Equatable {
    /// An event.
    case event(EventType)
    /// A dynamic parameter.
    case parameter(DynamicParameterID)
    /// A curve.
    case curve(DynamicParameterID)
  }

  /// Its place among the entries, from 0, by which edits name it.
  public var index: Int
  /// The entry as the pattern has it.
  public var content: Pattern.Entry
  /// The bytes of the text that hold it, from brace to brace; nil while the text cannot be read.
  public var sourceRange: Range<Int>?

  /// What it is.
  public var kind: Kind {
    switch content {
    case .event(let event): .event(event.type)
    case .parameter(let parameter): .parameter(parameter.id)
    case .curve(let curve): .curve(curve.id)
    }
  }

  /// Seconds from the start of the pattern.
  public var time: Double {
    switch content {
    case .event(let event): event.time
    case .parameter(let parameter): parameter.time
    case .curve(let curve): curve.time
    }
  }

  /// An event's seconds until its release; nil where it has none.
  public var duration: Double? {
    if case .event(let event) = content { event.duration } else { nil }
  }

  /// The intensity of an event that is felt, its default where it carries none; nil for everything else.
  public var intensity: Float? { hapticValue(of: .hapticIntensity) }

  /// The sharpness of an event that is felt, its default where it carries none; nil for everything else.
  public var sharpness: Float? { hapticValue(of: .hapticSharpness) }

  /// The value of a dynamic parameter; nil for everything else.
  public var value: Float? {
    if case .parameter(let parameter) = content { parameter.value } else { nil }
  }

  /// The points of a curve in order of time, counted from the curve's start; empty for everything else.
  public var points: [ParameterCurve.Point] {
    if case .curve(let curve) = content { curve.points } else { [] }
  }

  private func hapticValue(of id: EventParameterID) -> Float? {
    guard case .event(let event) = content, event.type.isHaptic else { return nil }
    return event.value(of: id)
  }
}

/// The entries of a document in the order of its text, each made as it is asked for.
public struct PatternEntryList: Sendable, RandomAccessCollection {
  let entries: PatternEntries
  let map: DocumentMap?

  /// The position of the first entry: 0.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { entries.count }

  /// The entry at a position.
  public subscript(position: Int) -> PatternEntry {
    PatternEntry(index: position, content: entries[position], sourceRange: map?.range(ofEntry: position))
  }
}
