/// What a program wants of an engine, for code that is tested with a stand-in.
///
/// ``CHHapticEngine`` provides it; so does `RecordingHaptics` of CoreHapticsTesting. It is not part of a
/// phone's Core Haptics: a program that runs there too declares a protocol of its own like it.
public protocol HapticsProviding: AnyObject {
  /// Seconds on the scale of all times that players are given.
  var currentTime: TimeInterval { get }
  /// Starts, and returns when patterns can be played.
  func start() throws
  /// Stops.
  func stop(completionHandler: (@Sendable ((any Error)?) -> Void)?)
  /// Makes a player.
  func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer
  /// Makes a player that can be paused, sought in, looped and played at another rate.
  func makeAdvancedPlayer(with pattern: CHHapticPattern) throws -> any CHHapticAdvancedPatternPlayer
  /// Plays a file once.
  func playPattern(from fileURL: URL) throws
  /// Plays the bytes of a pattern file once.
  func playPattern(from data: Data) throws
  /// Reads a sound for events.
  func registerAudioResource(_ resourceURL: URL, options: [AnyHashable: Any]) throws
    -> CHHapticAudioResourceID
  /// Takes a sound back.
  func unregisterAudioResource(_ resourceID: CHHapticAudioResourceID) throws
}

extension CHHapticEngine: HapticsProviding {}
