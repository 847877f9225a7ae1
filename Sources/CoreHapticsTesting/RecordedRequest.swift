public import CoreHaptics
internal import ThrumPattern

/// Something that the code under test asked of a player, and that was accepted.
public struct RecordedRequest: Sendable, Equatable {
  /// What was asked.
  public enum Action: Sendable, Equatable {
    /// To play.
    case start
    /// To stop.
    case stop
    /// To stop, and to drop what was scheduled.
    case cancel
    /// To hold the position.
    case pause
    /// To go on from it.
    case resume
    /// To go to a position, in seconds.
    case seek(TimeInterval)
    /// To change a value. Several that were sent together are several requests.
    case parameter(CHHapticDynamicParameter.ID, Float)
    /// To change a value along points, whose times are seconds from the curve's start.
    case curve(CHHapticDynamicParameter.ID, [Point])
  }

  /// A point of a curve.
  public struct Point: Sendable, Equatable {
    /// Seconds from the curve's start.
    public var time: TimeInterval
    /// The value there.
    public var value: Float

    /// Creates a point.
    public init(time: TimeInterval, value: Float) {
      self.time = time
      self.value = value
    }
  }

  /// What was asked.
  public var action: Action
  /// The time for which it was asked, in seconds of ``VirtualHaptics/seconds``.
  public var time: TimeInterval
  /// The player's number, from 1 in the order in which players were made.
  public var player: Int
  /// What the player plays.
  public var events: [RecordedEvent]
}

/// An event of a recorded pattern.
public struct RecordedEvent: Sendable, Equatable {
  /// What kind of event it is.
  public var type: CHHapticEvent.EventType
  /// Seconds from the start of the pattern.
  public var time: TimeInterval
  /// Seconds until the release; 0 where the pattern gives none.
  public var duration: TimeInterval
  /// The values of its parameters, defaults included where it has none of its own.
  public var values: [CHHapticEvent.ParameterID: Float]
  /// What an `audioCustom` event plays; nil for other events.
  public var sound: Sound?

  /// What an event plays.
  public enum Sound: Sendable, Equatable {
    /// A registered sound.
    case registered(CHHapticAudioResourceID)
    /// A file, by its path as the pattern has it.
    case file(String)
  }

  /// Creates an event.
  public init(
    type: CHHapticEvent.EventType, time: TimeInterval, duration: TimeInterval = 0,
    values: [CHHapticEvent.ParameterID: Float], sound: Sound? = nil
  ) {
    self.type = type
    self.time = time
    self.duration = duration
    self.values = values
    self.sound = sound
  }

  /// The value of a parameter; nil for one that events of the type do not have.
  public subscript(parameter: CHHapticEvent.ParameterID) -> Float? { values[parameter] }
}

extension RecordedRequest {
  /// Translates a request; one for each parameter that was sent.
  static func requests(_ request: PlayerRequest, origin: TimeInterval) -> [RecordedRequest] {
    let time = max(request.now, request.time) - origin
    let events = request.pattern.events.map(RecordedEvent.init)
    func make(_ action: Action, after delay: TimeInterval = 0) -> RecordedRequest {
      RecordedRequest(action: action, time: time + delay, player: request.player, events: events)
    }
    switch request.action {
    case .start: return [make(.start)]
    case .stop: return [make(.stop)]
    case .cancel: return [make(.cancel)]
    case .pause: return [make(.pause)]
    case .resume: return [make(.resume)]
    case .seek(let offset): return [make(.seek(offset))]
    case .parameters(let parameters):
      return parameters.map {
        make(.parameter(CHHapticDynamicParameter.ID(rawValue: $0.id.rawValue), $0.value), after: $0.time)
      }
    case .curve(let curve):
      let points = curve.points.map { Point(time: $0.time, value: $0.value) }
      return [make(.curve(CHHapticDynamicParameter.ID(rawValue: curve.id.rawValue), points))]
    }
  }
}

extension RecordedEvent {
  init(_ event: Event) {
    var values: [CHHapticEvent.ParameterID: Float] = [:]
    for parameter in EventParameterID.allCases
    where event.type.has(parameter) || event.parameters[parameter] != nil {
      values[CHHapticEvent.ParameterID(rawValue: parameter.rawValue)] = event.value(of: parameter)
    }
    self.init(
      type: CHHapticEvent.EventType(rawValue: event.type.rawValue), time: event.time,
      duration: event.duration ?? 0, values: values,
      sound: event.soundNumber.map(Sound.registered) ?? event.waveformPath.map(Sound.file))
  }
}
