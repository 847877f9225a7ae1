import ThrumRealtime

/// How long a tap sounds. The render thread takes its own length, live controls included; this one only says how long a
/// counted pass should be.
enum TapLength {
  /// Frames of a tap at its event's own parameters.
  static func frames(of tap: ScheduledEvent) -> Int64 {
    TapShape(sharpness: Double(tap.sharpness), attack: Double(tap.attack), decay: Double(tap.decay)).frames
  }

  /// Frames of the longest tap: lowest sharpness, longest attack and decay.
  static let longest = TapShape(sharpness: 0, attack: 1, decay: 1).frames
}
