import Synchronization
import ThrumEngine

/// What happened to an output beside the figures every output has.
public struct ALSAFaultCounters: Sendable, Equatable {
  /// Waits that a signal ended early; they were taken up again.
  public var interruptions = 0
  /// Writes of which the device took a part; the rest followed.
  public var shortWrites = 0
  /// Writes for which the device had no room although it had said so.
  public var refusedWrites = 0
  /// Times the device was prepared and started again.
  public var restarts = 0
  /// Times it was closed and could be opened again.
  public var reopenings = 0
  /// Frames by which the timeline stood still, in outages of more than a second.
  public var stoodStillFrames: Int64 = 0

  /// All zero.
  public init() {}
}

/// What the control side and the render thread of one output say to each other, by atomics alone.
///
/// Lives on two threads.
final class LoopControl: Sendable {
  // Ordering: every value stands for itself, and no other memory is handed over with it, so all are relaxed.
  // The end of the loop is handed over by the descriptor that signals it, which is a full barrier.

  /// Nanoseconds for which an output waits for a device that is gone; 0 ends it at once.
  let awayLimit: Int64

  /// Seconds that a device may hold beyond our buffer when it starts.
  let hiddenLimitSeconds: Double

  /// Nanoseconds, beyond its buffer, for which a device that was started may play nothing.
  let startPatience: Int64

  /// Creates the channel between the two sides.
  /// - Parameters:
  ///   - awayLimitSeconds: How long to wait for a device that is gone.
  ///   - hiddenLimitSeconds: How much a device may hold beyond our buffer.
  ///   - startPatienceSeconds: How long a device that was started may play nothing.
  init(
    awayLimitSeconds: Double = 0, hiddenLimitSeconds: Double = ALSARequest.usualHiddenDelayLimitSeconds,
    startPatienceSeconds: Double = 1
  ) {
    startPatience = Int64(startPatienceSeconds * 1e9)
    awayLimit = Int64(min(max(0, awayLimitSeconds), 1e9) * 1e9)
    self.hiddenLimitSeconds = hiddenLimitSeconds
  }

  /// What the render thread measures of itself.
  let statistics = LoopStatistics()

  /// Set by the control side to end the loop at once.
  let isClosing = Atomic<Bool>(false)
  /// Set by the control side: the first timeline frame that need not be heard.
  let endFrame = Atomic<Int64>(.max)

  /// The next timeline frame to be made.
  let renderedFrame = Atomic<Int64>(0)
  /// What `snd_pcm_delay` last said, in frames; -1 before the first answer.
  let delayFrames = Atomic<Int>(-1)
  /// The part of that which is beyond the queue of our buffer, the largest so far; -1 before the first answer.
  let hiddenFrames = Atomic<Int>(-1)

  let xruns = Atomic<Int>(0)
  let suspends = Atomic<Int>(0)
  let skippedFrames = Atomic<Int64>(0)
  let writtenFrames = Atomic<Int64>(0)
  let interruptions = Atomic<Int>(0)
  let shortWrites = Atomic<Int>(0)
  let refusedWrites = Atomic<Int>(0)
  let restarts = Atomic<Int>(0)
  let reopenings = Atomic<Int>(0)
  let stoodStillFrames = Atomic<Int64>(0)
  /// Whether the device has no clock and the loop keeps the time.
  let isPaced = Atomic<Bool>(false)

  /// The figures that every output has.
  var counters: OutputCounters {
    var counters = OutputCounters()
    counters.xruns = xruns.load(ordering: .relaxed)
    counters.suspends = suspends.load(ordering: .relaxed)
    counters.skippedFrames = skippedFrames.load(ordering: .relaxed)
    counters.writtenFrames = writtenFrames.load(ordering: .relaxed)
    return counters
  }

  /// The figures of ALSA alone.
  var faults: ALSAFaultCounters {
    var faults = ALSAFaultCounters()
    faults.interruptions = interruptions.load(ordering: .relaxed)
    faults.shortWrites = shortWrites.load(ordering: .relaxed)
    faults.refusedWrites = refusedWrites.load(ordering: .relaxed)
    faults.restarts = restarts.load(ordering: .relaxed)
    faults.reopenings = reopenings.load(ordering: .relaxed)
    faults.stoodStillFrames = stoodStillFrames.load(ordering: .relaxed)
    return faults
  }
}
