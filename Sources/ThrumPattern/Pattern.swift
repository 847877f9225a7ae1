/// A haptic pattern as its author wrote it: entries in file order, times in seconds.
///
/// Values are within their documented ranges once a pattern has come through the decoder.
public struct Pattern: Sendable, Equatable {
  /// One entry of the pattern's list.
  public enum Entry: Sendable, Equatable {
    /// An event.
    case event(Event)
    /// A dynamic parameter: a value that takes effect at a time.
    case parameter(DynamicParameter)
    /// A curve of a dynamic parameter.
    case curve(ParameterCurve)
  }

  /// All entries, in the order of the file; where two take effect at one time, the later in the file wins.
  public var entries: PatternEntries
  /// The version the file states, nil where it states none.
  public var version: Double?

  /// Creates a pattern.
  public init(entries: PatternEntries = PatternEntries(), version: Double? = nil) {
    self.entries = entries
    self.version = version
  }

  /// Creates a pattern from a list.
  public init(entries: [Entry], version: Double? = nil) {
    self.init(entries: PatternEntries(entries), version: version)
  }

  /// The events, in file order.
  public var events: [Event] {
    entries.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// The number of events of types that are counted, without a list of them.
  /// - Parameter isCounted: Whether a type is.
  public func eventCount(where isCounted: (EventType) -> Bool) -> Int {
    var count = 0
    entries.forEachOutline { _, entry in
      if case .event(let type) = entry.kind, isCounted(type) { count += 1 }
    }
    return count
  }

  /// Seconds to the end of the pattern: the latest start of an event or parameter, plus its duration if it
  /// has one (a continuous event without one counts as nothing, a curve as its start).
  public var duration: Double {
    var end = 0.0
    entries.forEachOutline { _, entry in end = max(end, entry.time + (entry.duration ?? 0)) }
    return end
  }
}

/// One event of a pattern.
public struct Event: Sendable, Equatable {
  /// What kind of event it is.
  public var type: EventType
  // 0 for none. Here, where it takes the place of padding.
  private var soundCode: Int32 = 0
  /// Seconds from the start of the pattern, 0 or more.
  public var time: Double
  /// Seconds until the release, nil where the file gives none.
  public var duration: Double?
  /// The parameters it carries.
  public var parameters: EventParameters
  /// The sound file of an `AudioCustom` event, as written.
  public var waveformPath: String?
  /// Whether the sound is ramped in and out; nil where the file does not say (then it is).
  public var usesVolumeEnvelope: Bool?
  /// Whether the sound repeats for the event's duration; nil where the file does not say (then it does not).
  public var isLooped: Bool?
  /// The number of a registered sound, which takes the place of a path; never from a file, and not written to one.
  public var soundNumber: Int? {
    get { soundCode == 0 ? nil : Int(soundCode) }
    set { soundCode = Int32(clamping: newValue ?? 0) }
  }

  /// Creates an event.
  public init(
    type: EventType, time: Double, duration: Double? = nil, parameters: EventParameters = EventParameters(),
    waveformPath: String? = nil, usesVolumeEnvelope: Bool? = nil, isLooped: Bool? = nil,
    soundNumber: Int? = nil
  ) {
    self.type = type
    self.time = time
    self.duration = duration
    self.parameters = parameters
    self.waveformPath = waveformPath
    self.usesVolumeEnvelope = usesVolumeEnvelope
    self.isLooped = isLooped
    self.soundNumber = soundNumber
  }

  /// The value of a parameter, its default where the event does not carry it.
  public func value(of parameter: EventParameterID) -> Float {
    parameters[parameter] ?? parameter.defaultValue(for: type)
  }
}

/// The parameters of an event: at most one value for each id, stored in place.
public struct EventParameters: Sendable, Equatable {
  /// 0 where a parameter is absent, so that equal sets have equal storage.
  private var values = InlineArray<10, Float>(repeating: 0)
  /// A bit for each parameter that is there.
  private(set) var present: UInt16 = 0

  /// No parameters.
  public init() {}

  /// Takes the values of the parameters that are there, in the order of their indices.
  init(present: UInt16, next: () -> Float) {
    self.present = present
    for index in values.indices where present & 1 << UInt16(index) != 0 { values[index] = next() }
  }

  /// Gives the values that are there, in the order of their indices.
  func forEachValue(_ body: (Float) -> Void) {
    for index in values.indices where present & 1 << UInt16(index) != 0 { body(values[index]) }
  }

  /// The value of a parameter, nil where the event does not carry it.
  public subscript(parameter: EventParameterID) -> Float? {
    get { present & bit(of: parameter) == 0 ? nil : values[parameter.index] }
    set {
      values[parameter.index] = newValue ?? 0
      if newValue == nil { present &= ~bit(of: parameter) } else { present |= bit(of: parameter) }
    }
  }

  /// Whether two events carry the same parameters with the same values.
  public static func == (left: EventParameters, right: EventParameters) -> Bool {
    guard left.present == right.present else { return false }
    for index in left.values.indices where left.values[index] != right.values[index] { return false }
    return true
  }

  /// Whether there are none.
  public var isEmpty: Bool { present == 0 }

  private func bit(of parameter: EventParameterID) -> UInt16 { 1 << UInt16(parameter.index) }
}

extension EventParameterID {
  /// The position of the parameter in an event's storage.
  var index: Int {
    switch self {
    case .hapticIntensity: 0
    case .hapticSharpness: 1
    case .attackTime: 2
    case .decayTime: 3
    case .releaseTime: 4
    case .sustained: 5
    case .audioVolume: 6
    case .audioPitch: 7
    case .audioPan: 8
    case .audioBrightness: 9
    }
  }
}

/// A dynamic parameter: a value that takes effect at a time and stands until the next writer of the same id.
public struct DynamicParameter: Sendable, Equatable {
  /// What it changes.
  public var id: DynamicParameterID
  /// The value.
  public var value: Float
  /// Seconds from the start of the pattern, 0 or more.
  public var time: Double

  /// Creates a parameter.
  public init(id: DynamicParameterID, value: Float, time: Double) {
    self.id = id
    self.value = value
    self.time = time
  }
}

/// A curve of a dynamic parameter: straight lines between points.
public struct ParameterCurve: Sendable, Equatable {
  /// A point of the curve.
  public struct Point: Sendable, Equatable {
    /// Seconds from the start of the curve, 0 or more.
    public var time: Double
    /// The value there.
    public var value: Float

    /// Creates a point.
    public init(time: Double, value: Float) {
      self.time = time
      self.value = value
    }
  }

  /// What it changes.
  public var id: DynamicParameterID
  /// Seconds from the start of the pattern at which the curve begins, 0 or more.
  public var time: Double
  /// The points, in order of time.
  public var points: [Point]

  /// Creates a curve.
  public init(id: DynamicParameterID, time: Double, points: [Point]) {
    self.id = id
    self.time = time
    self.points = points
  }
}
