import Glibc
import Synchronization
import ThrumRealtime

/// What the virtual actuator does with frames, on its render thread or by hand.
///
/// Lives on two threads: one of them renders, the other asks for the end and reads figures.
final class VirtualLoop: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: `feed`, `written` and the memory of `period` belong to whoever renders:
  // the render thread, or the caller under the lock of `VirtualOutput`. `recording` is read only up to
  // `recordedBytes`.
  let output: OutputDescription
  let meter = LevelMeter()
  let statistics = LoopStatistics()
  let ended = Doorbell()

  private let feed: OutputFeed
  private let frameBytes: Int
  private let period: UnsafeMutableRawBufferPointer
  private let recording: UnsafeMutableRawBufferPointer
  private var written: Int64 = 0

  let xruns = Atomic<Int>(0)
  let suspends = Atomic<Int>(0)
  let skippedFrames = Atomic<Int64>(0)
  let writtenFrames = Atomic<Int64>(0)
  let recordedBytes = Atomic<Int>(0)
  /// Frames to be missed by the next faults, and whether a suspend is to come.
  let xrunFrames = Atomic<Int>(0)
  let wantsSuspend = Atomic<Bool>(false)
  /// The cause of the outage to be in, counted from 1 in the order of `OutageCause.allCases`; 0 for none.
  let wantedOutage = Atomic<Int>(0)
  // The outage that it is in; whoever renders has it.
  private var outage: OutageCause?

  /// The frame after which to end; the largest number means never.
  let lastFrame = Atomic<Int64>(.max)
  let isClosing = Atomic<Bool>(false)
  let hasEnded = Atomic<Bool>(false)

  init(feed: OutputFeed, output: OutputDescription, recordingFrames: Int) {
    self.feed = feed
    self.output = output
    frameBytes = output.channels * output.format.bytesPerSample
    statistics.begin(rate: output.rate, channels: output.channels, periodFrames: output.periodFrames)
    // Aligned for any sample, and touched beforehand: the render thread must not meet a page fault.
    period = .allocate(byteCount: output.periodFrames * frameBytes, alignment: 64)
    period.initializeMemory(as: UInt8.self, repeating: 0)
    recording = .allocate(byteCount: recordingFrames * frameBytes, alignment: 64)
    recording.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    period.deallocate()
    recording.deallocate()
  }

  /// Takes frames at the device's rate, period by period, until it is asked to end.
  ///
  /// A thread that comes late makes up for it: nothing is there that could run dry, so the only xruns are
  /// those that were asked for.
  ///
  /// Threads: render. Real-time: sleeps, and nothing else that could wait. Next: nobody; it asks
  /// ``OutputFeed/fill(_:frames:)``.
  func run() {
    let start = MonotonicClock.nanoseconds
    let periodFrames = Int64(output.periodFrames)
    // The device begins to play when its buffer is full.
    for _ in 0..<output.bufferFrames / output.periodFrames { takePeriod() }
    // Ordering: the two flags stand for themselves.
    while !isClosing.load(ordering: .relaxed), written <= lastFrame.load(ordering: .relaxed) {
      let room = written - Int64(output.bufferFrames) + periodFrames
      MonotonicClock.sleep(untilNanoseconds: start + nanoseconds(ofFrame: room))
      let now = MonotonicClock.nanoseconds - start
      statistics.wokeUp(lateNanoseconds: now - nanoseconds(ofFrame: room))
      let heard = frame(atNanoseconds: now)
      feed.report(
        heard: DeviceFrame(heard), nanoseconds: start + nanoseconds(ofFrame: heard),
        delayFrames: Int(max(0, written - heard)))
      meetFaults()
      takePeriod()
    }
    listen(from: start)
    // Ordering: pairs with the load of whoever waits for the end.
    hasEnded.store(true, ordering: .releasing)
    ended.ring()
  }

  /// Takes so many frames at once, for a device that is turned by hand.
  func take(into destination: UnsafeMutableRawPointer, frames: Int) {
    meetFaults()
    make(destination, frames: frames)
    keep(destination, frames: frames)
    feed.tellNews()
    let heard = feed.nextFrame
    feed.report(heard: heard, nanoseconds: nanoseconds(ofFrame: heard.value), delayFrames: 0)
  }

  /// Takes frames and drops them, a period at a time.
  func discard(frames: Int64) {
    guard let memory = period.baseAddress else { return }
    var left = frames
    while left > 0 {
      let count = min(left, Int64(output.periodFrames))
      take(into: memory, frames: Int(count))
      left -= count
    }
  }

  /// Whether the device was closed, for whoever turns it by hand.
  var isClosed: Bool {
    // Ordering: the lock of the hand orders it.
    isClosing.load(ordering: .relaxed)
  }

  /// The next frame to be taken.
  var nextFrame: Int64 { feed.nextFrame.value }

  /// The time of a frame, from the device's start.
  func nanoseconds(ofFrame frame: Int64) -> Int64 {
    let rate = Int64(output.rate)
    // In two parts, so that nothing overflows within centuries.
    return frame / rate * MonotonicClock.nanosecondsPerSecond
      + frame % rate * MonotonicClock.nanosecondsPerSecond / rate
  }

  /// What was recorded so far.
  var recorded: [UInt8] {
    // Ordering: pairs with the store in `keep`.
    Array(recording[..<recordedBytes.load(ordering: .acquiring)])
  }

  private func frame(atNanoseconds nanoseconds: Int64) -> Int64 {
    let rate = Int64(output.rate)
    return nanoseconds / MonotonicClock.nanosecondsPerSecond * rate
      + nanoseconds % MonotonicClock.nanosecondsPerSecond * rate / MonotonicClock.nanosecondsPerSecond
  }

  private func takePeriod() {
    guard let memory = period.baseAddress else { return }
    make(memory, frames: output.periodFrames)
    keep(memory, frames: output.periodFrames)
    feed.tellNews()
  }

  /// Makes the next frames, or lets them pass unheard in an outage.
  private func make(_ memory: UnsafeMutableRawPointer, frames: Int) {
    guard outage != nil else {
      let began = MonotonicClock.nanoseconds
      feed.fill(memory, frames: frames)
      statistics.rendered(nanoseconds: MonotonicClock.nanoseconds - began)
      return statistics.measure(memory, frames: frames, stride: frameBytes, format: output.format)
    }
    feed.skip(frames: frames)
    memset(memory, 0, frames * frameBytes)
    // Ordering: a figure stands for itself.
    skippedFrames.add(Int64(frames), ordering: .relaxed)
  }

  private func keep(_ memory: UnsafeRawPointer, frames: Int) {
    written = feed.nextFrame.value
    meter.measure(memory, sampleCount: frames * output.channels, format: output.format)
    // Ordering: figures stand for themselves; there is one writer.
    writtenFrames.store(writtenFrames.load(ordering: .relaxed) + Int64(frames), ordering: .relaxed)
    let offset = recordedBytes.load(ordering: .relaxed)
    let count = min(frames * frameBytes, recording.count - offset)
    if count > 0, let base = recording.baseAddress {
      (base + offset).copyMemory(from: memory, byteCount: count)
      // Ordering: the bytes are seen before their count; pairs with the load in `recorded`.
      recordedBytes.store(offset + count, ordering: .releasing)
    }
  }

  /// Does what a card's loop does after a fault: the missed frames are made and thrown away, and sound is
  /// ramped in.
  private func meetFaults() {
    // Ordering: requests and figures stand for themselves.
    let missed = xrunFrames.exchange(0, ordering: .relaxed)
    if missed > 0 {
      xruns.add(1, ordering: .relaxed)
      skippedFrames.add(Int64(missed), ordering: .relaxed)
      feed.skip(frames: missed)
      feed.rampIn()
    }
    if wantsSuspend.exchange(false, ordering: .relaxed) {
      // Time stood still: nothing was missed.
      suspends.add(1, ordering: .relaxed)
      tell(.began, .suspended)
      tell(.returned, .suspended)
      feed.rampIn()
    }
    meetOutage()
  }

  private func meetOutage() {
    let wanted = wantedOutage.load(ordering: .relaxed)
    let cause = wanted == 0 ? nil : OutageCause.allCases[wanted - 1]
    if cause == outage { return }
    if let over = outage {
      tell(.returned, over)
      feed.rampIn()
    }
    if let cause { tell(.began, cause) }
    outage = cause
  }

  private func tell(_ kind: OutageChange.Kind, _ cause: OutageCause) {
    feed.tell(OutageChange(kind: kind, cause: cause, frame: feed.nextFrame))
  }

  /// Waits until the last frame has been heard, a period at a time so that a close is not kept waiting.
  private func listen(from start: Int64) {
    // Ordering: the two requests stand for themselves.
    let end = min(lastFrame.load(ordering: .relaxed), written) + 1
    let endNanoseconds = start + nanoseconds(ofFrame: end)
    while !isClosing.load(ordering: .relaxed), MonotonicClock.nanoseconds < endNanoseconds {
      let next = MonotonicClock.nanoseconds + nanoseconds(ofFrame: Int64(output.periodFrames))
      MonotonicClock.sleep(untilNanoseconds: min(endNanoseconds, next))
    }
  }
}
