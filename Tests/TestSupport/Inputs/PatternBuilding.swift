import ThrumPattern

extension Event {
  /// A tap.
  public static func tap(
    at time: Double = 0, intensity: Float = 1, sharpness: Float = 0.5, attack: Float? = nil,
    decay: Float? = nil
  ) -> Event {
    var event = Event(type: .hapticTransient, time: time)
    event.parameters[.hapticIntensity] = intensity
    event.parameters[.hapticSharpness] = sharpness
    event.parameters[.attackTime] = attack
    event.parameters[.decayTime] = decay
    return event
  }

  /// A vibration.
  public static func buzz(
    at time: Double = 0, for duration: Double?, intensity: Float = 1, sharpness: Float = 0.5,
    attack: Float? = nil, decay: Float? = nil, release: Float? = nil, sustained: Float? = nil
  ) -> Event {
    var event = Event(type: .hapticContinuous, time: time, duration: duration)
    event.parameters[.hapticIntensity] = intensity
    event.parameters[.hapticSharpness] = sharpness
    event.parameters[.attackTime] = attack
    event.parameters[.decayTime] = decay
    event.parameters[.releaseTime] = release
    event.parameters[.sustained] = sustained
    return event
  }
}

extension Pattern {
  /// A pattern of events, then parameters, then curves.
  public init(
    _ events: Event..., parameters: [DynamicParameter] = [], curves: [ParameterCurve] = []
  ) {
    self.init(
      entries: events.map(Entry.event) + parameters.map(Entry.parameter) + curves.map(Entry.curve))
  }

  /// What begins before a time, in seconds, for renders that would take too long: longer events keep at most
  /// that much, so that their ends are rendered too.
  public func trimmed(toSeconds limit: Double) -> Pattern {
    let kept = entries.compactMap { entry -> Entry? in
      switch entry {
      case .event(var event):
        guard event.time < limit else { return nil }
        let isEndless = event.type == .hapticContinuous && (event.duration ?? 0) == 0
        if isEndless || (event.duration ?? 0) > limit { event.duration = limit }
        return .event(event)
      case .parameter(let parameter): return parameter.time < limit ? entry : nil
      case .curve(let curve): return curve.time < limit ? entry : nil
      }
    }
    return Pattern(entries: kept, version: version)
  }
}
