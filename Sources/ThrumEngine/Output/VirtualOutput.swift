import ThrumRealtime

/// The built-in virtual actuator: takes frames like a sound card, in real time from CLOCK_MONOTONIC or turned
/// by hand, and plays them to nobody.
///
/// In real time it has a render thread of its own. By hand, ``advance(frames:)`` is the clock.
public final class VirtualOutput: OutputDevice {
  /// What it settled on.
  public let output: OutputDescription
  /// Whether ``advance(frames:)`` is its clock.
  public let isTurnedByHand: Bool

  private let recordingFrames: Int
  private let thread = RenderThread(name: "thrum-virtual")
  private let started = Locked<VirtualLoop?>(nil)
  /// Makes the callers who turn it by hand one.
  private let hand = Locked(())

  /// Creates a virtual actuator.
  /// - Parameters:
  ///   - name: What it is called in messages.
  ///   - rate: Frames a second; default 8,000.
  ///   - channels: Interleaved channels; default 1.
  ///   - format: The layout of a sample; default 32-bit floating point.
  ///   - periodFrames: Device frames between two wake-ups; nil means 5 ms.
  ///   - bufferFrames: Device frames it holds, rounded down to whole periods, one at least; nil means three
  ///     periods.
  ///   - isTurnedByHand: Whether time is turned by hand.
  ///   - recordingFrames: It keeps the first so many frames for ``recorded``.
  public init(
    name: String = "virtual", rate: Int = 8000, channels: Int = 1, format: SampleFormat = .float,
    periodFrames: Int? = nil, bufferFrames: Int? = nil, isTurnedByHand: Bool = false, recordingFrames: Int = 0
  ) {
    let period = max(1, periodFrames ?? rate / 200)
    let periods = max(1, (bufferFrames ?? 3 * period) / period)
    output = OutputDescription(
      name: name, rate: rate, channels: channels, format: format, periodFrames: period,
      bufferFrames: periods * period)
    self.isTurnedByHand = isTurnedByHand
    self.recordingFrames = recordingFrames
  }

  deinit { close() }

  /// Figures since the start.
  public var counters: OutputCounters {
    var counters = OutputCounters()
    guard let loop else { return counters }
    // Ordering: figures stand for themselves.
    counters.xruns = loop.xruns.load(ordering: .relaxed)
    counters.suspends = loop.suspends.load(ordering: .relaxed)
    counters.skippedFrames = loop.skippedFrames.load(ordering: .relaxed)
    counters.writtenFrames = loop.writtenFrames.load(ordering: .relaxed)
    return counters
  }

  /// What its render thread measured of itself; by hand, how long rendering took, and the levels. Nil before the start;
  /// reading begins the levels anew.
  public var statistics: OutputStatistics? { loop?.statistics.read() }

  /// The scheduling of its render thread; nil before the start, and by hand.
  public var scheduling: String? { thread.scheduling }

  /// CLOCK_MONOTONIC, or by hand the time of the frames that were taken.
  public var clockNanoseconds: Int64 {
    guard isTurnedByHand else { return MonotonicClock.nanoseconds }
    return hand.withLock { _ in loop.map { $0.nanoseconds(ofFrame: $0.nextFrame) } ?? 0 }
  }

  /// The levels of what it took since the last call.
  public func takeLevels() -> Levels { loop?.meter.take() ?? Levels() }

  /// The bytes of the first frames that it took, as many as it was made to keep.
  public var recorded: [UInt8] { loop?.recorded ?? [] }

  private var loop: VirtualLoop? { started.withLock { $0 } }

  /// Begins to take frames; by hand, permits ``advance(frames:)``.
  /// - Throws: ``OutputError`` when it was started before or its thread cannot be made.
  ///
  /// Threads: control. Real-time: no. Next: ``OutputFeed/fill(_:frames:)``
  public func start(_ feed: OutputFeed) throws(OutputError) {
    let loop = try started.withLock { (started) throws(OutputError) -> VirtualLoop in
      guard started == nil else {
        throw OutputError("\(output.name) was started before; open another one")
      }
      let loop = VirtualLoop(feed: feed, output: output, recordingFrames: recordingFrames)
      started = loop
      return loop
    }
    if !isTurnedByHand { try thread.start { loop.run() } }
  }

  /// Plays through a frame and ends; by hand, takes the frames up to it.
  public func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd {
    guard let loop else { return .drained }
    if isTurnedByHand {
      hand.withLock { _ in
        if !loop.isClosed { loop.discard(frames: frame.value + 1 - loop.nextFrame) }
      }
      return .drained
    }
    // Ordering: the request stands for itself.
    loop.lastFrame.store(frame.value, ordering: .relaxed)
    // What is not taken yet comes due by itself, and then waits its turn in the buffer.
    // Ordering: the figure stands for itself.
    let ahead = max(0, frame.value + 1 - loop.writtenFrames.load(ordering: .relaxed))
    let due = loop.nanoseconds(ofFrame: ahead + Int64(output.bufferFrames))
    let limit = MonotonicClock.nanoseconds + due + Int64(min(max(0, timeoutSeconds), 1e9) * 1e9)
    while true {
      let rings = loop.ended.count
      // Ordering: pairs with the store at the loop's end.
      if loop.hasEnded.load(ordering: .acquiring) {
        thread.join()
        return .drained
      }
      if MonotonicClock.nanoseconds >= limit { break }
      loop.ended.wait(after: rings, untilNanoseconds: limit)
    }
    close()
    return .timedOut
  }

  /// Ends at once; by hand, when the call that takes frames has returned. No frame is made afterwards: what they
  /// would be made from may be gone.
  public func close() {
    // Ordering: by hand the lock orders it, otherwise the end of the thread.
    loop?.isClosing.store(true, ordering: .relaxed)
    if isTurnedByHand { hand.withLock { _ in } }
    thread.join()
  }
}

// Time by hand, and faults on request.
extension VirtualOutput {
  /// Takes frames now, on the calling thread, and returns their bytes: none before the start, after ``close()`` or in
  /// real time.
  ///
  /// Threads: any, one at a time. Real-time: no, allocates. Next: ``OutputFeed/fill(_:frames:)``
  public func advance(frames: Int) -> [UInt8] {
    guard isTurnedByHand, let loop, frames > 0 else { return [] }
    let count = frames * output.channels * output.format.bytesPerSample
    return hand.withLock { _ in
      if loop.isClosed { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        if let base = buffer.baseAddress { loop.take(into: UnsafeMutableRawPointer(base), frames: frames) }
        initializedCount = count
      }
    }
  }

  /// Takes frames now like ``advance(frames:)`` and drops them.
  public func discard(frames: Int) {
    guard isTurnedByHand, let loop else { return }
    hand.withLock { _ in if !loop.isClosed { loop.discard(frames: Int64(frames)) } }
  }

  /// Makes the device miss so many frames before it takes the next ones, as if it had run dry.
  public func injectXrun(missedFrames: Int) {
    // Ordering: the request stands for itself.
    loop?.xrunFrames.add(missedFrames, ordering: .relaxed)
  }

  /// Makes the device stop sounding before it takes the next frames, until ``endOutage()``: those it then takes are
  /// silence, and the timeline goes on.
  public func beginOutage(_ cause: OutageCause) {
    let place = OutageCause.allCases.firstIndex(of: cause) ?? 0
    // Ordering: the request stands for itself.
    loop?.wantedOutage.store(place + 1, ordering: .relaxed)
  }

  /// Makes the device sound again before it takes the next frames.
  public func endOutage() { loop?.wantedOutage.store(0, ordering: .relaxed) }

  /// Makes the device come back from a suspend before it takes the next frames.
  public func injectSuspend() {
    // Ordering: the request stands for itself.
    loop?.wantsSuspend.store(true, ordering: .relaxed)
  }
}
