import Synchronization
import ThrumRings

/// Figures that the render thread publishes after each block; a reader may see one block's mixed with the next's.
public struct RendererStatus: ~Copyable, Sendable {
  /// The next render frame to be made.
  public let playhead = Atomic<Int64>(0)
  /// Voices that sound.
  public let activeVoices = Atomic<Int>(0)
  /// Voices that were stolen because the pool was full, since the start.
  public let stolenVoices = Atomic<Int>(0)
  /// Samples that met the last saturation, in float or on conversion to integers, since the start.
  public let saturatedSamples = Atomic<Int>(0)
  /// Device frames that left while a limiter turned a bus down, since the start; none past the end of sound.
  public let limitedFrames = Atomic<Int>(0)
  /// Those of them, but for the sound's, in which the mean square of a bus was above its rating.
  public let thermallyLimitedFrames = Atomic<Int>(0)
  /// Those in which the estimated excursion of an actuator was above its limit.
  public let excursionLimitedFrames = Atomic<Int>(0)
  /// Those in which peaks were held under the ceiling.
  public let peakLimitedFrames = Atomic<Int>(0)
  /// Notifications that found their queue full, since the start.
  public let droppedNotifications = Atomic<Int>(0)
  /// Commands that arrived after the frame they asked for.
  public let lateCommands = Atomic<Int>(0)
  /// Events passed over because their page had not been delivered, since the start.
  public let starvedEvents = Atomic<Int>(0)
  /// Commands applied, since the start.
  public let appliedCommands = Atomic<Int>(0)
  /// The largest end of any voice so far, in render frames: nothing sounds from it on.
  public let lastVoiceEnd = Atomic<Int64>(0)

  init() {}
}

/// The control side's end of a renderer: one queue in, two out, and the published figures.
public struct RendererPort: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: rings and atomics; the status is only read here.

  /// Commands to the render thread. One producer: callers share a lock on the control side.
  public let commands: SPSCRing<Command>
  /// Notifications from the render thread.
  public let notifications: SPSCRing<Notification>
  /// Memory from the render thread.
  public let releases: SPSCRing<Released>
  /// Published figures.
  public let status: UnsafePointer<RendererStatus>
  // Safety: one word a player slot, freed with the queues.
  private let players: UnsafePointer<Atomic<Int>>
  private let playerCapacity: Int

  init(settings: RendererSettings) {
    let commandPlaces = settings.commandCapacity + RendererPort.reservedCommands(settings)
    commands = SPSCRing(minimumCapacity: commandPlaces)
    notifications = SPSCRing(minimumCapacity: settings.notificationCapacity + 3 * settings.playerCapacity)
    releases = SPSCRing(
      minimumCapacity: RendererPort.reservedReleases(settings) + 2 * commandPlaces)
    let status = UnsafeMutablePointer<RendererStatus>.allocate(capacity: 1)
    status.initialize(to: RendererStatus())
    self.status = UnsafePointer(status)
    playerCapacity = settings.playerCapacity
    let players = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: playerCapacity)
    for player in 0..<playerCapacity { (players + player).initialize(to: Atomic(0)) }
    self.players = UnsafePointer(players)
  }

  /// What was last published of a player slot.
  ///
  /// Threads: any. Real-time: yes.
  @_noLocks @_noAllocation
  public func report(ofPlayer player: Int) -> PlayerReport {
    // Ordering: acquiring, with `publish`: whoever reads that a player is paused then reads where its fade ended.
    PlayerReport(word: players[player].load(ordering: .acquiring))
  }

  /// Publishes what a player slot does.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  func publish(_ report: PlayerReport, ofPlayer player: Int) {
    // Ordering: releasing, behind the end of the last voice; see `report(ofPlayer:)`.
    players[player].store(report.word, ordering: .releasing)
  }

  /// Commands beyond the capacity that there is room for, in the queue and among those that wait for their frame: a stop
  /// and a cancel of each player, which the control side sends even when all else is refused.
  static func reservedCommands(_ settings: RendererSettings) -> Int { 2 * settings.playerCapacity }

  /// Entries of the release queue kept free for what players hold already: their slot, and a live curve on each of their
  /// tracks. While fewer are free no command is taken, so that nothing that comes back ever finds the queue full.
  static func reservedReleases(_ settings: RendererSettings) -> Int {
    settings.playerCapacity * (2 + PlayerSlot.trackCount) + 8
  }

  func deallocate() {
    commands.deallocate()
    notifications.deallocate()
    releases.deallocate()
    UnsafeMutablePointer(mutating: status).deinitialize(count: 1)
    status.deallocate()
    UnsafeMutablePointer(mutating: players).deinitialize(count: playerCapacity)
    players.deallocate()
  }
}
