import ThrumRealtime

/// The control side of one renderer: its slots, its memory, and the one door to its command queue.
///
/// Any number of threads call it; its lock makes them the one producer that the queue knows. Nothing of a
/// caller's (a handler, an object that it may hold) is called or let go of while the lock is held, so that a
/// handler may call anything.
final class Console: Sendable {
  let timing: OutputTiming
  /// Whether any channel carries sound.
  let carriesSound: Bool
  /// The rate at which sounds are played.
  let soundRate: Int
  private let feed: OutputFeed
  private let port: RendererPort
  private let state: Locked<ConsoleState>

  init(feed: OutputFeed, settings: RendererSettings) {
    self.feed = feed
    timing = feed.stage.pointee.timing
    carriesSound = feed.stage.pointee.carriesSound
    soundRate = feed.stage.pointee.soundRate
    port = feed.stage.pointee.port
    state = Locked(
      ConsoleState(port: port, settings: settings, busCount: feed.stage.pointee.hapticBusCount))
  }

  deinit {
    // The device is closed, or never was started: no render thread is left.
    state.withLock { $0.deallocate() }
  }

  /// The renderer's published figures.
  var status: UnsafePointer<RendererStatus> { port.status }

  /// The render frame after the last that carries sound, once all players have finished: the end of the last
  /// voice or pattern, and what filters and limiters hold then.
  var endOfSound: Int64 {
    // Ordering: none needed. The reports of the players that finished or paused were read before it.
    let voices = status.pointee.lastVoiceEnd.load(ordering: .relaxed)
    return timing.endOfSound(afterVoices: max(voices, withState { $0.lastFinishFrame }))
  }

  /// Takes the lock. What `body` throws out of the state must leave by its result.
  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout ConsoleState) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try state.withLock(body)
  }

  /// Refuses everything from now on.
  func close() { withState { $0.isClosed = true } }

  /// Lets go of all handlers, which may hold the players and the output that they belong to: nobody calls them any more.
  func forgetHandlers() {
    let forgotten = withState { $0.takeHandlers() }
    withExtendedLifetime(forgotten) {}
  }
}

/// What the lock of a ``Console`` guards.
struct ConsoleState {
  let port: RendererPort
  let settings: RendererSettings
  let busCount: Int
  var isClosed = false

  var engines: [EngineSlot]
  var players: [PlayerRecord?]
  var freePlayers: [Int32]
  var observers: [@Sendable (OutputEvent) -> Void] = []

  /// The latest frame at which a run ended.
  var lastFinishFrame: Int64 = 0
  private(set) var pushedCommands = 0
  /// What was sent to each player slot, whichever player had it.
  private(set) var sent: [SentCommands]
  private var lastRun: Int32 = 0

  /// Counts of what was sent to a player slot.
  struct SentCommands {
    var wakeUps = 0
    /// The number of the last command among all that were sent, from 1.
    var last = 0
    /// The number of the last one that was a stop for this moment, and whether it was a cancel.
    var lastStop = 0
    var lastStopCancels = false
  }

  /// An engine's place in the renderer.
  struct EngineSlot {
    /// The ``Engine`` and the players that still need the slot; 0 means free.
    var users = 0
    var isMuted = LatestValue(false)
    var gain = LatestValue<Float>(1)
    var isSoundMuted = LatestValue(false)
  }

  init(port: RendererPort, settings: RendererSettings, busCount: Int) {
    self.port = port
    self.settings = settings
    self.busCount = busCount
    engines = Array(repeating: EngineSlot(), count: settings.engineCapacity)
    players = Array(repeating: nil, count: settings.playerCapacity)
    sent = Array(repeating: SentCommands(), count: settings.playerCapacity)
    // Low slots first, so that a log reads well.
    freePlayers = (0..<Int32(settings.playerCapacity)).reversed()
  }

  /// Commands on their way, scheduled ones included.
  var commandsUnderWay: Int {
    // Ordering: none needed. The count only limits how many are sent; the ring orders the commands
    // themselves.
    pushedCommands - port.status.pointee.appliedCommands.load(ordering: .relaxed)
  }

  /// Whether sound or an end of a player is still to come without anything being sent: it has a run to play, and is not
  /// paused or has something on its way that ends the pause or the run.
  func isUnderWay(_ slot: Int) -> Bool {
    guard let record = players[slot], record.openRuns > 0 else { return false }
    let report = port.report(ofPlayer: slot)
    return !report.isPaused || report.wakeUps != sent[slot].wakeUps
  }

  /// Commands that can be sent now; with the places that the queue has beyond its capacity, so many stops.
  func room(withKept usesKept: Bool = false) -> Int {
    let places = port.commands.freeCapacity
    return usesKept ? places : min(settings.commandCapacity - commandsUnderWay, places)
  }

  /// Throws unless so many commands can be sent.
  func requireRoom(for count: Int, withKept usesKept: Bool = false) throws(EngineError) {
    if isClosed { throw EngineError.notRunning }
    if room(withKept: usesKept) < count {
      throw EngineError.commandQueueFull(limit: settings.commandCapacity)
    }
  }

  /// Sends a command to the render thread, or throws and changes nothing.
  ///
  /// Threads: any, under the control lock. Real-time: no. Next: `Renderer.takeCommands`, at its next block.
  mutating func push(_ command: Command, withKept usesKept: Bool = false) throws(EngineError) {
    try requireRoom(for: 1, withKept: usesKept)
    guard port.commands.push(command) else {
      throw EngineError.commandQueueFull(limit: settings.commandCapacity)
    }
    pushedCommands += 1
    let player = Int(command.action.player)
    guard player >= 0 else { return }
    sent[player].last = pushedCommands
    if command.action.isWakeUp { sent[player].wakeUps += 1 }
  }

  /// Commands that the render thread has taken out of the queue.
  private var takenCommands: Int {
    pushedCommands - (port.commands.capacity - port.commands.freeCapacity)
  }

  /// Whether a stop for this moment would do nothing: one as good is in the queue, and nothing for the player behind it.
  func isBeingStopped(_ slot: Int, cancels: Bool) -> Bool {
    let sent = sent[slot]
    return sent.lastStop > takenCommands && sent.last == sent.lastStop && (sent.lastStopCancels || !cancels)
  }

  /// Notes that the last command was a stop for this moment.
  mutating func noteStop(ofPlayer slot: Int, cancels: Bool) {
    sent[slot].lastStop = pushedCommands
    sent[slot].lastStopCancels = cancels
  }

  /// A number for the next run of a player.
  mutating func makeRun() -> Int32 {
    lastRun &+= 1
    return lastRun
  }

  /// Frees all memory; the render thread is gone.
  mutating func deallocate() {
    for slot in players.indices { players[slot]?.deallocate() }
  }
}
