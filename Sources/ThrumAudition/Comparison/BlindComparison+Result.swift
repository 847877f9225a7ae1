extension BlindComparison {
  /// What came out of a comparison.
  public struct Result: Sendable, Equatable, CustomStringConvertible {
    /// What was asked.
    public var question: Question
    /// How many trials were answered.
    public var trials: Int
    /// How many times version A was chosen, or X was named rightly.
    public var hits: Int

    /// How likely such a result, or one further from chance, is where there is no difference: exact, 0 to 1.
    ///
    /// A preference can go either way, so both tails of the binomial count; of an identification only the
    /// upper one, as guessing wrongly shows nothing.
    public var chance: Double {
      let upper = Binomial.upperTail(trials: trials, hits: hits)
      guard question == .preference else { return upper }
      let far = max(hits, trials - hits)
      return min(1, 2 * Binomial.upperTail(trials: trials, hits: far))
    }

    /// The shares of hits, of all that could be felt, that are compatible with the result at 95 % (Clopper
    /// and Pearson).
    public var interval: ClosedRange<Double> { Binomial.interval(trials: trials, hits: hits) }

    /// Whether chance alone would give such a result once in twenty times or less.
    public var isConvincing: Bool { trials > 0 && chance <= 0.05 }

    /// The result in one line, for the end of the comparison.
    public var description: String {
      guard trials > 0 else { return "no trial was answered" }
      let share = "chance alone does as well \(Self.percent(chance)) of the time"
      switch question {
      case .preference:
        let other = trials - hits
        let found =
          hits == other
          ? "A and B \(Self.times(hits)) each" : "A \(Self.times(hits)), B \(Self.times(other))"
        let verdict =
          isConvincing ? "\(hits > other ? "A" : "B") is preferred" : "no preference is shown"
        return "\(found) of \(trials); \(share): \(verdict)"
      case .identification:
        let verdict = isConvincing ? "the difference is felt" : "no difference is shown"
        return "\(hits) of \(trials) right; \(share): \(verdict)"
      }
    }

    private static func times(_ count: Int) -> String {
      switch count {
      case 0: "never"
      case 1: "once"
      default: "\(count) times"
      }
    }

    /// A share in percent, to a tenth below ten.
    static func percent(_ share: Double) -> String {
      let tenths = Int((share * 1000).rounded())
      if tenths == 0, share > 0 { return "less than 0.1 %" }
      return tenths < 100 ? "\(tenths / 10).\(tenths % 10) %" : "\((tenths + 5) / 10) %"
    }
  }
}
