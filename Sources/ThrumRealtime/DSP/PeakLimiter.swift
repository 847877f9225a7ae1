/// Keeps every sample within the ceiling by turning down in advance: 8 frames of delay, a minimum over 73 requests, a slow
/// recovery and a mean of 9 (signal model, 5).
struct PeakLimiter {
  /// Frames by which the samples are delayed.
  static var delayFrames: Int { @_noLocks @_noAllocation get { 8 } }

  private static var window: Int { @_noLocks @_noAllocation get { 73 } }
  private let ceiling: Double
  private let recovery: Double
  // Safety: owned by the chain. `requests`, their frames and their kinds form a queue of rising minima; a ring of 128.
  private let requests: UnsafeMutablePointer<Double>
  private let frames: UnsafeMutablePointer<Int64>
  private let kinds: UnsafeMutablePointer<UInt8>
  private let delayed: UnsafeMutablePointer<Double>
  private let gains: UnsafeMutablePointer<Double>
  private var head = 0
  private var count = 0
  private var frame: Int64 = 0
  private var held = 1.0
  // What made `held` fall last.
  private var heldKind: UInt8 = 0
  // Frames since a sample was other than zero, or `held` than 1.
  private var rest = 0

  init(ceiling: Double) {
    self.ceiling = ceiling
    recovery = 1 - CoreMath.exp(-1 / (Double(RenderRate.framesPerSecond) * 0.08))
    requests = .allocate(capacity: 128)
    frames = .allocate(capacity: 128)
    kinds = .allocate(capacity: 128)
    delayed = .allocate(capacity: 8)
    delayed.initialize(repeating: 0, count: 8)
    gains = .allocate(capacity: 9)
    gains.initialize(repeating: 1, count: 9)
  }

  func deallocate() {
    requests.deallocate()
    frames.deallocate()
    kinds.deallocate()
    delayed.deallocate()
    gains.deallocate()
  }

  /// The sample of 8 frames ago, turned down as far as its neighbourhood asks.
  /// - Parameters:
  ///   - u: The sample to come.
  ///   - excursionRequest: The gain that the excursion asks for, 0…1.
  /// - Returns: The sample, and what turns it down; 0 where nothing does by a thousandth (0.009 dB) or more, as the recovery
  ///   takes 1.7 s to its last bit.
  @_noLocks @_noAllocation
  mutating func next(_ u: Double, excursionRequest: Double) -> (sample: Double, kind: UInt8) {
    let size = u < 0 ? -u : u
    let peakRequest = size > ceiling ? ceiling / size : 1
    if excursionRequest < peakRequest {
      push(excursionRequest, kind: LimitKinds.excursion)
    } else {
      push(peakRequest, kind: LimitKinds.peak)
    }
    let minimum = requests[head & 127]
    if minimum < held {
      held = minimum
      heldKind = kinds[head & 127]
    } else {
      held = held + (minimum - held) * recovery
    }
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
    rest = u.bitPattern == 0 && held == 1 ? rest &+ 1 : 0
    return (sample, gain < 0.999 ? heldKind : 0)
  }

  /// The sample of 8 frames ago as it was.
  @_noLocks @_noAllocation
  mutating func delay(_ u: Double) -> Double {
    let place = Int(frame & 7)
    let sample = delayed[place]
    delayed[place] = u
    frame = frame &+ 1
    rest = u.bitPattern == 0 ? rest &+ 1 : 0
    return sample
  }

  /// Whether it is as at its beginning but for the frame: all delayed samples zero, all gains and requests 1.
  var isAtRest: Bool { @_noLocks @_noAllocation get { rest >= 9 } }

  /// Passes frames of silence while at rest: what `next` would leave behind. A request of 1 in the queue is as good as none,
  /// as the next one takes its place whatever it is.
  @_noLocks @_noAllocation
  mutating func pass(frames: Int) { frame = frame &+ Int64(frames) }

  @_noLocks @_noAllocation
  private mutating func push(_ request: Double, kind: UInt8) {
    while count > 0, requests[(head &+ count &- 1) & 127] >= request { count = count &- 1 }
    let place = (head &+ count) & 127
    requests[place] = request
    kinds[place] = kind
    frames[place] = frame
    count = count &+ 1
    if frames[head & 127] <= frame &- Int64(PeakLimiter.window) {
      head = head &+ 1
      count = count &- 1
    }
  }
}

/// Bends what is above a knee towards the ceiling, without a delay: k + (c − k)·t/(1 + t), t = (|u| − k)/(c − k).
struct SoftCeiling {
  private let knee: Double
  private let room: Double

  /// Control side. The knee of the usual ceiling, 0.98, is 0.8.
  init(ceiling: Double) {
    knee = ceiling * 40 / 49
    room = ceiling - knee
  }

  @_noLocks @_noAllocation
  func bent(_ u: Double) -> (sample: Double, kind: UInt8) {
    let size = u < 0 ? -u : u
    if size <= knee { return (u, 0) }
    let t = (size - knee) / room
    let bent = knee + room * (t / (1 + t))
    return (u < 0 ? -bent : bent, bent < size * 0.999 ? LimitKinds.peak : 0)
  }
}

/// Estimates where an actuator's mass is, and asks for less where that is too far.
struct ExcursionLimiter {
  private let limit: Double
  private let recovery: Double
  private var displacement: Biquad
  // The gain that is held where no look-ahead limiter takes the request.
  private var held = 1.0

  /// Control side. The excursion of the rated level is that of its sine at resonance.
  init(_ excursion: ActuatorProtection.Excursion, ratedSquare: Double) {
    displacement = Biquad(displacementOf: Quadratic(hertz: excursion.resonanceHz, q: excursion.q))
    let peak = VouchedMath.squareRoot(2 * ratedSquare)
    limit = excursion.ratio * peak * (excursion.q > 1 ? excursion.q : 1)
    recovery = 1 - CoreMath.exp(-1 / (Double(RenderRate.framesPerSecond) * 0.08))
  }

  /// The gain that a sample's excursion asks for, 0…1.
  @_noLocks @_noAllocation
  mutating func request(_ u: Double) -> Double {
    let x = displacement.next(u)
    let size = x < 0 ? -x : x
    return size > limit ? limit / size : 1
  }

  /// The same, held: at once where it falls, back in 80 ms.
  @_noLocks @_noAllocation
  mutating func gain(_ u: Double) -> Double {
    let asked = request(u)
    held = asked < held ? asked : held + (asked - held) * recovery
    if asked == 1, held > 1 - 1e-9 { held = 1 }
    return held
  }

  @_noLocks @_noAllocation
  mutating func clear() { displacement.clear() }

  @_noLocks @_noAllocation
  mutating func settle() { displacement.settle() }

  /// Whether it gives ones for zeros.
  var isClear: Bool { @_noLocks @_noAllocation get { displacement.isClear && held == 1 } }
}
