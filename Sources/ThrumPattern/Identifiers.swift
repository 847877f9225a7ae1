/// The kinds of event a pattern can hold; raw values are the AHAP strings.
public enum EventType: String, Sendable, CaseIterable {
  /// A tap of fixed length.
  case hapticTransient = "HapticTransient"
  /// A vibration with a duration and an envelope.
  case hapticContinuous = "HapticContinuous"
  /// The built-in sound with a duration and an envelope.
  case audioContinuous = "AudioContinuous"
  /// A sound from a file.
  case audioCustom = "AudioCustom"

  /// Whether the event is felt (otherwise it is heard).
  public var isHaptic: Bool { self == .hapticTransient || self == .hapticContinuous }
}

/// The parameters an event can carry; raw values are the AHAP strings.
public enum EventParameterID: String, Sendable, CaseIterable {
  case hapticIntensity = "HapticIntensity"
  case hapticSharpness = "HapticSharpness"
  case attackTime = "AttackTime"
  case decayTime = "DecayTime"
  case releaseTime = "ReleaseTime"
  case sustained = "Sustained"
  case audioVolume = "AudioVolume"
  case audioPitch = "AudioPitch"
  case audioPan = "AudioPan"
  case audioBrightness = "AudioBrightness"

  /// The values the documentation allows; others are clamped to the nearer end.
  public var range: ClosedRange<Float> {
    switch self {
    case .audioPitch, .audioPan: -1...1
    default: 0...1
    }
  }

  /// The value of an event that does not carry the parameter (decisions.md, "Defaults").
  public func defaultValue(for type: EventType) -> Float {
    switch self {
    case .hapticIntensity: type == .hapticTransient ? 0.75 : 0.6
    case .hapticSharpness: type == .hapticTransient ? 0.5 : 0.422601
    case .attackTime, .decayTime, .releaseTime, .audioPitch, .audioPan: 0
    case .sustained, .audioVolume, .audioBrightness: 1
    }
  }
}

/// The parameters that change while a pattern plays; raw values are the AHAP strings.
public enum DynamicParameterID: String, Sendable, CaseIterable {
  case hapticIntensityControl = "HapticIntensityControl"
  case hapticSharpnessControl = "HapticSharpnessControl"
  case hapticAttackTimeControl = "HapticAttackTimeControl"
  case hapticDecayTimeControl = "HapticDecayTimeControl"
  case hapticReleaseTimeControl = "HapticReleaseTimeControl"
  case audioVolumeControl = "AudioVolumeControl"
  case audioPanControl = "AudioPanControl"
  case audioBrightnessControl = "AudioBrightnessControl"
  case audioPitchControl = "AudioPitchControl"
  case audioAttackTimeControl = "AudioAttackTimeControl"
  case audioDecayTimeControl = "AudioDecayTimeControl"
  case audioReleaseTimeControl = "AudioReleaseTimeControl"

  /// The values the documentation allows; others are clamped to the nearer end.
  public var range: ClosedRange<Float> { isMultiplier ? 0...1 : -1...1 }

  /// The value that changes nothing: 1 for a multiplier, 0 for an addend.
  public var neutralValue: Float { isMultiplier ? 1 : 0 }

  /// Whether it changes events that are felt (otherwise ones that are heard).
  public var isHaptic: Bool {
    switch self {
    case .hapticIntensityControl, .hapticSharpnessControl, .hapticAttackTimeControl, .hapticDecayTimeControl,
      .hapticReleaseTimeControl:
      true
    default: false
    }
  }

  /// Whether the value multiplies the event's (otherwise it is added).
  public var isMultiplier: Bool { self == .hapticIntensityControl || self == .audioVolumeControl }
}
