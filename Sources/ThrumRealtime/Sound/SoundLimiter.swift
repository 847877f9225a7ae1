/// Keeps both channels of the sound within the ceiling by turning them down together, in advance: the haptic peak limiter
/// with its lengths at the device's rate (signal model, 5).
struct SoundLimiter {
  /// Frames by which the samples are delayed: 8 render frames' worth.
  let delayFrames: Int64

  private let ceiling = 0.98
  private let window: Int64
  private let recovery: Double
  // Safety: owned by the bus. `requests` and their frames form a queue of rising minima, a ring of `ringMask` + 1.
  private let ringMask: Int
  private let requests: UnsafeMutablePointer<Double>
  private let frames: UnsafeMutablePointer<Int64>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  // In units of 2⁻⁴⁰, so that the running sum of them is exact.
  private let gains: UnsafeMutablePointer<Int64>
  private var head = 0
  private var count = 0
  private var frame: Int64 = 0
  private var held = 1.0
  private var sum: Int64

  private static var unit: Double { @_noLocks @_noAllocation get { 1_099_511_627_776 } }

  /// Control side.
  init(rate: SoundRate) {
    delayFrames = max(1, rate.nearest(8))
    window = delayFrames + rate.nearest(64) + 1
    recovery = 1 - CoreMath.exp(-1 / (Double(rate.rate) * 0.08))
    var size = 1
    while Int64(size) < window + 2 { size *= 2 }
    ringMask = size - 1
    requests = .allocate(capacity: size)
    frames = .allocate(capacity: size)
    let delay = Int(delayFrames)
    left = .allocate(capacity: delay)
    right = .allocate(capacity: delay)
    left.initialize(repeating: 0, count: delay)
    right.initialize(repeating: 0, count: delay)
    gains = .allocate(capacity: delay + 1)
    gains.initialize(repeating: Int64(SoundLimiter.unit), count: delay + 1)
    sum = Int64(SoundLimiter.unit) * Int64(delay + 1)
  }

  func deallocate() {
    requests.deallocate()
    frames.deallocate()
    left.deallocate()
    right.deallocate()
    gains.deallocate()
  }

  /// Takes a frame and gives the one of `delayFrames` ago, turned down as far as its neighbourhood asks.
  /// - Returns: Whether it was turned down by a thousandth or more.
  @_noLocks @_noAllocation
  mutating func next(_ l: inout Float, _ r: inout Float) -> Bool {
    let a = l < 0 ? -l : l
    let b = r < 0 ? -r : r
    let size = Double(max(a, b))
    push(size > ceiling ? ceiling / size : 1)
    let minimum = requests[head & ringMask]
    held = minimum < held ? minimum : held + (minimum - held) * recovery
    if minimum == 1, held > 1 - 1e-9 { held = 1 }
    let slot = Int(frame % (delayFrames &+ 1))
    let fixed = Int64(held * SoundLimiter.unit)
    sum = sum &+ fixed &- gains[slot]
    gains[slot] = fixed
    let gain = Double(sum) / (SoundLimiter.unit * Double(delayFrames &+ 1))
    let place = Int(frame % delayFrames)
    let (earlierLeft, earlierRight) = (left[place], right[place])
    left[place] = l
    right[place] = r
    frame = frame &+ 1
    if gain == 1 {
      l = earlierLeft
      r = earlierRight
      return false
    }
    l = Float(Double(earlierLeft) * gain)
    r = Float(Double(earlierRight) * gain)
    return gain < 0.999
  }

  @_noLocks @_noAllocation
  private mutating func push(_ request: Double) {
    while count > 0, requests[(head &+ count &- 1) & ringMask] >= request { count = count &- 1 }
    requests[(head &+ count) & ringMask] = request
    frames[(head &+ count) & ringMask] = frame
    count = count &+ 1
    if frames[head & ringMask] <= frame &- window {
      head = head &+ 1
      count = count &- 1
    }
  }
}
