import Foundation
import TestSupport
import Testing
import ThrumActuator
import ThrumIdentification

/// The identification by ear, with a listener made of numbers.
@Suite struct StaircaseTests {
  /// Answers by the difference of two levels, which it feels with a noise of some dB.
  private func listen(
    _ model: ActuatorModel, near: Double?, seed: UInt64, noise: Double = 1.6
  ) -> StrengthStaircase {
    var random = SeededGenerator(seed: seed)
    var staircase = StrengthStaircase(near: near, seed: seed)
    while !staircase.isDone {
      let pair = staircase.pair
      let first = 20 * log10(model.magnitude(at: pair.first))
      let difference = first - 20 * log10(model.magnitude(at: pair.second)) + noise * random.gaussian()
      staircase.take(abs(difference) < noise / 2 ? .neither : difference > 0 ? .first : .second)
    }
    return staircase
  }

  @Test(arguments: [(175.0, 15.0), (235, 20), (150, 8), (205, 20), (130, 10)])
  func aListenerFindsALRA(f0: Double, q: Double) {
    let model = ActuatorModel(resonanceHz: f0, q: q, rate: 48000)
    var held = 0
    var pairs = 0
    for seed in UInt64(1)...50 {
      let result = listen(model, near: seed.isMultiple(of: 2) ? f0 * 1.1 : nil, seed: seed)
      #expect(result.answered <= StrengthStaircase.mostPairs)
      #expect(result.uncertaintyHz >= 0.03 * result.resonanceHz * 0.999)
      if abs(result.resonanceHz - f0) <= result.uncertaintyHz { held += 1 }
      pairs += result.answered
    }
    print("by ear, \(f0) Hz, Q \(q): within what is told in \(held) of 50, \(Double(pairs) / 50) pairs each")
    #expect(held >= 45, "\(held) of 50")
  }

  @Test func aListenerWhoFeelsNothingIsNotTrusted() {
    var staircase = StrengthStaircase()
    while !staircase.isDone { staircase.take(.first) }
    // Always the first, whichever it is.
    #expect(!staircase.isTrustworthy)
    #expect(staircase.uncertaintyHz >= 0.03 * staircase.resonanceHz)
    var numb = StrengthStaircase()
    while !numb.isDone { numb.take(.neither) }
    #expect(!numb.isTrustworthy)
    var upward = StrengthStaircase()
    while !upward.isDone { upward.take(upward.pair.first > upward.pair.second ? .first : .second) }
    #expect(!upward.isTrustworthy)
    #expect(upward.pair.first >= 50 && upward.pair.second <= 400)
  }
}
