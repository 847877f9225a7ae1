import ThrumPattern

extension Take {
  /// The performance as a pattern, in order of time.
  /// - Parameters:
  ///   - quantisation: The grid that taps, and starts and ends of holds, are brought to; nil leaves them.
  ///   - startsAtFirst: Whether the silence before the first of them is left out (before the grid is applied).
  ///
  /// Threads: any. Real-time: no.
  public func pattern(quantised quantisation: Quantisation? = nil, startsAtFirst: Bool = false) -> Pattern {
    Pattern(version: 1)
  }

  /// The performance as AHAP text; as ``pattern(quantised:startsAtFirst:)``.
  public func encoded(quantised quantisation: Quantisation? = nil, startsAtFirst: Bool = false) -> [UInt8] {
    AHAPEncoder.encode(pattern(quantised: quantisation, startsAtFirst: startsAtFirst))
  }
}
