import Glibc

/// Order statistics of a set of values, and what so many values can say.
///
/// Threads: any. Real-time: no.
public struct Percentiles: Sendable, Equatable {
  /// The values in ascending order.
  public let sorted: [Double]

  /// Sorts values.
  public init(_ values: [Double]) { sorted = values.sorted() }

  /// The smallest value that so many per cent of all values do not pass (nearest rank); 0 where there are none.
  public func value(atPercent percent: Double) -> Double {
    if sorted.isEmpty { return 0 }
    // 99.9 is not a binary fraction: without the margin its share of 1,000 values comes out above 999 and is the maximum.
    let rank = Int((percent / 100 * Double(sorted.count) - 1e-9).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// The middle value, or the mean of the middle two; 0 where there are none.
  public var median: Double {
    if sorted.isEmpty { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// How many values a percentile takes: one beyond it on average. With fewer it would be the maximum by another name.
  public static func leastCount(forPercent percent: Double) -> Int {
    percent >= 100 ? 1 : Int((100 / (100 - percent) - 1e-9).rounded(.up))
  }

  /// Whether there are as many values as a percentile takes.
  public func supports(percent: Double) -> Bool {
    sorted.count >= Percentiles.leastCount(forPercent: percent)
  }

  /// An interval that holds the percentile of what the values were drawn from in 95 of 100 cases or more, whatever the
  /// distribution; nil where there are too few values for one, and for the maximum.
  ///
  /// Between two order statistics, by the binomial distribution of the number of values below the percentile
  /// (David and Nagaraja, Order Statistics, 3rd edition, section 7.1). Values are taken to be independent.
  public func interval(atPercent percent: Double) -> ClosedRange<Double>? {
    let count = sorted.count
    guard count > 1, percent > 0, percent < 100 else { return nil }
    let share = percent / 100
    let (logShare, logRest) = (log(share), log(1 - share))
    var (cumulated, low, high) = (0.0, 0, count + 1)
    let logAll = logFactorial(count)
    for below in 0...count {
      let ways = logAll - logFactorial(below) - logFactorial(count - below)
      cumulated += exp(ways + Double(below) * logShare + Double(count - below) * logRest)
      // `low` values at most lie below the percentile in one of 40 cases; `high` or more in another.
      if cumulated <= 0.025 { low = below + 1 }
      if cumulated >= 0.975 {
        high = below + 1
        break
      }
    }
    guard low >= 1, high <= count else { return nil }
    return sorted[low - 1]...sorted[high - 1]
  }

  private func logFactorial(_ number: Int) -> Double {
    var sign: Int32 = 0
    return lgamma_r(Double(number) + 1, &sign)
  }

  /// The percentiles a report gives, by name.
  public static let reported: [(name: String, percent: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("max", 100),
  ]
}
