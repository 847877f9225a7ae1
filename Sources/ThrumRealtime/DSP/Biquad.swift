/// A polynomial in z of the second degree that stands for s² + s·ω/q + ω², by the bilinear transform whose tangent is exact
/// at ω; divided by K² with K = cot(ω/2fs), so that its size at half the rate does not depend on ω (signal model, 5).
struct Quadratic {
  let c0: Double
  let c1: Double
  let c2: Double
  /// 1/K²: what ω² alone comes to, times 1, 2, 1.
  let square: Double

  /// Control side; sine and cosine are our own.
  init(hertz: Double, q: Double) {
    let half = Double.pi * hertz / Double(RenderRate.framesPerSecond)
    let k = CoreMath.smallCosine(half) / CoreMath.smallSine(half)
    square = 1 / (k * k)
    c0 = (k * k + k / q + 1) * square
    c1 = (2 - 2 * k * k) * square
    c2 = (k * k - k / q + 1) * square
  }
}

/// A second-order section in transposed direct form II.
struct Biquad {
  private let b0: Double
  private let b1: Double
  private let b2: Double
  private let a1: Double
  private let a2: Double
  private var s1 = 0.0
  private var s2 = 0.0

  /// (s² + sω/Q + ω²) / (s² + sωp/Qp + ωp²), times a gain: takes one resonance away and puts another in its place. Control
  /// side.
  init(resonance: Quadratic, target: Quadratic, gain: Double) {
    let norm = 1 / target.c0
    b0 = gain * resonance.c0 * norm
    b1 = gain * resonance.c1 * norm
    b2 = gain * resonance.c2 * norm
    a1 = target.c1 * norm
    a2 = target.c2 * norm
  }

  /// ω² / (s² + sω/Q + ω²): what a voltage moves, in units of what it moves at rest. Control side.
  init(displacementOf resonance: Quadratic) {
    let norm = 1 / resonance.c0
    b0 = resonance.square * norm
    b1 = 2 * b0
    b2 = b0
    a1 = resonance.c1 * norm
    a2 = resonance.c2 * norm
  }

  /// A second-order Butterworth high-pass. Control side; the tangent is our own sine over cosine.
  init(highPassHz: Double) {
    let half = Double.pi * highPassHz / Double(RenderRate.framesPerSecond)
    let k = CoreMath.smallSine(half) / CoreMath.smallCosine(half)
    let norm = 1 / (1 + 1.4142135623730951 * k + k * k)
    b0 = norm
    b1 = -2 * norm
    b2 = norm
    a1 = 2 * (k * k - 1) * norm
    a2 = (1 - 1.4142135623730951 * k + k * k) * norm
  }

  @_noLocks @_noAllocation
  mutating func next(_ x: Double) -> Double {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }

  /// Frames in which it falls by 120 dB: n with |pole|ⁿ = 10⁻⁶ for the slower pole. Control side.
  var ringFrames: Int64 {
    let discriminant = a1 * a1 - 4 * a2
    let pole =
      discriminant < 0
      ? VouchedMath.squareRoot(a2) : 0.5 * (a1.magnitude + VouchedMath.squareRoot(discriminant))
    return Int64(13.815510557964274 / -CoreMath.log(pole)) + 1  // 6·ln 10
  }

  /// Ends its ringing.
  @_noLocks @_noAllocation
  mutating func clear() {
    s1 = 0
    s2 = 0
  }

  /// Whether nothing is left in it: it gives zeros for zeros.
  var isClear: Bool { @_noLocks @_noAllocation get { s1 == 0 && s2 == 0 } }

  /// Zeroes states too small to matter, once a quantum.
  @_noLocks @_noAllocation
  mutating func settle() {
    if (s1 < 0 ? -s1 : s1) < 1e-20 { s1 = 0 }
    if (s2 < 0 ? -s2 : s2) < 1e-20 { s2 = 0 }
  }
}
