/// Elementary functions from polynomials of our own, so that a render has the same bits whatever C library the machine has.
enum CoreMath {
  /// 1.5·2⁵². Adding it to a number below 2⁵¹ in size leaves the nearest integer in the low bits of the sum.
  @_noLocks @_noAllocation
  static func roundingConstant() -> Double { 6_755_399_441_055_744 }

  /// 2 to the power x, to within two units in the last place, for x in −1000…1000.
  ///
  /// x = k + f with |f| ≤ ½; 2ᶠ by the Taylor series of e^(f·ln 2), whose first term left out is below 5e-18.
  @_noLocks @_noAllocation
  static func exp2(_ x: Double) -> Double {
    let shifted = x + roundingConstant()
    let y = (x - (shifted - roundingConstant())) * 0.6931471805599453
    var sum = 1.0 / 6_227_020_800
    sum = sum * y + 1.0 / 479_001_600
    sum = sum * y + 1.0 / 39_916_800
    sum = sum * y + 1.0 / 3_628_800
    sum = sum * y + 1.0 / 362_880
    sum = sum * y + 1.0 / 40320
    sum = sum * y + 1.0 / 5040
    sum = sum * y + 1.0 / 720
    sum = sum * y + 1.0 / 120
    sum = sum * y + 1.0 / 24
    sum = sum * y + 1.0 / 6
    sum = sum * y + 0.5
    sum = sum * y + 1
    sum = sum * y + 1
    return sum * powerOfTwo(shifted)
  }

  /// Eight powers of two to a relative 4e-11, for x in −1000…1000: degree 7 on half an octave to each side (signal model,
  /// 11.4).
  @_noLocks @_noAllocation
  @inline(__always)
  static func quickExp2(_ x: SIMD8<Double>) -> SIMD8<Double> {
    let shifted = x + roundingConstant()
    let f = x - (shifted - roundingConstant())
    var sum = f * 1.520192177470499e-05 + 0.00015469291131460627
    sum = sum * f + 0.0013333922562772937
    sum = sum * f + 0.009618027253701391
    sum = sum * f + 0.05550410353448695
    sum = sum * f + 0.24022651198157366
    sum = sum * f + 0.6931471807284472
    sum = sum * f + 0.9999999999616819
    return sum * powerOfTwo(shifted)
  }

  /// 2ᵏ for the integer k in the low bits of a sum with `roundingConstant`: k moves into the exponent of 1.
  @_noLocks @_noAllocation
  static func powerOfTwo(_ shifted: Double) -> Double {
    Double(bitPattern: 0x3FF0_0000_0000_0000 &+ (shifted.bitPattern &<< 52))
  }

  /// Eight powers of two at once.
  @_noLocks @_noAllocation
  static func powerOfTwo(_ shifted: SIMD8<Double>) -> SIMD8<Double> {
    let bits = unsafeBitCast(shifted, to: SIMD8<UInt64>.self)
    return unsafeBitCast((bits &<< 52) &+ 0x3FF0_0000_0000_0000, to: SIMD8<Double>.self)
  }

  /// e to the power x, for |x| ≤ 600.
  @_noLocks @_noAllocation
  static func exp(_ x: Double) -> Double { exp2(x * 1.4426950408889634) }

  /// The natural logarithm of a normal, positive number, to within a few units in the last place.
  ///
  /// x = 2ᵏ·m with m in √½…√2; ln m = 2·artanh((m−1)/(m+1)), whose series' first term left out is below 1e-18.
  @_noLocks @_noAllocation
  static func log(_ x: Double) -> Double {
    var exponent = Int64((x.bitPattern &>> 52) & 0x7FF) &- 1023
    var m = Double(bitPattern: (x.bitPattern & 0xF_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000)
    if m > 1.4142135623730951 {
      m = m * 0.5
      exponent = exponent &+ 1
    }
    let t = (m - 1) / (m + 1)
    let z = t * t
    var sum = 1.0 / 21
    sum = sum * z + 1.0 / 19
    sum = sum * z + 1.0 / 17
    sum = sum * z + 1.0 / 15
    sum = sum * z + 1.0 / 13
    sum = sum * z + 1.0 / 11
    sum = sum * z + 1.0 / 9
    sum = sum * z + 1.0 / 7
    sum = sum * z + 1.0 / 5
    sum = sum * z + 1.0 / 3
    sum = sum * z + 1
    return 2 * t * sum + Double(exponent) * 0.6931471805599453
  }

  /// The sine of an angle in 0…0.5 rad, Taylor to x¹⁵ (first term left out below 1e-19, below 2e-13 at 1.3 rad).
  @_noLocks @_noAllocation
  static func smallSine(_ x: Double) -> Double {
    let z = x * x
    var sum = -1.0 / 1_307_674_368_000
    sum = sum * z + 1.0 / 6_227_020_800
    sum = sum * z - 1.0 / 39_916_800
    sum = sum * z + 1.0 / 362_880
    sum = sum * z - 1.0 / 5040
    sum = sum * z + 1.0 / 120
    sum = sum * z - 1.0 / 6
    return x + x * z * sum
  }

  /// The cosine of an angle in 0…0.5 rad, Taylor to x¹⁴ (first term left out below 4e-12 at 1.3 rad).
  @_noLocks @_noAllocation
  static func smallCosine(_ x: Double) -> Double {
    let z = x * x
    var sum = -1.0 / 87_178_291_200
    sum = sum * z + 1.0 / 479_001_600
    sum = sum * z - 1.0 / 3_628_800
    sum = sum * z + 1.0 / 40320
    sum = sum * z - 1.0 / 720
    sum = sum * z + 1.0 / 24
    sum = sum * z - 0.5
    return 1 + z * sum
  }

  /// The nearest integer, halves away from zero. The caller keeps |x| below 2⁵³.
  @_noLocks @_noAllocation
  static func roundedHalfAway(_ x: Double) -> Int64 {
    // Floor and fraction, not floor(x + ½): the sum would round 0.49999999999999994 up.
    let magnitude = x < 0 ? -x : x
    let whole = Int64(magnitude)
    let rounded = magnitude - Double(whole) >= 0.5 ? whole &+ 1 : whole
    return x < 0 ? -rounded : rounded
  }

  /// A value held within 0…1.
  @_noLocks @_noAllocation
  static func unitClamp(_ x: Double) -> Double { x < 0 ? 0 : (x > 1 ? 1 : x) }
}
