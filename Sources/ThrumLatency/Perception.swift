/// From where on a delay is noticed, by what has been published.
public struct PerceptionThreshold: Sendable, Equatable {
  /// A short name, for a picture.
  public var name: String
  /// The delay.
  public var milliseconds: Double
  /// What happens there, to follow "within 24 ms, ".
  public var meaning: String
  /// Who found it.
  public var source: String

  /// Those that a report judges by, the shortest first.
  ///
  /// Figures for the people in each study, under its conditions: some people notice less.
  public static let all: [PerceptionThreshold] = [
    PerceptionThreshold(
      name: "sound\u{2013}touch", milliseconds: 24,
      meaning: "the delay between a tap and its sound that is just noticed",
      source: "Adelstein, Begault, Anderson and Wenzel 2003, Proc. ICMI"),
    PerceptionThreshold(
      name: "sight\u{2013}touch", milliseconds: 45,
      meaning: "the least delay between a collision seen and felt that was judged as asynchronous",
      source: "Vogels 2004, Human Factors 46(1)"),
    PerceptionThreshold(
      name: "button", milliseconds: 50,
      meaning: "the longest that touch feedback of a virtual button should take",
      source: "Kaaresoja, Brewster and Lantz 2014, ACM Trans. Applied Perception 11(2)"),
    PerceptionThreshold(
      name: "quality", milliseconds: 100,
      meaning: "the delay by which a virtual button has lost its perceived quality (from 70 ms on)",
      source: "Kaaresoja, Brewster and Lantz 2014, ACM Trans. Applied Perception 11(2)"),
  ]

  /// How a run stands to it.
  public enum Standing: String, Sendable {
    /// 99 of 100 trials are below it.
    case below
    /// It lies among the trials.
    case among
    /// More than half of the trials are above it.
    case above
  }

  /// How a run's values, in milliseconds, stand to it; nil where there are none.
  public func standing(of values: Percentiles) -> Standing? {
    if values.sorted.isEmpty { return nil }
    // With fewer than a hundred values the maximum stands in for the 99th percentile: never a better verdict.
    if values.value(atPercent: values.supports(percent: 99) ? 99 : 100) < milliseconds { return .below }
    return values.median > milliseconds ? .above : .among
  }
}
