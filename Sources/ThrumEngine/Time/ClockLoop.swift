/// A second-order delay-locked loop that turns jittery (device frame, time) pairs into a smooth clock.
///
/// Each pair pulls the estimate of phase by `√2·ω` and of the rate by `ω²` of the error, `ω` being 2π times
/// the loop's bandwidth times the time since the last pair: damped by 1/√2, so that it settles soonest and
/// overshoots a step by 4 %, whatever the distance of the pairs. The bandwidth begins at 1 Hz, so that a card's
/// true rate is found in seconds, and narrows to 0.1 Hz, so that a late wake-up hardly shows.
struct ClockLoop: Sendable, Equatable {
  /// The frame of the last pair.
  private(set) var originFrame: Int64 = 0
  /// The smoothed time of that frame: whole nanoseconds of CLOCK_MONOTONIC…
  private(set) var originNanoseconds: Int64 = 0
  /// …and the part of one that is left.
  private(set) var originFraction: Double = 0
  /// The estimated time between two device frames.
  private(set) var nanosecondsPerFrame: Double
  /// Whether a pair has arrived.
  private(set) var isLocked = false

  private let nominalNanosecondsPerFrame: Double
  private var lockedSeconds: Double = 0

  private static let firstBandwidthHz = 1.0
  private static let lastBandwidthHz = 0.1
  /// Past it the loop would overshoot: pairs that are far apart are followed half-way at most.
  private static let largestOmega = 0.5
  /// A larger error is a jump of the device's, not jitter; the loop follows at once and keeps its rate.
  private static let jumpNanoseconds = 50_000_000.0
  /// No clock that still works is further from its nominal rate (sound servers: 0.1 % seen).
  private static let rateTolerance = 0.05

  /// Creates a loop for a device's nominal rate.
  init(rate: Int) {
    nominalNanosecondsPerFrame = 1e9 / Double(rate)
    nanosecondsPerFrame = nominalNanosecondsPerFrame
  }

  /// Takes a pair: the frame was heard at that time. A frame not after the last one is passed over, since
  /// some cards' delay goes backwards now and then.
  mutating func update(frame: Int64, nanoseconds: Int64) {
    guard isLocked else {
      relock(frame: frame, nanoseconds: nanoseconds)
      return
    }
    let count = Double(frame - originFrame)
    guard count > 0 else { return }
    let predicted = count * nanosecondsPerFrame
    let error = Double(nanoseconds - originNanoseconds) - originFraction - predicted
    guard abs(error) <= Self.jumpNanoseconds else {
      relock(frame: frame, nanoseconds: nanoseconds)
      return
    }
    let seconds = predicted / 1e9
    lockedSeconds += seconds
    let bandwidth = max(Self.lastBandwidthHz, Self.firstBandwidthHz / max(1, lockedSeconds))
    let omega = min(Self.largestOmega, 2 * Double.pi * bandwidth * seconds)
    move(to: frame, by: predicted + 2.0.squareRoot() * omega * error)
    let rate = nanosecondsPerFrame + omega * omega * error / count
    nanosecondsPerFrame = min(
      max(rate, nominalNanosecondsPerFrame * (1 - Self.rateTolerance)),
      nominalNanosecondsPerFrame * (1 + Self.rateTolerance))
  }

  /// The device frame, with its fraction, that is heard at a time.
  func frame(atNanoseconds nanoseconds: Int64) -> Double {
    Double(originFrame)
      + (Double(nanoseconds - originNanoseconds) - originFraction) / nanosecondsPerFrame
  }

  /// The time at which a device frame is heard; beyond 2⁶² ns from now, that.
  func nanoseconds(ofFrame frame: Double) -> Int64 {
    let offset = (frame - Double(originFrame)) * nanosecondsPerFrame + originFraction
    let limit = 4_611_686_018_427_387_904.0
    let (sum, overflow) = originNanoseconds.addingReportingOverflow(
      Int64(min(max(offset.rounded(), -limit), limit)))
    return overflow ? .max : sum
  }

  private mutating func relock(frame: Int64, nanoseconds: Int64) {
    originFrame = frame
    originNanoseconds = nanoseconds
    originFraction = 0
    isLocked = true
  }

  /// Keeps whole nanoseconds apart from their fraction: a Float64 of CLOCK_MONOTONIC alone loses them within
  /// months.
  private mutating func move(to frame: Int64, by nanoseconds: Double) {
    let total = originFraction + nanoseconds
    let whole = total.rounded(.down)
    originFrame = frame
    originNanoseconds += Int64(whole)
    originFraction = total - whole
  }
}

extension ClockLoop {
  /// Rebuilds a loop's reading side from what was published of it.
  init(
    rate: Int, originFrame: Int64, originNanoseconds: Int64, originFraction: Double,
    nanosecondsPerFrame: Double
  ) {
    self.init(rate: rate)
    self.originFrame = originFrame
    self.originNanoseconds = originNanoseconds
    self.originFraction = originFraction
    self.nanosecondsPerFrame = nanosecondsPerFrame
    isLocked = true
  }
}
