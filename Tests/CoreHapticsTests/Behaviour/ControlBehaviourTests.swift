import CoreHaptics
import TestSupport
import Testing

/// Dynamic parameters and curves in time (API sheet, 2.3 and 2.4), by what is felt.
@Suite struct ControlBehaviourTests {
  /// The level of a buzz about a frame, as a part of full intensity.
  private func level(_ signal: [Double], at frame: Int) -> Double {
    // One period of sharpness 0.5 (135.6 Hz) is 59 frames.
    peak(signal.slice(frame - 30, 60)) / 0.5
  }

  @Test func aPatternsParameterIsAStepThatStands() throws {
    let pattern = try CHHapticPattern(
      events: [.buzz(for: 2)], parameters: [.intensity(0.5, at: 0.5), .intensity(0.25, at: 1)])
    let signal = try rendered(pattern, seconds: 2)
    for (frame, value) in [(3900, 1.0), (4200, 0.5), (7900, 0.5), (8200, 0.25), (15_000, 0.25)] {
      #expect(abs(level(signal, at: frame) - value) < 0.02, "at \(frame)")
    }
  }

  @Test func aLiveParameterCountsFromItsTimeAndItsOwn() throws {
    for isAdvanced in [false, true] {
      let scene = try Scene()
      let player: any CHHapticPatternPlayer =
        isAdvanced ? try scene.advanced(.buzz(for: 2)) : try scene.player(.buzz(for: 2))
      let start = scene.engine.currentTime + 0.1
      try player.start(atTime: start)
      try player.sendParameters([.intensity(0.5, at: 0.25), .intensity(0, at: 0.5)], atTime: start + 0.5)
      scene.advance(1.5)
      // The same by a pattern, 800 frames later.
      let pattern = try CHHapticPattern(
        events: [.buzz(for: 2)], parameters: [.intensity(0.5, at: 0.75), .intensity(0, at: 1)])
      expectEqual(scene.signal(), silence(800) + (try rendered(pattern, seconds: 1.4)))
    }
  }

  @Test(arguments: [0.0, -1.0])
  func aTimeThatHasPassedMeansNow(offset: Double) throws {
    let scene = try Scene()
    let player = try scene.player(.buzz(for: 2))
    try player.start(atTime: 0)
    scene.advance(0.5)
    let time = offset == 0 ? 0 : max(0.001, scene.engine.currentTime + offset)
    try player.sendParameters([.intensity(0.25), .intensity(1, at: 0.25)], atTime: time)
    scene.advance(0.5)
    let pattern = try CHHapticPattern(
      events: [.buzz(for: 2)], parameters: [.intensity(0.25, at: 0.5), .intensity(1, at: 0.75)])
    expectEqual(scene.signal(), try rendered(pattern, seconds: 1))
  }

  @Test func parametersReachTheirOwnPlayerOnly() throws {
    let scene = try Scene(actuators: 1)
    let one = try scene.player(.buzz(for: 1, 0.4))
    let two = try scene.player(.tap(at: 0.5))
    try one.start(atTime: 0)
    try two.start(atTime: 0)
    try one.sendParameters([.intensity(0)], atTime: 0)
    scene.advance(1)
    let tap = try rendered(.tap(at: 0.5), seconds: 1)
    expectEqual(scene.signal(), tap)
  }

  @Test func parametersReachActiveAndLaterEvents() throws {
    let scene = try Scene()
    let player = try scene.player(.buzz(for: 0.5, 0.8), .tap(at: 0.75, 0.8))
    try player.start(atTime: 0)
    try player.sendParameters([.intensity(0.5)], atTime: 0)
    scene.advance(1)
    expectEqual(scene.signal(), try rendered(.buzz(for: 0.5, 0.4), .tap(at: 0.75, 0.4), seconds: 1))
  }

  @Test func aStartSetsLiveParametersBack() throws {
    let scene = try Scene()
    let player = try scene.player(.tap())
    try player.sendParameters([.intensity(0)], atTime: 0)
    try player.start(atTime: 0)
    scene.advance(0.25)
    try player.sendParameters([.intensity(0)], atTime: 0)
    try player.start(atTime: 0)
    scene.advance(0.25)
    let tap = try rendered(.tap(), seconds: 0.25)
    expectEqual(scene.signal(), tap + tap)
  }

  @Test func aParameterMayBeSentBeforeTheStartForATimeAfterIt() throws {
    let scene = try Scene()
    let player = try scene.player(.buzz(for: 1))
    let now = scene.engine.currentTime
    try player.sendParameters([.intensity(0.5)], atTime: now + 0.5)
    try player.start(atTime: now + 0.25)
    scene.advance(1)
    let pattern = try CHHapticPattern(events: [.buzz(for: 1)], parameters: [.intensity(0.5, at: 0.25)])
    expectEqual(scene.signal(), silence(2000) + (try rendered(pattern, seconds: 0.75)))
  }

  @Test func aCurveIsStraightBetweenItsPoints() throws {
    let curve = CHHapticParameterCurve(
      parameterID: .hapticIntensityControl,
      controlPoints: [.init(relativeTime: 0, value: 0), .init(relativeTime: 1, value: 1)], relativeTime: 0.5)
    let pattern = try CHHapticPattern(events: [.buzz(for: 2)], parameterCurves: [curve])
    let signal = try rendered(pattern, seconds: 2)
    for (frame, value) in [
      (3900, 1.0), (4200, 0.025), (6000, 0.25), (8000, 0.5), (10_000, 0.75), (14_000, 1),
    ] {
      #expect(abs(level(signal, at: frame) - value) < 0.02, "at \(frame)")
    }
  }

  @Test func controlPointsCountFromTheirCurve() throws {
    func curve(at time: Double, _ points: [(Double, Float)]) -> CHHapticParameterCurve {
      CHHapticParameterCurve(
        parameterID: .hapticIntensityControl,
        controlPoints: points.map { .init(relativeTime: $0.0, value: $0.1) }, relativeTime: time)
    }
    let one = try CHHapticPattern(
      events: [.buzz(for: 2)], parameterCurves: [curve(at: 0.5, [(0, 1), (0.5, 0)])])
    let two = try CHHapticPattern(
      events: [.buzz(for: 2)], parameterCurves: [curve(at: 0, [(0, 1), (0.5, 1), (1, 0)])])
    let apart = zip(try rendered(one, seconds: 2), try rendered(two, seconds: 2)).map { abs($0 - $1) }.max()
    #expect(try #require(apart) < 1e-6)
  }

  @Test func theFirstAndTheLastValueHold() throws {
    let curve = CHHapticParameterCurve(
      parameterID: .hapticIntensityControl,
      controlPoints: [.init(relativeTime: 0.5, value: 0.5), .init(relativeTime: 1, value: 0.25)],
      relativeTime: 0)
    let signal = try rendered(
      CHHapticPattern(events: [.buzz(for: 2)], parameterCurves: [curve]), seconds: 2)
    for (frame, value) in [(200, 0.5), (3900, 0.5), (9000, 0.25), (15_000, 0.25)] {
      #expect(abs(level(signal, at: frame) - value) < 0.02, "at \(frame)")
    }
  }

  @Test func aThousandPointsAreTaken() throws {
    func pattern(_ points: [CHHapticParameterCurve.ControlPoint]) throws -> CHHapticPattern {
      let curve = CHHapticParameterCurve(
        parameterID: .hapticIntensityControl, controlPoints: points, relativeTime: 0)
      return try CHHapticPattern(events: [.buzz(for: 1)], parameterCurves: [curve])
    }
    let many = (0...1000).map { index in
      CHHapticParameterCurve.ControlPoint(relativeTime: Double(index) / 1000, value: Float(index) / 1000)
    }
    let two = try rendered(pattern([many[0], many[1000]]), seconds: 1)
    let apart = zip(try rendered(pattern(many), seconds: 1), two).map { abs($0 - $1) }.max()
    #expect(try #require(apart) < 1e-6)
  }

  @Test func aSegmentShorterThanAFrameIsAStep() throws {
    let points: [CHHapticParameterCurve.ControlPoint] = [
      .init(relativeTime: 0, value: 1), .init(relativeTime: 0.5, value: 1),
      .init(relativeTime: 0.50001, value: 0.25), .init(relativeTime: 1, value: 0.25),
    ]
    let curve = CHHapticParameterCurve(
      parameterID: .hapticIntensityControl, controlPoints: points, relativeTime: 0)
    let signal = try rendered(CHHapticPattern(events: [.buzz(for: 1)], parameterCurves: [curve]), seconds: 1)
    #expect(abs(level(signal, at: 3960) - 1) < 0.02 && abs(level(signal, at: 4100) - 0.25) < 0.02)
  }

  @Test func aLiveCurveCountsFromTheTimeItIsSentFor() throws {
    let points: [CHHapticParameterCurve.ControlPoint] = [
      .init(relativeTime: 0, value: 1), .init(relativeTime: 0.5, value: 0),
    ]
    for isAdvanced in [false, true] {
      let scene = try Scene()
      let player: any CHHapticPatternPlayer =
        isAdvanced ? try scene.advanced(.buzz(for: 2)) : try scene.player(.buzz(for: 2))
      let start = scene.engine.currentTime + 0.1
      try player.start(atTime: start)
      try player.scheduleParameterCurve(
        CHHapticParameterCurve(
          parameterID: .hapticIntensityControl, controlPoints: points, relativeTime: 77), atTime: start + 0.5)
      scene.advance(1.6)
      let curve = CHHapticParameterCurve(
        parameterID: .hapticIntensityControl, controlPoints: points, relativeTime: 0.5)
      let expected = try rendered(
        CHHapticPattern(events: [.buzz(for: 2)], parameterCurves: [curve]), seconds: 1.5)
      expectEqual(scene.signal(), silence(800) + expected)
    }
  }

  @Test func theLatestWriterOfAParameterWins() throws {
    let scene = try Scene()
    let player = try scene.player(.buzz(for: 2))
    let now = scene.engine.currentTime
    try player.start(atTime: now + 0.1)
    try player.scheduleParameterCurve(
      CHHapticParameterCurve(
        parameterID: .hapticIntensityControl,
        controlPoints: [.init(relativeTime: 0, value: 0), .init(relativeTime: 1, value: 0)], relativeTime: 0),
      atTime: now + 0.2)
    try player.sendParameters([.intensity(0.5)], atTime: now + 0.6)
    scene.advance(1.6)
    let signal = scene.signal()
    #expect(abs(level(signal, at: 4000)) < 0.01 && abs(level(signal, at: 10_000) - 0.5) < 0.02)
  }

  @Test(arguments: [
    (CHHapticDynamicParameter.ID(rawValue: "Volume"), 0.0, CHHapticError.Code.invalidParameterType),
    (.hapticIntensityControl, -0.5, .invalidEventTime), (.hapticIntensityControl, .nan, .invalidEventTime),
  ])
  func whatIsWrongInAParameterIsRefused(
    id: CHHapticDynamicParameter.ID, time: Double, expected: CHHapticError.Code
  ) throws {
    let scene = try Scene()
    let player = try scene.player(.buzz(for: 1))
    try player.start(atTime: 0)
    let parameter = CHHapticDynamicParameter(parameterID: id, value: 0, relativeTime: time)
    #expect(code { try player.sendParameters([.intensity(0), parameter], atTime: 0) } == expected)
    scene.advance(0.5)
    expectEqual(scene.signal(), try rendered(.buzz(for: 1), seconds: 0.5))
  }
}
