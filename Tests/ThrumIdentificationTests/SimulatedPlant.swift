import Foundation
import TestSupport
import ThrumActuator
import ThrumIdentification

/// An actuator of the tests with a sensor and a noisy input behind it.
struct SimulatedPlant {
  var resonanceHz: Double
  var q: Double
  var sensor = MotionSensor.accelerometer
  /// What the noise is below the captured sweep, dB of root mean squares, white up to half the rate; nil for none.
  var signalToNoise: Double?
  var delaySeconds = 0.0371
  /// The linear gain from drive to the input.
  var gain = 0.5
  /// For the current: the motion's part of the impedance at resonance, over the rest of it; and the coil's L·2π·(1 kHz)/R.
  var motionalShare = 0.6
  var inductance = 0.05
  /// Another resonance beside the first.
  var second: (hertz: Double, q: Double, share: Double)?

  /// What the input hears of a sweep: half a second before it, the sweep, and 0.8 s.
  func recording(of sweep: SweepSignal, seed: UInt64) -> [Float] {
    let rate = Double(sweep.rate)
    let lead = Int((0.5 + delaySeconds) * rate)
    let drive = sweep.samples.map(Double.init)
    let count = lead + drive.count + Int(0.8 * rate)
    var heard = [Double](repeating: 0, count: count)
    var model = ActuatorModel(resonanceHz: resonanceHz, q: q, rate: rate)
    var other = second.map { ActuatorModel(resonanceHz: $0.hertz, q: $0.q, gain: $0.share, rate: rate) }
    // The current in the coil lags behind the voltage across what resists it.
    let lag = inductance / (2 * .pi * 1000) * rate
    var current = 0.0
    for index in lead..<count {
      let place = index - lead
      let now = place < drive.count ? drive[place] : 0
      let motion = model.step(now)
      let added = other?.step(now)
      switch sensor {
      case .accelerometer: heard[index] = motion.acceleration + (added?.acceleration ?? 0)
      case .microphone: heard[index] = motion.velocity + (added?.velocity ?? 0)
      case .resistor:
        // The back-EMF at resonance is motionalShare/(1 + motionalShare) of the drive.
        let force = now - motionalShare / (1 + motionalShare) * motion.velocity
        current += (force - current) / (lag + 0.5)
        heard[index] = lag > 0 ? current : force
      }
      heard[index] *= gain
    }
    guard let signalToNoise else { return heard.map(Float.init) }
    let power = heard[lead..<lead + drive.count].reduce(0) { $0 + $1 * $1 } / Double(drive.count)
    let level = (power * pow(10, -signalToNoise / 10)).squareRoot()
    var random = SeededGenerator(seed: seed)
    return heard.map { Float($0 + level * random.gaussian()) }
  }
}

extension SeededGenerator {
  /// A number of the normal distribution (Box and Muller).
  mutating func gaussian() -> Double {
    let (first, second) = (Double.random(in: 0..<1, using: &self), Double.random(in: 0..<1, using: &self))
    return (-2 * log(1 - first)).squareRoot() * cos(2 * .pi * second)
  }
}
