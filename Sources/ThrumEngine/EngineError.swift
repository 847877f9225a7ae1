/// A request that the control side refused; nothing was sent and nothing changed.
public struct EngineError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why it was refused.
  public enum Code: Sendable, Equatable {
    /// So many commands are under way to the render thread already.
    case commandQueueFull(limit: Int)
    /// So many players exist already.
    case playersExhausted(limit: Int)
    /// So many engines exist already.
    case enginesExhausted(limit: Int)
    /// The output was closed.
    case notRunning
    /// A sound cannot be had at the output's rate: there is no memory for it, or it could not be converted.
    case soundUnavailable
    /// A value is outside what the call takes.
    case invalidValue
  }

  /// Why it was refused.
  public var code: Code
  /// What was refused, the limit that was met, and what to do about it.
  public var message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension EngineError {
  static func commandQueueFull(limit: Int) -> EngineError {
    EngineError(
      .commandQueueFull(limit: limit),
      "\(limit) commands are under way to the render thread, which is all that fit; "
        + "send fewer ahead of time, or raise RendererSettings.commandCapacity")
  }

  static func playersExhausted(limit: Int) -> EngineError {
    EngineError(
      .playersExhausted(limit: limit),
      "\(limit) players exist on this output, which is all that fit; "
        + "let go of players that have finished, or raise RendererSettings.playerCapacity")
  }

  static func enginesExhausted(limit: Int) -> EngineError {
    EngineError(
      .enginesExhausted(limit: limit),
      "\(limit) engines share this output, which is all that fit; "
        + "let go of one, or raise RendererSettings.engineCapacity")
  }

  static let notRunning = EngineError(.notRunning, "the output was closed; open another one")
}
