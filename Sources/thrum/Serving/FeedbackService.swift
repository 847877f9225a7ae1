import ThrumEngine
import ThrumFeedback
import ThrumPattern

/// What the service does, whatever brings the requests: events, ids, profiles, repetition and bounds.
///
/// Lives on the main thread. What ended is collected and told by the bus, after the answer to the request.
final class FeedbackService {
  /// The most feedbacks that run at a time, of all clients and of one.
  static let maximumRunning = (all: 64, client: 16)
  /// The longest name of an application, bytes.
  static let maximumNameLength = 255

  /// Why a feedback ended, by the numbers of the interface.
  enum EndReason: UInt32 {
    /// There was nothing to play, or what the user has settled, or manners, left it out.
    case notFound = 0xFFFF_FFFF
    /// It played to its end.
    case natural = 0
    /// Its time was over.
    case expired = 1
    /// It was ended, by request, by a profile, by its client's going or by one that matters more.
    case explicit = 2
  }

  /// A request that makes no sense or cannot be met.
  enum Refusal: Error, Equatable {
    case invalid(String)
    case limit(String)
    case failed(String)
  }

  /// A feedback that runs.
  private struct Running {
    var client: String
    var profile: FeedbackProfile
    var player: Player
    /// Nanoseconds; nil: plays once; `.max`: without end.
    var repeatsUntil: Int64?
    var rest: Int64
    /// When the next run begins; nil while one is under way.
    var nextRun: Int64?
    /// Why it is being ended, while it fades.
    var reason: EndReason?
  }

  let output: ServiceOutput
  private(set) var profile: FeedbackProfile
  private var theme: Theme
  private var policy = FeedbackPolicy()
  private var running: [UInt32: Running] = [:]
  private var lastID: UInt32 = 0
  /// The one that played last, which one that matters more cuts short.
  private var latest: UInt32?
  private var toldProblems = 0
  /// What ended and has not been told.
  private(set) var ended: [(id: UInt32, reason: EndReason)] = []

  init(output: ServiceOutput, profile: FeedbackProfile, theme: Theme) {
    self.output = output
    self.profile = profile
    self.theme = theme
    theme.install(in: &policy.library)
  }

  /// How many feedbacks run.
  var count: Int { running.count }

  /// Gives what ended to whoever tells it.
  func takeEnded() -> [(id: UInt32, reason: EndReason)] {
    defer { ended = [] }
    return ended
  }
}

// Requests.
extension FeedbackService {
  /// What a client asks for.
  struct Request {
    var client: String
    var application: String
    var event: String
    var profile = FeedbackProfile.full
    /// Seconds; 0 is without end, below 0 once.
    var timeout: Int32
  }

  /// Plays the feedback of an event.
  /// - Returns: The number by which it can be ended; also where nothing plays, which ``takeEnded()`` tells then.
  func trigger(_ request: Request) throws(Refusal) -> UInt32 {
    guard (1...Self.maximumNameLength).contains(request.application.utf8.count),
      request.application.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { throw .invalid("app_id takes 1 to \(Self.maximumNameLength) bytes without spaces") }
    guard EventName.isValid(request.event) else { throw .invalid("event takes \(EventName.words)") }
    let own = running.values.count { $0.client == request.client }
    guard running.count < Self.maximumRunning.all, own < Self.maximumRunning.client else {
      throw .limit("too many feedbacks are running; end some first")
    }
    guard let feedback = theme.feedback(for: request.event, profile: min(profile, request.profile)) else {
      return refuse()
    }
    settle(for: request.application)
    let now = MonotonicClock.nanoseconds
    let outcome = policy.decide(
      FeedbackRequest(feedback.name, intensity: feedback.intensity, nanoseconds: now), at: now)
    tellProblems()
    guard case .play(let play) = outcome else { return refuse() }
    let end = Self.end(ofTimeout: request.timeout, now)
    dropFailed()
    try refusing { () throws(CommandError) in try output.prepare() }
    output.use()
    // An answer to a finger that comes late is taken for something else; news is news.
    if end == nil, FeedbackTraits.of(play.name).priority < .outcome,
      MonotonicClock.nanoseconds - now > policy.manners.rules.staleNanoseconds
    {
      return refuse()
    }
    if play.interrupts, let latest { interrupt(latest) }
    let pattern = NamedPattern(path: FileName(play.name.text), pattern: play.pattern)
    let player = try refusing { () throws(CommandError) in try output.play(pattern) }
    let id = nextID()
    running[id] = Running(
      client: request.client, profile: feedback.profile, player: player, repeatsUntil: end,
      rest: Int64(feedback.rest * 1e9))
    latest = id
    return id
  }

  /// Ends a feedback; one that has ended already is none the worse for it.
  func end(_ id: UInt32, reason: EndReason = .explicit) {
    guard var feedback = running[id], feedback.reason == nil else { return }
    feedback.reason = reason
    running[id] = feedback
    if feedback.nextRun != nil { return finish(id, reason) }
    fade(feedback.player, id)
  }

  /// Ends all feedbacks of a client that has gone.
  func leave(_ client: String) {
    for id in running.filter({ $0.value.client == client }).keys.sorted() { end(id) }
  }

  /// Changes the profile; what is too noisy for it ends.
  /// - Returns: Whether it is another one.
  func change(to profile: FeedbackProfile) -> Bool {
    guard profile != self.profile else { return false }
    self.profile = profile
    for id in running.filter({ $0.value.profile > profile }).keys.sorted() { end(id) }
    return true
  }

  /// Takes another theme; what runs goes on. Files of the user's are read anew.
  func change(to theme: Theme) {
    self.theme = theme
    policy.library.reload()
    theme.install(in: &policy.library)
  }

  private static func end(ofTimeout timeout: Int32, _ now: Int64) -> Int64? {
    timeout < 0 ? nil : timeout == 0 ? .max : now + Int64(timeout) * 1_000_000_000
  }

  /// Reads what the user has settled, as it is now, for an application.
  private func settle(for application: String) {
    let settings = FeedbackSettings.read(application: application).settings
    let isMoved = settings.folder != policy.settings.folder
    policy.settings = settings
    // With another folder the library is another one.
    if isMoved { theme.install(in: &policy.library) }
  }

  private func refuse() -> UInt32 {
    let id = nextID()
    ended.append((id, .notFound))
    return id
  }

  private func nextID() -> UInt32 {
    repeat { lastID = lastID == .max - 1 ? 1 : lastID + 1 } while running[lastID] != nil
    return lastID
  }

  /// Tells, once, of files of the user's that are refused.
  private func tellProblems() {
    let problems = policy.library.problems
    // Another library, or one that was read anew, begins with none.
    for problem in problems.dropFirst(toldProblems <= problems.count ? toldProblems : 0) {
      StandardError.write(problem.text(Style.error) + "\n")
    }
    toldProblems = problems.count
  }

  /// Does something with the device; what is wrong with it is for whoever asked.
  private func refusing<Result>(_ body: () throws(CommandError) -> Result) throws(Refusal) -> Result {
    do throws(CommandError) {
      return try body()
    } catch {
      switch error {
      case .usage(let message), .configuration(let message), .failed(let message): throw .failed(message)
      case .reported, .interrupted: throw .failed("the pattern cannot be played")
      }
    }
  }
}

// Time.
extension FeedbackService {
  /// Does what is due: ends and next runs.
  func advance() {
    dropFailed()
    let now = MonotonicClock.nanoseconds
    for (id, feedback) in running.sorted(by: { $0.key < $1.key }) {
      if let until = feedback.repeatsUntil, until <= now, feedback.reason == nil {
        end(id, reason: .expired)
      } else if let next = feedback.nextRun {
        if next <= now { runAgain(id, feedback) }
      } else if !feedback.player.isActive {
        rest(id, feedback, now)
      }
    }
  }

  /// When ``advance()`` is due next, if nothing rings before; nil for never.
  var due: Int64? {
    if running.isEmpty { return nil }
    // What fades rings when it is silent. A device that is gone for good rings nothing, and is looked at.
    let waiting = running.values.filter { $0.reason == nil }
    let times = waiting.flatMap { [$0.repeatsUntil, $0.nextRun].compactMap { $0 } }
    return min(times.min() ?? .max, MonotonicClock.nanoseconds + 1_000_000_000)
  }

  /// Fades everything.
  func stop() { for id in running.keys.sorted() { end(id) } }

  /// Ends what fades, now that the device has been given back.
  func forget() { for id in running.keys.sorted() { finish(id, .explicit) } }

  /// Ends what played on a device that is gone for good.
  private func dropFailed() {
    if output.hasFailed { for id in running.keys.sorted() { finish(id, .explicit) } }
  }

  private func rest(_ id: UInt32, _ feedback: Running, _ now: Int64) {
    guard feedback.reason == nil, feedback.repeatsUntil != nil else {
      finish(id, feedback.reason ?? .natural)
      return
    }
    running[id]?.nextRun = now + max(feedback.rest, Self.leastRest)
  }

  /// The shortest time between two runs, nanoseconds: an empty pattern must not spin.
  private static let leastRest: Int64 = 10_000_000

  private func runAgain(_ id: UInt32, _ feedback: Running) {
    running[id]?.nextRun = nil
    do throws(EngineError) {
      try feedback.player.start()
    } catch {
      StandardError.note("serve", error.message)
      finish(id, .explicit)
    }
  }

  /// Cuts short what plays: a run of what repeats, or all of what does not.
  private func interrupt(_ id: UInt32) {
    guard let feedback = running[id] else { return }
    if feedback.repeatsUntil == nil { end(id) } else if feedback.nextRun == nil { fade(feedback.player, id) }
  }

  private func fade(_ player: Player, _ id: UInt32) {
    do throws(EngineError) {
      try player.cancel()
    } catch {
      // The output has closed: there is nothing left to fade.
      finish(id, .explicit)
    }
    // A run that was over already rings no more.
    output.bell.ring()
  }

  private func finish(_ id: UInt32, _ reason: EndReason) {
    guard running.removeValue(forKey: id) != nil else { return }
    if latest == id { latest = nil }
    output.use()
    ended.append((id, reason))
  }
}
