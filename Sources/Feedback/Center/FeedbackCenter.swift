internal import CoreHaptics
internal import Glibc
internal import ThrumDesktop
internal import ThrumEngine
package import ThrumFeedback
package import ThrumPattern

/// Where all feedback of a process comes together: settings, manners, and the engine that plays.
///
/// Lives on any number of threads.
package final class FeedbackCenter: Sendable {
  /// The process's.
  package static let machine: FeedbackCenter = {
    let reading = FeedbackSettings.read()
    let center = FeedbackCenter(
      policy: FeedbackPolicy(settings: reading.settings),
      // It may be a test that comes here first, on a machine of its own.
      player: HapticSystem.$current.withValue(.machine) { EnginePlayer() },
      settled: reading.settled, problems: reading.problems)
    // Once for the process. Its user has written them, and sees nobody else who would tell.
    let words = reading.problems.map { "thrum: \($0); it is passed over\n" }.joined()
    if !words.isEmpty { write(STDERR_FILENO, words, words.utf8.count) }
    if reading.followsDesktop { center.followDesktop() }
    return center
  }()
  /// The one that feedback asked for here goes to.
  @TaskLocal package static var current = FeedbackCenter.machine

  private let state: Locked<State>
  private let follower = Locked<DesktopFollower?>(nil)
  private let player: any FeedbackPlayer
  private let clock: @Sendable () -> Int64
  private let watcher: @Sendable (SensoryFeedback?, FeedbackRequest, FeedbackPolicy.Outcome) -> Void
  private let observers = Locked(Observers())
  private let switching = Locked(())

  private struct State {
    var policy: FeedbackPolicy
    /// The settings of which a desktop has no say any more.
    var settled: Set<DesktopSettings.Key>
    /// What is wrong with settings.
    var problems: [String]
  }

  private struct Observers {
    var count = 0
    var closures: [Int: @Sendable (FeedbackSettings, FeedbackSettings) -> Void] = [:]
  }

  /// Creates a center.
  /// - Parameters:
  ///   - clock: Nanoseconds of a clock that does not go backwards.
  ///   - watcher: Told of everything that is asked and what became of it, on the asking thread.
  package init(
    policy: FeedbackPolicy, player: any FeedbackPlayer, settled: Set<DesktopSettings.Key> = [],
    problems: [String] = [],
    clock: @escaping @Sendable () -> Int64 = { MonotonicClock.nanoseconds },
    watcher: @escaping @Sendable (SensoryFeedback?, FeedbackRequest, FeedbackPolicy.Outcome) -> Void = {
      _, _, _ in
    }
  ) {
    state = Locked(State(policy: policy, settled: settled, problems: problems))
    self.player = player
    self.clock = clock
    self.watcher = watcher
    player.setReducesMotion(policy.settings.reducesMotion)
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
    look(for: requests)
    let outcomes = state.withLock { $0.policy.decide(requests, at: now) }
    for (index, outcome) in outcomes.enumerated() {
      watcher(feedbacks[index], requests[index], outcome)
      guard case .play(let play) = outcome else { continue }
      let deadline = now + Self.staleNanoseconds
      player.play(play) { [clock] in clock() > deadline }
    }
  }

  /// Has the patterns of requests known, so that no other thread waits while this one reads a file.
  private func look(for requests: [FeedbackRequest]) {
    let (names, folder) = state.withLock { ($0.policy.unknownNames(of: requests), $0.policy.library.folder) }
    for name in names {
      let finding = PresetLibrary.find(name, in: folder)
      state.withLock { $0.policy.library.take(finding) }
    }
  }

  /// The age at which a feedback is not played any more.
  private static let staleNanoseconds = MannerRules().staleNanoseconds

  /// Opens and primes the output, so that a feedback that follows is felt as soon as any later one.
  package func prepare(_ name: FeedbackName) {
    look(for: [FeedbackRequest(name)])
    let pattern = state.withLock { state in
      let settings = state.policy.settings
      return settings.isVibrationOn && settings.isHapticsOn && settings.isApplicationOn
        ? state.policy.pattern(for: FeedbackRequest(name)) : nil
    }
    if let pattern { player.prepare(pattern) }
  }

  /// Waits until everything asked for by now has reached the output.
  package func flush() { player.flush() }
}

// Settings.
extension FeedbackCenter {
  /// What the user has settled, and what the program has set.
  package var settings: FeedbackSettings { state.withLock { $0.policy.settings } }

  /// What is wrong with settings, and with files of the user's that were asked for.
  package var problems: [String] {
    state.withLock { $0.problems + $0.policy.library.problems.map(\.description) }
  }

  /// Changes settings, and tells whoever follows them.
  /// - Parameter key: The setting of which the desktop has no say any more.
  package func change(settling key: DesktopSettings.Key? = nil, _ change: (inout FeedbackSettings) -> Void) {
    let (old, new) = update { state in
      if let key { state.settled.insert(key) }
      change(&state.policy.settings)
    }
    postChanges(old, new)
  }

  /// Follows the desktop of the session, for as long as the center lives: without waiting for it.
  /// - Parameter address: A bus in place of the session's; for tests.
  package func followDesktop(at address: String? = nil) {
    let follower = DesktopFollower(address: address) { [weak self] in self?.take($0) }
    self.follower.withLock { $0 = follower }
  }

  /// Takes what the desktop says; feedback that is asked for from now on keeps to it.
  private func take(_ desktop: DesktopSettings) {
    let (old, new) = update { $0.policy.settings.follow(desktop, except: $0.settled) }
    // Who is told by a notification may be a view, and nobody was asked by a program on a thread of its choice.
    if old != new { DispatchQueue.main.async { postChanges(old, new) } }
  }

  private func update(_ body: (inout State) -> Void) -> (old: FeedbackSettings, new: FeedbackSettings) {
    let (old, new) = state.withLock { state in
      let old = state.policy.settings
      body(&state)
      return (old, state.policy.settings)
    }
    guard old != new else { return (old, new) }
    // As they are by now: of two threads, the one that was first may come here last.
    switching.withLock { _ in
      let now = settings
      if old.isVibrationOn != new.isVibrationOn { player.setVibration(isOn: now.isVibrationOn) }
      if old.reducesMotion != new.reducesMotion { player.setReducesMotion(now.reducesMotion) }
    }
    let closures = observers.withLock { observers in
      observers.closures.sorted { $0.key < $1.key }.map(\.value)
    }
    for closure in closures { closure(old, new) }
    return (old, new)
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
  /// Says by what variants of haptic assets are chosen.
  func setReducesMotion(_ reduces: Bool)
  /// Waits until everything asked for by now is done.
  func flush()
}
