import Synchronization
import ThrumRealtime

/// Seconds and frames: the one place where one becomes the other, and the clock of an output.
///
/// The timeline begins with the output: render frame 0 is its first frame. Its seconds are render frames
/// divided by 8,000. Rounding is to the nearest frame, a half away from zero: of the Float64 product `seconds
/// · 8000` the whole part, one more where the fraction is at least ½.
public final class Timeline: Sendable {
  private let clock: PublishedClock
  private let timing: OutputTiming
  private let now: @Sendable () -> Int64
  /// The largest render position, as the bits of a Float64 (which order like the numbers from 0 up), ever
  /// returned.
  private let latest = Atomic<UInt64>(0)

  init(clock: PublishedClock, timing: OutputTiming, now: @escaping @Sendable () -> Int64) {
    self.clock = clock
    self.timing = timing
    self.now = now
  }

  /// The render frame nearest to a time in seconds, a half away from zero. Times beyond 2⁵³ frames, and those
  /// that are no number, count as 2⁵³ frames.
  ///
  /// Threads: any. Real-time: yes.
  public static func frame(atSeconds seconds: Double) -> RenderFrame {
    let product = seconds * Double(RenderRate.framesPerSecond)
    guard product < largestFrame else { return RenderFrame(Int64(largestFrame)) }
    guard product > -largestFrame else { return RenderFrame(-Int64(largestFrame)) }
    return RenderFrame(Int64(product.rounded(.toNearestOrAwayFromZero)))
  }

  /// The time of a render frame in seconds.
  ///
  /// Threads: any. Real-time: yes.
  public static func seconds(of frame: RenderFrame) -> Double {
    Double(frame.value) / Double(RenderRate.framesPerSecond)
  }

  /// Past it Float64 cannot tell neighbouring frames apart.
  static let largestFrame = 9_007_199_254_740_992.0

  /// Seconds of what is heard at this moment; 0 until the first frame is heard, then smooth and never
  /// backwards.
  ///
  /// Threads: any. Real-time: no system call, no lock.
  public var currentSeconds: Double { currentPosition / Double(RenderRate.framesPerSecond) }

  /// The render frame that is heard at this moment; 0 until the first one is.
  ///
  /// Threads: any. Real-time: no system call, no lock.
  public var currentFrame: RenderFrame { RenderFrame(Int64(currentPosition)) }

  /// Frames between the device's write position and the ear, as the device last told; nil before it did.
  public var deviceDelayFrames: Int? { clock.read()?.delayFrames }

  /// The estimated rate of the device, in its frames a second of CLOCK_MONOTONIC; nil before it reported.
  public var estimatedRate: Double? {
    guard let (loop, _) = clock.read() else { return nil }
    return 1e9 / loop.nanosecondsPerFrame
  }

  /// The time of CLOCK_MONOTONIC at which a render frame is heard, delays included; nil before the device
  /// reported. A frame further away than 2⁶² ns (146 years) counts as that far.
  ///
  /// Threads: any. Real-time: no system call, no lock.
  public func nanoseconds(of frame: RenderFrame) -> Int64? {
    guard let (loop, _) = clock.read() else { return nil }
    let position = (Double(frame.value) + Double(timing.delayFrames)) * deviceFramesPerRenderFrame
    return loop.nanoseconds(ofFrame: position)
  }

  /// The render frame that is heard at a time of CLOCK_MONOTONIC, delays included; nil before the
  /// device reported. The inverse of ``nanoseconds(of:)``; frames beyond 2⁵³ count as 2⁵³.
  ///
  /// Threads: any. Real-time: no system call, no lock.
  public func frame(atNanoseconds nanoseconds: Int64) -> RenderFrame? {
    guard let (loop, _) = clock.read() else { return nil }
    let heard =
      loop.frame(atNanoseconds: nanoseconds) / deviceFramesPerRenderFrame - Double(timing.delayFrames)
    let limited = min(max(heard, -Self.largestFrame), Self.largestFrame)
    return RenderFrame(Int64(limited.rounded(.toNearestOrAwayFromZero)))
  }

  private var deviceFramesPerRenderFrame: Double {
    Double(timing.rate) / Double(RenderRate.framesPerSecond)
  }

  private var currentPosition: Double {
    var position = 0.0
    if let (loop, _) = clock.read() {
      let heard = loop.frame(atNanoseconds: now())
      position = max(0, heard / deviceFramesPerRenderFrame - Double(timing.delayFrames))
    }
    // Ordering: none needed. The value stands for itself; a thread sees at least what it stored before.
    let (_, latest) = latest.max(position.bitPattern, ordering: .relaxed)
    return Double(bitPattern: latest)
  }
}
