/// Why a sound cannot be had; nothing was registered and nothing changed.
public struct SoundError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The published error code it stands for (Core Haptics error list).
  public enum Code: Int, Sendable {
    /// The file lies outside what the caller allows.
    case operationNotPermitted = -4806
    /// The file is not a sound that can be played, or the number is not that of a sound.
    case invalidAudioResource = -4824
    /// No memory is left within the cap.
    case resourceNotAvailable = -4825
    /// There is no such file.
    case fileNotFound = -4851
  }

  /// What kind of refusal it is.
  public var code: Code
  /// What was found, and what would be right.
  public var message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }
}
