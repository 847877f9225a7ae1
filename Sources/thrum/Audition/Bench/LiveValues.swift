import ThrumEngine
import ThrumPattern

/// What is moved by hand while patterns play, and what is played by hand.
struct LiveValues: Sendable {
  /// The most taps, and continuous events, that sound at a time.
  static let most = (taps: 64, holds: 16)

  /// A continuous event that is held.
  struct Hold: Sendable {
    var player: Player
    var intensity: Float
    var sharpness: Float
  }

  var intensity: Float = 1
  var sharpness: Float = 0
  /// Whether they moved since they were last sent, and when that was.
  var isChanged = false
  var lastSent: Int64 = 0
  var taps: [Player] = []
  var holds: [Int: Hold] = [:]

  /// The values as patterns take them.
  var controls: [(DynamicParameterID, Float)] {
    [(.hapticIntensityControl, intensity), (.hapticSharpnessControl, sharpness)]
  }

  /// Whether anything that is played by hand sounds.
  var isSounding: Bool { taps.contains { $0.isActive } || holds.values.contains { $0.player.isActive } }

  /// Sends the values of continuous events that are held.
  func sendHolds() throws(EngineError) {
    for hold in holds.values {
      try hold.player.setControl(.hapticIntensityControl, hold.intensity * intensity)
      try hold.player.setControl(.hapticSharpnessControl, min(max(hold.sharpness + sharpness, 0), 1))
    }
  }

  /// Ends all that is played by hand.
  mutating func cancel() {
    for player in taps + holds.values.map(\.player) {
      // An output that has closed is silent already.
      do throws(EngineError) { try player.cancel() } catch { continue }
    }
    taps = []
    holds = [:]
  }
}
