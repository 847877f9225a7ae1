/// The smallest and the largest value of a stretch of a signal.
public struct Extremes: Sendable, Equatable {
  /// The smallest.
  public var low: Float
  /// The largest.
  public var high: Float

  /// Creates a pair.
  public init(low: Float, high: Float) {
    self.low = low
    self.high = high
  }

  /// The extremes of each of a number of columns of equal width, so that no peak is lost however many samples
  /// there are; nil for a column without a finite sample.
  /// - Parameters:
  ///   - samples: The signal; samples that are not finite are left out.
  ///   - columns: How many columns, 0 or more. Where there are fewer samples than columns, some columns are empty.
  public static func columns(of samples: [Float], count columns: Int) -> [Extremes?] {
    guard columns > 0 else { return [] }
    var result = [Extremes?](repeating: nil, count: columns)
    samples.withUnsafeBufferPointer { buffer in
      for column in 0..<columns {
        let first = column * buffer.count / columns
        let end = (column + 1) * buffer.count / columns
        var low = Float.infinity
        var high = -Float.infinity
        for index in first..<end where buffer[index].isFinite {
          low = min(low, buffer[index])
          high = max(high, buffer[index])
        }
        if low <= high { result[column] = Extremes(low: low, high: high) }
      }
    }
    return result
  }
}

/// The outline of a signal: the tips of its oscillations, to be joined by straight lines.
/// - Parameters:
///   - samples: The signal; samples that are not finite count as silence.
///   - reach: How many samples apart two tips are at least; of closer ones the higher stands.
///   - limit: The most tips wanted; of more, the highest of each of as many equal stretches stands.
/// - Returns: Positions in rising order, and magnitudes. The first and the last sample are always among them.
func outline(of samples: [Float], reach: Int, limit: Int) -> [(position: Int, magnitude: Float)] {
  guard let first = samples.first, let last = samples.last else { return [] }
  func finite(_ sample: Float) -> Float { sample.isFinite ? sample.magnitude : 0 }
  var tips: [(position: Int, magnitude: Float)] = [(0, finite(first))]
  samples.withUnsafeBufferPointer { buffer in
    for index in 1..<max(buffer.count - 1, 1) {
      let magnitude = finite(buffer[index])
      let isTip = magnitude > finite(buffer[index - 1]) && magnitude >= finite(buffer[index + 1])
      guard isTip else { continue }
      while tips.count > 1, let tip = tips.last, index - tip.position < reach, tip.magnitude < magnitude {
        tips.removeLast()
      }
      if let tip = tips.last, tips.count > 1, index - tip.position < reach { continue }
      // Across a silence the line lies on the ground; it does not climb to the next event from afar.
      if let tip = tips.last, index - tip.position > 4 * reach {
        let foot = index - reach
        tips.append((tip.position + reach, finite(buffer[tip.position + reach])))
        tips.append((foot, finite(buffer[foot])))
      }
      tips.append((index, magnitude))
    }
  }
  if samples.count > 1 { tips.append((samples.count - 1, finite(last))) }
  return thinned(tips, limit: limit, length: samples.count)
}

private func thinned(
  _ tips: [(position: Int, magnitude: Float)], limit: Int, length: Int
) -> [(position: Int, magnitude: Float)] {
  guard tips.count > limit, limit > 0 else { return tips }
  var result: [(position: Int, magnitude: Float)] = []
  var stretch = -1
  for tip in tips {
    let own = tip.position * limit / length
    if own != stretch {
      result.append(tip)
      stretch = own
    } else if let kept = result.last, tip.magnitude > kept.magnitude {
      result[result.count - 1] = tip
    }
  }
  return result
}
