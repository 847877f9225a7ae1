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
  struct Running {
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
    /// Whether it was allowed to be felt whatever the profile is.
    var isImportant = false
    /// Whether it is a pattern of its client's own, which nobody is told the end of.
    var isVibration = false
    /// When it was asked for, nanoseconds.
    var begun: Int64 = 0
  }

  let output: ServiceOutput
  private(set) var profile: FeedbackProfile
  /// What the desktop says now.
  private let desktop: () -> DesktopSettings
  private var theme: Theme
  var policy = FeedbackPolicy()
  var running: [UInt32: Running] = [:]
  private var lastID: UInt32 = 0
  /// The one that played last, which one that matters more cuts short.
  var latest: UInt32?
  private var toldProblems: Set<String> = []
  /// What ended and has not been told.
  var ended: [(id: UInt32, reason: EndReason)] = []

  init(
    output: ServiceOutput, profile: FeedbackProfile, theme: Theme, desktop: @escaping () -> DesktopSettings
  ) {
    self.output = output
    self.profile = profile
    self.theme = theme
    self.desktop = desktop
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
    var isImportant = false
    /// Seconds; 0 is without end, below 0 once.
    var timeout: Int32
  }

  /// Plays the feedback of an event.
  /// - Returns: The number by which it can be ended; also where nothing plays, which ``takeEnded()`` tells then.
  func trigger(_ request: Request) throws(Refusal) -> UInt32 {
    try check(request.application)
    guard EventName.isValid(request.event) else { throw .invalid("event takes \(EventName.words)") }
    try checkRoom(for: request.client)
    let reading = settle(for: request.application)
    let isImportant = request.isImportant && reading.allowsImportant
    // What is important is felt as its hint says, whatever the profile is.
    let allowed = isImportant ? request.profile : min(profile, request.profile)
    guard let feedback = theme.feedback(for: request.event, profile: allowed) else { return refuse() }
    let now = MonotonicClock.nanoseconds
    let wanted = FeedbackRequest(feedback.name, intensity: feedback.intensity, nanoseconds: now)
    let outcome = policy.decide(wanted, at: now)
    tell(policy.library.problems.map { $0.text(Style.error) })
    let end = Self.end(ofTimeout: request.timeout, now)
    let found: (name: FeedbackName, pattern: Pattern, interrupts: Bool)
    var isLater = false
    switch outcome {
    case .play(let play): found = (play.name, play.pattern, play.interrupts)
    case .silence(let reason):
      // What repeats, as a call does, is not lost because something else plays when it begins.
      guard end != nil, reason.isOfTheMoment, let pattern = policy.pattern(for: wanted) else {
        return refuse()
      }
      found = (feedback.name, pattern, false)
      isLater = true
    }
    dropFailed()
    try refusing { () throws(CommandError) in try output.prepare() }
    output.use()
    // An answer to a finger that comes late is taken for something else; news is news.
    if end == nil, FeedbackTraits.of(found.name).priority < .outcome,
      MonotonicClock.nanoseconds - now > policy.manners.rules.staleNanoseconds
    {
      return refuse()
    }
    if found.interrupts, let latest { interrupt(latest) }
    let pattern = NamedPattern(path: FileName(found.name.text), pattern: found.pattern)
    let player = try refusing { () throws(CommandError) in try output.play(pattern, isStarted: !isLater) }
    let id = nextID()
    let rest = Int64(feedback.rest * 1e9)
    running[id] = Running(
      client: request.client, profile: feedback.profile, player: player, repeatsUntil: end, rest: rest,
      nextRun: isLater ? now + max(rest, Self.leastRest) : nil, isImportant: isImportant)
    if !isLater { latest = id }
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
    for id in running.filter({ $0.value.profile > profile && !$0.value.isImportant }).keys.sorted() {
      end(id)
    }
    return true
  }

  /// Takes another theme; what runs goes on. Files of the user's are read anew.
  func change(to theme: Theme) {
    self.theme = theme
    toldProblems = []
    policy.library.reload()
    theme.install(in: &policy.library)
  }

  static func end(ofTimeout timeout: Int32, _ now: Int64) -> Int64? {
    timeout < 0 ? nil : timeout == 0 ? .max : now + Int64(timeout) * 1_000_000_000
  }

  func check(_ application: String) throws(Refusal) {
    guard (1...Self.maximumNameLength).contains(application.utf8.count),
      application.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { throw .invalid("app_id takes 1 to \(Self.maximumNameLength) bytes without spaces") }
  }

  func checkRoom(for client: String) throws(Refusal) {
    let own = running.values.count { $0.client == client }
    guard running.count < Self.maximumRunning.all, own < Self.maximumRunning.client else {
      throw .limit("too many feedbacks are running; end some first")
    }
  }

  /// Reads what the user has settled, as it is now, for an application.
  func settle(for application: String) -> FeedbackSettings.Reading {
    let reading = FeedbackSettings.read(application: application, desktop: desktop())
    let isMoved = reading.settings.folder != policy.settings.folder
    policy.settings = reading.settings
    // With another folder the library is another one.
    if isMoved { theme.install(in: &policy.library) }
    tell(reading.problems.map { "thrum: error: \($0)" })
    return reading
  }

  private func refuse() -> UInt32 {
    let id = nextID()
    ended.append((id, .notFound))
    return id
  }

  func nextID() -> UInt32 {
    repeat { lastID = lastID == .max - 1 ? 1 : lastID + 1 } while running[lastID] != nil
    return lastID
  }

  /// Tells of what is wrong with files of the user's, once until they are read anew.
  private func tell(_ problems: [String]) {
    for problem in problems where !toldProblems.contains(problem) && toldProblems.count < Self.maximumTold {
      toldProblems.insert(problem)
      StandardError.write(problem + "\n")
    }
  }

  /// The most problems that are told of, until files are read anew.
  private static let maximumTold = 100

  /// Does something with the device; what is wrong with it is for whoever asked.
  func refusing<Result>(_ body: () throws(CommandError) -> Result) throws(Refusal) -> Result {
    do throws(CommandError) {
      return try body()
    } catch {
      throw .failed(error.words)
    }
  }
}
