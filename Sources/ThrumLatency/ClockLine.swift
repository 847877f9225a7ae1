/// The straight line between two clocks, through pairs of what both told at one moment.
///
/// Fitted by least squares. Both clocks tell whole frames; asked at moments that have nothing to do with their frames, the parts
/// they leave out average to nothing, so that a thousand pairs place the line to a hundredth of a frame.
///
/// Threads: any, one at a time. Real-time: no.
public struct ClockLine: Sendable {
  private var pairs: [(x: Double, y: Double)] = []
  private var origin = 0.0

  /// Creates an empty line.
  public init() {}

  /// How many pairs there are.
  public var count: Int { pairs.count }

  /// Takes a pair.
  public mutating func add(_ x: Double, _ y: Double) {
    // Counted from the first pair: frames since the start of a machine leave few bits for fractions.
    if pairs.isEmpty { origin = x }
    pairs.append((x - origin, y))
  }

  /// The fitted line; nil with fewer than two pairs.
  ///
  /// Pairs further than four standard deviations from it, such as those between which the program was held up, are left out
  /// once.
  /// - Parameter isLevel: Whether both clocks are one, so that the line has no slope.
  public func fit(isLevel: Bool = false) -> Fit? {
    guard let first = Fit(pairs, origin: origin, isLevel: isLevel) else { return nil }
    let limit = 4 * max(first.deviation, 0.25)
    let kept = pairs.filter { abs($0.y - first.value(at: $0.x + origin)) <= limit }
    return Fit(kept, origin: origin, isLevel: isLevel) ?? first
  }

  /// A line through pairs.
  public struct Fit: Sendable, Equatable {
    private let meanX: Double
    private let meanY: Double
    private let slope: Double
    private let sumOfSquares: Double
    private let origin: Double
    private let count: Int
    /// The standard deviation of the pairs from the line.
    public let deviation: Double

    init?(_ pairs: [(x: Double, y: Double)], origin: Double, isLevel: Bool) {
      guard pairs.count >= 2 else { return nil }
      let count = Double(pairs.count)
      let meanX = pairs.reduce(0) { $0 + $1.x } / count
      let meanY = pairs.reduce(0) { $0 + $1.y } / count
      let square = isLevel ? 0 : pairs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
      let product = pairs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
      let slope = square > 0 ? product / square : 0
      let rest = pairs.reduce(0) { sum, pair in
        let miss = pair.y - meanY - slope * (pair.x - meanX)
        return sum + miss * miss
      }
      self.meanX = meanX
      self.meanY = meanY
      self.slope = slope
      self.origin = origin
      self.count = pairs.count
      sumOfSquares = square
      deviation = (rest / max(count - 2, 1)).squareRoot()
    }

    /// The line's value.
    public func value(at x: Double) -> Double { meanY + slope * (x - origin - meanX) }

    /// The standard error of the line there.
    public func standardError(at x: Double) -> Double {
      let distance = x - origin - meanX
      let far = sumOfSquares > 0 ? distance * distance / sumOfSquares : 0
      return deviation * (1 / Double(count) + far).squareRoot()
    }
  }
}
