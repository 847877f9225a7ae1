internal import CoreHaptics
internal import ThrumEngine
package import ThrumFeedback
package import ThrumPattern

/// Where all feedback of a process comes together: settings, manners, and the engine that plays.
///
/// Lives on any number of threads.
package final class FeedbackCenter: Sendable {
  /// The process's.
  package static let machine = FeedbackCenter(
    policy: FeedbackPolicy(settings: FeedbackSettings.read().settings),
    // It may be a test that comes here first, on a machine of its own.
    player: HapticSystem.$current.withValue(.machine) { EnginePlayer() })
  /// The one that feedback asked for here goes to.
  @TaskLocal package static var current = FeedbackCenter.machine

  private let policy: Locked<FeedbackPolicy>
  private let player: any FeedbackPlayer
  private let clock: @Sendable () -> Int64
  private let watcher: @Sendable (SensoryFeedback?, FeedbackRequest, FeedbackPolicy.Outcome) -> Void
  private let observers = Locked(Observers())
  private let switching = Locked(())

  private struct Observers {
    var count = 0
    var closures: [Int: @Sendable (FeedbackSettings, FeedbackSettings) -> Void] = [:]
  }

  /// Creates a center.
  /// - Parameters:
  ///   - clock: Nanoseconds of a clock that does not go backwards.
  ///   - watcher: Told of everything that is asked and what became of it, on the asking thread.
  package init(
    policy: FeedbackPolicy, player: any FeedbackPlayer,
    clock: @escaping @Sendable () -> Int64 = { MonotonicClock.nanoseconds },
    watcher: @escaping @Sendable (SensoryFeedback?, FeedbackRequest, FeedbackPolicy.Outcome) -> Void = {
      _, _, _ in
    }
  ) {
    self.policy = Locked(policy)
    self.player = player
    self.clock = clock
    self.watcher = watcher
  }

  /// Plays a feedback now, if settings and manners allow it.
  package func trigger(_ feedback: SensoryFeedback) { trigger([feedback], isInTransition: false) }

  /// Plays the one feedback of a turn that matters most, if settings and manners allow it.
  package func trigger(_ feedbacks: [SensoryFeedback], isInTransition: Bool) {
    guard !feedbacks.isEmpty else { return }
    let now = clock()
    let requests = feedbacks.map {
      FeedbackRequest($0, isInTransition: isInTransition, nanoseconds: now)
    }
    perform(requests, feedbacks, now)
  }

  /// Plays a feedback by its request.
  package func perform(_ request: FeedbackRequest) { perform([request], [nil], clock()) }

  private func perform(_ requests: [FeedbackRequest], _ feedbacks: [SensoryFeedback?], _ now: Int64) {
    let outcomes = policy.withLock { $0.decide(requests, at: now) }
    for (index, outcome) in outcomes.enumerated() {
      watcher(feedbacks[index], requests[index], outcome)
      guard case .play(let play) = outcome else { continue }
      let deadline = now + Self.staleNanoseconds
      player.play(play) { [clock] in clock() > deadline }
    }
  }

  /// The age at which a feedback is not played any more.
  private static let staleNanoseconds = MannerRules().staleNanoseconds

  /// Opens and primes the output, so that a feedback that follows is felt as soon as any later one.
  package func prepare(_ name: FeedbackName) {
    let pattern = policy.withLock { policy in
      policy.settings.isVibrationOn && policy.settings.isHapticsOn && policy.settings.isApplicationOn
        ? policy.pattern(for: FeedbackRequest(name)) : nil
    }
    if let pattern { player.prepare(pattern) }
  }

  /// Waits until everything asked for by now has reached the output.
  package func flush() { player.flush() }
}

// Settings.
extension FeedbackCenter {
  /// What the user has settled, and what the program has set.
  package var settings: FeedbackSettings { policy.withLock { $0.settings } }

  /// Changes settings, and tells whoever follows them.
  package func change(_ change: (inout FeedbackSettings) -> Void) {
    let (old, new) = policy.withLock { policy in
      let old = policy.settings
      var settings = old
      change(&settings)
      policy.settings = settings
      return (old, settings)
    }
    guard old != new else { return }
    if old.isVibrationOn != new.isVibrationOn {
      // As it is by now: of two threads, the one that was first may come here last.
      switching.withLock { _ in player.setVibration(isOn: settings.isVibrationOn) }
    }
    let closures = observers.withLock { observers in
      observers.closures.sorted { $0.key < $1.key }.map(\.value)
    }
    for closure in closures { closure(old, new) }
    postChanges(old, new)
  }

  /// Calls a closure after each change of the settings, with those before and after.
  /// - Returns: What ``removeObserver(_:)`` takes.
  package func onChange(
    _ observer: @escaping @Sendable (FeedbackSettings, FeedbackSettings) -> Void
  ) -> Int {
    observers.withLock { observers in
      observers.count += 1
      observers.closures[observers.count] = observer
      return observers.count
    }
  }

  /// Lets a closure not be called any more.
  package func removeObserver(_ number: Int) { observers.withLock { $0.closures[number] = nil } }
}

/// What plays the patterns of feedback.
package protocol FeedbackPlayer: Sendable {
  /// Plays a pattern.
  /// - Parameter isStale: Whether it is too late by now.
  func play(_ play: FeedbackPolicy.Play, isStale: @escaping @Sendable () -> Bool)
  /// Opens and primes the output.
  func prepare(_ pattern: Pattern)
  /// Turns the master switch.
  func setVibration(isOn: Bool)
  /// Waits until everything asked for by now is done.
  func flush()
}
