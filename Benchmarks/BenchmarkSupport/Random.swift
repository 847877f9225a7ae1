/// Numbers that look random and are the same in every run.
public struct Random {
  private var state: UInt64

  /// Begins a sequence.
  public init(seed: UInt64) { state = seed }

  /// The next number of 0 ..< 1.
  public mutating func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}
