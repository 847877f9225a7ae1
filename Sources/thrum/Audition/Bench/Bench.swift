import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Plays patterns for somebody who works on them: two versions on one output, a loop, a rate, live values and touches.
///
/// No call waits: what takes time is done by a thread of the bench's own, in the order of the calls, and what became of it
/// comes as ``news()``. Stopping, pausing, live values, touches, gain and mutes act at once, on the caller's thread. The
/// device is opened when something is first to be heard, and given back when nothing has been for a while; an outage is
/// ridden through.
///
/// Lives on three threads: callers, the bench's own, and the handler thread of its output.
final class Bench: Sendable {
  /// Rings when there are ``news()``, and when the device came or went.
  let bell = Bell()
  let settings: BenchSettings
  let worker = BenchWorker()
  let state = Locked(BenchState())

  /// Makes a bench; nothing is opened yet.
  /// - Throws: `CommandError.failed` where the system has no thread for it.
  init(_ settings: BenchSettings) throws(CommandError) {
    self.settings = settings
    do throws(OutputError) {
      try Interruption.withoutSignals { () throws(OutputError) in
        try worker.start { [weak self] in self?.rest() }
      }
    } catch {
      throw .failed(error.message)
    }
  }

  deinit { worker.end() }

  /// Becomes readable when there are ``news()``.
  var descriptor: Int32 { bell.descriptor }

  /// What there is to tell since the last call, in order.
  func news() -> [BenchNews] {
    bell.take()
    return state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  /// Opens the device now, so that the first touch need not wait for it.
  func open() {
    worker.post { [weak self] in
      // Where it cannot be had, that is told.
      if self?.opened() == nil { return }
    }
  }

  /// Fades, lets the device play what it holds, and closes it. The bench is of no use afterwards. Waits for all that.
  func close() {
    stop()
    worker.post { [weak self] in
      self?.state.withLock { $0.isClosed = true }
      self?.giveBack()
    }
    worker.end()
  }

  /// Waits until all that was asked for has been done. For those who measure; a screen has no use for it.
  func settle() { worker.settle() }
}

// The versions and the transport.
extension Bench {
  /// Puts a version into a slot.
  ///
  /// If that slot is the one that plays, the version takes its place: at once at the same place, or where the loop begins
  /// again. Where nothing loops it is always at once. A version that cannot be had, such as one whose sound is missing, is
  /// told of, and the one before stays.
  func load(_ pattern: NamedPattern, into slot: BenchSlot, entering entry: BenchEntry = .atLoopPoint) {
    worker.post { [weak self] in self?.take(pattern, into: slot, entry) }
  }

  /// Empties a slot; if it is the one that plays, that ends.
  func unload(_ slot: BenchSlot) {
    if state.withLock({ $0.slot == slot }) { stop() }
    worker.post { [weak self] in self?.state.withLock { $0.versions[slot.rawValue] = nil } }
  }

  /// Plays from where it was paused, else from the beginning or that of the loop; what plays begins again.
  func play() {
    let stops = state.withLock { $0.stops }
    worker.post { [weak self] in
      guard let self else { return }
      enter(at: state.withLock { $0.startPlace }, stops: stops)
    }
  }

  /// Fades and goes back to the beginning, or that of the loop.
  func stop() {
    state.withLock { state in
      state.halt(nil)
      state.transport = .stopped
    }
    worker.ring()
  }

  /// Fades and stays at the place, from which ``play()`` goes on.
  func pause() {
    state.withLock { state in
      guard state.transport == .playing else { return }
      let frame = state.soonestFrame
      state.place = state.position(at: frame)
      state.halt(frame)
      state.transport = .paused
    }
    worker.ring()
  }

  /// Goes to a place; what plays goes on from there, what is stopped is then paused there.
  /// - Parameter seconds: Of the pattern at rate 1; held within it.
  func seek(to seconds: Double) {
    let stops = state.withLock { $0.stops }
    worker.post { [weak self] in
      guard let self, !seconds.isNaN else { return }
      let place = max(0, Timeline.frame(atSeconds: seconds).value)
      let isPlaying = state.withLock { state in
        let place = min(place, max(0, state.length - 1))
        state.place = place
        if state.transport == .stopped { state.transport = .paused }
        return state.transport == .playing
      }
      if isPlaying { enter(at: state.withLock { $0.place }, stops: stops) }
    }
  }

  /// Has the other version, or this one, heard from now on, at the same place.
  func switchTo(_ slot: BenchSlot) {
    let stops = state.withLock { $0.stops }
    worker.post { [weak self] in
      guard let self else { return }
      let (isThere, isPlaying) = state.withLock { state in
        let isThere = state.versions[slot.rawValue] != nil
        if state.slot == slot || !isThere { return (isThere, false) }
        state.slot = slot
        return (true, state.transport == .playing)
      }
      if !isThere { tell(.problem("there is no version \(slot == .a ? "A" : "B") to switch to")) }
      if isPlaying { enter(at: nil, stops: stops) }
    }
  }

  /// Whether the pattern, or its region, is played again and again; false at first. Turned off, the pass under way is the last.
  var isLooping: Bool {
    get { state.withLock { $0.wantsLoop } }
    set {
      let stops = state.withLock { state in
        state.wantsLoop = newValue
        return state.stops
      }
      worker.post { [weak self] in self?.changeLoop(newValue, stops: stops) }
    }
  }

  /// The part that is looped, seconds at rate 1; nil, as at first, is the whole pattern, its last tap's tail included.
  /// Shorter ones than 10 ms are taken for that. What loops then is in the new part at once: at the same place if that is in
  /// it, else on its way to it or at its beginning.
  var region: ClosedRange<Double>? {
    get { state.withLock { $0.wantedRegion } }
    set {
      let stops = state.withLock { state in
        state.wantedRegion = newValue
        return state.stops
      }
      worker.post { [weak self] in
        guard let self else { return }
        let isCircling = state.withLock { state in
          if state.region == newValue { return false }
          state.region = newValue
          return state.transport == .playing && state.isLooping
        }
        if isCircling { enter(at: nil, stops: stops) }
      }
    }
  }

  /// How fast time goes, 0.1…4, held within; pitch stays. 1 at first.
  var rate: Double {
    get { state.withLock { $0.wantedRate } }
    set {
      guard !newValue.isNaN else { return }
      let rate = Double(Float(min(max(newValue, 0.1), 4)))
      state.withLock { $0.wantedRate = rate }
      worker.post { [weak self] in self?.changeRate(rate) }
    }
  }

  /// Which version is heard, or would be.
  var slot: BenchSlot { state.withLock { $0.slot } }
}
