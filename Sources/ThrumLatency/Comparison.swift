import Glibc

/// How two runs differ.
///
/// The interval of the difference of medians is a bootstrap's (Efron 1979), of blocks of neighbouring trials rather than of
/// single ones (Künsch 1989), because a trial resembles those before it: each run is drawn anew from its own blocks, of ∛n
/// trials each, 2,000 times, and the interval is from the 2.5th to the 97.5th percentile of the differences.
///
/// Threads: any. Real-time: no.
public struct Comparison: Sendable, Equatable {
  /// What can be told.
  public enum Verdict: String, Sendable {
    /// The first run took less time.
    case firstIsFaster = "first is faster"
    /// The second run took less time.
    case secondIsFaster = "second is faster"
    /// The interval holds 0, or the difference is smaller than what the clocks can tell.
    case undecided = "no difference can be told"
  }

  /// The median of the second run less that of the first.
  public var difference: Double
  /// Where the difference lies in 95 of 100 cases.
  public var interval: ClosedRange<Double>
  /// What can be told.
  public var verdict: Verdict

  /// How often the runs were drawn anew: 2,000 times, of more than 10,000 trials in all fewer, 200 at least.
  public var resamples: Int
  /// The fewest values of a run for a comparison.
  public static let leastCount = 20

  /// Compares two runs; nil where one has fewer than ``leastCount`` values.
  /// - Parameters:
  ///   - first: Values in the order in which they were measured.
  ///   - second: The same, in the same unit.
  ///   - resolution: The smallest difference that the clocks can tell, such as a frame.
  ///   - seed: Of the bootstrap.
  public init?(_ first: [Double], _ second: [Double], resolution: Double = 0, seed: UInt64 = 1) {
    guard first.count >= Self.leastCount, second.count >= Self.leastCount else { return nil }
    difference = Percentiles(second).median - Percentiles(first).median
    var random = SeededRandom(seed: seed)
    var (one, other) = (Resampler(first), Resampler(second))
    resamples = min(2000, max(200, 20_000_000 / (first.count + second.count)))
    let differences = (0..<resamples).map { _ in
      -one.median(&random) + other.median(&random)
    }
    let percentiles = Percentiles(differences)
    interval = percentiles.value(atPercent: 2.5)...percentiles.value(atPercent: 97.5)
    let isTold = !interval.contains(0) && abs(difference) >= resolution
    verdict = !isTold ? .undecided : difference < 0 ? .secondIsFaster : .firstIsFaster
  }
}

/// Draws a run anew from its blocks, and gives the median.
private struct Resampler {
  private let sorted: [Double]
  /// The place of each trial among the sorted values.
  private let ranks: [Int]
  private let block: Int
  private var counts: [Int]

  init(_ values: [Double]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    sorted = order.map { values[$0] }
    var ranks = [Int](repeating: 0, count: values.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    self.ranks = ranks
    block = max(1, Int(cbrt(Double(values.count)).rounded()))
    counts = [Int](repeating: 0, count: values.count)
  }

  mutating func median(_ random: inout SeededRandom) -> Double {
    let total = ranks.count
    for index in counts.indices { counts[index] = 0 }
    var drawn = 0
    while drawn < total {
      let start = random.below(total)
      // Blocks run on from the end at the beginning, so that no trial is drawn less often than another.
      for offset in 0..<min(block, total - drawn) { counts[ranks[(start + offset) % total]] += 1 }
      drawn += block
    }
    var (seen, lower) = (0, 0.0)
    let (first, second) = ((total - 1) / 2, total / 2)
    var isLowerKnown = false
    for (rank, count) in counts.enumerated() where count > 0 {
      seen += count
      if !isLowerKnown && seen > first {
        lower = sorted[rank]
        isLowerKnown = true
      }
      if seen > second { return (lower + sorted[rank]) / 2 }
    }
    return lower
  }
}
