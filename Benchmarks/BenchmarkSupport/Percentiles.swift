/// Order statistics of a set of measurements, in their unit.
public struct Percentiles {
  /// The measurements in ascending order.
  public let sorted: [Double]

  /// Sorts measurements.
  public init(_ values: [Double]) { sorted = values.sorted() }

  /// The smallest value that so many per cent of all do not pass (nearest rank); 0 where there are none.
  public subscript(percent: Double) -> Double {
    if sorted.isEmpty { return 0 }
    // The margin: 99.9 is not a binary fraction, and its share of 1,000 would come out above 999.
    let rank = Int((percent / 100 * Double(sorted.count) - 1e-9).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// How many there are.
  public var count: Int { sorted.count }

  /// The half of them.
  public var median: Double { self[50] }

  /// The reported ones by name. One that needs more measurements than there are is left out: 1,000 for p99.9.
  public func named(digits: Int) -> [(name: String, text: String)] {
    var result: [(String, String)] = []
    for (name, percent, least) in [
      ("p50", 50.0, 1), ("p90", 90, 10), ("p99", 99, 100), ("p99.9", 99.9, 1000),
    ] {
      result.append((name, count >= least ? fixed(self[percent], digits) : "–"))
    }
    result.append(("max", fixed(self[100], digits)))
    result.append(("n", String(count)))
    return result
  }

  /// All of that on one line.
  public func line(digits: Int = 3) -> String {
    named(digits: digits).map { "\($0.name) \($0.text)" }.joined(separator: "  ")
  }
}

/// The slope of a line through the logarithms of both coordinates: 1 where cost grows as the count does, 0 where it does
/// not grow.
/// - Parameter points: Counts and costs, all above 0; at least two of them.
public func logLogSlope(_ points: [(count: Double, cost: Double)]) -> Double {
  let places = points.map { (x: logarithm($0.count), y: logarithm($0.cost)) }
  let meanX = places.reduce(0) { $0 + $1.x } / Double(places.count)
  let meanY = places.reduce(0) { $0 + $1.y } / Double(places.count)
  let spread = places.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
  return places.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
}
