import CoreHaptics
import TestSupport
import Testing

/// Ranges, defaults and how event and control combine (API sheet, 2.1 and 2.2), by what is felt.
@Suite struct ParameterBehaviourTests {
  @Test func aMissingParameterHasTheDefaultOfItsEvent() throws {
    let tap = try rendered(
      CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 0), seconds: 0.5)
    expectEqual(tap, try rendered(.tap(0.75, sharpness: 0.5), seconds: 0.5))
    let buzz = try rendered(
      CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: 0.2),
      seconds: 0.5)
    expectEqual(buzz, try rendered(.buzz(for: 0.2, 0.6, sharpness: 0.422601), seconds: 0.5))
  }

  @Test(arguments: [(Float(2), Float(1)), (-1, 0), (.nan, 0.6)])
  func aValueOutsideItsRangeIsTheNearerEnd(value: Float, effective: Float) throws {
    let signal = try rendered(.buzz(for: 0.2, value), seconds: 0.4)
    expectEqual(signal, try rendered(.buzz(for: 0.2, effective), seconds: 0.4))
  }

  @Test func intensityMultiplies() throws {
    let pattern = try CHHapticPattern(events: [.buzz(for: 0.2, 0.8)], parameters: [.intensity(0.5)])
    expectEqual(try rendered(pattern, seconds: 0.4), try rendered(.buzz(for: 0.2, 0.4), seconds: 0.4))
  }

  @Test func sharpnessIsAddedAndHeldInTheEventsRange() throws {
    for (event, control, sum) in [(Float(0.25), Float(0.5), Float(0.75)), (0.8, 1, 1), (0.5, -1, 0)] {
      let pattern = try CHHapticPattern(
        events: [.buzz(for: 0.2, 1, sharpness: event)], parameters: [.sharpness(control)])
      expectEqual(
        try rendered(pattern, seconds: 0.4), try rendered(.buzz(for: 0.2, 1, sharpness: sum), seconds: 0.4))
    }
  }

  @Test func controlsOfSoundsDoNotTouchHaptics() throws {
    let controls = [
      CHHapticDynamicParameter.ID.audioVolumeControl, .audioPanControl, .audioBrightnessControl,
      .audioPitchControl, .audioAttackTimeControl, .audioDecayTimeControl, .audioReleaseTimeControl,
    ].map { CHHapticDynamicParameter(parameterID: $0, value: 0.3, relativeTime: 0) }
    let pattern = try CHHapticPattern(events: [.buzz(for: 0.2)], parameters: controls)
    expectEqual(try rendered(pattern, seconds: 0.4), try rendered(.buzz(for: 0.2), seconds: 0.4))
  }

  @Test func moreIntensityIsMoreLevelAndMoreSharpnessMorePitch() throws {
    let levels = try [Float(0.25), 0.5, 1].map {
      rms(try rendered(.buzz(for: 0.5, $0), seconds: 0.5), from: 0.1, to: 0.4)
    }
    #expect(abs(levels[2] / levels[1] - 2) < 1e-3 && abs(levels[1] / levels[0] - 2) < 1e-3)
    let crossings = try [Float(0), 0.5, 1].map {
      zeroCrossings(try rendered(.buzz(for: 0.5, 1, sharpness: $0), seconds: 0.4))
    }
    // 80, 136 and 230 Hz cross zero twice a period, in 0.4 s.
    #expect(abs(crossings[0] - 64) <= 1 && abs(crossings[1] - 109) <= 1 && abs(crossings[2] - 184) <= 1)
  }

  @Test func aTapsDurationIsItsLogicalLengthOnly() throws {
    let long = CHHapticEvent(
      eventType: .hapticTransient, parameters: [], relativeTime: 0, duration: 0.4)
    let short = CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 0)
    expectEqual(try rendered(long, seconds: 0.6), try rendered(short, seconds: 0.6))
    #expect(try CHHapticPattern(events: [long], parameters: []).duration == 0.4)
  }

  @Test func aContinuousEventIsReleasedAfterItsDuration() throws {
    let signal = try rendered(.buzz(for: 0.25), seconds: 0.6)
    #expect(rms(signal, from: 0.05, to: 0.25) > 0.3)
    #expect(signal.slice(Int(0.31 * 8000), 8000).allSatisfy { $0 == 0 })
  }

  @Test func aContinuousEventFadesAtThirtySeconds() throws {
    let signal = try rendered(.buzz(for: 40), seconds: 31)
    #expect(rms(signal, from: 29.5, to: 30) > 0.3)
    #expect(signal.slice(Int(30.1 * 8000), 8000).allSatisfy { $0 == 0 })
  }

  @Test func aContinuousEventWithoutDurationIsOpenEnded() throws {
    let endless = CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0)
    let signal = try rendered(endless, seconds: 5)
    #expect(rms(signal, from: 4, to: 5) > 0.2)
  }

  @Test func anUnsustainedEventDecaysAndEnds() throws {
    let signal = try rendered(
      .buzz(for: 2, 1, sharpness: 0.5, [.sustained: 0, .decayTime: 0.3]), seconds: 2)
    #expect(signal.slice(0, 400).contains { abs($0) > 0.1 })
    #expect(signal.slice(12_000, 4000).allSatisfy { $0 == 0 })
  }

  @Test func decayActsOnUnsustainedAndReleaseOnSustainedEventsOnly() throws {
    expectEqual(
      try rendered(.buzz(for: 0.3, 1, sharpness: 0.5, [.decayTime: 0.9]), seconds: 1),
      try rendered(.buzz(for: 0.3), seconds: 1))
    let plain = try rendered(.buzz(for: 1, 1, sharpness: 0.5, [.sustained: 0]), seconds: 2)
    let released = try rendered(
      .buzz(for: 1, 1, sharpness: 0.5, [.sustained: 0, .releaseTime: 0.9]), seconds: 2)
    #expect(plain == released)
    let long = try rendered(.buzz(for: 0.3, 1, sharpness: 0.5, [.releaseTime: 0.8]), seconds: 2)
    #expect(long.slice(3200, 400).contains { abs($0) > 0.05 })
  }

  @Test func tapAndBuzzAreSummed() throws {
    let both = try rendered(.buzz(for: 0.5), .tap(at: 0.25), seconds: 0.6)
    let (buzz, tap) = (
      try rendered(.buzz(for: 0.5), seconds: 0.6), try rendered(.tap(at: 0.25), seconds: 0.6)
    )
    for frame in both.indices { #expect(abs(both[frame] - buzz[frame] - tap[frame]) < 1e-6) }
  }
}
