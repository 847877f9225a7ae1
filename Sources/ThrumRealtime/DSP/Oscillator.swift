/// The sine oscillator: a 32-bit phase that wraps by itself, and an odd polynomial of degree 9 (signal model, 8).
enum Oscillator {
  /// The sines of eight phases; a whole turn is 2³². Error below 1e-7, THD+N about −145 dB.
  @_noLocks @_noAllocation
  @inline(__always)
  static func sine(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
    let turn = SIMD8<Int32>(truncatingIfNeeded: phase)
    // Beyond a quarter turn on either side the sine runs back: fold there, in integers, which is exact.
    let isFolded = (turn &+ 0x4000_0000) .< 0
    let folded = turn.replacing(with: SIMD8(repeating: Int32.min) &- turn, where: isFolded)
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
struct FrequencyMap {
  /// Oscillator steps of the frequency at sharpness 0.
  let minimumStep: Double
  /// log₂(fmax/fmin).
  let octaves: Double
  /// Hz at sharpness 0.
  let minimumHz: Double

  /// Reads the range of a profile. Control side; the logarithm comes from our own series.
  init(_ profile: BusProfile) {
    minimumHz = profile.minimumHz
    minimumStep = profile.minimumHz * 4_294_967_296 / Double(RenderRate.framesPerSecond)
    octaves = CoreMath.log(profile.maximumHz / profile.minimumHz) * 1.4426950408889634
  }

  /// The phase step of each frame, 2³² a turn, for eight sharpnesses in 0…1.
  @_noLocks @_noAllocation
  func steps(_ sharpness: SIMD8<Double>) -> SIMD8<UInt32> {
    // The sum's low bits hold the rounded step (below 2³²).
    let rounded = ratio(sharpness) * minimumStep + 4_503_599_627_370_496
    return SIMD8<UInt32>(truncatingIfNeeded: unsafeBitCast(rounded, to: SIMD8<UInt64>.self))
  }

  /// The phase step at one sharpness in 0…1; the same bits as a lane of `steps`.
  @_noLocks @_noAllocation
  func step(_ sharpness: Double) -> UInt32 { steps(SIMD8(repeating: sharpness))[0] }

  /// f/fmin. A degree-7 polynomial on half an octave to each side, relative error 4e-11 (signal model, 11.4).
  @_noLocks @_noAllocation
  func ratio(_ sharpness: SIMD8<Double>) -> SIMD8<Double> {
    let x = sharpness * octaves
    let shifted = x + CoreMath.roundingConstant()
    let f = x - (shifted - CoreMath.roundingConstant())
    var sum = f * 1.520192177470499e-05 + 0.00015469291131460627
    sum = sum * f + 0.0013333922562772937
    sum = sum * f + 0.009618027253701391
    sum = sum * f + 0.05550410353448695
    sum = sum * f + 0.24022651198157366
    sum = sum * f + 0.6931471807284472
    sum = sum * f + 0.9999999999616819
    return sum * CoreMath.powerOfTwo(shifted)
  }
}
