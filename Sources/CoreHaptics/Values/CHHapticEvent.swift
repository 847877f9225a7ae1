/// One event of a pattern: a tap, a vibration or a sound.
///
/// A pattern copies its events when it is made; changing one afterwards changes patterns made later only.
open class CHHapticEvent: NSObject {
  /// What kind of event it is.
  public let type: EventType
  /// The parameters it was made with.
  public let eventParameters: [CHHapticEventParameter]
  /// Seconds from the start of the pattern.
  open var relativeTime: TimeInterval
  /// Seconds until the release begins; 0 where none was given. A tap's is its logical length only.
  open var duration: TimeInterval

  /// The registered sound that it plays; nil for other events.
  let audioResourceID: CHHapticAudioResourceID?

  /// Creates an event without a duration.
  /// - Parameters:
  ///   - type: The kind of event.
  ///   - eventParams: Its parameters; those it leaves out have their defaults.
  ///   - time: Seconds from the start of the pattern.
  public convenience init(
    eventType type: EventType, parameters eventParams: [CHHapticEventParameter],
    relativeTime time: TimeInterval
  ) {
    self.init(eventType: type, parameters: eventParams, relativeTime: time, duration: 0)
  }

  /// Creates an event with a duration.
  /// - Parameters:
  ///   - type: The kind of event.
  ///   - eventParams: Its parameters; those it leaves out have their defaults.
  ///   - time: Seconds from the start of the pattern.
  ///   - duration: Seconds until the release begins; 0 leaves a continuous event to its 30 s at most.
  public init(
    eventType type: EventType, parameters eventParams: [CHHapticEventParameter],
    relativeTime time: TimeInterval, duration: TimeInterval
  ) {
    self.type = type
    eventParameters = eventParams
    relativeTime = time
    self.duration = duration
    audioResourceID = nil
    super.init()
  }

  /// Creates an event that plays a registered sound to its end.
  /// - Parameters:
  ///   - resID: What ``CHHapticEngine/registerAudioResource(_:options:)`` gave.
  ///   - eventParams: Its parameters; those it leaves out have their defaults.
  ///   - time: Seconds from the start of the pattern.
  public convenience init(
    audioResourceID resID: CHHapticAudioResourceID, parameters eventParams: [CHHapticEventParameter],
    relativeTime time: TimeInterval
  ) {
    self.init(audioResourceID: resID, parameters: eventParams, relativeTime: time, duration: 0)
  }

  /// Creates an event that plays a registered sound for a time.
  /// - Parameters:
  ///   - resID: What ``CHHapticEngine/registerAudioResource(_:options:)`` gave.
  ///   - eventParams: Its parameters; those it leaves out have their defaults.
  ///   - time: Seconds from the start of the pattern.
  ///   - duration: Seconds: fewer than the sound cut it, more are filled with silence, 0 is ignored.
  public init(
    audioResourceID resID: CHHapticAudioResourceID, parameters eventParams: [CHHapticEventParameter],
    relativeTime time: TimeInterval, duration: TimeInterval
  ) {
    type = .audioCustom
    eventParameters = eventParams
    relativeTime = time
    self.duration = duration
    audioResourceID = resID
    super.init()
  }
}

extension CHHapticEvent {
  /// The kinds of event.
  public struct EventType: Hashable, RawRepresentable, Sendable {
    /// The word for it in a pattern file.
    public let rawValue: String

    /// Wraps the word for a kind of event; a pattern refuses one it does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A tap of fixed length.
    public static let hapticTransient = EventType(rawValue: "HapticTransient")
    /// A vibration with a duration and an envelope.
    public static let hapticContinuous = EventType(rawValue: "HapticContinuous")
    /// The built-in sound, with a duration and an envelope.
    public static let audioContinuous = EventType(rawValue: "AudioContinuous")
    /// A sound of the program's own.
    public static let audioCustom = EventType(rawValue: "AudioCustom")
  }

  /// The parameters an event can carry.
  public struct ParameterID: Hashable, RawRepresentable, Sendable {
    /// The word for it in a pattern file.
    public let rawValue: String

    /// Wraps the word for a parameter; a pattern refuses one it does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The strength of a haptic event, 0…1.
    public static let hapticIntensity = ParameterID(rawValue: "HapticIntensity")
    /// The feel of a haptic event, from dull to sharp, 0…1.
    public static let hapticSharpness = ParameterID(rawValue: "HapticSharpness")
    /// How long the event takes to rise, 0…1, not in seconds.
    public static let attackTime = ParameterID(rawValue: "AttackTime")
    /// How long an event that is not sustained takes to fall, 0…1, not in seconds.
    public static let decayTime = ParameterID(rawValue: "DecayTime")
    /// How long a sustained event takes to fade at its end, 0…1, not in seconds.
    public static let releaseTime = ParameterID(rawValue: "ReleaseTime")
    /// Whether the event holds its level for its duration, 0 or 1.
    public static let sustained = ParameterID(rawValue: "Sustained")
    /// The loudness of an audio event, 0…1.
    public static let audioVolume = ParameterID(rawValue: "AudioVolume")
    /// The pitch of an audio event, −1…1.
    public static let audioPitch = ParameterID(rawValue: "AudioPitch")
    /// The place of an audio event between left and right, −1…1.
    public static let audioPan = ParameterID(rawValue: "AudioPan")
    /// How much of an audio event's high frequencies is left, 0…1.
    public static let audioBrightness = ParameterID(rawValue: "AudioBrightness")
  }
}
