import Foundation
import TestSupport
import Testing
import ThrumPattern

/// Bar 9: phase is continuous, and events of one sharpness add up.
@Suite struct PhaseBars {
  @Test(arguments: renderers) func bar9SharpnessNeverBreaksThePhase(_ render: PatternRenderer) throws {
    let steepest = 2 * sin(.pi * 230 / 8000) * continuousFullScale
    var worst = 0.0
    for seed in UInt64(1)...(isReduced ? 3 : 30) {
      var random = SeededGenerator(seed: seed)
      let rate = random.one(of: [60, 250, 1000])
      let jumps = (1...rate).map {
        DynamicParameter.sharpness(Float(random.number(in: -1..<1)), at: Double($0) / Double(rate))
      }
      let curve = ParameterCurve(
        id: .hapticSharpnessControl, time: 1.05,
        points: [.init(time: 0, value: -1), .init(time: 0.1, value: 1), .init(time: 0.1001, value: -1)])
      let signal = try render(
        Pattern(.buzz(for: 1.3, sharpness: 0.5), parameters: jumps, curves: [curve]))
      // The attack, the release and the constant top: steps of the envelope are not of the phase.
      let steady = signal.slice(40, 10_300)
      worst = max(worst, peak(zip(steady, steady.dropFirst()).map { $1 - $0 }) / steepest)
    }
    report(9, render, "steepest step \(fixed(worst, 6)) of the highest carrier's [1.001]")
    #expect(worst <= 1.001)
    #expect(worst > 0.9, "the highest frequency was never reached")
  }

  @Test(arguments: renderers) func bar9TwoHalvesMakeAWhole(_ render: PatternRenderer) throws {
    var worst = 0.0
    var random = SeededGenerator(seed: 9)
    for sharpness in sharpnesses {
      let whole = try render(Pattern(.buzz(for: 0.7, sharpness: sharpness)))
      let expected = ToneFit(whole.slice(3000, 2000), near: hertz(sharpness)).amplitude
      for _ in 0..<(isReduced ? 3 : 40) {
        let offset = Double(random.whole(in: 0...2000)) / 8000
        let both = try render(
          Pattern(
            .buzz(for: 0.7, intensity: 0.5, sharpness: sharpness),
            .buzz(at: offset, for: 0.7, intensity: 0.5, sharpness: sharpness)))
        let level = ToneFit(both.slice(3000, 2000), near: hertz(sharpness)).amplitude
        worst = max(worst, abs(decibels(level / expected)))
      }
    }
    report(9, render, "two events at 0.5 within \(fixed(worst, 5)) dB of one at 1 [0.1]")
    #expect(worst <= 0.1)
  }

  @Test(arguments: renderers) func bar9ADyingVoiceStillLendsItsPhase(_ render: PatternRenderer) throws {
    // The second event begins in the release of the first, the third after it.
    let pattern = Pattern(
      .buzz(for: 0.1, sharpness: 0.3), .buzz(at: 0.103, for: 0.2, sharpness: 0.3),
      .buzz(at: 0.5013, for: 0.2, sharpness: 0.3))
    let signal = try render(pattern)
    let hz = hertz(0.3)
    let first = ToneFit(signal.slice(300, 400), near: hz)
    let second = ToneFit(signal.slice(1100, 1000), near: hz)
    let third = ToneFit(signal.slice(4200, 1000), near: hz)
    let apart = turns(second.phase - first.phase - 2 * .pi * hz * 800 / 8000)
    let fresh = turns(third.phase - 2 * .pi * hz * Double(4200 - 4010) / 8000)
    report(
      9, render, "phase inherited to \(fixed(apart, 6)) turns, fresh to \(fixed(fresh, 6)) [0.001]",
      isWhole: true)
    #expect(abs(apart) < 0.001)
    #expect(abs(fresh) < 0.001)
  }
}

/// An angle in turns, −0.5…0.5.
private func turns(_ radians: Double) -> Double {
  let turns = radians / (2 * .pi)
  return turns - turns.rounded()
}
