// Each code by its own name, as `catch CHHapticError.engineNotRunning` wants it.
extension CHHapticError {
  /// Something was to be played while the engine is stopped.
  public static var engineNotRunning: Code { .engineNotRunning }
  /// Not allowed in the present state, or for a pattern that holds registered sounds.
  public static var operationNotPermitted: Code { .operationNotPermitted }
  /// The engine took too long to start.
  public static var engineStartTimeout: Code { .engineStartTimeout }
  /// The machine has nothing to play on.
  public static var notSupported: Code { .notSupported }
  /// The output could not be opened or started.
  public static var serverInitFailed: Code { .serverInitFailed }
  /// The output was lost.
  public static var serverInterrupted: Code { .serverInterrupted }
  /// The player cannot be used any more.
  public static var invalidPatternPlayer: Code { .invalidPatternPlayer }
  /// The pattern is not what a pattern file holds.
  public static var invalidPatternData: Code { .invalidPatternData }
  /// A dictionary is not a pattern, or has no pattern in it.
  public static var invalidPatternDictionary: Code { .invalidPatternDictionary }
  /// The audio session cannot be used.
  public static var invalidAudioSession: Code { .invalidAudioSession }
  /// A setting of the engine or the output is not possible.
  public static var invalidEngineParameter: Code { .invalidEngineParameter }
  /// There is no such parameter, or not for that type of event.
  public static var invalidParameterType: Code { .invalidParameterType }
  /// There is no such type of event.
  public static var invalidEventType: Code { .invalidEventType }
  /// A time in a pattern is negative or cannot be counted.
  public static var invalidEventTime: Code { .invalidEventTime }
  /// A duration in a pattern is negative or cannot be counted.
  public static var invalidEventDuration: Code { .invalidEventDuration }
  /// An event names a sound that cannot be played.
  public static var invalidAudioResource: Code { .invalidAudioResource }
  /// A limit was met.
  public static var resourceNotAvailable: Code { .resourceNotAvailable }
  /// An event of a pattern lacks something it must have.
  public static var badEventEntry: Code { .badEventEntry }
  /// A parameter or curve of a pattern lacks something it must have.
  public static var badParameterEntry: Code { .badParameterEntry }
  /// A time given to a call is negative or no number.
  public static var invalidTime: Code { .invalidTime }
  /// A file is not there.
  public static var fileNotFound: Code { .fileNotFound }
  /// There is not enough power.
  public static var insufficientPower: Code { .insufficientPower }
  /// None of the others.
  public static var unknownError: Code { .unknownError }
  /// There is not enough memory.
  public static var memoryError: Code { .memoryError }
}
