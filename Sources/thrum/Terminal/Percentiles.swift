/// Order statistics of a set of values.
struct Percentiles {
  /// The values in ascending order.
  let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  /// The smallest value that so many per cent of all values do not pass (nearest rank); 0 where there are none.
  func value(atPercent percent: Double) -> Double {
    if sorted.isEmpty { return 0 }
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// The percentiles a report gives, by name.
  static let reported: [(name: String, percent: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("max", 100),
  ]
}
