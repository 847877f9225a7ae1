import ThrumRealtime

/// Where a second device gets the sound from, at its own clock's pace and in step with the haptic device.
///
/// The haptic device is the master: its frames are what they are. This one reads the sound at a rate that the two devices'
/// clocks ask for, and corrects what is left of the distance over two seconds, by a thousandth of the rate at most: too slow
/// to be heard, quick enough to stay within a fraction of a millisecond.
///
/// Lives on the second device's render thread; made and kept by the control side.
public final class SoundFeed: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: touched by one render thread once its device has started; the master's clock and the
  // link are made for two.
  private let storage: LinkStorage
  private var link: SoundLink { storage.link }
  private let master: PublishedClock
  private let timing: OutputTiming
  private let rate: Double
  private let lateSeconds: Double
  private let adapter: UnsafeMutablePointer<SoundAdapter>
  private var loop: ClockLoop
  // The same of the frames that leave the device's queue.
  private var queueLoop: ClockLoop
  private var isPlaced = false

  /// A distance that is jumped at once, as at the start and after an outage, seconds.
  private static let farSeconds = 0.05
  /// Where nothing is to be read, for as long as it does not know its place: what it read at a guess would be heard twice,
  /// or at the wrong time.
  private static let nowhere = -1e12
  /// The time over which a distance is made good, seconds.
  private static let correctionSeconds = 2.0
  /// The largest correction, as a part of the rate.
  private static let largestCorrection = 0.001

  /// - Parameters:
  ///   - storage: The link that the master's stage writes.
  ///   - master: The master's clock.
  ///   - timing: The master's.
  ///   - rate: Frames a second of the second device.
  ///   - lateSeconds: How much later sound comes than the haptics of its time; below 0 earlier, for which the haptics have
  ///     been held back.
  init(
    storage: LinkStorage, master: PublishedClock, timing: OutputTiming, rate: Int, map: ChannelMap,
    format: SampleFormat, lateSeconds: Double
  ) {
    self.storage = storage
    self.master = master
    self.timing = timing
    self.rate = Double(rate)
    self.lateSeconds = lateSeconds
    loop = ClockLoop(rate: rate)
    queueLoop = ClockLoop(rate: rate)
    adapter = .allocate(capacity: 1)
    adapter.initialize(to: SoundAdapter(link: storage.link, map: map, format: format))
    adapter.pointee.jump(to: Self.nowhere)
  }

  deinit {
    adapter.deinitialize(count: 1)
    adapter.deallocate()
  }

  /// The next frame to be made.
  public var nextFrame: DeviceFrame { DeviceFrame(adapter.pointee.deviceFrame) }

  /// The place in the sound of the next frame.
  var position: Double { Double(adapter.pointee.position) + Double(adapter.pointee.fraction) / 4_294_967_296 }

  /// Frames that found no sound to read, which was not made in time.
  var missedFrames: Int { adapter.pointee.missedFrames }

  /// Makes the next frames, interleaved in the device's format.
  ///
  /// Threads: render. Real-time: yes.
  public func fill(_ destination: UnsafeMutableRawPointer, frames: Int) {
    adapter.pointee.fill(destination, frames: frames, step: step())
  }

  /// Makes frames and throws them away.
  ///
  /// Threads: render. Real-time: yes.
  public func skip(frames: Int) { adapter.pointee.skip(frames: frames, step: step()) }

  /// Ramps the next frames in, where sound resumes in mid-signal.
  ///
  /// Threads: render. Real-time: yes.
  public func rampIn() { adapter.pointee.rampIn() }

  /// Tells when a frame is heard, as ``OutputFeed/report(heard:leaving:nanoseconds:delayFrames:)``.
  ///
  /// Threads: render. Real-time: yes.
  public func report(heard frame: DeviceFrame, leaving: DeviceFrame? = nil, nanoseconds: Int64) {
    loop.update(frame: frame.value, nanoseconds: nanoseconds)
    queueLoop.update(frame: (leaving ?? frame).value, nanoseconds: nanoseconds)
  }

  /// The frame that should leave the device's queue at a time; nil before the first report.
  ///
  /// Threads: render. Real-time: yes.
  public func position(atNanoseconds nanoseconds: Int64) -> Double? {
    queueLoop.isLocked ? queueLoop.frame(atNanoseconds: nanoseconds) : nil
  }

  /// Frames of sound for the next frame of the device, in units of 2⁻³².
  private func step() -> Int64 {
    let plain = Double(link.rate) / rate
    guard loop.isLocked, let clock = master.read()?.loop else { return Self.fixed(plain) }
    let time = loop.nanoseconds(ofFrame: Double(adapter.pointee.deviceFrame))
    let wanted = place(heardBy: clock.frame(atNanoseconds: time))
    let distance = wanted - position
    let perFrame =
      loop.nanosecondsPerFrame / clock.nanosecondsPerFrame * Double(link.rate) / Double(timing.rate)
    if !isPlaced || abs(distance) > Self.farSeconds * Double(link.rate) {
      adapter.pointee.jump(to: wanted)
      adapter.pointee.rampIn()
      isPlaced = true
      return Self.fixed(perFrame)
    }
    let correction = distance / (Self.correctionSeconds * Double(link.rate))
    return Self.fixed(perFrame * (1 + min(max(correction, -Self.largestCorrection), Self.largestCorrection)))
  }

  /// The frame of sound that belongs to a frame of the master's.
  func place(heardBy masterFrame: Double) -> Double {
    let seconds =
      masterFrame / Double(timing.rate) - Double(timing.delayFrames) / Double(RenderRate.framesPerSecond)
    return (seconds - lateSeconds) * Double(link.rate) + Double(timing.soundDelayFrames)
  }

  private static func fixed(_ step: Double) -> Int64 { Int64((step * 4_294_967_296).rounded()) }
}
