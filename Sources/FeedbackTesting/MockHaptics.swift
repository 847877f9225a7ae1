public import CoreHapticsTesting
public import Feedback
internal import CoreHaptics
internal import ThrumEngine
internal import ThrumFeedback

/// A stand-in for the machine's haptics in tests: it notes what is asked for and what became of it, and lets
/// the signal be looked at.
///
/// ```swift
/// let mock = MockHaptics()
/// let model = Checkout(haptics: mock)            // code that takes its haptics as `HapticProviding`
/// model.pay()
/// #expect(mock.triggeredEvents == [.success])
///
/// mock.use { host = ViewHost(PayButton()) } // views, generators and triggers that are made within play on
/// it
/// ```
///
/// Its time is turned by hand; settings are those of a machine of which nothing is known.
public final class MockHaptics: HapticProviding, Sendable {
  /// The machine, whose signal can be read.
  public let machine: VirtualHaptics
  private let center: FeedbackCenter
  private let log: Locked<[Record]>

  /// Something that was asked for.
  public struct Record: Sendable, Equatable {
    /// What was asked for.
    public let feedback: SensoryFeedback
    /// The name of the preset that played, another one than was asked for where it was softened; nil where
    /// none did.
    public let played: String?
    /// Why none did.
    public let silence: String?
    /// When it was asked for, in seconds of `VirtualHaptics.seconds`.
    public let seconds: Double
  }

  /// Makes a machine with one actuator, and nothing asked of it.
  public init() {
    let machine = VirtualHaptics()
    let log = Locked<[Record]>([])
    let clock: @Sendable () -> Int64 = { Int64((machine.seconds * 1e9).rounded()) }
    self.machine = machine
    self.log = log
    center = FeedbackCenter(
      policy: FeedbackPolicy(), player: machine.use { EnginePlayer() }, clock: clock
    ) { feedback, _, outcome in
      guard let feedback else { return }
      let (played, silence): (String?, String?) =
        switch outcome {
        case .play(let play): (play.name.text, nil)
        case .silence(let reason): (nil, reason.rawValue)
        }
      log.withLock {
        $0.append(
          Record(feedback: feedback, played: played, silence: silence, seconds: machine.seconds))
      }
    }
  }

  /// Everything that was asked for, in order.
  public var records: [Record] { log.withLock { $0 } }

  /// Every feedback that was asked for, in order, whether it was played or not.
  public var triggeredEvents: [SensoryFeedback] { records.map(\.feedback) }

  /// The names of the presets that were played, in order.
  public var played: [String] { records.compactMap(\.played) }

  /// Plays a feedback on it.
  public func trigger(_ feedback: SensoryFeedback) { center.trigger(feedback) }

  /// The settings of this machine, to be read and set.
  public var settings: HapticSettings { use { HapticSettings.current } }

  /// Runs code whose views, generators, triggers, engines and questions about settings concern this machine.
  public func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try machine.use { try FeedbackCenter.$current.withValue(center, operation: body) }
  }

  /// Runs code whose views, generators, triggers, engines and questions about settings concern this machine.
  public func use<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await machine.use(isolation: isolation) {
      try await FeedbackCenter.$current.withValue(center, operation: body, isolation: isolation)
    }
  }

  /// Turns time on, by seconds; what was asked for before has reached the output.
  public func advance(seconds: Double) {
    center.flush()
    machine.advance(seconds: seconds)
  }

  /// What the actuator was given so far, full scale being 1, at `VirtualHaptics.samplesPerSecond`.
  public var signal: [Float] { machine.signal() }
}
