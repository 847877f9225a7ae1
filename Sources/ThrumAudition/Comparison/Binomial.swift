/// The binomial distribution by sums and products alone, so that its figures are the same everywhere.
enum Binomial {
  /// The probability of as many hits or more by tossing a coin, rounded once.
  /// - Precondition: `trials` is within `BlindComparison.trialLimits` or 0.
  static func upperTail(trials: Int, hits: Int) -> Double {
    guard hits > 0 else { return 1 }
    guard hits <= trials else { return 0 }
    // 2^100 is the sum of all, so neither the sum nor a term times a factor of at most 100 leaves 128 bits.
    var ways: UInt128 = 0
    var term: UInt128 = 1
    for number in 0...trials {
      if number >= hits { ways += term }
      term = term * UInt128(trials - number) / UInt128(number + 1)
    }
    return Double(ways) / Double(UInt128(1) << UInt128(trials))
  }

  /// The exact interval of 95 % for the share behind a number of hits.
  static func interval(trials: Int, hits: Int) -> ClosedRange<Double> {
    guard trials > 0 else { return 0...1 }
    let lower = hits == 0 ? 0 : share { tail(trials, hits, $0) < 0.025 }
    let upper = hits == trials ? 1 : share { 1 - tail(trials, hits + 1, $0) > 0.025 }
    return lower...max(lower, upper)
  }

  /// The share up to which a condition holds, by halving.
  private static func share(where holds: (Double) -> Bool) -> Double {
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The probability of as many hits or more where each comes with a probability.
  private static func tail(_ trials: Int, _ hits: Int, _ probability: Double) -> Double {
    // The distribution of one trial more from that of one less; no term is ever a difference.
    var shares = [1.0] + [Double](repeating: 0, count: trials)
    for trial in 1...trials {
      for number in stride(from: trial, to: 0, by: -1) {
        shares[number] = shares[number] * (1 - probability) + shares[number - 1] * probability
      }
      shares[0] *= 1 - probability
    }
    return shares[hits...].reduce(0, +)
  }
}
