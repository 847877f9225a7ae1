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

  /// Whether nothing is left in it: it gives zeros for zeros.
  var isClear: Bool { @_noLocks @_noAllocation get { s1 == 0 && s2 == 0 } }

  /// Zeroes states too small to matter, once a quantum.
  @_noLocks @_noAllocation
  mutating func settle() {
    if (s1 < 0 ? -s1 : s1) < 1e-20 { s1 = 0 }
    if (s2 < 0 ? -s2 : s2) < 1e-20 { s2 = 0 }
  }
}
