internal import ThrumEngine

extension EngineCore {
  /// Makes what stands behind a player.
  /// - Parameters:
  ///   - contents: The pattern, whose sounds must be there unless the engine plays haptics only.
  ///   - schedule: Gives the pattern in frames.
  func makePlayer(with contents: PatternContents, schedule: () -> Schedule) throws -> PlayerCore {
    if !settings.playsHapticsOnly { try sounds.check(contents) }
    return PlayerCore(engine: self, schedule: schedule(), pattern: contents.pattern)
  }

  /// Plays a pattern once, by a player of its own.
  func play(_ contents: PatternContents) throws {
    let player = try makePlayer(with: contents) { ScheduleCompiler.compile(contents.pattern) }
    try player.start(atTime: CHHapticTimeImmediate, startsEngine: true)
  }
}
