/// What a render thread measured of itself since its start.
public struct OutputStatistics: Sendable, Equatable {
  /// How late the thread was woken, counted in classes: the first below 50 µs, each next one up to twice as much, the
  /// last without an end.
  public var wakeUps: [Int] = Array(repeating: 0, count: OutputStatistics.classes)
  /// The longest time that making one period took, seconds.
  public var worstRenderSeconds = 0.0
  /// The share of that in the time which a period lasts; 1 is all of it.
  public var worstRenderShare = 0.0
  /// The largest magnitude on each channel since the last reading, full scale being 1; up to 16 channels.
  public var peaks: [Double] = []
  /// The root of the mean square on each channel since the last reading; 0 where there were no frames.
  public var rms: [Double] = []

  /// Classes of ``wakeUps``.
  public static let classes = 12

  /// Nothing yet.
  public init() {}

  /// Where a class of ``wakeUps`` ends, in seconds; infinite for the last.
  public static func limit(ofClass index: Int) -> Double {
    index >= classes - 1 ? .infinity : 50e-6 * Double(1 << index)
  }

  /// The lateness that so large a share of the wake-ups did not pass, to the class it falls into; 0 before the first.
  /// - Parameter share: 0…1, such as 0.99.
  public func lateness(ofShare share: Double) -> Double {
    let total = wakeUps.reduce(0, +)
    var seen = 0
    for (index, count) in wakeUps.enumerated() {
      seen += count
      if total > 0 && Double(seen) >= share * Double(total) { return Self.limit(ofClass: index) }
    }
    return 0
  }
}
