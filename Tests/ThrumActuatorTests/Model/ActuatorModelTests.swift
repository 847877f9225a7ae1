import Foundation
import Testing
import ThrumActuator

/// The modelled actuator against its own equations.
@Suite struct ActuatorModelTests {
  @Test(arguments: [(65.0, 3.0), (120, 1.5), (150, 8), (175, 15), (235, 25), (40, 0.5), (100, 0.3)])
  func aSteadySineReachesTheMagnitudeOfTheTransferFunction(plant: (f0: Double, q: Double)) {
    let rate = 48000.0
    for hertz in [40.0, plant.f0, 400] {
      for quantity in ActuatorQuantity.allCases {
        var model = ActuatorModel(resonanceHz: plant.f0, q: plant.q, rate: rate)
        let settled = Int((20 * model.timeConstant + 0.2) * rate)
        var (re, im) = (0.0, 0.0)
        let count = Int(rate)
        for index in 0..<settled + count {
          let angle = 2 * Double.pi * hertz * Double(index) / rate
          let value = model.step(sin(angle))[quantity]
          if index >= settled {
            re += value * cos(angle)
            im += value * sin(angle)
          }
        }
        let measured = 2 * (re * re + im * im).squareRoot() / Double(count)
        let held = Self.held(hertz, plant.f0, plant.q, quantity, rate)
        #expect(
          abs(measured / model.magnitude(at: hertz, of: quantity) - 1)
            < pow(.pi * max(hertz, plant.f0) / rate, 2) / 3 * 1.01)
        #expect(abs(measured / held - 1) < 2e-6, "\(plant) \(hertz) Hz \(quantity): \(measured), \(held)")
      }
    }
  }

  /// The magnitude for a tone that is held in straight lines: those make displacement and velocity smaller by sinc², and
  /// the drive itself, which is in the acceleration, not.
  private static func held(
    _ hertz: Double, _ f0: Double, _ q: Double, _ quantity: ActuatorQuantity, _ rate: Double
  ) -> Double {
    let u = hertz / f0
    let angle = Double.pi * hertz / rate
    let share = pow(sin(angle) / angle, 2)
    // displacement = share/Q · 1/(a + jb)
    let (a, b) = (1 - u * u, u / q)
    let scale = share / q / (a * a + b * b)
    let displacement = (re: scale * a, im: -scale * b)
    let velocity = (re: -u * displacement.im, im: u * displacement.re)
    let acceleration = (
      re: 1 / q - velocity.re / q - displacement.re, im: -velocity.im / q - displacement.im
    )
    let value =
      switch quantity {
      case .displacement: displacement
      case .velocity: velocity
      case .acceleration: acceleration
      }
    return (value.re * value.re + value.im * value.im).squareRoot()
  }

  @Test func aSineAtTheResonanceComesToOneInAllThree() {
    let model = ActuatorModel(resonanceHz: 175, q: 15, rate: 48000)
    for quantity in ActuatorQuantity.allCases {
      #expect(abs(model.magnitude(at: 175, of: quantity) - 1) < 1e-12, "\(quantity)")
    }
  }

  @Test func itRingsDownAtItsTimeConstantAndPitchAtAnyRate() {
    for rate in [8000.0, 16000, 44100, 48000, 96000] {
      var model = ActuatorModel(resonanceHz: 175, q: 15, rate: rate)
      for index in 0..<Int(rate) { model.step(sin(2 * .pi * 175 * Double(index) / rate)) }
      // The free vibration: two samples determine the next, exactly, by the poles.
      model.step(0)
      let values = (0..<400).map { _ in model.step(0).displacement }
      let step = 1 / rate
      let decay = exp(-step / model.timeConstant)
      let pitch = 2 * Double.pi * 175 * (1 - 1 / (4 * 15.0 * 15)).squareRoot() * step
      for index in 2..<values.count {
        let predicted =
          2 * decay * cos(pitch) * values[index - 1] - decay * decay * values[index - 2]
        #expect(abs(values[index] - predicted) < 1e-12, "rate \(rate), sample \(index)")
      }
    }
  }

  @Test func aDriveOfStraightLinesIsAnsweredExactlyAtEveryRate() {
    // A triangle of 20 ms whose corners are on both grids.
    func triangle(_ rate: Double) -> [Float] {
      (0..<Int(0.06 * rate)).map { index in
        let time = Double(index) / rate
        return Float(time < 0.01 ? time / 0.01 : time < 0.02 ? 2 - time / 0.01 : 0)
      }
    }
    let slow = ActuatorModel(resonanceHz: 120, q: 4, rate: 8000).response(to: triangle(8000))
    let fast = ActuatorModel(resonanceHz: 120, q: 4, rate: 48000).response(to: triangle(48000))
    for index in slow.indices { #expect(abs(slow[index] - fast[6 * index]) < 1e-6, "sample \(index)") }
  }

  @Test func aResetModelIsANewOne() {
    var model = ActuatorModel(resonanceHz: 175, q: 15, gain: 0.5, rate: 48000)
    let fresh = model
    for index in 0..<100 { model.step(Double(index % 7)) }
    #expect(model != fresh)
    model.reset()
    #expect(model == fresh)
  }
}
