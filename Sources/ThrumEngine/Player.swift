import ThrumPattern
import ThrumRealtime

/// Plays one copy of a pattern; overlapping copies take several players.
///
/// A player that is let go of while it plays plays to its end. All frames are render frames of the output's
/// timeline; nil, and any frame that has passed, mean as soon as possible. `start` lands on its exact frame,
/// everything else on the next multiple of 8.
public final class Player: Sendable {
  let engine: Engine
  let slot: Int32

  /// What it plays.
  public let schedule: Schedule

  init(engine: Engine, schedule: Schedule, slot: Int32) {
    self.engine = engine
    self.schedule = schedule
    self.slot = slot
  }

  deinit {
    // A handler that is not to be called any more may hold objects of the caller's: it goes outside the lock.
    let handler = console.withState { $0.abandonPlayer(slot) }
    withExtendedLifetime(handler) {}
    engine.pump.wake()
  }

  var console: Console { engine.console }

  /// The player's number in an ``OutputEvent``.
  public var number: Int { Int(slot) }

  /// Called on the handler thread once for each run that ended, with the frame at which its last tail or its pattern
  /// ended; also when it was stopped (in silence: with the frame at which the last of it ended before, or it began),
  /// not while it is paused, and not when the output is closed first. Where so much ended at a time that the ends found
  /// no room in the queue to the handler thread, they are told together and all with the frame of the last. It may call
  /// anything. An output that was closed has let go of it.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var onFinish: (@Sendable (RenderFrame) -> Void)? {
    get { console.withState { $0.players[Int(slot)]?.onFinish } }
    set {
      let old = console.withState { state in
        let old = state.players[Int(slot)]?.onFinish
        state.players[Int(slot)]?.onFinish = state.isClosed ? nil : newValue
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Whether a run has been sent and has not been reported finished; also while paused.
  public var isActive: Bool { console.withState { ($0.players[Int(slot)]?.openRuns ?? 0) > 0 } }

  /// Hands a request to the render thread: everything a player asks for goes through here.
  /// - Throws: What the request throws; nothing was sent and the player is unchanged.
  ///
  /// Threads: any. Real-time: no, takes the control lock. Next: ``ConsoleState/push(_:)``
  func send(_ request: (inout ConsoleState) throws(EngineError) -> Void) throws(EngineError) {
    try console.withState { (state) throws(EngineError) in try request(&state) }
    engine.pump.wake()
  }

  /// Tells the end of a run to the player's handler.
  ///
  /// Threads: handler. Real-time: no. Next: the caller's handler.
  static func finish(_ handler: PlayerRecord.FinishHandler, at frame: RenderFrame) { handler(frame) }
}

// Transport.
extension Player {
  /// Plays from the beginning, or from a position sought since the last run; a run under way fades and gives
  /// way.
  /// - Parameter frame: The exact frame of the pattern's start; nil means as soon as possible, which before
  ///   the output starts is timeline frame 0.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent and the player is unchanged.
  ///
  /// Threads: any. Real-time: no, takes the control lock. Next: ``Player/send(_:)``
  public func start(at frame: RenderFrame? = nil) throws(EngineError) {
    try send { (state) throws(EngineError) in try state.start(player: Int(slot), at: frame) }
  }

  /// Plays a number of passes over the pattern and ends, whatever ``isLooping`` says.
  ///
  /// A pass ends at ``loopEndSeconds``, or with the pattern and its last tap's tail. The last pass always goes on to
  /// the pattern's end: two passes of a 10 s pattern whose loop ends at 1 s take 11 s. A pattern without events and
  /// of no length is over at once, however many passes it is played.
  /// - Parameters:
  ///   - passes: 1 or more.
  ///   - frame: As in ``start(at:)``.
  /// - Throws: `invalidValue`, `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock. Next: ``Player/send(_:)``
  public func play(passes: Int, at frame: RenderFrame? = nil) throws(EngineError) {
    guard passes > 0 else {
      throw EngineError(.invalidValue, "a pattern cannot be played \(passes) times; give 1 or more passes")
    }
    try send { (state) throws(EngineError) in
      try state.start(player: Int(slot), at: frame, passes: Int32(clamping: passes))
    }
  }

  /// Fades over 61 frames and rewinds.
  ///
  /// A full command queue refuses a stop on a frame to come, not one for this moment: places are kept for these.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func stop(at frame: RenderFrame? = nil) throws(EngineError) {
    try send { (state) throws(EngineError) in try state.stop(player: Int(slot), at: frame) }
  }

  /// Stops as soon as possible and drops everything that was scheduled for later. A full command queue does not refuse
  /// it: places are kept for it.
  /// - Throws: `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func cancel() throws(EngineError) {
    try send { (state) throws(EngineError) in try state.stopNow(player: Int(slot), cancels: true) }
  }

  /// Holds the position; sounding tones fade and wait. A run that is to start on the same frame waits at its beginning; one
  /// that is to start later is not held, and neither is a player without a run.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func pause(at frame: RenderFrame? = nil) throws(EngineError) {
    try push(.pause(player: slot), at: frame)
  }

  /// Goes on from where ``pause(at:)`` held.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func resume(at frame: RenderFrame? = nil) throws(EngineError) {
    try push(.resume(player: slot), at: frame)
  }

  /// Moves to a position; events that began before it stay silent. At or after the end it ends the run, or
  /// goes to the pattern's start when looping.
  /// - Parameter seconds: From the pattern's start at rate 1; below 0 counts as 0.
  /// - Throws: `invalidValue` for what is no number, `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func seek(to seconds: Double) throws(EngineError) {
    guard !seconds.isNaN else {
      throw EngineError(.invalidValue, "a position to seek to is a number of seconds")
    }
    let position = Timeline.frame(atSeconds: max(0, seconds)).value
    try send { (state) throws(EngineError) in
      try state.seek(player: Int(slot), toFrame: position)
    }
  }
}

extension Player {
  /// Changes the rate on a frame, for who has to know where the player is afterwards.
  /// - Parameters:
  ///   - rate: As ``rate``; what that ignores is ignored here.
  ///   - frame: The frame it applies on, or the next multiple of 8.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent and the rate is unchanged.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func setRate(_ rate: Float, at frame: RenderFrame) throws(EngineError) {
    guard rate > 0, rate.isFinite else { return }
    let held = min(max(rate, 0x1p-16), 0x1p16)
    try send { (state) throws(EngineError) in
      try state.push(Command(frame: frame.value, action: .setRate(player: slot, rate: held)))
      state.players[Int(slot)]?.rate.set(held)
      state.players[Int(slot)]?.rate.wasSent()
    }
  }

  /// Ends a loop on a frame: the pass that is under way then is the last, and ends with the pattern.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func endLoop(at frame: RenderFrame) throws(EngineError) {
    try send { (state) throws(EngineError) in
      guard var record = state.players[Int(slot)] else { return }
      record.setLoop(isEnabled: false)
      try state.push(Command(frame: frame.value, action: record.loopAction(player: slot)))
      record.loop.wasSent()
      state.players[Int(slot)] = record
    }
  }

  /// Sends one command.
  fileprivate func push(_ action: CommandAction, at frame: RenderFrame?) throws(EngineError) {
    try send { (state) throws(EngineError) in
      try state.push(Command(frame: frame?.value ?? 0, action: action))
    }
  }
}

// Live parameters.
extension Player {
  /// Writes a live parameter of the run under way, or of one that was started for the same frame; it stands until
  /// the next writer of the same parameter.
  /// - Parameter value: Clamped to the parameter's range.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock. Next: ``Player/send(_:)``
  public func setControl(
    _ id: DynamicParameterID, _ value: Float, at frame: RenderFrame? = nil
  ) throws(EngineError) {
    let parameter = ControlID(id)
    let value = ScheduleCompiler.clamped(value, for: id)
    try push(.setControl(player: slot, parameter: parameter, value: value), at: frame)
  }

  /// Writes a live curve of the run under way. Its points count from the frame at which it applies; its own
  /// time has no effect. A curve without points has none either.
  /// - Throws: `commandQueueFull` or `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock. Next: ``Player/send(_:)``
  public func scheduleCurve(_ curve: ParameterCurve, at frame: RenderFrame? = nil) throws(EngineError) {
    guard !curve.points.isEmpty else { return }
    let parameter = ControlID(curve.id)
    let points = ScheduleCompiler.points(of: curve, from: 0)
    try send { (state) throws(EngineError) in
      try state.scheduleCurve(points, of: parameter, player: slot, at: frame)
    }
  }
}

// Properties of which the last value counts. None is ever refused: should the command queue be full, the
// value goes as soon as there is room.
extension Player {
  /// How fast time goes: 2 is twice as fast, and pitch stays. Above 0, others are ignored, and held within
  /// 2⁻¹⁶…2¹⁶; 1 at first.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var rate: Float {
    get { read(\.rate.value, default: 1) }
    set { if newValue > 0, newValue.isFinite { write { $0.rate.set(min(max(newValue, 0x1p-16), 0x1p16)) } } }
  }

  /// Whether the player is silent while its time goes on; false at first.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var isMuted: Bool {
    get { read(\.isMuted.value, default: false) }
    set { write { $0.isMuted.set(newValue) } }
  }

  /// Whether the pattern begins again at its loop's end; false at first. Turned off, the pass under way is
  /// the last.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var isLooping: Bool {
    get { read(\.loop.value.isEnabled, default: false) }
    set { write { $0.setLoop(isEnabled: newValue) } }
  }

  /// Where a loop ends, in seconds of the pattern at rate 1; 0, as at first, means the pattern's end.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var loopEndSeconds: Double {
    get { read(\.loop.value.endSeconds, default: 0) }
    set { if newValue >= 0 { write { $0.setLoop(endSeconds: newValue) } } }
  }

  private func read<Value: Sendable>(_ path: KeyPath<PlayerRecord, Value>, default value: Value) -> Value {
    console.withState { $0.players[Int(slot)]?[keyPath: path] ?? value }
  }

  private func write(_ change: (inout PlayerRecord) -> Void) {
    console.withState { $0.change(player: Int(slot), change) }
    engine.pump.wake()
  }
}
