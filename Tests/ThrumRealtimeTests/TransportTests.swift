import Testing

@testable import ThrumRealtime

@Suite("A player")
struct TransportTests {
  private func buzz(frames: Int64, intensity: Float = 1) -> TestSchedule {
    TestSchedule(
      events: [
        ScheduledEvent(
          startFrame: 0, durationFrames: frames, kind: .continuous, intensity: intensity, sharpness: 0.5)
      ], durationFrames: frames)
  }

  private func taps(_ starts: [Int64], duration: Int64) -> TestSchedule {
    TestSchedule(
      events: starts.map { ScheduledEvent(startFrame: $0, kind: .transient, intensity: 1, sharpness: 1) },
      durationFrames: duration)
  }

  /// The frames on which events began, as the render thread reports them.
  private func onsets(_ rig: TestRig) -> [Int64] {
    rig.notifications().compactMap {
      if case .eventStarted(_, _, _, let frame) = $0 { frame } else { nil }
    }
  }

  private func largestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test("pauses, resumes and stops without a click and in silence")
  func pauseWithoutClick() {
    let rig = TestRig()
    rig.play(buzz(frames: 16_000))
    rig.send(.pause(player: 0), at: 4024)
    rig.send(.resume(player: 0), at: 6400)
    rig.send(.stop(player: 0), at: 10_424)
    let samples = rig.render(14_000, by: 31)
    let steady = largestStep(samples[1600..<3200])
    #expect(largestStep(samples[...]) <= 1.5 * steady)
    #expect(samples[(4024 + 60)..<6400].allSatisfy { $0 == 0 })
    #expect(samples[(10_424 + 60)...].allSatisfy { $0 == 0 })
    #expect(samples[7000..<10_000].contains { abs($0) > 0.49 })
    // The tone goes on from where it paused: 1,000 frames after the resume it is where it was 1,000 after the pause
    // would have been.
    let whole = TestRig()
    whole.play(buzz(frames: 16_000))
    let unbroken = whole.render(14_000)
    #expect(firstDifference(Array(samples[6500..<10_000]), Array(unbroken[4124..<7624])) == nil)
  }

  @Test("starts again from the beginning, dropping what was left")
  func restart() {
    let rig = TestRig()
    rig.play(taps([0, 1600, 3200], duration: 3200))
    rig.send(.start(player: 0, run: 2), at: 2000)
    rig.send(.start(player: 0, run: 3), at: 8000)
    let samples = rig.render(14_000)
    #expect(onsets(rig) == [0, 1600, 2000, 3600, 5200, 8000, 9600, 11_200])
    #expect(samples.allSatisfy { abs($0) <= 1 })
  }

  @Test("reports each run once, a restarted one as stopped")
  func finishing() {
    let rig = TestRig()
    rig.play(taps([0, 800], duration: 800))
    rig.send(.start(player: 0, run: 2), at: 400)
    let samples = rig.render(3000)
    var ends = [[Int64]]()
    for notification in rig.notifications() {
      if case .playerFinished(_, let run, let frame, let wasStopped, _) = notification {
        ends.append([Int64(run), frame, wasStopped ? 1 : 0])
      }
    }
    // The second tap of run 2 begins on frame 1,200 and lasts 110 frames.
    #expect(ends == [[1, 400, 1], [2, 1310, 0]])
    #expect(samples[1309] != 0)
    #expect(samples[1310...].allSatisfy { $0 == 0 })
  }

  @Test("loops on its exact frames, and so many passes")
  func looping() {
    let rig = TestRig()
    rig.send(
      .addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(taps([0, 100], duration: 250)).view))
    rig.send(.start(player: 0, run: 1, passes: 3), at: 3)
    #expect(rig.render(2000).contains { $0 != 0 })
    #expect(onsets(rig) == [3, 103, 253, 353, 503, 603])
  }

  @Test("at a third of the rate keeps the fraction of a frame over many passes")
  func loopingAtRate() {
    let rig = TestRig()
    rig.send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(taps([0], duration: 100)).view))
    rig.send(.setRate(player: 0, rate: 3))
    rig.send(.setLoop(player: 0, isEnabled: true, endFrame: 0))
    rig.send(.start(player: 0, run: 1))
    var frames = [Int64]()
    for _ in 0..<10 {
      #expect(rig.render(10_000).contains { $0 != 0 })
      frames += onsets(rig)
    }
    // Pass k begins at round(100k/3): no drift.
    for (k, frame) in frames.enumerated() { #expect(frame == Int64((Double(k) * 100 / 3).rounded())) }
    #expect(frames.count == 3000)
  }

  @Test("stops looping when told, at the end of the present pass")
  func loopOff() {
    let rig = TestRig()
    rig.send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(taps([0], duration: 800)).view))
    rig.send(.setLoop(player: 0, isEnabled: true, endFrame: 0))
    rig.send(.start(player: 0, run: 1))
    rig.send(.setLoop(player: 0, isEnabled: false, endFrame: 0), at: 1000)
    #expect(rig.render(8000).contains { $0 != 0 })
    #expect(onsets(rig) == [0, 800])
  }

  @Test("after a seek plays later events only, on their frames")
  func seeking() {
    let schedule = TestSchedule(
      events: [
        ScheduledEvent(startFrame: 0, durationFrames: 8000, kind: .continuous, intensity: 1, sharpness: 0),
        ScheduledEvent(startFrame: 2000, kind: .transient, intensity: 1, sharpness: 1),
        ScheduledEvent(startFrame: 4000, kind: .transient, intensity: 1, sharpness: 1),
      ], durationFrames: 8000)
    let rig = TestRig()
    rig.play(schedule)
    rig.send(.seek(player: 0, frame: 3000, eventIndex: 2, itemIndex: 0), at: 800)
    let samples = rig.render(6000)
    #expect(onsets(rig) == [0, 1800])
    #expect(samples[(800 + 60)..<1800].allSatisfy { $0 == 0 })
    #expect(samples[1800..<1900].contains { abs($0) > 0.5 })
  }

  @Test("plays curves at its rate and from a seek as they are there")
  func curvesUnderRate() {
    let schedule = TestSchedule(
      events: [
        ScheduledEvent(startFrame: 0, durationFrames: 4000, kind: .continuous, intensity: 1, sharpness: 0.5)
      ],
      items: [ControlItem(startFrame: 0, parameter: .hapticIntensity, firstPoint: 0, pointCount: 2)],
      points: [ControlPoint(frame: 0, value: 1), ControlPoint(frame: 4000, value: 0)], durationFrames: 4000)
    let rig = TestRig()
    rig.send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(schedule).view))
    rig.send(.setRate(player: 0, rate: 0.5))
    rig.send(.start(player: 0, run: 1))
    let samples = rig.render(9000)
    // At half the rate the tone lasts 8,000 frames and has half its level at 4,000.
    let middle = samples[3900..<4100].map { abs($0) }.max() ?? 0
    #expect(abs(middle - 0.25) < 0.01)
    #expect(samples[7000..<7500].contains { abs($0) > 0.03 })
    #expect(samples[8070...].allSatisfy { $0 == 0 })
  }

  @Test("changes its rate in mid-course without a jump")
  func rateChange() {
    let rig = TestRig()
    rig.play(buzz(frames: 4000))
    rig.send(.setRate(player: 0, rate: 2), at: 2000)
    let samples = rig.render(4000)
    // 2,000 frames at rate 1 and 2,000 pattern frames at rate 2: released at 3,000.
    #expect(samples[2950..<3000].contains { abs($0) > 0.45 })
    #expect(samples[3064...].allSatisfy { $0 == 0 })
    #expect(largestStep(samples[...]) <= 1.5 * largestStep(samples[500..<1500]))
  }

  @Test("is silent to the last bit while muted, and its time goes on")
  func muting() {
    let rig = TestRig()
    rig.play(taps([0, 6000], duration: 6000))
    rig.send(.setEngineMuted(engine: 0, isMuted: true))
    rig.send(.setEngineMuted(engine: 0, isMuted: false), at: 4000)
    let samples = rig.render(8000)
    #expect(samples[..<6000].allSatisfy { $0 == 0 })
    #expect(samples[6000..<6110].contains { abs($0) > 0.9 })
  }

  @Test("is forgotten only when told, and everything it held comes back")
  func removal() {
    let rig = TestRig()
    let points = UnsafeMutablePointer<ControlPoint>.allocate(capacity: 2)
    defer { points.deallocate() }
    points[0] = ControlPoint(frame: 0, value: 1)
    points[1] = ControlPoint(frame: 80_000, value: 0)
    rig.play(buzz(frames: 8000))
    rig.send(.setCurve(player: 0, parameter: .hapticIntensity, points: points, count: 2), at: 80)
    #expect(rig.render(800).contains { $0 != 0 })
    #expect(rig.port.releases.pop() == nil)
    rig.send(.removePlayer(player: 0))
    let rest = rig.render(800)
    #expect(rest[64...].allSatisfy { $0 == 0 })
    var curves = 0
    var players = 0
    while let released = rig.port.releases.pop() {
      switch released {
      case .curve(_, let returned): curves += returned == UnsafePointer(points) ? 1 : 0
      case .player: players += 1
      case .page: Issue.record("no page was ever delivered")
      }
    }
    #expect(curves == 1)
    #expect(players == 1)
  }

  @Test("when cancelled drops what was scheduled for it")
  func cancelling() {
    let rig = TestRig()
    rig.play(taps([0], duration: 0))
    rig.send(.start(player: 0, run: 2), at: 4000)
    #expect(rig.render(800).contains { $0 != 0 })
    rig.send(.cancel(player: 0))
    #expect(rig.render(8000).allSatisfy { $0 == 0 })
    #expect(onsets(rig) == [0])
  }

  @Test(
    "takes any rate",
    arguments: [Float.leastNonzeroMagnitude, 1e-6, 1e6, .greatestFiniteMagnitude, .infinity, .nan, -1, 0])
  func extremeRates(rate: Float) {
    let rig = TestRig()
    rig.send(
      .addPlayer(
        player: 0, engine: 0, bus: 0, schedule: rig.keep(taps([0, 1 << 52], duration: 1 << 52)).view))
    rig.send(.setRate(player: 0, rate: rate))
    rig.send(.setLoop(player: 0, isEnabled: true, endFrame: 1))
    rig.send(.start(player: 0, run: 1))
    rig.send(.setRate(player: 0, rate: 1), at: 800)
    rig.send(.stop(player: 0), at: 1600)
    let samples = rig.render(4000)
    #expect(samples.allSatisfy { $0.isFinite })
    #expect(samples[2000...].allSatisfy { $0 == 0 })
    #expect(onsets(rig).first == 0)
  }

  @Test("of a single tap can be sent back to its beginning")
  func seekToTheBeginning() {
    let rig = TestRig()
    rig.play(taps([0], duration: 0))
    rig.send(.seek(player: 0, frame: 0, eventIndex: 0, itemIndex: 0), at: 8)
    #expect(rig.render(1000).contains { $0 != 0 })
    #expect(onsets(rig) == [0, 8])
  }

  @Test("whose loop end is put behind its position goes on from there, once")
  func loopEndBehind() {
    let rig = TestRig()
    rig.send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: rig.keep(taps([0], duration: 80_000)).view))
    rig.send(.setLoop(player: 0, isEnabled: true, endFrame: 0))
    rig.send(.start(player: 0, run: 1))
    rig.send(.setLoop(player: 0, isEnabled: true, endFrame: 400), at: 40_000)
    #expect(rig.render(40_800).contains { $0 != 0 })
    #expect(onsets(rig) == [0, 40_000, 40_400])
  }

  @Test("is still there after a cancel that came before it")
  func cancelAtOnce() {
    let rig = TestRig()
    rig.play(taps([0], duration: 0), at: 4000)
    rig.send(.cancel(player: 0))
    #expect(rig.render(80).allSatisfy { $0 == 0 })
    rig.send(.start(player: 0, run: 2))
    #expect(rig.render(400).contains { $0 != 0 })
  }

  @Test("paused and resumed at once does not click")
  func pauseAndResume() {
    let rig = TestRig()
    rig.play(buzz(frames: 16_000))
    rig.send(.pause(player: 0), at: 4000)
    rig.send(.resume(player: 0), at: 4008)
    let samples = rig.render(8000)
    #expect(largestStep(samples[...]) <= 1.5 * largestStep(samples[1600..<3200]))
    #expect(samples[5000..<6000].contains { abs($0) > 0.49 })
  }

  @Test("sent elsewhere right after a stop starts there")
  func stopSeekStart() {
    let rig = TestRig()
    rig.play(taps([0, 4000], duration: 8000))
    rig.send(.stop(player: 0), at: 800)
    rig.send(.seek(player: 0, frame: 3000, eventIndex: 1, itemIndex: 0), at: 800)
    rig.send(.start(player: 0, run: 2), at: 800)
    #expect(rig.render(4000).contains { $0 != 0 })
    #expect(onsets(rig) == [0, 1800])
  }
}
