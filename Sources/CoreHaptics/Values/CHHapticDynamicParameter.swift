/// A value that acts on all active and later events of a player from a time on.
open class CHHapticDynamicParameter: NSObject {
  /// What it changes.
  public let parameterID: ID
  /// The value; one outside the parameter's range counts as the nearer end of it.
  open var value: Float
  /// Seconds from the start of the pattern, or from the time it is sent for.
  open var relativeTime: TimeInterval

  /// Creates a parameter.
  public init(parameterID: ID, value: Float, relativeTime time: TimeInterval) {
    self.parameterID = parameterID
    self.value = value
    relativeTime = time
    super.init()
  }
}

extension CHHapticDynamicParameter {
  /// The parameters that change while a pattern plays.
  ///
  /// Those of the intensity and the volume multiply what the event has, 0…1; all others are added to it,
  /// −1…1.
  public struct ID: Hashable, RawRepresentable, Sendable {
    /// The word for it in a pattern file.
    public let rawValue: String

    /// Wraps the word for a parameter; a pattern refuses one it does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Multiplies the intensity of haptic events.
    public static let hapticIntensityControl = ID(rawValue: "HapticIntensityControl")
    /// Is added to the sharpness of haptic events.
    public static let hapticSharpnessControl = ID(rawValue: "HapticSharpnessControl")
    /// Is added to the attack time of haptic events.
    public static let hapticAttackTimeControl = ID(rawValue: "HapticAttackTimeControl")
    /// Is added to the decay time of haptic events.
    public static let hapticDecayTimeControl = ID(rawValue: "HapticDecayTimeControl")
    /// Is added to the release time of haptic events.
    public static let hapticReleaseTimeControl = ID(rawValue: "HapticReleaseTimeControl")
    /// Multiplies the volume of audio events.
    public static let audioVolumeControl = ID(rawValue: "AudioVolumeControl")
    /// Is added to the pan of audio events.
    public static let audioPanControl = ID(rawValue: "AudioPanControl")
    /// Is added to the brightness of audio events.
    public static let audioBrightnessControl = ID(rawValue: "AudioBrightnessControl")
    /// Is added to the pitch of audio events.
    public static let audioPitchControl = ID(rawValue: "AudioPitchControl")
    /// Is added to the attack time of audio events.
    public static let audioAttackTimeControl = ID(rawValue: "AudioAttackTimeControl")
    /// Is added to the decay time of audio events.
    public static let audioDecayTimeControl = ID(rawValue: "AudioDecayTimeControl")
    /// Is added to the release time of audio events.
    public static let audioReleaseTimeControl = ID(rawValue: "AudioReleaseTimeControl")
  }
}
