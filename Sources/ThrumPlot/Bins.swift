import Glibc

/// Values counted in bins of equal width.
struct Bins: Equatable {
  /// The lower edge of the first bin.
  var start: Double
  /// The width of a bin: 1, 2 or 5 times a power of ten.
  var width: Double
  /// Places after the point that the edges need.
  var places: Int
  /// How many values fell into each bin; a value on an edge counts in the bin above it.
  var counts: [Int]

  /// Counts the finite ones of the values; nil where there are none.
  /// - Parameters:
  ///   - most: About how many bins are wanted; there are at most two more.
  ///   - least: The least width of a bin, 1 for values that are whole.
  init?(_ values: [Double], most: Int, leastWidth least: Double = 0) {
    let finite = values.filter(\.isFinite)
    guard let low = finite.min(), let high = finite.max() else { return nil }
    let span = high - low
    let wanted = span > 0 ? span / Double(max(most, 1)) : low.magnitude / 10
    let isWhole = finite.allSatisfy { $0 == $0.rounded() }
    let step = Ticks.niceStep(atLeast: max(wanted, least, isWhole ? 1 : 0))
    width = step.step
    places = step.places
    start = (low / width).rounded(.down) * width
    let count = min(max(((high - start) / width).rounded(.down) + 1, 1), Double(max(most, 1) + 2))
    counts = [Int](repeating: 0, count: Int(count))
    for value in finite {
      let bin = ((value - start) / width).rounded(.down)
      counts[Int(min(max(bin, 0), count - 1))] += 1
    }
  }

  /// The upper edge of the last bin.
  var end: Double { start + width * Double(counts.count) }

  /// What a bin is called: its value where a bin is one whole number, else its edges.
  func label(of bin: Int) -> String {
    let low = start + width * Double(bin)
    let lower = decimal(low, places: places, typographic: true)
    if width == 1 { return lower }
    return lower + "\u{2013}" + decimal(low + width, places: places, typographic: true)
  }
}

/// The value that a share of sorted values does not exceed (the nearest rank), nil where there are none.
func percentile(_ share: Double, ofSorted values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let rank = (share * Double(values.count)).rounded(.up)
  return values[min(max(Int(rank) - 1, 0), values.count - 1)]
}
