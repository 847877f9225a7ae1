import Synchronization

/// The render thread's clock as everybody else sees it: written without waiting, read consistently.
///
/// Lives on two threads: one render thread writes, any other reads. A reader that meets a write under way
/// reads again; the writer never knows.
final class PublishedClock: Sendable {
  private let rate: Int
  private let sequence = Atomic<UInt>(0)
  private let originFrame = Atomic<Int64>(0)
  private let originNanoseconds = Atomic<Int64>(0)
  private let originFraction = Atomic<UInt64>(0)
  private let nanosecondsPerFrame = Atomic<UInt64>(0)
  private let delay = Atomic<Int>(0)

  /// Creates a clock that nothing has been published to.
  init(rate: Int) { self.rate = rate }

  /// Publishes a loop and the device's delay in frames.
  ///
  /// Threads: render. Real-time: yes.
  func publish(_ loop: ClockLoop, delayFrames: Int) {
    // Ordering: none needed, there is one writer; the fence orders what follows.
    let version = sequence.load(ordering: .relaxed)
    sequence.store(version &+ 1, ordering: .relaxed)
    // Ordering: the odd version is seen before any field changes; pairs with the acquiring fence in `read`.
    atomicMemoryFence(ordering: .releasing)
    originFrame.store(loop.originFrame, ordering: .relaxed)
    originNanoseconds.store(loop.originNanoseconds, ordering: .relaxed)
    originFraction.store(loop.originFraction.bitPattern, ordering: .relaxed)
    nanosecondsPerFrame.store(loop.nanosecondsPerFrame.bitPattern, ordering: .relaxed)
    delay.store(delayFrames, ordering: .relaxed)
    // Ordering: all fields are seen before the even version; pairs with the acquiring load in `read`.
    sequence.store(version &+ 2, ordering: .releasing)
  }

  /// What was published last; nil before the first time.
  ///
  /// Threads: any. Real-time: yes, reads again while a write is under way.
  func read() -> (loop: ClockLoop, delayFrames: Int)? {
    while true {
      // Ordering: pairs with the last store in `publish`.
      let before = sequence.load(ordering: .acquiring)
      if before == 0 { return nil }
      // Ordering: the fence below keeps the fields' loads before the second look at the version.
      let loop = ClockLoop(
        rate: rate,
        originFrame: originFrame.load(ordering: .relaxed),
        originNanoseconds: originNanoseconds.load(ordering: .relaxed),
        originFraction: Double(bitPattern: originFraction.load(ordering: .relaxed)),
        nanosecondsPerFrame: Double(bitPattern: nanosecondsPerFrame.load(ordering: .relaxed)))
      let delayFrames = delay.load(ordering: .relaxed)
      // Ordering: the fields were read before the version is read again; pairs with the fence in `publish`.
      atomicMemoryFence(ordering: .acquiring)
      let isWhole = before & 1 == 0 && sequence.load(ordering: .relaxed) == before
      if isWhole { return (loop, delayFrames) }
    }
  }
}
