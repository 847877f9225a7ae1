/// A second-order Butterworth high-pass (bilinear transform), in transposed direct form II.
struct HighPass {
  private let b0: Double
  private let b1: Double
  private let a1: Double
  private let a2: Double
  private var s1 = 0.0
  private var s2 = 0.0

  /// Computes the coefficients for a corner. Control side; the tangent is our own sine over cosine.
  init(cornerHz: Double) {
    let half = Double.pi * cornerHz / Double(RenderRate.framesPerSecond)
    let k = CoreMath.smallSine(half) / CoreMath.smallCosine(half)
    let norm = 1 / (1 + 1.4142135623730951 * k + k * k)
    b0 = norm
    b1 = -2 * norm
    a1 = 2 * (k * k - 1) * norm
    a2 = (1 - 1.4142135623730951 * k + k * k) * norm
  }

  @_noLocks @_noAllocation
  mutating func next(_ x: Double) -> Double {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b0 * x - a2 * y
    return y
  }

  /// Frames in which it falls by 120 dB: n with |pole|ⁿ = 10⁻⁶. The poles are a conjugate pair, whose product is a2.
  var ringFrames: Int64 {
    let frames = 13.815510557964274 / (-0.5 * CoreMath.log(a2))  // 6·ln 10
    return Int64(frames) + 1
  }

  /// Ends its ringing.
  @_noLocks @_noAllocation
  mutating func clear() {
    s1 = 0
    s2 = 0
  }

  /// Zeroes states too small to matter, once a quantum.
  @_noLocks @_noAllocation
  mutating func settle() {
    if (s1 < 0 ? -s1 : s1) < 1e-20 { s1 = 0 }
    if (s2 < 0 ? -s2 : s2) < 1e-20 { s2 = 0 }
  }
}

/// Holds the mean square of a bus at its rating over about a second, so that a coil does not overheat (signal model, 5).
struct RMSLimiter {
  private let square: Double
  private let averaging: Double
  private let smoothing: Double
  private var meanSquare = 0.0
  private var gain = 1.0

  /// Control side.
  /// - Parameters:
  ///   - ratedSquare: The mean square allowed for ever; 0.125 is a sine of 0.5.
  ///   - thermalSeconds: The averaging time.
  init(ratedSquare: Double = 0.125, thermalSeconds: Double = 1) {
    let rate = Double(RenderRate.framesPerSecond)
    square = ratedSquare
    averaging = 1 - CoreMath.exp(-1 / (rate * thermalSeconds))
    smoothing = 1 - CoreMath.exp(-1 / (rate * 0.05))
  }

  /// The gain for a sample: it looks at the sample before the gain is applied.
  @_noLocks @_noAllocation
  mutating func next(_ u: Double) -> Double {
    meanSquare = meanSquare + (u * u - meanSquare) * averaging
    let target = meanSquare > square ? VouchedMath.squareRoot(square / meanSquare) : 1
    gain = gain + (target - gain) * smoothing
    return gain
  }
}

/// Keeps every sample within the ceiling by turning down in advance: 8 frames of delay, a minimum over 73 requests, a slow
/// recovery and a mean of 9 (signal model, 5).
struct PeakLimiter {
  /// Frames by which the samples are delayed.
  static var delayFrames: Int { @_noLocks @_noAllocation get { 8 } }

  private static var window: Int { @_noLocks @_noAllocation get { 73 } }
  private let ceiling = 0.98
  private let recovery: Double
  // Safety: owned by the chain. `requests` and their frames form a queue of rising minima; a ring of 128.
  private let requests: UnsafeMutablePointer<Double>
  private let frames: UnsafeMutablePointer<Int64>
  private let delayed: UnsafeMutablePointer<Double>
  private let gains: UnsafeMutablePointer<Double>
  private var head = 0
  private var count = 0
  private var frame: Int64 = 0
  private var held = 1.0

  init() {
    recovery = 1 - CoreMath.exp(-1 / (Double(RenderRate.framesPerSecond) * 0.08))
    requests = .allocate(capacity: 128)
    frames = .allocate(capacity: 128)
    delayed = .allocate(capacity: 8)
    delayed.initialize(repeating: 0, count: 8)
    gains = .allocate(capacity: 9)
    gains.initialize(repeating: 1, count: 9)
  }

  func deallocate() {
    requests.deallocate()
    frames.deallocate()
    delayed.deallocate()
    gains.deallocate()
  }

  /// The sample of 8 frames ago, turned down as far as its neighbourhood asks.
  @_noLocks @_noAllocation
  mutating func next(_ u: Double) -> (sample: Double, isLimiting: Bool) {
    let size = u < 0 ? -u : u
    push(size > ceiling ? ceiling / size : 1)
    let minimum = requests[head & 127]
    held = minimum < held ? minimum : held + (minimum - held) * recovery
    // Recovery is exponential; close enough to 1 it is 1, so that what is below the ceiling passes bit for bit.
    if minimum == 1, held > 1 - 1e-9 { held = 1 }
    let slot = Int(frame % 9)
    gains[slot] = held
    var sum = 0.0
    var index = 0
    while index < 9 {
      sum = sum + gains[index]
      index = index &+ 1
    }
    let gain = sum / 9
    let place = Int(frame & 7)
    let sample = delayed[place] * gain
    delayed[place] = u
    frame = frame &+ 1
    return (sample, gain < 1)
  }

  /// The sample of 8 frames ago as it was.
  @_noLocks @_noAllocation
  mutating func delay(_ u: Double) -> Double {
    let place = Int(frame & 7)
    let sample = delayed[place]
    delayed[place] = u
    frame = frame &+ 1
    return sample
  }

  @_noLocks @_noAllocation
  private mutating func push(_ request: Double) {
    while count > 0, requests[(head &+ count &- 1) & 127] >= request { count = count &- 1 }
    requests[(head &+ count) & 127] = request
    frames[(head &+ count) & 127] = frame
    count = count &+ 1
    if frames[head & 127] <= frame &- Int64(PeakLimiter.window) {
      head = head &+ 1
      count = count &- 1
    }
  }
}

/// What stands between the sum of a bus's voices and the kernel: gain, high-pass, RMS limiter, peak limiter.
struct BusChain {
  private let gain: Double
  private let hasHighPass: Bool
  private let isLimited: Bool
  private let isPlain: Bool
  private let isDelayed: Bool
  private var highPass: HighPass
  private var rms = RMSLimiter()
  private var peak = PeakLimiter()

  /// Control side.
  /// - Parameters:
  ///   - profile: What the bus drives.
  ///   - isOutputLimited: Whether any bus of the output is limited: then one that is not is delayed like it, so that
  ///     actuators stay in step.
  init(_ profile: BusProfile, isOutputLimited: Bool) {
    isDelayed = isOutputLimited && !profile.isLimited
    gain = Double(profile.gain)
    hasHighPass = profile.highPassHz > 0
    highPass = HighPass(cornerHz: hasHighPass ? profile.highPassHz : 1)
    isLimited = profile.isLimited
    isPlain = !isOutputLimited && profile.highPassHz <= 0 && profile.gain == 1
  }

  func deallocate() { peak.deallocate() }

  /// Works on the frames of a block in place.
  /// - Parameters:
  ///   - samples: The block.
  ///   - frames: Its length, a multiple of 8.
  ///   - rings: One a group of eight: whether the filter may ring there; it is emptied where not.
  ///   - limited: One a frame: set where a limiter turns the sample down that leaves.
  /// - Returns: Whether it set any.
  @_noLocks @_noAllocation
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, rings: UnsafePointer<Bool>,
    limited: UnsafeMutablePointer<Bool>
  ) -> Bool {
    if isPlain { return false }
    var hasLimited = false
    var index = 0
    while index < frames {
      if index & 7 == 0, !rings[index &>> 3] { highPass.clear() }
      var u = Double(samples[index]) * gain
      if hasHighPass { u = highPass.next(u) }
      if isLimited {
        let rmsGain = rms.next(u)
        let held = peak.next(u * rmsGain)
        if held.isLimiting || rmsGain < 0.999 {
          limited[index] = true
          hasLimited = true
        }
        u = held.sample
      } else if isDelayed {
        u = peak.delay(u)
      }
      samples[index] = Float(u)
      if index & 7 == 7 { highPass.settle() }
      index = index &+ 1
    }
    return hasLimited
  }
}
