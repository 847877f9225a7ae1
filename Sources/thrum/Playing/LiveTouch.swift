import ThrumPattern

/// The patterns of what is played by hand: taps, and continuous events that live values shape.
enum LiveTouch {
  /// How far apart live values of a kind are sent at least, nanoseconds: the grid of the core's commands.
  static let valueDistance: Int64 = 1_000_000

  /// A tap.
  /// - Parameters:
  ///   - intensity: 0…1, times the live value.
  ///   - sharpness: The live value is added to it; held within 0…1.
  static func tap(intensity: Float, sharpness: Float) -> Pattern {
    var parameters = EventParameters()
    parameters[.hapticIntensity] = intensity
    parameters[.hapticSharpness] = min(max(sharpness, 0), 1)
    return Pattern(entries: [
      .event(Event(type: .hapticTransient, time: 0, parameters: parameters))
    ])
  }

  /// A continuous event whose intensity and sharpness are those of its controls; it ends after 30 s by itself, so that a
  /// release that gets lost leaves no actuator on for ever.
  static func held(intensity: Float, sharpness: Float) -> Pattern {
    var parameters = EventParameters()
    parameters[.hapticIntensity] = 1
    parameters[.hapticSharpness] = 0
    return Pattern(entries: [
      .parameter(DynamicParameter(id: .hapticIntensityControl, value: intensity, time: 0)),
      .parameter(
        DynamicParameter(id: .hapticSharpnessControl, value: min(max(sharpness, 0), 1), time: 0)),
      .event(Event(type: .hapticContinuous, time: 0, parameters: parameters)),
    ])
  }
}
