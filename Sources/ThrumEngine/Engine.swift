import ThrumRealtime

/// A group of players on one output that can be silenced together.
///
/// Engines on an output are independent of each other; each takes one of `RendererSettings.engineCapacity`
/// slots until it and its players are gone.
public final class Engine: Sendable {
  let console: Console
  let pump: NotificationPump
  let slot: Int32

  init(console: Console, pump: NotificationPump) throws(EngineError) {
    self.console = console
    self.pump = pump
    slot = try console.withState { (state) throws(EngineError) in try state.openEngine() }
  }

  deinit { console.withState { $0.leaveEngine(slot) } }

  /// Makes a player for a pattern, at its beginning and at rate 1.
  /// - Parameters:
  ///   - schedule: The compiled pattern; players may share it.
  ///   - bus: The haptic bus it sounds on, from 0.
  /// - Throws: `playersExhausted` or `commandQueueFull`, with the limit that was met; `invalidValue` for a
  ///   bus that is not there; `soundUnavailable` for a sound that cannot be had at
  ///   the output's rate; `notRunning` after the output was closed.
  ///
  /// Threads: any; converts the schedule's sounds that no player had at the output's rate. Real-time: no, takes the control
  /// lock.
  public func makePlayer(for schedule: Schedule, bus: Int = 0) throws(EngineError) -> Player {
    // Before the lock: a sound that was never played at this rate is converted now.
    let samples =
      console.carriesSound ? try schedule.samples(atRate: console.soundRate) : []
    let player = try console.withState { (state) throws(EngineError) in
      try state.addPlayer(schedule, samples: samples, engine: slot, bus: bus)
    }
    return Player(engine: self, schedule: schedule, slot: player)
  }

  /// Whether all haptic voices of the engine are silent while time goes on; false at first.
  ///
  /// Never refused: should the command queue be full, the last value goes as soon as there is room.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var isMutedForHaptics: Bool {
    get { console.withState { $0.engines[Int(slot)].isMuted.value } }
    set {
      console.withState { $0.setMuted(newValue, engine: slot) }
      pump.wake()
    }
  }

  /// What multiplies all haptic voices of the engine, linear, before its bus: 0…16, held within; 1 at first. It changes over
  /// 61 frames where something sounds.
  ///
  /// Never refused, as ``isMutedForHaptics``.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var gain: Float {
    get { console.withState { $0.engines[Int(slot)].gain.value } }
    set {
      guard !newValue.isNaN else { return }
      console.withState { $0.setGain(min(max(newValue, 0), 16), engine: slot) }
      pump.wake()
    }
  }

  /// Whether all sounds of the engine are silent while time goes on; false at first.
  ///
  /// Never refused, as ``isMutedForHaptics``.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var isMutedForSound: Bool {
    get { console.withState { $0.engines[Int(slot)].isSoundMuted.value } }
    set {
      console.withState { $0.setSoundMuted(newValue, engine: slot) }
      pump.wake()
    }
  }
}
