internal import ThrumEngine
internal import ThrumRealtime

/// Times of the calls of players.
enum EngineTime {
  /// Refuses what is no time to do something at.
  static func check(_ time: TimeInterval) throws {
    guard time >= 0, time * framesPerSecond <= 0x1p53 else { throw CHHapticError.invalid(time) }
  }

  /// The frame of an output for a time; nil means as soon as possible.
  static func frame(
    atTime time: TimeInterval, of engine: EngineCore, on session: OutputSession
  ) throws -> RenderFrame? {
    let frame = Timeline.frame(atSeconds: time).value
    if frame <= engine.output.currentFrame { return nil }
    return RenderFrame(frame - session.origin)
  }
}

extension CHHapticError {
  /// A time that is negative or no number.
  static func invalid(_ time: TimeInterval) -> CHHapticError {
    CHHapticError(
      .invalidTime, condition: "time >= 0",
      "\(time) is not a time; use 0 for now, or seconds on the scale of the engine's currentTime.")
  }
}
