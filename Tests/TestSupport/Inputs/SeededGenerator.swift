/// Random numbers that are the same for the same seed on every machine (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts the sequence of a seed; name the seed in the message of a test that fails.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number of a half-open range, evenly distributed.
  public mutating func number(in range: Range<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / 9_007_199_254_740_992
  }

  /// True with a probability.
  public mutating func chance(_ probability: Double) -> Bool { number(in: 0..<1) < probability }

  /// A whole number of a closed range.
  public mutating func whole(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// One of some choices.
  public mutating func one<Choice>(of choices: [Choice]) -> Choice {
    choices[whole(in: 0...(choices.count - 1))]
  }
}
