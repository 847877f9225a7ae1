public import CoreHaptics

/// An engine for tests of code that takes its haptics as `HapticsProviding`: it plays on a virtual machine
/// and notes what it is asked.
///
/// ```swift
/// let haptics = RecordingHaptics()
/// let counter = Counter(haptics: haptics)
/// counter.increase()
/// #expect(haptics.played == [[RecordedEvent(type: .hapticTransient, time: 0, values: …)]])
/// ```
public final class RecordingHaptics: HapticsProviding, Sendable {
  /// The machine, whose time is turned and whose signal can be read.
  public let machine: VirtualHaptics
  private let engine: CHHapticEngine

  /// Makes an engine on a machine of its own, running.
  /// - Throws: What an engine throws; a machine for tests gives no reason to.
  public init() throws {
    let machine = VirtualHaptics()
    self.machine = machine
    engine = try machine.use { try CHHapticEngine() }
    try engine.start()
  }

  /// Everything that players were asked so far, in order.
  public var requests: [RecordedRequest] { machine.requests }

  /// The events of every pattern that was started, in order.
  public var played: [[RecordedEvent]] { requests.filter { $0.action == .start }.map(\.events) }

  /// The engine's time.
  public var currentTime: TimeInterval { engine.currentTime }

  /// Starts the engine.
  public func start() throws { try engine.start() }

  /// Stops the engine.
  public func stop(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
    engine.stop(completionHandler: completionHandler)
  }

  /// Makes a player that is recorded.
  public func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer {
    try engine.makePlayer(with: pattern)
  }

  /// Makes an advanced player that is recorded.
  public func makeAdvancedPlayer(with pattern: CHHapticPattern) throws -> any CHHapticAdvancedPatternPlayer {
    try engine.makeAdvancedPlayer(with: pattern)
  }

  /// Plays a file once.
  public func playPattern(from fileURL: URL) throws { try engine.playPattern(from: fileURL) }

  /// Plays the bytes of a pattern file once.
  public func playPattern(from data: Data) throws { try engine.playPattern(from: data) }

  /// Reads a sound for events.
  public func registerAudioResource(
    _ resourceURL: URL, options: [AnyHashable: Any] = [:]
  ) throws -> CHHapticAudioResourceID {
    try engine.registerAudioResource(resourceURL, options: options)
  }

  /// Takes a sound back.
  public func unregisterAudioResource(_ resourceID: CHHapticAudioResourceID) throws {
    try engine.unregisterAudioResource(resourceID)
  }
}
