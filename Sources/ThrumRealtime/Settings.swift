/// The capacities of a renderer; all memory is allocated once from them.
///
/// Exceeding a capacity is an error at the caller, never on the render thread. A capacity outside its range ends the
/// program when an output is made. The number of haptic buses is that of an output's profiles.
public struct RendererSettings: Sendable, Equatable {
  /// Voices that sound at once, 1…65,536; default 256. One more steals the quietest, which is counted.
  public var voiceCapacity = 256
  /// Sounds that play at once, 1…4,096; default 64. One more steals the quietest, which is counted.
  public var soundCapacity = 64
  /// Stolen voices that fade out at once, 1…65,536; default 32. So many are stolen for one frame at most: what begins on it
  /// beyond them is left out, and counted like them.
  public var fadeCapacity = 32
  /// Players that exist at once, 1…32,768; default 64.
  public var playerCapacity = 64
  /// Engines that share the output, 1…256; default 8.
  public var engineCapacity = 8
  /// Commands under way to the render thread, scheduled ones included, 8…8,192; default 1024. The least is what a start
  /// with a streamed schedule takes; the most bounds what putting one in order costs.
  public var commandCapacity = 1024
  /// Notifications under way from the render thread, 1…1,048,576; default 4096. When full they are counted, not sent.
  public var notificationCapacity = 4096

  /// The instruction set of the innermost loops; default the widest that the machine has. It changes no sample.
  public var kernel = RenderKernel.best

  /// Creates the default settings.
  public init() {}

  /// Traps where a capacity is out of its range.
  func check() {
    precondition(voiceCapacity >= 1 && voiceCapacity <= 65_536, "RendererSettings.voiceCapacity is 1…65,536")
    precondition(soundCapacity >= 1 && soundCapacity <= 4096, "RendererSettings.soundCapacity is 1…4,096")
    precondition(fadeCapacity >= 1 && fadeCapacity <= 65_536, "RendererSettings.fadeCapacity is 1…65,536")
    precondition(
      playerCapacity >= 1 && playerCapacity <= 32_768, "RendererSettings.playerCapacity is 1…32,768")
    precondition(engineCapacity >= 1 && engineCapacity <= 256, "RendererSettings.engineCapacity is 1…256")
    precondition(
      commandCapacity >= 8 && commandCapacity <= 8192, "RendererSettings.commandCapacity is 8…8,192")
    precondition(
      notificationCapacity >= 1 && notificationCapacity <= 1_048_576,
      "RendererSettings.notificationCapacity is 1…1,048,576")
  }
}
