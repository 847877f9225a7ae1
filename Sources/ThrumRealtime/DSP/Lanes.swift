/// Choices between lanes without comparisons: the standard library's compare lane by lane, these compile to a few vector
/// operations.
enum Lanes {
  /// All ones in the lanes that are negative (−0 included), all zeros elsewhere.
  @_noLocks @_noAllocation
  @inline(__always)
  static func signMask(_ x: SIMD8<Double>) -> SIMD8<Int64> { unsafeBitCast(x, to: SIMD8<Int64>.self) &>> 63 }

  /// `first` where the mask is all ones, `second` where it is zero.
  @_noLocks @_noAllocation
  @inline(__always)
  static func select(_ mask: SIMD8<Int64>, _ first: SIMD8<Double>, _ second: SIMD8<Double>) -> SIMD8<Double> {
    let a = unsafeBitCast(first, to: SIMD8<Int64>.self)
    let b = unsafeBitCast(second, to: SIMD8<Int64>.self)
    return unsafeBitCast((a & mask) | (b & ~mask), to: SIMD8<Double>.self)
  }

  /// Each lane held within 0…`upper`.
  @_noLocks @_noAllocation
  @inline(__always)
  static func clamp(_ x: SIMD8<Double>, to upper: Double) -> SIMD8<Double> {
    let positive = select(signMask(x), SIMD8(repeating: 0), x)
    let bound = SIMD8<Double>(repeating: upper)
    return select(signMask(bound - positive), bound, positive)
  }

  /// first, first + 1, … first + 7.
  @_noLocks @_noAllocation
  @inline(__always)
  static func counting(from first: Int64) -> SIMD8<Double> {
    SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7) + Double(first)
  }
}
