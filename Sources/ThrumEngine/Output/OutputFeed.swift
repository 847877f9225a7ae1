import Glibc
import Synchronization
import ThrumRealtime

/// The render thread's end of an output: where a device gets its frames, and where it says when they are
/// heard.
///
/// Lives on two threads: made and kept alive by the control side, called by the one render thread between a
/// device's `start` and its end.
public final class OutputFeed: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: the stage and the loop are touched by the render thread alone once a
  // device has started, and by the control side alone before and after. What others read of the clock is
  // published.
  let stage: UnsafeMutablePointer<OutputStage>
  let clock: PublishedClock
  /// Keeps what the stage hands sound on by.
  var linkStorage: LinkStorage?
  let outages = OutageBoard()
  // Written by the control side before the device starts: wakes the handler thread.
  var bell: Doorbell?
  /// Whether the device tells when there may be something for the handler thread, which otherwise has to look.
  let tellsNews = Atomic<Bool>(false)
  // The commands that had been applied when the handler thread was last woken; the render thread's.
  private var toldCommands = 0
  /// The error number where the renderer's memory could not be locked; 0 where it is.
  let memoryLockError: Int32
  private let isLocked: Bool
  private var loop: ClockLoop
  // The same for what leaves the device's queue, whatever the device tells of the way from there.
  private var queueLoop: ClockLoop

  /// - Parameter isLocked: Whether a thread that may not wait for memory will work in it.
  init(stage: consuming OutputStage, isLocked: Bool = true) {
    let rate = Int(stage.timing.rate)
    clock = PublishedClock(rate: rate)
    loop = ClockLoop(rate: rate)
    queueLoop = ClockLoop(rate: rate)
    self.stage = .allocate(capacity: 1)
    self.stage.initialize(to: stage)
    self.isLocked = isLocked
    memoryLockError = isLocked ? OutputFeed.lockMemory(of: self.stage) : 0
  }

  /// Locks what the render thread works in, and so brings it in; the process's other memory stays as it is.
  /// - Returns: 0, or the first error number, such as that of a limit.
  private static func lockMemory(of stage: UnsafeMutablePointer<OutputStage>) -> Int32 {
    var (index, error) = (0, Int32(0))
    while let block = stage.pointee.memoryBlock(index) {
      if mlock(block.baseAddress, block.count) != 0 && error == 0 { error = errno }
      index += 1
    }
    return error
  }

  deinit {
    // Pages that another output shares at an edge are unlocked with these; they stay in memory as long as they are used.
    var index = 0
    while isLocked, let block = stage.pointee.memoryBlock(index) {
      munlock(block.baseAddress, block.count)
      index += 1
    }
    stage.deinitialize(count: 1)
    stage.deallocate()
  }

  /// The next timeline frame to be made, at the device's rate.
  public var nextFrame: DeviceFrame { DeviceFrame(stage.pointee.deviceFrame) }

  /// Makes the next frames, interleaved in the device's format.
  ///
  /// Threads: render. Real-time: yes. Next: ``OutputStage/fill(_:frames:)``, which it asks.
  public func fill(_ destination: UnsafeMutableRawPointer, frames: Int) {
    stage.pointee.fill(destination, frames: frames)
  }

  /// Makes frames and throws them away: the timeline goes on through a gap, and what follows is bit-equal.
  ///
  /// Threads: render. Real-time: yes, but costs what the frames cost.
  public func skip(frames: Int) { stage.pointee.skip(frames: frames) }

  /// Ramps the next frames in over 64 render frames (8 ms): call it before sound resumes in mid-signal.
  ///
  /// Threads: render. Real-time: yes.
  public func rampIn() { stage.pointee.rampIn() }

  /// Tells when a timeline frame is heard; call it about once a period. The pairs may jitter: a delay-locked
  /// loop smooths them.
  /// - Parameters:
  ///   - frame: The frame that leaves the converter at that time: frames written, less the device's delay.
  ///   - leaving: The frame that leaves the device's queue at that time; nil where that is the same.
  ///   - nanoseconds: The time of CLOCK_MONOTONIC.
  ///   - delayFrames: Frames between the device's write position and the converter, for the reported latency.
  ///
  /// Threads: render. Real-time: yes.
  public func report(
    heard frame: DeviceFrame, leaving: DeviceFrame? = nil, nanoseconds: Int64, delayFrames: Int
  ) {
    loop.update(frame: frame.value, nanoseconds: nanoseconds)
    queueLoop.update(frame: (leaving ?? frame).value, nanoseconds: nanoseconds)
    clock.publish(loop, delayFrames: delayFrames)
  }

  /// Tells that the device stopped sounding, was given up, or sounds again.
  ///
  /// Threads: render, while the device does not play or has just been started. Real-time: no, wakes a thread. Next:
  /// ``Output/onOutage(_:)``
  public func tell(_ change: OutageChange) {
    outages.write(change)
    bell?.ring()
  }

  /// Wakes the handler thread if the frames that were made have something for it. Call it after making frames, and after
  /// handing them to the device: a device that never does has its handlers called up to 2 ms later, by a thread that
  /// looks 500 times a second.
  ///
  /// Threads: render. Real-time: no, may call the system to wake a thread; it never waits. What it could not tell it tells
  /// at the next call.
  public func tellNews() {
    // Ordering: none needed; the flag stands for itself, and so does the count.
    if !tellsNews.load(ordering: .relaxed) { tellsNews.store(true, ordering: .relaxed) }
    let port = stage.pointee.port
    let applied = port.status.pointee.appliedCommands.load(ordering: .relaxed)
    let isWaited =
      port.notifications.freeCapacity < port.notifications.capacity
      || port.releases.freeCapacity < port.releases.capacity
    if isWaited || applied != toldCommands, let bell, bell.tryRing() { toldCommands = applied }
  }

  /// The timeline frame that should leave the device's queue at a time, by the estimated rate and to the nearest frame; nil
  /// before the first report. After an outage it says how many frames to ``skip(frames:)``: those between
  /// ``nextFrame`` and the frame due when the device plays again.
  ///
  /// Threads: render. Real-time: yes.
  public func dueFrame(atNanoseconds nanoseconds: Int64) -> DeviceFrame? {
    duePosition(atNanoseconds: nanoseconds).map { DeviceFrame(Int64($0.rounded())) }
  }

  /// The same with the part of a frame that has passed.
  ///
  /// Threads: render. Real-time: yes.
  public func duePosition(atNanoseconds nanoseconds: Int64) -> Double? {
    queueLoop.isLocked ? queueLoop.frame(atNanoseconds: nanoseconds) : nil
  }
}
