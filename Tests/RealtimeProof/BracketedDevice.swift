import Glibc
import Synchronization
import ThrumEngine
import ThrumRealtime

/// Two calls around everything that a render thread does for a block, by which an instrument watches it.
struct Bracket: Sendable {
  let enter: @Sendable () -> Void
  let leave: @Sendable () -> Void
}

/// A device that asks for blocks of given sizes in turn, between brackets, as fast as the control side keeps up.
///
/// Lives on two threads: its own render thread, and the test's, which waits for it and then reads.
final class BracketedDevice: OutputDevice {
  let output: OutputDescription
  private let blocks: [Int]
  private let totalFrames: Int
  private let bracket: Bracket
  private let finish: @Sendable () -> Void
  private let thread = RenderThread(name: "thrum-proof")
  // Safety: written by the render thread, read by others after `join`.
  nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer

  /// The render frame up to which the control side has done its share; blocks that begin later wait for it.
  let permittedFrame = Atomic<Int64>(0)
  let isClosing = Atomic<Bool>(false)

  /// - Parameters:
  ///   - channels: Channels of the device.
  ///   - blocks: Sizes of the calls, in device frames; begun anew at the end.
  ///   - totalFrames: Device frames after which the thread ends.
  ///   - bracket: Called around each block but the first.
  ///   - finish: Called on the render thread at its end.
  init(
    rate: Int, format: SampleFormat, channels: Int = 1, blocks: [Int], totalFrames: Int, bracket: Bracket,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    let largest = blocks.max() ?? 1
    output = OutputDescription(
      name: "proof", rate: rate, channels: channels, format: format, periodFrames: largest,
      bufferFrames: largest)
    self.blocks = blocks
    self.totalFrames = totalFrames
    self.bracket = bracket
    self.finish = finish
    // Touched beforehand: the render thread must not meet a page fault.
    memory = .allocate(
      byteCount: (totalFrames + largest) * channels * format.bytesPerSample, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    close()
    memory.deallocate()
  }

  var counters: OutputCounters { OutputCounters() }
  var scheduling: String? { thread.scheduling }

  func start(_ feed: OutputFeed) throws(OutputError) {
    guard let base = memory.baseAddress else { throw OutputError("the proof renders at least one frame") }
    try thread.start { [unowned self, bytes = UInt(bitPattern: base)] in
      guard let base = UnsafeMutableRawPointer(bitPattern: bytes) else { return }
      render(feed, into: base)
      finish()
    }
  }

  /// Waits until all frames are made.
  func join() { thread.join() }

  func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd {
    join()
    return .drained
  }

  func close() {
    isClosing.store(true, ordering: .relaxed)
    join()
  }

  /// The bytes that were made.
  var recorded: [UInt8] { Array(memory[..<(totalFrames * bytesPerFrame)]) }

  private var bytesPerFrame: Int { output.channels * output.format.bytesPerSample }

  private func render(_ feed: OutputFeed, into base: UnsafeMutableRawPointer) {
    var done = 0
    var index = 0
    while done < totalFrames {
      // Ordering: the two stand for themselves; commands travel by their own queue.
      while permittedFrame.load(ordering: .relaxed) < Int64(done) * 8000 / Int64(output.rate) {
        if isClosing.load(ordering: .relaxed) { return }
        usleep(20)
      }
      let frames = blocks[index % blocks.count]
      let target = base + done * bytesPerFrame
      let count = min(frames, totalFrames - done)
      if index > 0 { bracket.enter() }
      feed.fill(target, frames: count)
      // What a card's loop does as well: it tells the clock, and now and then goes on after an outage.
      feed.report(heard: feed.nextFrame, nanoseconds: clockNanoseconds, delayFrames: frames)
      if index > 0 { bracket.leave() }
      done += count
      index += 1
    }
  }
}
