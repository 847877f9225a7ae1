/// The domain of all errors of this module: `com.apple.CoreHaptics`, as programs compare with it.
public let CoreHapticsErrorDomain: String = "com.apple.CoreHaptics"

/// An error of this module.
///
/// ``userInfo`` names the condition that failed under the key `Error`, and tells a person what is wrong and
/// what to do about it under `NSLocalizedDescriptionKey`.
public struct CHHapticError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: the dictionary never changes, and what this module puts into it are
  // strings. What others put in is theirs to answer for, as with `NSError`.

  /// What went wrong.
  public let code: Code
  /// More about it.
  public let userInfo: [String: Any]

  /// Creates an error.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    self.userInfo = userInfo
  }

  /// ``CoreHapticsErrorDomain``.
  public static var errorDomain: String { CoreHapticsErrorDomain }

  /// The number of the code.
  public var errorCode: Int { code.rawValue }

  /// ``userInfo``, with a description where it has none.
  public var errorUserInfo: [String: Any] {
    userInfo.merging([NSLocalizedDescriptionKey: code.meaning]) { own, _ in own }
  }

  /// What a person should read.
  public var errorDescription: String? {
    userInfo[NSLocalizedDescriptionKey] as? String ?? code.meaning
  }

  /// What a person should read.
  public var localizedDescription: String { errorDescription ?? code.meaning }

  /// Whether two errors have the same code and tell the same about it.
  public static func == (left: CHHapticError, right: CHHapticError) -> Bool {
    left.code == right.code
      && NSDictionary(dictionary: left.userInfo).isEqual(NSDictionary(dictionary: right.userInfo))
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CHHapticError: CustomStringConvertible {
  /// The description, the domain and the code on one line.
  public var description: String { "\(localizedDescription) (\(Self.errorDomain) \(code.rawValue))" }
}

extension CHHapticError {
  /// What went wrong. More may be added to the list.
  @nonexhaustive(warn)
  public enum Code: Int, Sendable {
    /// Something was to be played while the engine is stopped.
    case engineNotRunning = -4805
    /// Not allowed in the present state, or for a pattern that holds registered sounds.
    case operationNotPermitted = -4806
    /// The engine took too long to start.
    case engineStartTimeout = -4808
    /// The machine has nothing to play on.
    case notSupported = -4809
    /// The output could not be opened or started.
    case serverInitFailed = -4810
    /// The output was lost.
    case serverInterrupted = -4811
    /// The player cannot be used any more.
    case invalidPatternPlayer = -4812
    /// The pattern is not what a pattern file holds.
    case invalidPatternData = -4813
    /// A dictionary is not a pattern, or has no pattern in it.
    case invalidPatternDictionary = -4814
    /// The audio session cannot be used.
    case invalidAudioSession = -4815
    /// A setting of the engine or the output is not possible.
    case invalidEngineParameter = -4816
    /// There is no such parameter, or not for that type of event.
    case invalidParameterType = -4820
    /// There is no such type of event.
    case invalidEventType = -4821
    /// A time in a pattern is negative or cannot be counted.
    case invalidEventTime = -4822
    /// A duration in a pattern is negative or cannot be counted.
    case invalidEventDuration = -4823
    /// An event names a sound that cannot be played.
    case invalidAudioResource = -4824
    /// A limit was met.
    case resourceNotAvailable = -4825
    /// An event of a pattern lacks something it must have.
    case badEventEntry = -4830
    /// A parameter or curve of a pattern lacks something it must have.
    case badParameterEntry = -4831
    /// A time given to a call is negative or no number.
    case invalidTime = -4840
    /// A file is not there.
    case fileNotFound = -4851
    /// There is not enough power.
    case insufficientPower = -4897
    /// None of the others.
    case unknownError = -4898
    /// There is not enough memory.
    case memoryError = -4899
  }
}

extension CHHapticError.Code {
  /// Lets `catch CHHapticError.engineNotRunning` catch errors of that code, bridged ones included.
  public static func ~= (code: CHHapticError.Code, error: any Error) -> Bool {
    if let error = error as? CHHapticError { return error.code == code }
    let error = error as NSError
    return error.domain == CoreHapticsErrorDomain && error.code == code.rawValue
  }

  /// What the code says to a person when nothing more is known.
  var meaning: String {
    switch self {
    case .engineNotRunning: "The haptic engine is not running; start it first."
    case .operationNotPermitted: "This cannot be done now."
    case .engineStartTimeout: "The haptic engine took too long to start."
    case .notSupported: "There is no output for haptics on this machine."
    case .serverInitFailed: "The output for haptics could not be opened."
    case .serverInterrupted: "The output for haptics was lost."
    case .invalidPatternPlayer: "The player cannot be used any more; make another one."
    case .invalidPatternData: "The pattern is not valid."
    case .invalidPatternDictionary: "The dictionary is not a pattern."
    case .invalidAudioSession: "The audio session cannot be used."
    case .invalidEngineParameter: "A setting of the haptic engine is not possible."
    case .invalidParameterType: "There is no such parameter for this."
    case .invalidEventType: "There is no such type of event."
    case .invalidEventTime: "A time in the pattern is not possible."
    case .invalidEventDuration: "A duration in the pattern is not possible."
    case .invalidAudioResource: "The sound cannot be played."
    case .resourceNotAvailable: "A limit of the haptic engine was met."
    case .badEventEntry: "An event of the pattern lacks something it must have."
    case .badParameterEntry: "A parameter of the pattern lacks something it must have."
    case .invalidTime: "The time is negative or no number."
    case .fileNotFound: "The file was not found."
    case .insufficientPower: "There is not enough power for haptics."
    case .unknownError: "Haptics failed for an unknown reason."
    case .memoryError: "There is not enough memory for haptics."
    }
  }
}
