/// What kind of voice an event starts.
public enum ScheduledEventKind: Equatable, Sendable, BitwiseCopyable {
  /// A tap of fixed length.
  case transient
  /// A tone with an envelope.
  case continuous
  /// The built-in sound.
  case tone
  /// A sound of the schedule's.
  case sound

  // Spelled out because the derived comparison is generic, which the real-time check refuses.
  // Safety: an enum without payloads is one byte.

  /// Whether two kinds are the same.
  @_noLocks @_noAllocation
  public static func == (left: ScheduledEventKind, right: ScheduledEventKind) -> Bool {
    unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
  }

  /// Whether the event is heard (otherwise it is felt).
  public var isSound: Bool { @_noLocks @_noAllocation get { self == .tone || self == .sound } }

  /// Whether two kinds differ.
  @_noLocks @_noAllocation
  public static func != (left: ScheduledEventKind, right: ScheduledEventKind) -> Bool { !(left == right) }
}

/// One event of a compiled pattern: frames and Float32 values, ready for the render thread. 64 bytes.
public struct ScheduledEvent: Sendable, Equatable, BitwiseCopyable {
  /// Frames from the start of the pattern, at rate 1.
  public var startFrame: Int64
  /// Frames from the event's start to its release; `endless` when the pattern gives none. Unused by transients.
  public var durationFrames: Int64
  /// The position of the event among all entries of its file, for logs.
  public var entryIndex: UInt32
  /// The voice it starts.
  public var kind: ScheduledEventKind
  /// Whether a sound is ramped in and out.
  public var usesEnvelope: Bool
  /// Whether a sound repeats until its release.
  public var isLooped: Bool
  /// Whether a continuous event holds its level until its release (otherwise it decays after the attack).
  public var isSustained: Bool
  /// 0…1; the volume of a sound.
  public var intensity: Float
  /// 0…1; the brightness of a sound.
  public var sharpness: Float
  /// Attack, decay and release adjusters, 0…1 on a continuous event; a transient's attack is 0…1 and its decay −1…1.
  public var attack: Float
  /// See `attack`.
  public var decay: Float
  /// See `attack`.
  public var release: Float

  /// A sound's pitch, −1…1.
  public var pitch: Float
  /// A sound's place between left and right, −1…1.
  public var pan: Float
  /// What `startFrame` is short of the event's time, −0.5…0.5 frames: sounds begin on the device's own frames.
  public var startRemainder: Float
  /// The same for `durationFrames`.
  public var durationRemainder: Float
  /// The sound's position in the schedule's table.
  public var soundIndex: Int32

  /// The duration of an event that has none.
  public static let endless = Int64.max

  /// Creates an event; defaults are the shortest envelope, sustained.
  public init(
    startFrame: Int64, durationFrames: Int64 = ScheduledEvent.endless, entryIndex: UInt32 = 0,
    kind: ScheduledEventKind, isSustained: Bool = true, intensity: Float, sharpness: Float,
    attack: Float = 0, decay: Float = 0, release: Float = 0
  ) {
    self.startFrame = startFrame
    self.durationFrames = durationFrames
    self.entryIndex = entryIndex
    self.kind = kind
    self.isSustained = isSustained
    self.intensity = intensity
    self.sharpness = sharpness
    self.attack = attack
    self.decay = decay
    self.release = release
    usesEnvelope = true
    isLooped = false
    pitch = 0
    pan = 0
    startRemainder = 0
    durationRemainder = 0
    soundIndex = 0
  }
}
