internal import ThrumEngine
internal import ThrumRealtime

/// What stands behind an engine: its state, its players under way, its handlers.
///
/// Lives on any number of threads. Nothing of a program's is called, or let go of, while the lock is held.
final class EngineCore: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: everything that changes is behind a lock.

  /// The idle time after which an engine shuts itself down where it may: about two minutes.
  static let idleNanoseconds: Int64 = 120_000_000_000

  let system: HapticSystem
  let output: SharedOutput
  /// Which actuators it drives.
  let locality: HapticLocality
  let sounds: SoundTable

  private let state = Locked(State())
  /// Held while the engine starts, so that two starts are one.
  private let starting = Locked(Turn())

  private struct State {
    var running: Running?
    var isDestroyed = false
    var settings = Settings()
    var stoppedHandler = Handler<CHHapticEngine.StoppedHandler> { _ in }
    var resetHandler = Handler<CHHapticEngine.ResetHandler> {}
    /// Players with a run under way, kept so that they play to their end.
    var active: [ObjectIdentifier: PlayerCore] = [:]
    var finishedHandlers: [Handler<CHHapticEngine.FinishedHandler>] = []
    /// Since when no player has been active; nil while one is.
    var idleSince: Int64?
    var isIdleTimerSet = false
    /// Starts that were asked for and not waited for, and have not been made.
    var pendingStarts = 0
    /// Whether it was started to play sounds only.
    var isWithoutHaptics = false

    var isSilent: Bool { settings.isMutedForHaptics || isWithoutHaptics }
  }

  /// A running engine's place on its output.
  struct Running: Sendable {
    let session: OutputSession
    let engine: Engine
    /// The haptic buses it plays on.
    let buses: [Int]
    /// Whether it was started to play haptics only.
    let isWithoutSound: Bool

    /// The rate at which its sounds are played; nil where none are.
    var soundRate: Int? {
      isWithoutSound || !session.output.carriesSound ? nil : session.output.soundRate
    }
  }

  /// The properties of an engine.
  struct Settings: Sendable {
    var playsHapticsOnly = false
    var playsAudioOnly = false
    var isMutedForAudio = false
    var isMutedForHaptics = false
    var isAutoShutdownEnabled = false
  }

  init(system: HapticSystem, output: SharedOutput, locality: HapticLocality) {
    self.system = system
    self.output = output
    self.locality = locality
    sounds = SoundTable(library: system.sounds)
  }

  /// Whether it runs.
  var isRunning: Bool { state.withLock { $0.running != nil } }

  /// The rate at which its sounds are played; nil while it does not run, and where none are.
  var soundRate: Int? { state.withLock { $0.running?.soundRate } }

  /// Seconds of the engine's time.
  var currentTime: TimeInterval { Double(output.currentFrame) / framesPerSecond }

  /// The haptic buses that it plays on, of so many.
  private func buses(of count: Int) -> [Int] { locality.buses(of: count) }
}

// Start and stop.
extension EngineCore {
  /// Starts, or does nothing where it runs.
  /// - Throws: ``CHHapticError``; it is stopped then.
  func start() throws {
    try starting.withLock { _ in
      if isRunning { return }
      let session = try output.enter(self)
      let engine: Engine
      do throws(EngineError) {
        engine = try session.output.makeEngine()
      } catch {
        output.leave(self)
        throw CHHapticError(error)
      }
      let buses = buses(of: session.busCount)
      let (isMuted, isSoundMuted, soundRate) = state.withLock { state in
        // A change of these two while it runs waits for the next start, which is this one.
        let running = Running(
          session: session, engine: engine, buses: buses, isWithoutSound: state.settings.playsHapticsOnly)
        state.isWithoutHaptics = state.settings.playsAudioOnly
        state.running = running
        state.isDestroyed = false
        beIdle(&state)
        return (isSilent(state), state.settings.isMutedForAudio, running.soundRate)
      }
      if isMuted { engine.isMutedForHaptics = true }
      if isSoundMuted { engine.isMutedForSound = true }
      if let soundRate {
        system.preparations.async { [sounds] in sounds.prepareAll(atRate: soundRate) }
      }
      // The output may have been lost since it was entered, before there was anyone to tell.
      if session.isLost {
        stop(session, because: .systemError, error: CHHapticError.lost(session), waits: true)
        throw CHHapticError.lost(session)
      }
    }
  }

  /// Starts on a thread of its own.
  /// - Parameter done: Called on the handler queue, with the error where it failed.
  func startLater(_ done: @escaping @Sendable ((any Error)?) -> Void) {
    state.withLock { $0.pendingStarts += 1 }
    system.background.async { [self] in
      let failure: (any Error)?
      do {
        try start()
        failure = nil
      } catch {
        failure = error
      }
      state.withLock { $0.pendingStarts -= 1 }
      system.handlers.call { done(failure) }
    }
  }

  /// Does something now, or behind the starts that have not been made: a stop is for them too.
  func afterStarts(_ body: @escaping @Sendable () -> Void) {
    if state.withLock({ $0.pendingStarts > 0 }) { system.background.async(execute: body) } else { body() }
  }

  /// Stops at a program's own request: everything falls silent, and no stopped handler is called.
  /// - Returns: Nanoseconds until the silence is heard.
  func stop() -> Int64 {
    guard let stopped = takeRunning(of: nil) else { return 0 }
    let session = stopped.running.session
    end(stopped, error: nil, waits: false)
    if system.clock.isTurnedByHand || stopped.players.isEmpty { return 0 }
    let delay = session.output.status.deviceDelayFrames ?? 0
    let fade = Self.fadeFrames * Int(Self.second) / RenderRate.framesPerSecond
    return Int64(fade + delay * Int(Self.second) / session.output.device.output.rate)
  }

  /// Stops for a reason that the program has to be told of.
  /// - Parameters:
  ///   - session: The output that the reason concerns; nothing happens where the engine runs on another one.
  ///   - reason: What the stopped handler is given.
  ///   - error: What the players' completion handlers are given.
  ///   - waits: Whether the output may come back.
  func stop(
    _ session: OutputSession? = nil, because reason: CHHapticEngine.StoppedReason,
    error: CHHapticError? = nil, waits: Bool = false
  ) {
    guard let stopped = takeRunning(of: session) else { return }
    end(stopped, error: error, waits: waits)
    system.handlers.call { [self] in
      state.withLock { $0.stoppedHandler }.function(reason)
    }
  }

  /// Tells the program that the output is back.
  func reset() {
    system.handlers.call { [self] in state.withLock { $0.resetHandler }.function() }
  }

  /// Ends with the engine object.
  func destroy() {
    let wasRunning = isRunning
    stop(because: .engineDestroyed)
    state.withLock { $0.isDestroyed = true }
    if !wasRunning { output.leave(self) }
    // Players that outlive the engine keep this object.
    sounds.unregisterAll()
  }

  private static let second: Int64 = 1_000_000_000
  /// Render frames in which a stop fades.
  private static let fadeFrames = 61

  private struct Stopped: Sendable {
    let running: Running
    let players: [PlayerCore]
  }

  /// Makes the engine a stopped one.
  private func takeRunning(of session: OutputSession?) -> Stopped? {
    state.withLock { state in
      guard let running = state.running, session == nil || running.session === session else { return nil }
      let players = Array(state.active.values)
      state.running = nil
      state.active = [:]
      state.idleSince = nil
      return Stopped(running: running, players: players)
    }
  }

  private func end(_ stopped: Stopped, error: CHHapticError?, waits: Bool) {
    for player in stopped.players { player.engineStopped(error) }
    output.leave(self, waits: waits)
    announceFinished()
  }
}

// Players under way.
extension EngineCore {
  /// The engine's place on its output, which it takes first where it may start by itself.
  /// - Parameter startsAlways: Whether it is started in any case.
  /// - Throws: ``CHHapticError`` `engineNotRunning`, or what a start throws.
  func runningForStart(startsAlways: Bool = false) throws -> Running {
    let (running, mayStart) = state.withLock { state in
      (state.running, !state.isDestroyed && (startsAlways || state.settings.isAutoShutdownEnabled))
    }
    if let running { return running }
    guard mayStart else { throw CHHapticError.notRunning }
    try start()
    guard let started = state.withLock({ $0.running }) else { throw CHHapticError.notRunning }
    return started
  }

  /// The engine's place on its output.
  /// - Throws: ``CHHapticError`` `engineNotRunning`.
  func requireRunning() throws -> Running? {
    let (running, isOptional) = state.withLock { ($0.running, $0.settings.isAutoShutdownEnabled) }
    if running == nil, !isOptional { throw CHHapticError.notRunning }
    return running
  }

  /// Notes that a player has a run under way.
  /// - Throws: ``CHHapticError`` `engineNotRunning` where the engine has left the output meanwhile.
  func noteActive(_ player: PlayerCore, on session: OutputSession) throws {
    try state.withLock { (state) throws(CHHapticError) in
      guard state.running?.session === session else { throw CHHapticError.notRunning }
      state.active[ObjectIdentifier(player)] = player
      state.idleSince = nil
    }
  }

  /// Notes that a player has no run under way any more.
  func noteFinished(_ player: PlayerCore) {
    let wasLast = state.withLock { state in
      guard state.active.removeValue(forKey: ObjectIdentifier(player)) != nil else { return false }
      if state.active.isEmpty { beIdle(&state) }
      return state.active.isEmpty
    }
    if wasLast { announceFinished() }
  }

  /// Calls a handler when no player is active: soon where that is so already.
  func notifyWhenPlayersFinished(_ handler: @escaping CHHapticEngine.FinishedHandler) {
    let handler = Handler(handler)
    let isIdle = state.withLock { state in
      state.finishedHandlers.append(handler)
      return state.active.isEmpty
    }
    if isIdle { announceFinished() }
  }

  private func announceFinished() {
    let isWanted = state.withLock { !$0.finishedHandlers.isEmpty }
    guard isWanted else { return }
    system.handlers.call { [self] in
      // A player that was started meanwhile puts it off.
      let handlers = state.withLock { state -> [Handler<CHHapticEngine.FinishedHandler>] in
        guard state.active.isEmpty else { return [] }
        defer { state.finishedHandlers = [] }
        return state.finishedHandlers
      }
      for handler in handlers where handler.function(nil) == .stopEngine {
        stop(because: .notifyWhenFinished)
      }
    }
  }
}

// Shutting down by itself.
extension EngineCore {
  /// Notes that nothing plays from now on.
  private func beIdle(_ state: inout State) {
    guard state.running != nil else { return }
    state.idleSince = system.clock.nanoseconds
    setIdleTimer(&state)
  }

  private func setIdleTimer(_ state: inout State) {
    guard let since = state.idleSince, state.settings.isAutoShutdownEnabled, !state.isIdleTimerSet else {
      return
    }
    state.isIdleTimerSet = true
    system.clock.call(atNanoseconds: since + Self.idleNanoseconds) { [weak self] in
      self?.idleTimeCame()
    }
  }

  private func idleTimeCame() {
    let isOver = state.withLock { state in
      state.isIdleTimerSet = false
      guard let since = state.idleSince, state.settings.isAutoShutdownEnabled else { return false }
      if system.clock.nanoseconds >= since + Self.idleNanoseconds { return true }
      // Something played since the timer was set; it is set again for the rest.
      setIdleTimer(&state)
      return false
    }
    if isOver { stop(because: .idleTimeout) }
  }
}

// Properties.
extension EngineCore {
  var settings: Settings { state.withLock { $0.settings } }

  /// Whether it is not felt, by its own properties or by the master switch.
  private func isSilent(_ state: State) -> Bool { state.isSilent || !system.vibration.isOn }

  /// Changes a property.
  func change(_ change: (inout Settings) -> Void) {
    let (engine, isMuted, isSoundMuted) = state.withLock { state in
      change(&state.settings)
      setIdleTimer(&state)
      return (state.running?.engine, isSilent(state), state.settings.isMutedForAudio)
    }
    engine?.isMutedForHaptics = isMuted
    engine?.isMutedForSound = isSoundMuted
  }

  var stoppedHandler: CHHapticEngine.StoppedHandler {
    get { state.withLock { $0.stoppedHandler }.function }
    set {
      let handler = Handler(newValue)
      // What the old one holds is let go of outside the lock.
      let old = state.withLock { state in
        defer { state.stoppedHandler = handler }
        return state.stoppedHandler
      }
      withExtendedLifetime(old) {}
    }
  }

  var resetHandler: CHHapticEngine.ResetHandler {
    get { state.withLock { $0.resetHandler }.function }
    set {
      let handler = Handler(newValue)
      let old = state.withLock { state in
        defer { state.resetHandler = handler }
        return state.resetHandler
      }
      withExtendedLifetime(old) {}
    }
  }
}

extension CHHapticError {
  /// Something was asked of a stopped engine.
  static let notRunning = CHHapticError(
    .engineNotRunning, condition: "self.running", Code.engineNotRunning.meaning)
}
