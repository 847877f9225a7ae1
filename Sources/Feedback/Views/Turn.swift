internal import ThrumEngine

/// What happens at the end of a turn of the main actor: everything that changed in it is looked at once, and
/// of the feedbacks that this asks for the one that matters most is played.
@MainActor final class Turn {
  static let current = Turn()

  private var feedbacks: [Wanted] = []

  private struct Wanted {
    let feedback: SensoryFeedback
    let isInTransition: Bool
    let center: FeedbackCenter
  }

  /// Who wants something done once a turn. Not its place in memory: another may be there before the turn
  /// ends, and would be taken for the one that is gone.
  struct Owner: Hashable, Sendable {
    private static let count = Locked(0)
    private let number: Int

    /// One that is unlike all others.
    init() {
      number = Self.count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// What is to be done at the end of the turn, and who wants it.
  private struct Works {
    var bodies: [@MainActor @Sendable () -> Void] = []
    var owners: Set<Owner> = []
  }

  private nonisolated static let works = Locked(Works())
  /// Rounds of changes that lead to changes in one turn; what is left then waits for the next.
  private static let longestChain = 16

  /// Time after which what another thread has announced is looked at once more.
  private nonisolated static let settlingSeconds = 0.02

  /// Has something done because an observed value is being set.
  ///
  /// A value is announced before it is set. On the main actor it is set by the end of the turn; another
  /// thread may be held up in between, so that there is a second look a little later.
  ///
  /// Threads: any.
  nonisolated static func scheduleChange(
    _ owner: Owner, _ body: @escaping @MainActor @Sendable () -> Void
  ) {
    schedule(owner, body)
    guard !Thread.isMainThread else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + settlingSeconds) { schedule(owner, body) }
  }

  /// Has something done at the end of the turn, once for each owner that is named.
  ///
  /// Threads: any.
  nonisolated static func schedule(
    _ owner: Owner?, _ body: @escaping @MainActor @Sendable () -> Void
  ) {
    let isFirst = works.withLock { works in
      if let owner, !works.owners.insert(owner).inserted { return false }
      works.bodies.append(body)
      return works.bodies.count == 1
    }
    if isFirst { Task { @MainActor in current.finish() } }
  }

  /// Has a feedback played at the end of the turn.
  ///
  /// Threads: any.
  nonisolated static func schedule(_ feedback: SensoryFeedback, to center: FeedbackCenter) {
    schedule(nil) { current.add(feedback, to: center) }
  }

  /// Has a feedback played at the end of the turn.
  func add(_ feedback: SensoryFeedback, isInTransition: Bool = false, to center: FeedbackCenter) {
    feedbacks.append(Wanted(feedback: feedback, isInTransition: isInTransition, center: center))
    if feedbacks.count == 1 { Self.schedule(nil) {} }
  }

  /// Ends the turn.
  func finish() {
    for _ in 0..<Self.longestChain {
      let bodies = Self.works.withLock { works in
        defer { works = Works() }
        return works.bodies
      }
      if bodies.isEmpty { break }
      for body in bodies { body() }
    }
    if Self.works.withLock({ !$0.bodies.isEmpty }) { Task { @MainActor in Self.current.finish() } }
    play()
  }

  private func play() {
    let all = feedbacks
    feedbacks = []
    var centers: [FeedbackCenter] = []
    for wanted in all where !centers.contains(where: { $0 === wanted.center }) {
      centers.append(wanted.center)
    }
    for center in centers {
      let own = all.filter { $0.center === center }
      center.trigger(own.filter(\.isInTransition).map(\.feedback), isInTransition: true)
      center.trigger(own.filter { !$0.isInTransition }.map(\.feedback), isInTransition: false)
    }
  }
}
