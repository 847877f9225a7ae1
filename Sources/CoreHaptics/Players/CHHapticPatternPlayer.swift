/// Plays one copy of a pattern; overlapping copies take several players.
///
/// Times are on the scale of ``CHHapticEngine/currentTime``; 0, and any time that has passed, mean as soon as
/// possible. A negative time, and one that is no number, throw ``CHHapticError`` `invalidTime`. Whatever
/// throws has changed nothing.
public protocol CHHapticPatternPlayer: NSObjectProtocol {
  /// Plays from the beginning; what is left of a run under way is dropped.
  /// - Throws: ``CHHapticError`` `engineNotRunning` on a stopped engine, unless it shuts down and starts by
  ///   itself; `resourceNotAvailable` with the limit that was met.
  func start(atTime time: TimeInterval) throws

  /// Stops within some milliseconds, without a click.
  func stop(atTime time: TimeInterval) throws

  /// Changes values of the run under way. Each takes effect at its own time after the one given.
  func sendParameters(_ parameters: [CHHapticDynamicParameter], atTime time: TimeInterval) throws

  /// Changes a value of the run under way along a curve, whose own time has no effect.
  func scheduleParameterCurve(_ parameterCurve: CHHapticParameterCurve, atTime time: TimeInterval) throws

  /// Stops, and drops everything that was scheduled for later.
  func cancel() throws

  /// Whether the player is silent while its time goes on; false at first.
  var isMuted: Bool { get set }
}

/// A player that can be paused, sought in, looped and played at another rate.
public protocol CHHapticAdvancedPatternPlayer: CHHapticPatternPlayer {
  /// Holds the position; what sounds fades.
  func pause(atTime time: TimeInterval) throws

  /// Goes on from the position that is held.
  func resume(atTime time: TimeInterval) throws

  /// Moves to a position; events that began before it stay silent.
  /// - Parameter offsetTime: Seconds from the pattern's beginning. At or after its end the run ends, or a
  ///   loop goes to the beginning.
  func seek(toOffset offsetTime: TimeInterval) throws

  /// Whether the pattern begins again at ``loopEnd``; false at first. Turned off, the pass under way is the
  /// last.
  var loopEnabled: Bool { get set }

  /// Seconds at which a loop ends; the pattern's duration until it is set, and 0 means the same.
  var loopEnd: TimeInterval { get set }

  /// How fast time goes; 1 at first, values that are not above 0 are ignored. Pitch stays.
  var playbackRate: Float { get set }

  /// Whether the player is silent while its time goes on; false at first.
  var isMuted: Bool { get set }

  /// Called on the engine's handler queue each time playback ends, with nil, or with the error that ended it.
  var completionHandler: CHHapticAdvancedPatternPlayerCompletionHandler { get set }
}

/// What an advanced player calls when playback ends.
public typealias CHHapticAdvancedPatternPlayerCompletionHandler = ((any Error)?) -> Void
