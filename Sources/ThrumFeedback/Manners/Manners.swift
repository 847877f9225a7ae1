/// How often feedback may come.
public struct MannerRules: Sendable, Equatable {
  /// Within this time the same kind plays once, in nanoseconds; default 100 ms.
  public var sameKindNanoseconds: Int64 = 100_000_000
  /// Feedbacks a second at most; default 10. One place is kept for what is critical, one more for outcomes.
  public var ceiling = 10
  /// Steps a second at most, so that a burst leaves room for what matters; default 6.
  public var stepCeiling = 6
  /// The age at which a feedback is dropped instead of played late, in nanoseconds; default 100 ms.
  public var staleNanoseconds: Int64 = 100_000_000
  /// The longest time for which one that plays keeps lesser ones away, in nanoseconds; default 1 s.
  public var longestMaskNanoseconds: Int64 = 1_000_000_000

  /// The rules as they are without settings.
  public init() {}

  /// Rules for another ceiling; steps keep their share of it.
  public init(ceiling: Int) {
    self.ceiling = max(1, ceiling)
    stepCeiling = max(1, min(self.ceiling, 1000) * 6 / 10)
  }
}

/// Decides which feedbacks play, so that many requests do not become noise.
///
/// A value without a clock of its own: times are what the caller says. Nothing is ever put off: a feedback
/// plays at once or not at all.
public struct Manners: Sendable {
  /// How often feedback may come.
  public var rules: MannerRules
  /// What played within the last second, oldest first.
  private var recent: [Played] = []
  /// When each kind last played.
  private var lastOfKind: [FeedbackName: Int64] = [:]
  /// What plays now, or the last that did.
  private var playing: Played?
  private var latest: Int64 = .min

  private struct Played: Sendable {
    var time: Int64
    var end: Int64
    var priority: FeedbackPriority
  }

  /// A feedback that wants to play.
  public struct Candidate: Sendable, Equatable {
    /// Which.
    public var name: FeedbackName
    /// How much it matters.
    public var priority: FeedbackPriority
    /// How long it is felt, in nanoseconds.
    public var lengthNanoseconds: Int64
    /// When it was asked for, in nanoseconds; nil means now.
    public var askedNanoseconds: Int64?

    /// Puts a candidate up.
    public init(
      _ name: FeedbackName, priority: FeedbackPriority = .ordinary, lengthNanoseconds: Int64 = 0,
      askedNanoseconds: Int64? = nil
    ) {
      self.name = name
      self.priority = priority
      self.lengthNanoseconds = lengthNanoseconds
      self.askedNanoseconds = askedNanoseconds
    }
  }

  /// What becomes of a candidate.
  public enum Verdict: Sendable, Equatable {
    /// It plays.
    case play(interrupts: Bool)
    /// It does not.
    case silence(FeedbackSilence)
  }

  /// Begins with nothing played.
  public init(rules: MannerRules = MannerRules()) { self.rules = rules }

  /// Decides about the feedbacks of one turn: at most one of them plays, the one that matters most, and of
  /// several the first.
  /// - Parameters:
  ///   - candidates: All of the turn, in the order in which they were asked for.
  ///   - now: Nanoseconds of a clock that does not go backwards; an earlier time than before counts as that
  ///     one.
  /// - Returns: A verdict for each.
  public mutating func decide(_ candidates: [Candidate], at now: Int64) -> [Verdict] {
    let now = max(now, latest)
    latest = now
    forget(before: now)
    var verdicts = candidates.map { Verdict.silence(isStale($0, now) ? .stale : .coalesced) }
    // Those that may not play make room for those that may: a step that is due is felt beside an error that
    // is not.
    let order = candidates.indices.filter { verdicts[$0] == .silence(.coalesced) }
      .sorted { candidates[$0].priority > candidates[$1].priority }
    for index in order {
      let candidate = candidates[index]
      if let silence = silence(for: candidate, now) {
        verdicts[index] = .silence(silence)
        continue
      }
      verdicts[index] = .play(interrupts: interrupts(candidate, now))
      note(candidate, now)
      break
    }
    return verdicts
  }

  private func isStale(_ candidate: Candidate, _ now: Int64) -> Bool {
    guard let asked = candidate.askedNanoseconds else { return false }
    return asked < now && now.since(asked) > rules.staleNanoseconds
  }

  private func silence(for candidate: Candidate, _ now: Int64) -> FeedbackSilence? {
    if let last = lastOfKind[candidate.name], now.since(last) < rules.sameKindNanoseconds { return .sameKind }
    if let playing, now < playing.end, candidate.priority < playing.priority { return .masked }
    if candidate.priority == .step, recent.count(where: { $0.priority == .step }) >= rules.stepCeiling {
      return .tooManySteps
    }
    if recent.count < places(for: candidate.priority) { return nil }
    // What is critical passes a ceiling that lesser ones have filled.
    let isFirst = candidate.priority == .critical && !recent.contains { $0.priority == .critical }
    return isFirst ? nil : .ceiling
  }

  /// How many of a second's places are open to a priority.
  private func places(for priority: FeedbackPriority) -> Int {
    let kept =
      switch priority {
      case .critical: 0
      case .outcome: 1
      case .ordinary, .step: 2
      }
    return max(1, rules.ceiling - kept)
  }

  /// Whether what plays is cut short: by what matters more, and by the next outcome, which is the truth now.
  /// Contacts sound into each other, as real ones do.
  private func interrupts(_ candidate: Candidate, _ now: Int64) -> Bool {
    guard let playing, now < playing.end else { return false }
    return candidate.priority >= .outcome || candidate.priority > playing.priority
  }

  private mutating func note(_ candidate: Candidate, _ now: Int64) {
    let length = min(max(0, candidate.lengthNanoseconds), rules.longestMaskNanoseconds)
    let played = Played(time: now, end: now.later(by: length), priority: candidate.priority)
    recent.append(played)
    lastOfKind[candidate.name] = now
    playing = played
  }

  private mutating func forget(before now: Int64) {
    recent.removeAll { now.since($0.time) >= 1_000_000_000 }
    // Names come from programs without number.
    if lastOfKind.count > 64 {
      lastOfKind = lastOfKind.filter { now.since($0.value) < rules.sameKindNanoseconds }
    }
  }
}

// A clock may begin and end anywhere.
extension Int64 {
  /// The time since an earlier one, as far as there is a number for it.
  fileprivate func since(_ earlier: Int64) -> Int64 {
    let (time, hasOverflowed) = subtractingReportingOverflow(earlier)
    return hasOverflowed ? .max : time
  }

  /// The time that is later, as far as there is a number for it.
  fileprivate func later(by length: Int64) -> Int64 {
    let (time, hasOverflowed) = addingReportingOverflow(length)
    return hasOverflowed ? .max : time
  }
}
