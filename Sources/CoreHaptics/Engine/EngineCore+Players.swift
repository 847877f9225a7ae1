internal import ThrumEngine

extension EngineCore {
  /// Makes what stands behind a player.
  /// - Parameter pattern: The pattern, whose sounds must be there unless the engine plays haptics only.
  func makePlayer(with pattern: CompiledPattern) throws -> PlayerCore {
    guard !settings.playsHapticsOnly else { return PlayerCore(engine: self, pattern: pattern, heard: nil) }
    let heard = try pattern.heard(with: sounds)
    if let rate = soundRate {
      do throws(EngineError) {
        // So that a start neither takes longer nor fails for it.
        try heard.prepareSounds(atRate: rate)
      } catch {
        throw CHHapticError(error)
      }
    }
    return PlayerCore(engine: self, pattern: pattern, heard: heard)
  }

  /// Plays a pattern once, by a player of its own.
  func play(_ contents: PatternContents) throws {
    let player = try makePlayer(with: CompiledPattern(contents))
    try player.start(atTime: CHHapticTimeImmediate, startsEngine: true)
  }
}
