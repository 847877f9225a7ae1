public import ThrumPattern

/// From the name of a feedback to the pattern that is played, or the reason why none is: settings, then
/// manners, then the library.
///
/// The one place where this is decided, for programs, the command line and the service alike.
public struct FeedbackPolicy: Sendable {
  /// What the user has settled.
  public var settings: FeedbackSettings {
    didSet {
      if settings.ceiling != oldValue.ceiling { manners.rules = MannerRules(ceiling: settings.ceiling) }
      if settings.folder != oldValue.folder { library = PresetLibrary(folder: settings.folder) }
    }
  }
  /// How often feedback may come.
  public var manners: Manners
  /// The patterns.
  public var library: PresetLibrary

  /// Creates a policy of settings.
  public init(settings: FeedbackSettings = FeedbackSettings()) {
    self.settings = settings
    manners = Manners(rules: MannerRules(ceiling: settings.ceiling))
    library = PresetLibrary(folder: settings.folder)
  }

  /// What is to be played.
  public struct Play: Sendable, Equatable {
    /// The preset, which is another one than was asked for where it was softened.
    public var name: FeedbackName
    /// The factor that is in the pattern's intensities.
    public var gain: Float
    /// The pattern, at its strength.
    public var pattern: Pattern
    /// Whether the feedback that plays is to be stopped first.
    public var interrupts: Bool
  }

  /// What became of a request.
  public enum Outcome: Sendable, Equatable {
    /// It is played.
    case play(Play)
    /// It is not.
    case silence(FeedbackSilence)
  }

  /// Decides about the feedbacks of one turn; at most one of them plays.
  /// - Parameters:
  ///   - requests: All of the turn, in the order in which they were asked for.
  ///   - now: Nanoseconds of a clock that does not go backwards.
  /// - Returns: What becomes of each.
  ///
  /// Threads: any, one at a time; may read a file. Real-time: no.
  public mutating func decide(_ requests: [FeedbackRequest], at now: Int64) -> [Outcome] {
    var outcomes: [Outcome] = []
    var candidates: [Manners.Candidate] = []
    var places: [Int] = []
    var patterns: [(name: FeedbackName, gain: Float, pattern: Pattern)] = []
    for request in requests {
      switch prepare(request) {
      case .failure(let silence): outcomes.append(.silence(silence.reason))
      case .success(let found):
        places.append(outcomes.count)
        patterns.append(found)
        outcomes.append(.silence(.coalesced))
        candidates.append(
          Manners.Candidate(
            found.name, priority: FeedbackTraits.of(request.name).priority,
            lengthNanoseconds: found.pattern.feltNanoseconds, askedNanoseconds: request.nanoseconds))
      }
    }
    for (index, verdict) in manners.decide(candidates, at: now).enumerated() {
      switch verdict {
      case .silence(let reason): outcomes[places[index]] = .silence(reason)
      case .play(let interrupts):
        let found = patterns[index]
        outcomes[places[index]] = .play(
          Play(name: found.name, gain: found.gain, pattern: found.pattern, interrupts: interrupts))
      }
    }
    return outcomes
  }

  /// Decides about one feedback.
  public mutating func decide(_ request: FeedbackRequest, at now: Int64) -> Outcome {
    decide([request], at: now)[0]
  }

  /// The pattern that a request would play by the settings alone; nil where it would not.
  ///
  /// Threads: any, one at a time; may read a file. Real-time: no.
  public mutating func pattern(for request: FeedbackRequest) -> Pattern? {
    if case .success(let found) = prepare(request) { found.pattern } else { nil }
  }

  /// The names whose patterns would have to be looked for, perhaps in a file, to decide about requests.
  public func unknownNames(of requests: [FeedbackRequest]) -> [FeedbackName] {
    requests.compactMap { request in
      guard case .play(let name) = settings.effect(on: request), !library.knows(name) else { return nil }
      return name
    }
  }

  private struct Refusal: Error { let reason: FeedbackSilence }

  private mutating func prepare(
    _ request: FeedbackRequest
  ) -> Result<(name: FeedbackName, gain: Float, pattern: Pattern), Refusal> {
    switch settings.effect(on: request) {
    case .silence(let reason): return .failure(Refusal(reason: reason))
    case .play(let name):
      guard let pattern = library.pattern(named: name) else {
        return .failure(Refusal(reason: .unknownName))
      }
      let gain = request.intensity * max(0, settings.gain)
      let heard = settings.isSilent ? pattern.withoutSound : pattern
      return .success((name, gain, heard.scaled(by: gain)))
    }
  }
}

extension Pattern {
  /// How long it is felt: its duration, and the tail of a last tap.
  fileprivate var feltNanoseconds: Int64 {
    let seconds = duration + 0.04
    return seconds.isFinite ? Int64(min(seconds, 60) * 1e9) : 60_000_000_000
  }
}
