/// The sine oscillator: a 32-bit phase that wraps by itself, and an odd polynomial of degree 9 (signal model, 8).
enum Oscillator {
  /// The sines of eight phases; a whole turn is 2³². Error below 1e-7, THD+N about −145 dB.
  @_noLocks @_noAllocation
  @inline(__always)
  static func sine(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
    let turn = SIMD8<Int32>(truncatingIfNeeded: phase)
    // Beyond a quarter turn on either side the sine runs back: fold there, in integers, which is exact.
    let beyond = (turn &+ 0x4000_0000) &>> 31
    // −2³¹ − turn in the lanes where `beyond` is all ones, turn in the others.
    let folded = (turn ^ beyond) &- beyond &+ (beyond & SIMD8(repeating: Int32.min))
    let a = SIMD8<Float>(folded) * 0x1p-30
    let z = a * a
    var sum = z * 0.000150820563159 + -0.00467222792046
    sum = sum * z + 0.0796884805385
    sum = sum * z + -0.645963359865
    sum = sum * z + 1.57079629002
    return sum * a
  }
}

/// How sharpness becomes the oscillator's step on one bus: f = fmin·(fmax/fmin)^s (signal model, 1).
///
/// The power of a sum is taken as a product: a voice's own ratio is computed once, its player's control ratio once a frame
/// for all voices, and clamping the product is clamping the sum.
///
/// Tones of a resonant bus have no frequency of their own: their oscillators stand still at the crest, and the ratio is Vₑ =
/// V^min(1, 2s), the overdrive that their sharpness asks for.
struct FrequencyMap {
  /// Oscillator steps of the frequency at sharpness 0; a whole turn is 2³².
  let minimumStep: Double
  /// log₂(fmax/fmin).
  private let octaves: Double
  /// fmax/fmin.
  let largestRatio: Double
  /// Hz at sharpness 0.
  let minimumHz: Double
  /// θ of a tone that takes it from no other.
  let initialPhase: UInt32

  /// Reads the range of a profile. Control side; the logarithm comes from our own series.
  init(_ profile: BusProfile, octavesAbove above: Int = 0) {
    if case .resonant(_, _, let headroom, let overdrives, _) = profile.drive {
      largestRatio = overdrives ? headroom : 1
      octaves = 2 * CoreMath.log(largestRatio) * 1.4426950408889634
      minimumHz = 0
      minimumStep = 0
      initialPhase = 0x4000_0000
      return
    }
    minimumHz = profile.minimumHz * Double(1 << (profile.drive.octaves + above))
    minimumStep = minimumHz * 4_294_967_296 / Double(RenderRate.framesPerSecond)
    octaves = CoreMath.log(profile.maximumHz / profile.minimumHz) * 1.4426950408889634
    largestRatio = profile.maximumHz / profile.minimumHz
    initialPhase = 0
  }

  /// Whether oscillators stand still.
  var isStill: Bool { @_noLocks @_noAllocation get { minimumStep == 0 } }

  /// (fmax/fmin)^s for eight sharpnesses or sharpness controls, −2…2.
  @_noLocks @_noAllocation
  @inline(__always)
  func ratios(_ sharpness: SIMD8<Double>) -> SIMD8<Double> { CoreMath.quickExp2(sharpness * octaves) }

  /// The same for one; the same bits as a lane of `ratios`.
  @_noLocks @_noAllocation
  func ratio(_ sharpness: Double) -> Double { ratios(SIMD8(repeating: sharpness))[0] }

  /// f/fmin of eight ratios, held within the range.
  @_noLocks @_noAllocation
  @inline(__always)
  func clamped(_ ratios: SIMD8<Double>) -> SIMD8<Double> {
    // Selected, not computed: a ratio within the range keeps its bits.
    let low = SIMD8<Double>(repeating: 1)
    let high = SIMD8<Double>(repeating: largestRatio)
    let raised = Lanes.select(Lanes.signMask(ratios - low), low, ratios)
    return Lanes.select(Lanes.signMask(high - raised), high, raised)
  }

  /// The phase step of each frame, 2³² a turn, for eight ratios.
  @_noLocks @_noAllocation
  @inline(__always)
  func steps(_ ratios: SIMD8<Double>) -> SIMD8<UInt32> {
    // Adding 2⁵² leaves the nearest integer in the low bits.
    let rounded = clamped(ratios) * minimumStep + 4_503_599_627_370_496
    return SIMD8<UInt32>(truncatingIfNeeded: unsafeBitCast(rounded, to: SIMD8<UInt64>.self))
  }

  /// The phase step for one ratio; the same bits as a lane of `steps`.
  @_noLocks @_noAllocation
  func step(_ ratio: Double) -> UInt32 {
    let rounded = clamped(ratio) * minimumStep + 4_503_599_627_370_496
    return UInt32(truncatingIfNeeded: rounded.bitPattern)
  }

  /// Hz for one ratio.
  @_noLocks @_noAllocation
  func hertz(_ ratio: Double) -> Double { minimumHz * clamped(ratio) }

  /// f/fmin of one ratio; the same bits as a lane of the eight.
  @_noLocks @_noAllocation
  @inline(__always)
  func clamped(_ ratio: Double) -> Double {
    let raised = ratio < 1 ? 1 : ratio
    return raised > largestRatio ? largestRatio : raised
  }
}
