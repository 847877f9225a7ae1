import Foundation
import ThrumActuator
import Testing

/// The figures of a simulation against what a second-order actuator does by its formula.
@Suite("Simulation")
struct ProfileSimulationTests {
  private let rate = 48_000.0
  private let resonance = ActuatorProfile.Resonance(hz: 175, q: 15)

  private func tone(_ seconds: Double, _ amplitude: (Double) -> Double = { _ in 1 }) -> [Float] {
    (0..<Int(seconds * rate)).map { index in
      let time = Double(index) / rate
      return Float(amplitude(time) * sin(2 * .pi * 175 * time))
    }
  }

  @Test("Rated drive comes to 1, in the time that the Q takes")
  func steady() throws {
    let simulation = ActuatorSimulation(drive: tone(0.5), rate: rate, resonance: resonance, tailSeconds: 0.3)
    #expect(abs(simulation.peak.value - 1) < 0.01)
    #expect(simulation.drivePeak > 0.999 && simulation.drivePeak <= 1)
    // 10 to 90 % of 1 − e^(−t/τ) is τ·ln 9, and it falls by 20 dB in τ·ln 10: 59.9 and 62.9 ms.
    let tau = resonance.timeConstant
    #expect(abs(try #require(simulation.riseSeconds) - tau * log(9)) < 0.004)
    #expect(abs(try #require(simulation.stopSeconds(from: 0.5)) - tau * log(10)) < 0.003)
    #expect(simulation.stopSeconds(from: 99) == nil)
  }

  @Test("A cycle of drive rings, and one with its brake does not")
  func click() throws {
    let cycle = 1 / 175.0
    let brake = exp(-cycle / resonance.timeConstant)
    let plain = ActuatorSimulation(drive: tone(cycle), rate: rate, resonance: resonance, tailSeconds: 0.1)
    let braked = ActuatorSimulation(
      drive: tone(2 * cycle) { $0 < cycle ? 1 : -brake }, rate: rate, resonance: resonance, tailSeconds: 0.1)
    // The table of the signal model: 0.188, 68.3 ms, 7.1 dB, and 0.187, 10.8 ms, 50.6 dB.
    #expect(abs(plain.peak.value - 0.188) < 0.003)
    #expect(abs(try #require(plain.lengthSeconds) - 0.0683) < 0.003)
    #expect(abs(try #require(plain.pulseToRing(from: 0)) - 7.1) < 0.3)
    #expect(abs(braked.peak.value - 0.187) < 0.003)
    #expect(abs(try #require(braked.lengthSeconds) - 0.0108) < 0.0005)
    #expect(try #require(braked.pulseToRing(from: 0)) > 40)
  }

  @Test("Silence has no figures")
  func silence() {
    let simulation = ActuatorSimulation(drive: [], rate: rate, resonance: resonance, tailSeconds: 0.01)
    #expect(simulation.peak.value == 0 && simulation.riseSeconds == nil && simulation.lengthSeconds == nil)
    #expect(simulation.stopSeconds(from: 0) == nil && simulation.pulseToRing(from: 0) == nil)
    #expect(simulation.envelope().allSatisfy { $0 == 0 } && simulation.acceleration.count == 480)
  }

  @Test("The outline is the largest magnitude of a period")
  func outline() {
    let simulation = ActuatorSimulation(drive: tone(0.2), rate: rate, resonance: resonance, tailSeconds: 0.05)
    let half = Int((rate / 175).rounded()) / 2
    let values = simulation.acceleration
    let envelope = simulation.envelope()
    for index in stride(from: 0, to: values.count, by: 97) {
      let window = values[max(0, index - half)...min(values.count - 1, index + half)]
      #expect(envelope[index] == window.map(\.magnitude).max())
    }
  }
}
