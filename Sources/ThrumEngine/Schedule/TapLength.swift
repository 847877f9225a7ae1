import Glibc
import ThrumRealtime

/// How long a tap sounds: until its envelope is 90 dB below its peak (signal model, section 2). The render
/// thread takes its own length, live controls included; this one only says how long a counted pass should be.
enum TapLength {
  /// Frames of a tap at its event's own parameters.
  static func frames(of tap: ScheduledEvent) -> Int64 {
    frames(sharpness: Double(tap.sharpness), attack: Double(tap.attack), decay: Double(tap.decay))
  }

  /// Frames of the longest tap: lowest sharpness, longest attack and decay.
  static let longest = frames(sharpness: 0, attack: 1, decay: 1)

  private static func frames(sharpness: Double, attack: Double, decay: Double) -> Int64 {
    let hertz = 80 * pow(5, sharpness)
    let decayCycles = 0.5 * exp2(decay * (decay < 0 ? 1 : 2))
    let attackCycles = 0.08 * exp2(3 * attack)
    let e = attackCycles / (attackCycles + 2 * decayCycles)
    let logPeak = 2 * log(1 - e) + attackCycles / decayCycles * log(e)
    let decayFrames = decayCycles / hertz * Double(RenderRate.framesPerSecond)
    return Int64(((4.5 * log(10) - logPeak) * decayFrames).rounded(.up))
  }
}
