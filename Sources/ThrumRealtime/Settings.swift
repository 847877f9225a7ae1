/// The capacities of a renderer; all memory is allocated once from them.
///
/// Each capacity is checked on the control side: exceeding one is an error at the caller, never on the render
/// thread.
public struct RendererSettings: Sendable, Equatable {
  /// Voices that sound at once, 1…65,536; default 256. One more steals the quietest, which is counted.
  public var voiceCapacity = 256
  /// Sounds that play at once, 1…4,096; default 64. One more steals the quietest, which is counted.
  public var soundCapacity = 64
  /// Stolen voices, and as many sounds, that fade out at once, 1 or more; default 32.
  public var fadeCapacity = 32
  /// Players that exist at once, 1…32,768; default 64.
  public var playerCapacity = 64
  /// Engines that share the output, 1…256; default 8.
  public var engineCapacity = 8
  /// Commands under way to the render thread, scheduled ones included; default 1024.
  public var commandCapacity = 1024
  /// Notifications under way from the render thread; default 4096. When full they are counted, not sent.
  public var notificationCapacity = 4096

  /// Creates the default settings.
  public init() {}
}
