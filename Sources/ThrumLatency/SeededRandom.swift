/// Random numbers that a seed repeats (SplitMix64 of Steele, Lea and Flood, 2014).
///
/// Threads: any, one at a time. Real-time: yes.
public struct SeededRandom: Sendable {
  private var state: UInt64

  /// Begins the sequence of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The next number, 0 up to but not including 1.
  public mutating func unit() -> Double { Double(bits() >> 11) / 9_007_199_254_740_992 }

  /// The next whole number from 0 up to but not including a limit of 1 or more.
  public mutating func below(_ limit: Int) -> Int {
    // The high half of the product: without a division, and even to one part in 2⁶⁴ / limit.
    Int(bits().multipliedFullWidth(by: UInt64(limit)).high)
  }
}
