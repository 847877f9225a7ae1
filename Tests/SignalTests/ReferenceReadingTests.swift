import Foundation
import TestSupport
import Testing
import ThrumPattern

/// The exact readings of section 11 as the reference has them, on patterns small enough to work out by hand.
@Suite struct ReferenceReadingTests {
  private func intensity(_ entries: Pattern.Entry...) -> ReferenceControl {
    ReferenceControl(.hapticIntensityControl, in: Pattern(entries: entries))
  }

  private func parameter(_ value: Float, at frame: Double) -> Pattern.Entry {
    .parameter(.intensity(value, at: frame / 8000))
  }

  private func curve(at frame: Double, _ points: (Double, Float)...) -> Pattern.Entry {
    .curve(
      ParameterCurve(
        id: .hapticIntensityControl, time: frame / 8000,
        points: points.map { .init(time: $0.0 / 8000, value: $0.1) }))
  }

  @Test func secondsBecomeFramesHalfUp() {
    #expect(referenceFrames(0.5 / 8000) == 1)
    #expect(referenceFrames(0.49999 / 8000) == 0)
    #expect(referenceFrames(2.5 / 8000) == 3)
    #expect(referenceFrames(0.1) == 800)
  }

  @Test func aCurveHoldsItsFirstPointFromItsStartAndItsLastForEver() {
    let control = intensity(curve(at: 10, (5, 0.5), (15, 1), (15, 0.25)))
    #expect(control.value(at: 9) == 1)
    #expect(control.value(at: 10) == 0.5)
    #expect(control.value(at: 15) == 0.5)
    #expect(control.value(at: 20) == 0.75)
    #expect(control.value(at: 25) == 0.25)
    #expect(control.value(at: 9000) == 0.25)
    let steps = control.steps(in: 0..<100)
    #expect(steps.map(\.frame) == [10, 25])
    #expect(steps.map(\.change) == [-0.5, -0.75])
  }

  @Test func theLatestStartCountsAndACurveThatWasCutOffNeverResumes() {
    let control = intensity(
      parameter(0.5, at: 30), curve(at: 0, (0, 0), (40, 1)), parameter(0.25, at: 30),
      curve(at: 50, (0, 0.25), (10, 0.75)))
    #expect(control.value(at: 29) == 29.0 / 40)
    // Of equal starts the last in the file.
    #expect(control.value(at: 30) == 0.25)
    #expect(control.value(at: 39) == 0.25)
    #expect(control.value(at: 55) == 0.5)
    // The curve at 50 begins where the value stands: no step.
    let steps = control.steps(in: 1..<100)
    #expect(steps.map(\.frame) == [30])
    #expect(steps.map(\.change) == [0.25 - 0.75])
  }

  @Test func onlyStepsAfterAVoicesFirstFrameAreSmoothed() {
    let control = intensity(parameter(0.5, at: 100), parameter(1, at: 200))
    let settled = control.smoothed(over: 100..<400)
    #expect(settled[0] == 0.5 && settled[99] == 0.5)
    #expect(abs(settled[100] - (0.5 + 0.5 / 9261)) < 1e-15)
    #expect(settled[159] < 1 && abs(settled[160] - 1) < 1e-14)
    let earlier = control.smoothed(over: 99..<400)
    #expect(earlier[0] == 1 && abs(earlier[1] - (1 - 0.5 / 9261)) < 1e-15)
  }

  @Test func aCurveKeepsItsSlopeUnderASmoothedStep() {
    // Straight lines with a step between them: smoothing is of the step alone.
    let control = intensity(curve(at: 0, (0, 0), (1000, 0.5), (1000, 0.25), (2000, 0.75)))
    let values = control.smoothed(over: 0..<3000)
    #expect(values[999] == 0.4995)
    #expect(abs(values[1100] - 0.3) < 1e-14)
    #expect(abs(values[1030] - (0.5 + 0.015 - 0.25 * (0.5 + 331.0 / 2 / 9261))) < 1e-12)
  }

  @Test func transientsTakeTheStepOfTheirFrame() {
    let at = Pattern(.tap(at: 0.1), parameters: [.intensity(0.25, at: 0.1)])
    let after = Pattern(.tap(at: 0.1), parameters: [.intensity(0.25, at: 0.1001)])
    #expect(abs(peak(ReferenceRenderer.render(at)) - peak(ReferenceRenderer.render(after)) / 4) < 1e-12)
  }

  @Test func gammaIsTheExponentOfTheIntensity() {
    let squared = ReferenceProfile(gamma: 2)
    for event in [Event.tap(intensity: 0.5), .buzz(for: 0.1, intensity: 0.5)] {
      let linear = ReferenceRenderer.render(Pattern(event))
      let square = ReferenceRenderer.render(Pattern(event), profile: squared)
      #expect(peak(zip(linear, square).map { $0 / 2 - $1 }) < 1e-15)
    }
  }

  @Test func voicesOfOnePitchTieAndTheOneBegunLastLends() {
    // 0.4226 + 1 is clamped to 1, 0 + 1 is 1: both stand at the top, their phases apart.
    func samples(_ events: Event...) -> [Double] {
      let step = Pattern.Entry.parameter(.sharpness(1, at: 0.05))
      return ReferenceRenderer.render(Pattern(entries: events.map(Pattern.Entry.event) + [step]))
    }
    let first = Event.buzz(for: 1, intensity: 0, sharpness: 0.4226)
    let last = Event.buzz(at: 0.0173, for: 1, intensity: 0, sharpness: 0)
    let new = Event.buzz(at: 0.3, for: 0.5, sharpness: 0.4226)
    let both = samples(first, last, new)
    #expect(peak(zip(both, samples(last, new)).map { $0 - $1 }) == 0)
    #expect(peak(zip(both, samples(first, new)).map { $0 - $1 }) > 0.1)
  }

  @Test func thePhaseOfTheNearestThenOfTheLatestIsInherited() {
    func samples(_ events: Event...) -> [Double] {
      ReferenceRenderer.render(Pattern(entries: events.map(Pattern.Entry.event)))
    }
    // Two voices of 0.1 and 0.105 are both within 1 % of 0.104, their phases apart; the silent one nearer to
    // it lends.
    let near = Event.buzz(at: 0.0131, for: 1, intensity: 0, sharpness: 0.105)
    let far = Event.buzz(for: 1, intensity: 0, sharpness: 0.095)
    let new = Event.buzz(at: 0.5, for: 0.4, sharpness: 0.104)
    let both = samples(far, near, new)
    #expect(peak(zip(both, samples(near, new)).map { $0 - $1 }) == 0)
    #expect(peak(zip(both, samples(far, new)).map { $0 - $1 }) > 0.1)
    // 2 % away nothing is inherited: the phase starts at 0.
    let fresh = samples(.buzz(for: 1, intensity: 0, sharpness: 0.125), new)
    #expect(peak(zip(fresh, samples(new)).map { $0 - $1 }) == 0)
  }

  @Test func rendersAreAsLongAsTheirPatternOrTheirLastTail() {
    func length(_ pattern: Pattern) -> Int { ReferenceRenderer.render(pattern).count }
    #expect(length(Pattern()) == 0)
    #expect(length(Pattern(.tap(at: 0.1))) == 800 + 245)
    #expect(length(Pattern(.buzz(at: 0.1, for: 0.1))) == 800 + 800 + 64)
    #expect(length(Pattern(.buzz(for: nil))) == 240_000 + 64)
    #expect(length(Pattern(.buzz(for: 0))) == 240_000 + 64)
    #expect(length(Pattern(.buzz(for: 40))) == 240_000 + 64)
    // A duration that rounds to no frame is silent; an unsustained endless event ends by its decay.
    #expect(length(Pattern(.buzz(at: 0.1, for: 0.00001))) == 800)
    #expect(length(Pattern(.buzz(for: nil, sustained: 0))) == 32 + 128)
    // The limiter adds 8 frames, the high-pass 622 and what is left to a multiple of 8, the kernel (N + 11)·6.
    let tap = Pattern(.tap())
    #expect(ReferenceRenderer.render(tap, profile: .safe).count == 872 + 8)
    #expect(ReferenceRenderer.render(tap, rate: 48_000).count == 256 * 6)
    #expect(ReferenceRenderer.render(tap, rate: 44_100).count == 1412)
  }
}
