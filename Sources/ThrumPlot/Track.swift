/// A value over time, straight between points; two points at one time are a step.
public struct Track: Sendable, Equatable {
  /// A point of the track.
  public struct Breakpoint: Sendable, Equatable {
    /// Seconds.
    public var time: Double
    /// The value there.
    public var value: Double

    /// Creates a point.
    public init(time: Double, value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// The points in order of time; those that are not finite have been left out.
  public let points: [Breakpoint]
  /// The value before the first point, and everywhere where there is none.
  public let initialValue: Double

  /// Creates a track.
  /// - Parameters:
  ///   - points: In any order; of equal times the order is kept.
  ///   - initialValue: The value before the first point: 1 for a control that multiplies, 0 for one that adds.
  public init(points: [Breakpoint], initialValue: Double) {
    let finite = points.filter { $0.time.isFinite && $0.value.isFinite }
    let isSorted = zip(finite, finite.dropFirst()).allSatisfy { $0.time <= $1.time }
    // The position breaks ties, so that a step keeps its direction.
    self.points =
      isSorted
      ? finite
      : finite.enumerated()
        .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        .map(\.element)
    self.initialValue = initialValue
  }

  /// Creates a track from values at even distances.
  /// - Parameters:
  ///   - values: The values.
  ///   - interval: Seconds between them.
  ///   - initialValue: The value before the first, which is at time 0.
  public init(values: [Float], interval: Double, initialValue: Double) {
    self.init(
      points: values.enumerated().map {
        Breakpoint(time: Double($0.offset) * interval, value: Double($0.element))
      },
      initialValue: initialValue)
  }

  /// The value at a time; at a step the later one.
  public func value(at time: Double) -> Double {
    let after = firstIndex(after: time)
    guard after > 0 else { return initialValue }
    let before = points[after - 1]
    guard after < points.count else { return before.value }
    let next = points[after]
    let span = next.time - before.time
    return span > 0 ? before.value + (next.value - before.value) * (time - before.time) / span : next.value
  }

  /// The points of the line between two times, its ends included: all of them, or, where there are more than a limit,
  /// the extremes of as many stretches.
  func line(from start: Double, to end: Double, limit: Int) -> [Breakpoint] {
    guard start < end else { return [] }
    let first = firstIndex(after: start)
    let last = firstIndex(after: end)
    var result = [Breakpoint(time: start, value: value(at: start))]
    if first == 0, last > 0 {
      // The initial value holds up to the first point.
      result.append(Breakpoint(time: points[0].time, value: initialValue))
    }
    if last - first <= limit {
      result += points[first..<last]
    } else {
      let stretches = max(limit / 2, 1)
      for stretch in 0..<stretches {
        let from = first + stretch * (last - first) / stretches
        let through = first + (stretch + 1) * (last - first) / stretches
        let part = points[from..<through]
        guard let low = part.min(by: { $0.value < $1.value }),
          let high = part.max(by: { $0.value < $1.value })
        else { continue }
        result += low.time <= high.time ? [low, high] : [high, low]
      }
    }
    result.append(Breakpoint(time: end, value: value(at: end)))
    return result
  }

  /// The position of the first point later than a time.
  private func firstIndex(after time: Double) -> Int {
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
