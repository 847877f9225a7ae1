import ThrumRealtime

/// What goes into the making of an output.
public struct OutputConfiguration: Sendable, Equatable {
  /// The most haptic buses of an output.
  public static let mostBuses = 16

  /// The renderer's capacities.
  public var settings: RendererSettings
  /// One profile a haptic bus, 1…16; default one bus with the `safe` profile.
  public var profiles: [BusProfile]
  /// Which signal each channel carries; nil, the default, puts haptic bus 0 on all channels.
  public var map: ChannelMap?
  /// Seconds by which sound comes later than the haptics of its time, for an actuator that is late; below 0 earlier, for an
  /// amplifier or a radio link that is. Default 0; held within a second either way.
  public var soundOffsetSeconds: Double

  /// Creates a configuration.
  public init(
    settings: RendererSettings = RendererSettings(), profiles: [BusProfile] = [.safe], map: ChannelMap? = nil,
    soundOffsetSeconds: Double = 0
  ) {
    self.soundOffsetSeconds = soundOffsetSeconds
    self.settings = settings
    self.profiles = profiles
    self.map = map
  }
}

/// The figures of an output at one moment. Those of the renderer are published block by block, and a snapshot
/// may mix two blocks.
public struct OutputStatus: Sendable, Equatable {
  /// The render frame that is heard at this moment.
  public var currentFrame: RenderFrame
  /// The next render frame to be made: the earliest that a command can still reach.
  public var playhead: RenderFrame
  /// Voices that sound.
  public var activeVoices: Int
  /// Voices that were stolen because the pool was full.
  public var stolenVoices: Int
  /// Samples that met the last saturation.
  public var saturatedSamples: Int
  /// Device frames that left while a limiter turned a bus down; none past the end of sound.
  public var limitedFrames: Int
  /// What turned the haptic buses down in them.
  public var limits: LimitedFrames
  /// Notifications that were lost because the control side did not take them in time.
  public var droppedNotifications: Int
  /// Commands that arrived after the frame they asked for, and acted when they did.
  public var lateCommands: Int
  /// Events passed over because their page of a streamed schedule was late. A render has none: it holds all pages.
  public var starvedEvents: Int
  /// Commands on their way to the render thread, scheduled ones included.
  public var commandsUnderWay: Int
  /// Device frames between the device's write position and the ear, as it last told; nil before it did.
  public var deviceDelayFrames: Int?
  /// The scheduling of the render thread; nil before the start.
  public var scheduling: String?
  /// What happened to the device.
  public var device: OutputCounters
}
