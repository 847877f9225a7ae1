import Glibc

/// The signal an actuator is measured with: a tone that rises through its resonance, equally long for each octave.
///
/// What protects the actuator: the level, −20 dB of full scale unless told otherwise, is a fifth of the rated amplitude
/// (0.5 of full scale), so that even at resonance the motion stays under a fifth of the rated one; the tone passes a
/// resonance in a fraction of a second; it starts and ends through ramps.
///
/// Threads: a value. Real-time: no.
public struct SweepSignal: Sendable, Equatable {
  /// The first frequency, Hz.
  public var startHz: Double
  /// The last, Hz, above the first.
  public var endHz: Double
  /// How long it is, seconds.
  public var seconds: Double
  /// How long each of the ramps at its ends is, seconds.
  public var fadeSeconds: Double
  /// The amplitude, dB of full scale.
  public var levelDecibels: Double
  /// Samples a second.
  public var rate: Int

  /// The sweep of 2 s from 40 to 500 Hz at −20 dB, or another.
  public init(
    rate: Int, startHz: Double = 40, endHz: Double = 500, seconds: Double = 2, fadeSeconds: Double = 0.02,
    levelDecibels: Double = SweepSignal.defaultLevelDecibels
  ) {
    self.rate = rate
    self.startHz = startHz
    self.endHz = endHz
    self.seconds = seconds
    self.fadeSeconds = fadeSeconds
    self.levelDecibels = levelDecibels
  }

  /// The level of the sweep that is played by itself, dB of full scale.
  public static let defaultLevelDecibels = -20.0
  /// The highest level that may be asked for: rated amplitude is −6 dB.
  public static let highestLevelDecibels = -6.0

  /// How many samples it has.
  public var count: Int { Int((seconds * Double(rate)).rounded()) }

  /// All of them.
  public var samples: [Float] {
    let amplitude = pow(10, levelDecibels / 20)
    let octaves = log(endHz / startHz)
    let count = count
    let fade = max(Int(fadeSeconds * Double(rate)), 1)
    return (0..<count).map { index in
      let time = Double(index) / Double(rate)
      let turns = startHz * seconds / octaves * (exp(time * octaves / seconds) - 1)
      let edge = min(Double(min(index, count - 1 - index)) / Double(fade), 1)
      let ramp = edge * edge * edge * (10 + edge * (6 * edge - 15))
      return Float(amplitude * ramp * sin(2 * .pi * (turns - turns.rounded(.down))))
    }
  }

  /// The frequencies at which a transfer function measured with it can be trusted: the ends are where the ramps are.
  public var trustedHz: ClosedRange<Double> { startHz * 1.12...endHz * 0.95 }
}
