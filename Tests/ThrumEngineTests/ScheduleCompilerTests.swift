import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Hop 2: seconds become frames, once.
@Suite struct ScheduleCompilerTests {
  @Test(arguments: [
    (0.0, 0), (0.0000624, 0), (0.0000625, 1), (0.000125, 1), (0.0001874, 1), (0.0001875, 2), (0.1, 800),
    (0.10006, 800), (0.100063, 801), (1.0, 8000), (86_400, 691_200_000), (-0.0000625, -1),
  ])
  func secondsRoundToTheNearestFrame(_ seconds: Double, _ frame: Int64) {
    #expect(Timeline.frame(atSeconds: seconds) == RenderFrame(frame))
  }

  @Test(arguments: [1.2e12, 3.4e38, Double.infinity, .nan])
  func hostileTimesSaturate(_ seconds: Double) {
    #expect(Timeline.frame(atSeconds: seconds) == RenderFrame(1 << 53))
  }

  @Test func eventsAreOrderedByFrameAndThenByPlaceInTheFile() {
    // Entries 1 and 2 differ in seconds and share frame 800.
    let schedule = schedule(tap(0.2), tap(0.10002), tap(0.1), tap(0))
    #expect(events(of: schedule).map(\.entryIndex) == [3, 1, 2, 0])
    #expect(events(of: schedule).map(\.startFrame) == [0, 800, 800, 1600])
  }

  @Test func anEventKeepsItsValues() throws {
    var parameters = EventParameters()
    parameters[.hapticIntensity] = 0.25
    parameters[.hapticSharpness] = 0.75
    parameters[.attackTime] = 0.1
    parameters[.decayTime] = 0.2
    parameters[.releaseTime] = 0.3
    parameters[.sustained] = 0.25
    let event = Event(type: .hapticContinuous, time: 0.5, duration: 0.25, parameters: parameters)
    let compiled = try #require(events(of: schedule(.event(event))).first)
    #expect(
      compiled
        == ScheduledEvent(
          startFrame: 4000, durationFrames: 2000, entryIndex: 0, kind: .continuous, isSustained: false,
          intensity: 0.25, sharpness: 0.75, attack: 0.1, decay: 0.2, release: 0.3))
  }

  @Test func aProgramsValuesAreClamped() throws {
    var parameters = EventParameters()
    parameters[.hapticIntensity] = 7
    parameters[.hapticSharpness] = -7
    parameters[.attackTime] = .nan
    parameters[.decayTime] = -1
    let compiled = try #require(
      events(of: schedule(.event(Event(type: .hapticTransient, time: 0, parameters: parameters)))).first)
    #expect(compiled.intensity == 1)
    #expect(compiled.sharpness == 0)
    #expect(compiled.attack == 0)
    #expect(compiled.decay == 0)
  }

  @Test func absentAndZeroDurationsAreEndless() {
    let durations = events(of: schedule(tone(0, duration: nil), tone(0, duration: 0), tone(0, duration: 0.5)))
      .map(\.durationFrames)
    #expect(durations == [ScheduledEvent.endless, ScheduledEvent.endless, 4000])
  }

  @Test func aDurationOfPartOfAFrameIsSilent() {
    let schedule = schedule(tone(0.5, duration: 0.00006), tone(0.5, duration: 0.0000625))
    #expect(events(of: schedule).map(\.entryIndex) == [1])
    #expect(schedule.durationFrames == 4001)
  }

  @Test func theLengthIsThatOfAllEntries() {
    #expect(schedule().durationFrames == 0)
    #expect(schedule(tap(0.5)).durationFrames == 4000)
    #expect(schedule(tone(1, duration: 31)).durationFrames == 8000 + 240_000)
    #expect(schedule(tone(1, duration: nil)).durationFrames == 8000)
    // Each part is rounded on its own: 0.00006 s is no frame, twice.
    #expect(schedule(tone(0.00006, duration: 0.00006), tone(0, duration: 0.0000625)).durationFrames == 1)
    let sound = Pattern.Entry.event(Event(type: .audioContinuous, time: 0, duration: 60))
    #expect(schedule(sound).durationFrames == 480_000)
    #expect(schedule(sound).eventCount == 1)
    // A sound from a file that was not looked up is left out; its length is not.
    let file = Pattern.Entry.event(Event(type: .audioCustom, time: 1, duration: 2, waveformPath: "a.wav"))
    #expect(schedule(file).durationFrames == 24_000)
    #expect(schedule(file).eventCount == 0)
    let parameter = Pattern.Entry.parameter(DynamicParameter(id: .audioPanControl, value: 0, time: 2))
    #expect(schedule(parameter).durationFrames == 16_000)
    let point = ParameterCurve.Point(time: 5, value: 0.5)
    let curve = Pattern.Entry.curve(ParameterCurve(id: .hapticIntensityControl, time: 3, points: [point]))
    #expect(schedule(curve).durationFrames == 24_000)
  }

  @Test func controlsAreOrdered() {
    let schedule = schedule(
      .parameter(DynamicParameter(id: .hapticSharpnessControl, value: -2, time: 1)),
      .parameter(DynamicParameter(id: .audioVolumeControl, value: 0, time: 0)),
      .curve(ParameterCurve(id: .hapticIntensityControl, time: 0.5, points: [])),
      .curve(
        ParameterCurve(
          id: .hapticIntensityControl, time: 0.0000625,
          points: [.init(time: 0.0000625, value: 0.5), .init(time: 0.25, value: 2)])),
      .parameter(DynamicParameter(id: .hapticReleaseTimeControl, value: .nan, time: 1)))
    let items = (0..<schedule.view.itemCount).map { schedule.view.items[$0] }
    withExtendedLifetime(schedule) {}
    #expect(
      items == [
        ControlItem(startFrame: 0, parameter: .audioVolume, value: 0),
        ControlItem(startFrame: 1, parameter: .hapticIntensity, firstPoint: 0, pointCount: 2),
        ControlItem(startFrame: 8000, parameter: .hapticSharpness, value: -1),
        ControlItem(startFrame: 8000, parameter: .hapticReleaseTime, value: 0),
      ])
    // A point is at round(curve) + round(point), not at the rounded sum of both.
    let points = (0..<2).map { schedule.view.points[$0] }
    #expect(points == [ControlPoint(frame: 2, value: 0.5), ControlPoint(frame: 2001, value: 1)])
  }

  @Test func pointsOutOfOrderAreSortedStably() {
    let curve = ParameterCurve(
      id: .hapticIntensityControl, time: 0,
      points: [.init(time: 1, value: 0.1), .init(time: 0.5, value: 0.2), .init(time: 0.5, value: 0.3)])
    #expect(
      ScheduleCompiler.points(of: curve, from: 100) == [
        ControlPoint(frame: 4100, value: 0.2), ControlPoint(frame: 4100, value: 0.3),
        ControlPoint(frame: 8100, value: 0.1),
      ])
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 8192, 10_000])
  func eventsFillPages(_ count: Int) {
    let entries = (0..<count).map { tap(Double($0) / 8000) }
    let schedule = ScheduleCompiler.compile(Pattern(entries: entries))
    #expect(schedule.view.eventCount == count)
    #expect(schedule.view.pageCount == (count + 4095) / 4096)
    #expect(!schedule.view.isStreamed)
    #expect(events(of: schedule).map(\.startFrame) == (0..<count).map(Int64.init))
  }

  @Test func longPatternsAreStreamed() {
    let pages = ScheduleCompiler.largestUnstreamedPageCount
    let entries = (0..<pages * 4096).map { tap(Double($0) / 8000) }
    let short = ScheduleCompiler.compile(Pattern(entries: entries))
    #expect(!short.view.isStreamed)
    let long = ScheduleCompiler.compile(Pattern(entries: entries + [tap(0.5)]))
    #expect(long.view.isStreamed)
    #expect(long.view.pageCount == pages + 1)
    #expect(long.view.pages[0] == nil)
  }

  @Test func aPassOfTapsLastsUntilTheLastTail() {
    #expect(schedule(tap(0.5)).passFrames == 4000 + sharpTapFrames)
    #expect(schedule(tap(0), tone(0, duration: 1)).passFrames == 8000)
    // Signal model, section 2: 547 frames at sharpness 0; here the later tap ends earlier.
    #expect(schedule(tap(0, sharpness: 0), tap(0.01)).passFrames == 547)
  }

  @Test(arguments: [1, 16])
  func aSeekFindsTheFirstEventAtOrAfterIt(_ pages: Int) {
    let entries = (0..<5000).map { tap(Double($0 / 2) / 800) }
    let schedule = ScheduleCompiler.compile(
      Pattern(entries: entries), largestUnstreamedPageCount: pages)
    #expect(schedule.view.isStreamed == (pages == 1))
    #expect(schedule.firstEvent(atFrame: 0) == 0)
    #expect(schedule.firstEvent(atFrame: 1) == 2)
    #expect(schedule.firstEvent(atFrame: 10) == 2)
    #expect(schedule.firstEvent(atFrame: 24_990) == 4998)
    #expect(schedule.firstEvent(atFrame: 24_991) == 5000)
  }

  @Test func aSeekNamesTheLastItemOfEachParameterBeforeIt() {
    let ids: [DynamicParameterID] = [
      .hapticIntensityControl, .hapticSharpnessControl, .hapticReleaseTimeControl,
    ]
    // The release once in a hundred, so that it is found behind a checkpoint.
    let entries: [Pattern.Entry] = (0..<1000).map { index in
      let id = index % 100 == 7 ? ids[2] : ids[index % 2]
      return .parameter(DynamicParameter(id: id, value: 0.5, time: Double(index) / 100))
    }
    let schedule = ScheduleCompiler.compile(Pattern(entries: entries))
    for item in 0...1000 {
      var expected = SIMD16<Int32>(repeating: -1)
      for lane in [0, 1, 4] {
        let last = (0..<item).last { schedule.view.items[$0].parameter.index == lane }
        expected[lane] = last.map { Int32($0) } ?? -1
      }
      #expect(schedule.latestItems(before: item) == expected, "before item \(item)")
    }
  }

  private func events(of schedule: Schedule) -> [ScheduledEvent] {
    (0..<schedule.view.eventCount).compactMap { schedule.view.pages[$0 / 4096]?[$0 % 4096] }
  }
}
