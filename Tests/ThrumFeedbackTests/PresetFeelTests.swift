import TestSupport
import Testing
import ThrumFeedback
import ThrumPattern

/// What the presets feel like, measured on what is rendered of them.
@Suite struct PresetFeelTests {
  /// How strong pulses are, by their peaks.
  enum Strength {
    case light, medium, strong

    var peaks: ClosedRange<Double> {
      switch self {
      case .light: 0.05...0.40
      case .medium: 0.40...0.60
      case .strong: 0.60...1
      }
    }
  }

  private func feel(_ name: FeedbackName) throws -> Feel {
    Feel(try #require(PresetLibrary.preset(named: name)))
  }

  @Test(arguments: [
    (FeedbackName.success, [0, 120], Strength.light),
    (.warning, [0, 140], .medium),
    (.error, [0, 100, 200], .strong),
    (.selection, [0], .light),
    (.navigationLinkTap, [0], .light),
    (.impactLight, [0], .light),
    (.impactMedium, [0], .medium),
    (.impactHeavy, [0], .medium),
    (.impactSolid, [0], .strong),
    (.impactRigid, [0], .strong),
    (.pressButton, [0], .medium),
    (.navigationLeftTurn, [0, 80, 240, 320, 480, 560], .medium),
    (.navigationRightTurn, [0, 100, 200, 300, 400, 500, 600, 700], .medium),
  ])
  func pulsesHaveTheirNumberPlaceAndStrength(name: FeedbackName, times: [Int], strength: Strength) throws {
    let pulses = try feel(name).pulses
    try #require(pulses.count == times.count, "\(name): \(pulses)")
    for (pulse, time) in zip(pulses, times) {
      #expect(abs(pulse.time * 1000 - Double(time)) <= 3, "\(name): \(pulses)")
      #expect(strength.peaks.contains(pulse.peak), "\(name): \(pulses)")
    }
  }

  @Test func successRisesAndWarningDoesNot() throws {
    let success = try feel(.success).pulses
    #expect(success[1].peak > success[0].peak * 1.2 && success[1].hertz > success[0].hertz * 1.15)
    let warning = try feel(.warning).pulses
    #expect(abs(decibels(warning[1].peak / warning[0].peak)) < 0.5)
    #expect(abs(warning[1].hertz / warning[0].hertz - 1) < 0.02)
  }

  @Test func increaseRisesAndDecreaseFalls() throws {
    for (name, sign) in [(FeedbackName.increase, 1.0), (.decrease, -1)] {
      let pulses = try feel(name).pulses
      try #require(pulses.count == 2)
      #expect(sign * (pulses[1].hertz - pulses[0].hertz) > 50)
    }
  }

  @Test func heavierLandsHarderAndMoreRigidBrighter() throws {
    let weights = try [FeedbackName.impactLight, .impactMedium, .impactHeavy].map { try feel($0).pulses[0] }
    #expect(weights[0].peak < weights[1].peak && weights[1].peak < weights[2].peak)
    #expect(weights[0].hertz > weights[1].hertz && weights[1].hertz > weights[2].hertz)
    let flexibilities = try [FeedbackName.impactSoft, .impactSolid, .impactRigid].map {
      try feel($0).pulses[0].hertz
    }
    #expect(flexibilities[0] * 2 < flexibilities[1] && flexibilities[1] * 1.5 < flexibilities[2])
  }

  @Test func nothingIsMoreDelicateThanTheTurningOfAPage() throws {
    let least = try feel(.navigationLinkTap).pulses[0].peak
    for name in PresetLibrary.presetNames where name != .navigationLinkTap {
      #expect(try feel(name).pulses.contains { $0.peak > least }, "\(name)")
    }
  }

  /// Answers to a touch stay within a fifth of a second; what calls for attention takes longer.
  @Test func answersAreShort() throws {
    let calls: Set<FeedbackName> = [
      .notification, .navigationLeftTurn, .navigationRightTurn, .navigationGenericManeuver,
      .underwaterDepthPrompt, .underwaterDepthCriticalPrompt,
    ]
    for name in PresetLibrary.presetNames where !calls.contains(name) {
      #expect(try #require(PresetLibrary.preset(named: name)).duration <= 0.2, "\(name)")
    }
  }

  @Test func everyTwoPresetsCanBeToldApart() throws {
    let names = PresetLibrary.presetNames
    let feels = try names.map { try feel($0) }
    var nearest = (distance: Double.infinity, pair: "")
    for first in names.indices {
      for second in names.indices.dropFirst(first + 1) {
        let distance = feels[first].distance(to: feels[second])
        if distance < nearest.distance { nearest = (distance, "\(names[first]) and \(names[second])") }
        #expect(
          distance >= 2, "\(names[first]) \(feels[first].pulses), \(names[second]) \(feels[second].pulses)")
      }
    }
    print("\(names.count) presets; the nearest two are \(nearest.pair): \(fixed(nearest.distance, 1)) JND")
  }
}
