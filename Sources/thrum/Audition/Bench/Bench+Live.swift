import ThrumEngine
import ThrumPattern
import ThrumRealtime

// What is moved and played by hand.
extension Bench {
  /// What multiplies every intensity, 0…1, held within; 1 at first. As with a control that a program sends, a pattern's own
  /// intensity control takes over again where it has its next one; each start of a pattern begins with this value.
  ///
  /// Values that come faster than once in a millisecond are sent once in a millisecond, the last one always.
  var intensityControl: Float {
    get { state.withLock { $0.live.intensity } }
    set {
      change {
        $0.intensity = min(max(newValue, 0), 1)
      } unless: {
        newValue.isNaN
      }
    }
  }

  /// What is added to every sharpness, −1…1, held within; 0 at first. As ``intensityControl``.
  var sharpnessControl: Float {
    get { state.withLock { $0.live.sharpness } }
    set {
      change {
        $0.sharpness = min(max(newValue, -1), 1)
      } unless: {
        newValue.isNaN
      }
    }
  }

  /// Fires a tap.
  /// - Parameters:
  ///   - intensity: 0…1, times ``intensityControl``.
  ///   - sharpness: 0…1; ``sharpnessControl`` is added, and the sum held within.
  func tap(intensity: Float = 1, sharpness: Float = 0.5) {
    touch { open, live throws(EngineError) in
      if live.taps.count >= LiveValues.most.taps { live.taps.removeAll { !$0.isActive } }
      // One tap more than can be told apart is no loss.
      guard live.taps.count < LiveValues.most.taps else { return }
      let pattern = LiveTouch.tap(
        intensity: intensity * live.intensity, sharpness: sharpness + live.sharpness)
      live.taps.append(try Bench.start(pattern, on: open, self.worker))
    }
  }

  /// Begins a continuous event, which follows the live values until its ``release(_:)``, for 30 s at most.
  /// - Parameters:
  ///   - id: Which one, for who holds several; the one of the same id ends.
  ///   - intensity: 0…1, times ``intensityControl``.
  ///   - sharpness: 0…1; ``sharpnessControl`` is added, and the sum held within.
  func hold(_ id: Int = 0, intensity: Float = 1, sharpness: Float = 0.5) {
    touch { open, live throws(EngineError) in
      if let old = live.holds.removeValue(forKey: id) { try old.player.cancel() }
      guard live.holds.count < LiveValues.most.holds else { return }
      let pattern = LiveTouch.held(
        intensity: intensity * live.intensity, sharpness: sharpness + live.sharpness)
      live.holds[id] = LiveValues.Hold(
        player: try Bench.start(pattern, on: open, self.worker), intensity: intensity,
        sharpness: sharpness)
    }
  }

  /// Changes the values of a continuous event that is held; nil leaves one as it is.
  func change(_ id: Int = 0, intensity: Float? = nil, sharpness: Float? = nil) {
    change { live in
      if let intensity { live.holds[id]?.intensity = intensity }
      if let sharpness { live.holds[id]?.sharpness = sharpness }
    } unless: {
      intensity?.isNaN == true || sharpness?.isNaN == true
    }
  }

  /// Ends a continuous event that is held, with a fade.
  func release(_ id: Int = 0) {
    touch(opens: false) { _, live throws(EngineError) in
      if let hold = live.holds.removeValue(forKey: id) { try hold.player.cancel() }
    }
  }

  /// What the level can be, dB.
  static let gainRange = -60.0...24.0

  /// The level, dB, held within ``gainRange``, before any limiter; 0 at first. It is added to that of the actuator's profile.
  var gainDecibels: Double {
    get { state.withLock { $0.gainDecibels } }
    set {
      guard !newValue.isNaN else { return }
      state.withLock { state in
        state.gainDecibels = min(max(newValue, Bench.gainRange.lowerBound), Bench.gainRange.upperBound)
        state.open?.engine.gain = Float(linearGain(decibels: state.gainDecibels))
      }
    }
  }

  /// Whether nothing is felt, while time goes on.
  var isMutedForHaptics: Bool {
    get { state.withLock { $0.isMutedForHaptics } }
    set {
      state.withLock { state in
        state.isMutedForHaptics = newValue
        state.open?.engine.isMutedForHaptics = newValue
      }
    }
  }

  /// Whether nothing is heard, while time goes on.
  var isMutedForSound: Bool {
    get { state.withLock { $0.isMutedForSound } }
    set {
      state.withLock { state in
        state.isMutedForSound = newValue
        state.open?.engine.isMutedForSound = newValue
      }
    }
  }

  private func change(_ body: (inout LiveValues) -> Void, unless isRefused: () -> Bool) {
    if isRefused() { return }
    let isLate = state.withLock { state in
      body(&state.live)
      state.live.isChanged = true
      state.lastUse = MonotonicClock.nanoseconds
      return state.sendValues(at: state.lastUse) != nil
    }
    if isLate { worker.ring() }
  }

  /// Does something on the open output at once, or opens one first.
  private func touch(
    opens: Bool = true,
    _ body: @escaping @Sendable (BenchOutput, inout LiveValues) throws(EngineError) -> Void
  ) {
    let isDone = state.withLock { state in
      state.lastUse = MonotonicClock.nanoseconds
      guard let open = state.open, open.output.device.end == nil else { return false }
      state.touch(open, body)
      return true
    }
    if isDone || !opens { return }
    worker.post { [weak self] in
      guard let self, let open = opened() else { return }
      state.withLock { $0.touch(open, body) }
    }
  }

  private static func start(
    _ pattern: Pattern, on open: BenchOutput, _ worker: BenchWorker
  ) throws(EngineError) -> Player {
    let player = try open.engine.makePlayer(for: ScheduleCompiler.compile(pattern))
    player.onFinish = { [weak worker] _ in worker?.ring() }
    try player.start()
    return player
  }
}

extension BenchState {
  /// Has something done; a refusal is told of.
  fileprivate mutating func touch(
    _ open: BenchOutput, _ body: (BenchOutput, inout LiveValues) throws(EngineError) -> Void
  ) {
    do throws(EngineError) { try body(open, &live) } catch { tell(.problem(error.message)) }
  }

  /// Sends the live values where they moved, once in a millisecond at most.
  /// - Returns: When it is to be tried again, nanoseconds; nil for not before they move.
  mutating func sendValues(at now: Int64) -> Int64? {
    guard live.isChanged else { return nil }
    guard open != nil, now >= live.lastSent + LiveTouch.valueDistance else {
      if open == nil { live.isChanged = false }
      return live.isChanged ? live.lastSent + LiveTouch.valueDistance : nil
    }
    live.lastSent = now
    do throws(EngineError) {
      try live.sendHolds()
      let frame = soonestFrame
      for run in runs where run.lastFrame.map({ $0 > frame }) ?? true {
        // One that is to come takes them with its start, which came before.
        let first = run.start > frame ? RenderFrame(run.start & ~7) : nil
        for (id, value) in live.controls { try run.player.setControl(id, value, at: first) }
      }
      live.isChanged = false
      return nil
    } catch {
      // The queue is full: the last value goes when there is room.
      return now + LiveTouch.valueDistance
    }
  }
}
