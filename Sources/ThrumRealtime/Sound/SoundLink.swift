import Synchronization

/// The way of the sound from the render thread of a haptic device to that of a device of its own: the latest frames, by their
/// number.
///
/// One thread writes, one reads, neither waits. The reader keeps to the younger half of what is there, which the writer does
/// not touch before it has written as much again; a reader that falls behind further finds silence.
public struct SoundLink: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: frames are written before `end` is published past them and read only below it; the half
  // that may be read is not the part that is written.

  /// Frames a second.
  public let rate: Int
  // Interleaved, `mask` + 1 frames.
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int64
  private let end: UnsafeMutablePointer<Atomic<Int64>>

  /// Allocates the frames.
  /// - Parameter seconds: How long a frame can be read after it was written, at the least.
  ///
  /// Threads: control. Real-time: no.
  public init(rate: Int, seconds: Double) {
    self.rate = rate
    var count = 1024
    while Double(count / 2) < Double(rate) * seconds { count *= 2 }
    mask = Int64(count - 1)
    samples = .allocate(capacity: 2 * count)
    samples.initialize(repeating: 0, count: 2 * count)
    end = .allocate(capacity: 1)
    end.initialize(to: Atomic(0))
  }

  /// Frees the frames, when neither thread runs any more.
  ///
  /// Threads: control. Real-time: no.
  public func deallocate() {
    samples.deallocate()
    end.deinitialize(count: 1)
    end.deallocate()
  }

  /// The number of the next frame to be written.
  public var writtenFrames: Int64 {
    // Ordering: pairs with the store in `write`, so that the frames below it are there.
    @_noLocks @_noAllocation get { end.pointee.load(ordering: .acquiring) }
  }

  /// Whether so many frames from a number on can be read.
  @_noLocks @_noAllocation
  func holds(_ first: Int64, count: Int64) -> Bool {
    let written = writtenFrames
    return first &+ count <= written && first >= written &- (mask &+ 1) / 2
  }

  /// A frame that can be read.
  @_noLocks @_noAllocation
  func frame(_ number: Int64) -> (left: Float, right: Float) {
    let place = Int(number & mask) &* 2
    return (samples[place], samples[place &+ 1])
  }

  /// Appends frames.
  @_noLocks @_noAllocation
  func write(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int) {
    // Ordering: none needed, the writer's own position.
    let first = end.pointee.load(ordering: .relaxed)
    var index = 0
    while index < frames {
      let place = Int((first &+ Int64(index)) & mask) &* 2
      samples[place] = left[index]
      samples[place &+ 1] = right[index]
      index = index &+ 1
    }
    // Ordering: publishes the frames; pairs with the load in `writtenFrames`.
    end.pointee.store(first &+ Int64(frames), ordering: .releasing)
  }
}

/// Reads a link at another clock's pace: a place between its frames that moves on by a step a frame.
public struct SoundAdapter: ~Copyable {
  private let link: SoundLink
  private let kernel: SoundKernel
  // Safety: allocated in `init`, freed in `deinit`, touched by one thread.
  private let weights: UnsafeMutablePointer<Float>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let both: UnsafeMutablePointer<Float>
  private let isDithered: UnsafeMutablePointer<Bool>
  private let sources: UnsafeMutablePointer<Int32>
  private let channelCount: Int
  private let bytesPerSample: Int
  private var writer: SampleWriter
  /// The next frame to be made.
  public private(set) var deviceFrame: Int64 = 0
  /// Bytes of a frame.
  public let bytesPerFrame: Int
  /// The place of the next frame: a frame of the link…
  public private(set) var position: Int64 = 0
  /// …and the way to the next, in units of 2⁻³².
  public private(set) var fraction: UInt32 = 0
  /// Frames that found nothing to read, since the start.
  public private(set) var missedFrames = 0

  private var rampStart = Int64.min
  private let rampFrames: Int64

  private static var runFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// Allocates everything it will use. The link is freed by whoever made it, later.
  /// - Parameters:
  ///   - map: What each channel carries; haptic channels are silent.
  ///   - format: The layout of a sample.
  ///
  /// Threads: control. Real-time: no.
  public init(link: SoundLink, map: ChannelMap, format: SampleFormat) {
    self.link = link
    rampFrames = Int64(link.rate / 125)
    kernel = SoundKernel()
    weights = .allocate(capacity: SoundKernel.taps)
    weights.initialize(repeating: 0, count: SoundKernel.taps)
    left = .allocate(capacity: SoundAdapter.runFrames)
    right = .allocate(capacity: SoundAdapter.runFrames)
    both = .allocate(capacity: SoundAdapter.runFrames)
    for buffer in [left, right, both] { buffer.initialize(repeating: 0, count: SoundAdapter.runFrames) }
    isDithered = .allocate(capacity: SoundAdapter.runFrames)
    isDithered.initialize(repeating: false, count: SoundAdapter.runFrames)
    channelCount = map.sources.count
    sources = .allocate(capacity: max(1, map.sources.count))
    for (index, source) in map.sources.enumerated() {
      var side: Int32 = -1
      switch source {
      case .silent, .haptic: break
      case .soundLeft: side = 0
      case .soundRight: side = 1
      case .soundBoth: side = 2
      }
      (sources + index).initialize(to: side)
    }
    bytesPerSample = format.bytesPerSample
    bytesPerFrame = map.sources.count * format.bytesPerSample
    writer = SampleWriter(format: format, channels: map.sources.count)
  }

  deinit {
    kernel.deallocate()
    weights.deallocate()
    left.deallocate()
    right.deallocate()
    both.deallocate()
    isDithered.deallocate()
    sources.deallocate()
  }

  /// Goes to a place of the link at once.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func jump(to place: Double) {
    let whole = CoreMath.roundedHalfAway(place)
    let part = place - Double(whole)
    position = part < 0 ? whole &- 1 : whole
    fraction = UInt32(truncatingIfNeeded: Int64((part < 0 ? part + 1 : part) * 4_294_967_296))
  }

  /// Ramps the next 8 ms in, for sound that resumes in mid-signal.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func rampIn() { rampStart = deviceFrame }

  /// Makes the next frames.
  /// - Parameters:
  ///   - destination: Room for `frames` × ``bytesPerFrame`` bytes.
  ///   - step: Frames of the link a frame, in units of 2⁻³²; about 2³² where the rates are the same.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func fill(_ destination: UnsafeMutableRawPointer, frames: Int, step: Int64) {
    let denormals = VouchedMath.disableDenormals()
    var target = destination
    var done = 0
    while done < frames {
      let count = min(SoundAdapter.runFrames, frames &- done)
      read(frames: count, step: step)
      writeChannels(to: target, frames: count)
      target = target + count &* bytesPerFrame
      deviceFrame = deviceFrame &+ Int64(count)
      done = done &+ count
    }
    VouchedMath.restoreDenormals(denormals)
  }

  /// Passes frames over.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func skip(frames: Int, step: Int64) {
    var done = 0
    while done < frames {
      move(by: step)
      done = done &+ 1
    }
    deviceFrame = deviceFrame &+ Int64(frames)
  }

  @_noLocks @_noAllocation
  private mutating func read(frames: Int, step: Int64) {
    let cutoff = step > 4_294_967_296 ? 0.45 * 4_294_967_296 / Double(step) : 0.45
    var index = 0
    while index < frames {
      let first = position &- Int64(SoundKernel.centre)
      if link.holds(first, count: Int64(SoundKernel.taps)) {
        kernel.weights(fraction: Double(fraction) / 4_294_967_296, cutoff: cutoff, into: weights)
        var l: Float = 0
        var r: Float = 0
        var tap = 0
        while tap < SoundKernel.taps {
          let frame = link.frame(first &+ Int64(tap))
          l = l + frame.left * weights[tap]
          r = r + frame.right * weights[tap]
          tap = tap &+ 1
        }
        left[index] = l
        right[index] = r
      } else {
        missedFrames = missedFrames &+ 1
        left[index] = 0
        right[index] = 0
      }
      if rampStart != .min { ramp(index) }
      both[index] = (left[index] + right[index]) * 0.5
      let frame = deviceFrame &+ Int64(index)
      writer.begin(frame: frame, isSilent: left[index] == 0 && right[index] == 0)
      isDithered[index] = writer.isDithered(frame: frame)
      move(by: step)
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func ramp(_ index: Int) {
    let passed = deviceFrame &+ Int64(index) &- rampStart
    if passed >= rampFrames {
      rampStart = .min
      return
    }
    let u = SIMD8<Double>(repeating: Double(passed) / Double(rampFrames))
    let gain = Float(Envelope.smoothStep(u)[0])
    left[index] = left[index] * gain
    right[index] = right[index] * gain
  }

  @_noLocks @_noAllocation
  private mutating func move(by step: Int64) {
    let sum = Int64(fraction) &+ step
    position = position &+ (sum &>> 32)
    fraction = UInt32(truncatingIfNeeded: sum)
  }

  @_noLocks @_noAllocation
  private mutating func writeChannels(to destination: UnsafeMutableRawPointer, frames: Int) {
    var target = destination
    var channel = 0
    while channel < channelCount {
      switch sources[channel] {
      case 0: write(left, frames: frames, channel: channel, to: target)
      case 1: write(right, frames: frames, channel: channel, to: target)
      case 2: write(both, frames: frames, channel: channel, to: target)
      default: writer.writeSilence(frames: frames, to: target)
      }
      target = target + bytesPerSample
      channel = channel &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func write(
    _ values: UnsafePointer<Float>, frames: Int, channel: Int, to target: UnsafeMutableRawPointer
  ) {
    writer.write(
      values, frames: frames, isDithered: isDithered, to: target, frame: deviceFrame, channel: channel)
  }
}
