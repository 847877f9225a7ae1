/// What kind of voice an event starts.
public enum ScheduledEventKind: Equatable, Sendable, BitwiseCopyable {
  /// A tap of fixed length.
  case transient
  /// A tone with an envelope.
  case continuous

  // Spelled out because the derived comparison is generic, which the real-time check refuses.
  // Safety: an enum without payloads is one byte.

  /// Whether two kinds are the same.
  @_noLocks @_noAllocation
  public static func == (left: ScheduledEventKind, right: ScheduledEventKind) -> Bool {
    unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
  }

  /// Whether two kinds differ.
  @_noLocks @_noAllocation
  public static func != (left: ScheduledEventKind, right: ScheduledEventKind) -> Bool { !(left == right) }
}

/// One event of a compiled pattern: frames and Float32 values, ready for the render thread. 48 bytes.
public struct ScheduledEvent: Sendable, Equatable, BitwiseCopyable {
  /// Frames from the start of the pattern, at rate 1.
  public var startFrame: Int64
  /// Frames from the event's start to its release; `endless` when the pattern gives none. Unused by transients.
  public var durationFrames: Int64
  /// The position of the event among all entries of its file, for logs.
  public var entryIndex: UInt32
  /// The voice it starts.
  public var kind: ScheduledEventKind
  /// Whether a continuous event holds its level until its release (otherwise it decays after the attack).
  public var isSustained: Bool
  /// 0…1.
  public var intensity: Float
  /// 0…1.
  public var sharpness: Float
  /// Attack, decay and release adjusters, 0…1 on a continuous event; a transient's attack is 0…1 and its decay −1…1.
  public var attack: Float
  /// See `attack`.
  public var decay: Float
  /// See `attack`.
  public var release: Float

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
  }
}
