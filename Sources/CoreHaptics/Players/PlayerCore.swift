internal import ThrumEngine
internal import ThrumPattern
internal import ThrumRealtime

/// What stands behind a player: its properties, and the players of the engine below while it has any.
///
/// It takes a place on the output when it is first asked to do something there, and gives it back when it has
/// played: any number of players may exist, those that play at once are limited. Lives on any number of
/// threads.
final class PlayerCore: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: everything that changes is behind the lock, which is taken before the
  // engine's and never the other way round.

  let engine: EngineCore
  private let pattern: CompiledPattern
  private let number: Int
  private let state: Locked<State>

  private struct State {
    /// The pattern with its sounds; nil until they are wanted.
    var heard: Schedule?
    var place: Place?
    var places = 0
    var isActive = false
    /// The latest frame for which something was sent.
    var lastFrame: Int64 = 0
    /// Where the next start begins.
    var offset: TimeInterval?
    /// The last pause that nothing has followed.
    var pause: Pause?
    var properties = Properties()
    var completionHandler: Handler<CHHapticAdvancedPatternPlayerCompletionHandler>?
  }

  /// A pause, at a frame or as soon as possible.
  private struct Pause: Sendable { let frame: RenderFrame? }

  /// Players of the engine below, one a bus.
  private struct Place: Sendable {
    let number: Int
    let session: OutputSession
    let engine: Engine
    let players: [Player]
  }

  /// The properties of a player.
  struct Properties: Sendable {
    var isLooping = false
    var loopEnd: TimeInterval?
    var rate: Float = 1
    var isMuted = false
  }

  /// - Parameter heard: The pattern with its sounds; nil where the engine plays haptics only, and they are looked
  ///   for if it ever does not.
  init(engine: EngineCore, pattern: CompiledPattern, heard: Schedule?) {
    self.engine = engine
    self.pattern = pattern
    state = Locked(State(heard: heard))
    number = engine.system.makePlayerNumber()
  }

  /// Seconds of the pattern.
  var duration: TimeInterval { pattern.contents.pattern.duration }

  private func note(_ action: PlayerRequest.Action, atTime time: TimeInterval = CHHapticTimeImmediate) {
    engine.system.note(
      PlayerRequest(
        player: number, pattern: pattern.contents.pattern, action: action, now: engine.currentTime, time: time
      ))
  }
}

// Start and end.
extension PlayerCore {
  /// Plays from the beginning, or from where it was sought to.
  /// - Parameter startsEngine: Whether a stopped engine is started.
  func start(atTime time: TimeInterval, startsEngine: Bool = false) throws {
    try EngineTime.check(time)
    let running = try engine.runningForStart(startsAlways: startsEngine)
    try state.withLock { state in
      let place = try takePlace(&state, on: running)
      let frame = try EngineTime.frame(atTime: time, of: engine, on: running.session)
      let wasActive = state.isActive
      try engine.noteActive(self, on: running.session)
      state.isActive = true
      do throws(EngineError) {
        if let offset = state.offset { for player in place.players { try player.seek(to: offset) } }
        // Several actuators start on one frame, or one would be a block ahead.
        let isGroup = place.players.count > 1
        let exact = frame ?? (isGroup ? running.session.soonFrame : nil)
        for player in place.players { try player.start(at: exact) }
        state.offset = nil
        state.pause = nil
        note(exact, in: &state)
      } catch {
        if !wasActive {
          state.isActive = false
          engine.noteFinished(self)
        }
        throw CHHapticError(error)
      }
    }
    note(.start, atTime: time)
  }

  /// Falls silent with the engine.
  /// - Parameter error: What the completion handler is given.
  func engineStopped(_ error: CHHapticError?) {
    state.withLock { state in
      if let place = state.place {
        // An output that was closed is silent already.
        for player in place.players { stopQuietly(player, at: nil) }
      }
      state.place = nil
      guard state.isActive else { return }
      state.isActive = false
      complete(error)
    }
  }

  /// Does what is left to do for a player that nobody refers to any more: it plays to its end.
  func handleGone() {
    state.withLock { state in
      guard let place = state.place else { return }
      guard state.isActive else {
        state.place = nil
        return
      }
      // One that would never come to an end by itself is brought to one.
      if state.properties.isLooping { for player in place.players { player.isLooping = false } }
      if let pause = state.pause { for player in place.players { stopQuietly(player, at: pause.frame) } }
    }
  }

  /// Notes the end of a run, and tells the program.
  ///
  /// Threads: the output's handler thread. Real-time: no. Next: ``HandlerQueue/call(_:)``
  private func runEnded(place number: Int) {
    state.withLock { state in
      guard let place = state.place, place.number == number, state.isActive else { return }
      // Another run may have been sent meanwhile, or another actuator is not done yet.
      if place.players.contains(where: \.isActive) { return }
      state.isActive = false
      // What is scheduled for later keeps its place.
      if state.lastFrame <= place.session.nextFrame.value { state.place = nil }
      complete(nil)
      engine.noteFinished(self)
    }
  }

  private func complete(_ error: CHHapticError?) {
    engine.system.handlers.call { [self] in
      let handler = state.withLock { $0.completionHandler }
      handler?.function(error)
    }
  }

  /// Stops a player whose caller is not there to be told that it cannot be.
  private func stopQuietly(_ player: Player, at frame: RenderFrame?) {
    do throws(EngineError) {
      if frame == nil { try player.cancel() } else { try player.stop(at: frame) }
    } catch {
      // With the queue full there is one way left to silence it, which is not refused; a closed output is
      // silent.
      player.isMuted = true
    }
  }
}

// A place on the output.
extension PlayerCore {
  private func takePlace(_ state: inout sending State, on running: EngineCore.Running) throws -> Place {
    // An engine that was stopped and started again is another one below, with mutes of its own.
    if let place = state.place, place.engine === running.engine { return place }
    let schedules = try schedules(&state, on: running)
    state.places += 1
    let number = state.places
    var players: [Player] = []
    do throws(EngineError) {
      for (bus, schedule) in zip(running.buses, schedules) {
        players.append(try running.engine.makePlayer(for: schedule, bus: bus))
      }
    } catch {
      throw CHHapticError(error)
    }
    for player in players {
      player.onFinish = { [self] _ in runEnded(place: number) }
      state.properties.apply(to: player)
    }
    let place = Place(
      number: number, session: running.session, engine: running.engine, players: players)
    state.place = place
    state.lastFrame = 0
    return place
  }

  /// What the players of a place play, one a bus: sounds come from the first, or they would be heard as often as
  /// there are actuators.
  private func schedules(
    _ state: inout sending State, on running: EngineCore.Running
  ) throws -> [Schedule] {
    var schedules: [Schedule] = []
    if !running.isWithoutSound {
      let heard = try state.heard ?? pattern.heard(with: engine.sounds)
      state.heard = heard
      schedules.append(heard)
    }
    while schedules.count < running.buses.count { schedules.append(pattern.touch) }
    return schedules
  }

  private func note(_ frame: RenderFrame?, in state: inout sending State) {
    if let frame { state.lastFrame = max(state.lastFrame, frame.value) }
  }
}

// Everything else that is asked of it.
extension PlayerCore {
  /// Sends something to the run under way; without one there is nothing to do.
  /// - Parameter needsPlace: Whether it may be for a run to come.
  private func send(
    atTime time: TimeInterval, needsPlace: Bool = false,
    _ request: (Player, RenderFrame?) throws(EngineError) -> Void,
    then: (inout State, RenderFrame?) -> Void = { _, _ in }
  ) throws {
    try EngineTime.check(time)
    guard let running = try engine.requireRunning() else { return }
    try state.withLock { state in
      let frame = try EngineTime.frame(atTime: time, of: engine, on: running.session)
      let isWanted = state.isActive || state.place != nil || needsPlace && frame != nil
      guard isWanted else { return }
      let place = try takePlace(&state, on: running)
      do throws(EngineError) {
        for player in place.players { try request(player, frame) }
      } catch {
        throw CHHapticError(error)
      }
      note(frame, in: &state)
      then(&state, frame)
    }
  }

  func stop(atTime time: TimeInterval) throws {
    try send(atTime: time, needsPlace: true) { (player, frame) throws(EngineError) in
      try player.stop(at: frame)
    }
    note(.stop, atTime: time)
  }

  func pause(atTime time: TimeInterval) throws {
    try send(atTime: time) { (player, frame) throws(EngineError) in
      try player.pause(at: frame)
    } then: {
      $0.pause = Pause(frame: $1)
    }
    note(.pause, atTime: time)
  }

  func resume(atTime time: TimeInterval) throws {
    try send(atTime: time) { (player, frame) throws(EngineError) in
      try player.resume(at: frame)
    } then: { state, _ in
      state.pause = nil
    }
    note(.resume, atTime: time)
  }

  func cancel() throws {
    try send(atTime: CHHapticTimeImmediate) { (player, _) throws(EngineError) in try player.cancel() }
    state.withLock { $0.lastFrame = 0 }
    note(.cancel)
  }

  func seek(toOffset offset: TimeInterval) throws {
    guard !offset.isNaN else { throw CHHapticError.invalid(offset) }
    try state.withLock { state in
      guard state.isActive, let place = state.place else {
        state.offset = max(0, offset)
        return
      }
      do throws(EngineError) {
        for player in place.players { try player.seek(to: max(0, offset)) }
      } catch {
        throw CHHapticError(error)
      }
    }
    note(.seek(offset))
  }

  /// Sends live values, each for its own time after the one given.
  ///
  /// Threads: any. Real-time: no. Next: ``Player/setControl(_:_:at:)``
  func send(_ parameters: [DynamicParameter], atTime time: TimeInterval) throws {
    try EngineTime.check(time)
    guard let running = try engine.requireRunning() else { return }
    let session = running.session
    let base = try EngineTime.frame(atTime: time, of: engine, on: session)
    // Those that come later count from the frame that an immediate start would have.
    let first = base ?? session.nextFrame
    for parameter in parameters {
      let isImmediate = base == nil && parameter.time == 0
      let frame = RenderFrame(first.value + Timeline.frame(atSeconds: parameter.time).value)
      try send(isImmediate ? nil : frame, on: running) { (player, frame) throws(EngineError) in
        try player.setControl(parameter.id, parameter.value, at: frame)
      }
    }
    note(.parameters(parameters), atTime: time)
  }

  func schedule(_ curve: ParameterCurve, atTime time: TimeInterval) throws {
    try EngineTime.check(time)
    guard let running = try engine.requireRunning() else { return }
    let frame = try EngineTime.frame(atTime: time, of: engine, on: running.session)
    try send(frame, on: running) { (player, frame) throws(EngineError) in
      try player.scheduleCurve(curve, at: frame)
    }
    note(.curve(curve), atTime: time)
  }

  /// Sends a live value: one for this moment has nothing to act on where no run is under way.
  private func send(
    _ frame: RenderFrame?, on running: EngineCore.Running,
    _ request: (Player, RenderFrame?) throws(EngineError) -> Void
  ) throws {
    try state.withLock { state in
      guard state.isActive || frame != nil else { return }
      let place = try takePlace(&state, on: running)
      do throws(EngineError) {
        for player in place.players { try request(player, frame) }
      } catch {
        throw CHHapticError(error)
      }
      note(frame, in: &state)
    }
  }
}

// Properties.
extension PlayerCore {
  var properties: Properties { state.withLock { $0.properties } }

  /// Changes a property, at once where a run is under way.
  func change(_ change: (inout Properties) -> Void) {
    state.withLock { state in
      change(&state.properties)
      for player in state.place?.players ?? [] { state.properties.apply(to: player) }
    }
  }

  var completionHandler: CHHapticAdvancedPatternPlayerCompletionHandler {
    get { state.withLock { $0.completionHandler }?.function ?? { _ in } }
    set {
      let handler = Handler(newValue)
      // What the old one holds is let go of outside the lock.
      let old = state.withLock { state in
        defer { state.completionHandler = handler }
        return state.completionHandler
      }
      withExtendedLifetime(old) {}
    }
  }
}

extension PlayerCore.Properties {
  fileprivate func apply(to player: Player) {
    if player.rate != rate { player.rate = rate }
    if player.isMuted != isMuted { player.isMuted = isMuted }
    if player.loopEndSeconds != loopEnd ?? 0 { player.loopEndSeconds = loopEnd ?? 0 }
    if player.isLooping != isLooping { player.isLooping = isLooping }
  }
}
