import Testing

@testable import ThrumRealtime

@Suite("A full pool")
struct PoolTests {
  private func tone(_ intensity: Float, at frame: Int64 = 0) -> ScheduledEvent {
    ScheduledEvent(
      startFrame: frame, durationFrames: 8000, kind: .continuous, intensity: intensity, sharpness: 0.5)
  }

  @Test("gives up its quietest voice, which fades, and counts it")
  func quietestFirst() {
    var settings = RendererSettings()
    settings.voiceCapacity = 3
    settings.fadeCapacity = 2
    let intensities: [Float] = [0.8, 0.1, 0.5, 0.9]
    let events = intensities.enumerated().map { tone($1, at: $0 == 3 ? 800 : 0) }
    let rig = TestRig(settings: settings)
    rig.play(TestSchedule(events: events, durationFrames: 8800))
    let samples = rig.render(2400)
    #expect(rig.port.status.pointee.stolenVoices.load(ordering: .relaxed) == 1)
    #expect(rig.port.status.pointee.activeVoices.load(ordering: .relaxed) == 3)
    // What is left is what the three louder ones make without the quiet one.
    let louder = TestRig()
    louder.play(
      TestSchedule(events: [events[0], events[2], events[3]], durationFrames: 8800))
    let expected = louder.render(2400)
    for frame in 900..<2400 { #expect(abs(samples[frame] - expected[frame]) < 1e-5) }
    // The stolen one fades: no step larger than the sum's own.
    let steps = zip(samples[700..<900], samples[701..<901]).map { abs($1 - $0) }
    let bound = zip(expected[1000..<2000], expected[1001..<2001]).map { abs($1 - $0) }.max() ?? 0
    #expect((steps.max() ?? 1) < 1.2 * bound)
  }

  @Test("never loses count of a player's voices, however many are stolen")
  func manyStolen() {
    var settings = RendererSettings()
    settings.voiceCapacity = 4
    settings.fadeCapacity = 2
    let events = (0..<200).map { (index: Int) -> ScheduledEvent in
      let kind: ScheduledEventKind = index % 3 == 0 ? .transient : .continuous
      return ScheduledEvent(
        startFrame: Int64(index * 5), durationFrames: 400, kind: kind,
        intensity: Float(index % 7 + 1) / 8, sharpness: 0.3)
    }
    let rig = TestRig(settings: settings)
    rig.play(TestSchedule(events: events, durationFrames: 1400))
    let samples = rig.render(4000)
    #expect(samples.allSatisfy { $0.isFinite })
    #expect(rig.port.status.pointee.activeVoices.load(ordering: .relaxed) == 0)
    let ends = rig.notifications().filter { if case .playerFinished = $0 { true } else { false } }
    #expect(ends.count == 1)
    #expect(samples[3000...].allSatisfy { $0 == 0 })
  }
}

@Suite("A streamed schedule")
struct StreamingTests {
  /// 3 pages of taps, 10 frames apart.
  @Test("is played from pages that come and go, to the same samples")
  func pages() {
    let count = ScheduleView.pageEvents * 2 + 100
    let events = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: count)
    defer { events.deallocate() }
    for index in 0..<count {
      (events + index).initialize(
        to: ScheduledEvent(
          startFrame: Int64(index * 10), entryIndex: UInt32(index), kind: .transient, intensity: 0.02,
          sharpness: 1))
    }
    let nothing = UnsafeMutablePointer<ControlItem>.allocate(capacity: 1)
    let points = UnsafeMutablePointer<ControlPoint>.allocate(capacity: 1)
    defer {
      nothing.deallocate()
      points.deallocate()
    }
    func render(isStreamed: Bool) -> (samples: [Float], returned: Int, asked: Set<Int32>) {
      let pages = UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>.allocate(capacity: 3)
      defer { pages.deallocate() }
      for page in 0..<3 {
        (pages + page).initialize(
          to: isStreamed && page > 0 ? nil : UnsafePointer(events + page * ScheduleView.pageEvents))
      }
      let view = ScheduleView(
        pages: pages, pageCount: 3, eventCount: count, items: UnsafePointer(nothing), itemCount: 0,
        points: UnsafePointer(points), durationFrames: Int64(count * 10), isStreamed: isStreamed)
      let rig = TestRig()
      rig.send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: view))
      rig.send(.start(player: 0, run: 1))
      var samples = [Float]()
      var returned = 0
      var asked = Set<Int32>()
      while samples.count < count * 10 + 800 {
        samples += rig.render(400)
        for notification in rig.notifications() {
          if case .pageNeeded(_, let index, _) = notification {
            asked.insert(index)
            rig.send(
              .page(
                player: 0, index: index,
                events: UnsafePointer(events + Int(index) * ScheduleView.pageEvents)))
          }
        }
        while let released = rig.port.releases.pop() { if case .page = released { returned += 1 } }
      }
      #expect(rig.port.status.pointee.starvedEvents.load(ordering: .relaxed) == 0)
      return (samples, returned, asked)
    }
    let whole = render(isStreamed: false)
    let streamed = render(isStreamed: true)
    #expect(firstDifference(whole.samples, streamed.samples) == nil)
    #expect(whole.asked.isEmpty && whole.returned == 0)
    #expect(streamed.asked == [1, 2])
    #expect(streamed.returned == 1)
  }
}

@Suite("Commands")
struct CommandTests {
  @Test(
    "that are live take effect on the grid of eight, scheduled ones on the frame they name or the next of the grid"
  )
  func frames() {
    let schedule = TestSchedule(
      events: [
        ScheduledEvent(startFrame: 0, durationFrames: 8000, kind: .continuous, intensity: 1, sharpness: 0.5)
      ], durationFrames: 8000)
    func render(_ change: (TestRig) -> Void) -> [Float] {
      let rig = TestRig()
      rig.play(schedule)
      change(rig)
      return rig.render(2000)
    }
    let plain = render { _ in }
    for (asked, applied) in [(Int64(1000), 1000), (1001, 1008), (1007, 1008), (1008, 1008)] {
      let changed = render {
        $0.send(.setControl(player: 0, parameter: .hapticIntensity, value: 0), at: asked)
      }
      let first = firstDifference(plain, changed)
      // The smoother's own first step is 1/9261: it shows within a few frames of where it applies, never before.
      #expect(
        first.map { $0 >= applied && $0 <= applied + 4 } == true,
        "asked \(asked), differs at \(String(describing: first))")
    }
  }

  @Test("for a frame that has passed say how late they were")
  func lateness() {
    let rig = TestRig()
    #expect(rig.render(800).allSatisfy { $0 == 0 })
    rig.send(.setEngineMuted(engine: 0, isMuted: true), at: 700)
    #expect(rig.render(64).allSatisfy { $0 == 0 })
    let lateness = rig.notifications().compactMap { notification -> Int64? in
      if case .commandApplied(_, let lateness) = notification { return lateness }
      return nil
    }
    #expect(lateness == [100])
  }

  @Test("wait for their frame in order of it, and of arrival within one")
  func order() {
    var pending = PendingCommands(capacity: 8)
    defer { pending.deallocate() }
    var moved = [Int]()
    for (frame, player) in [(Int64(80), Int32(0)), (8, 1), (80, 2), (16, 3), (8, 4)] {
      moved.append(pending.insert(Command(frame: frame, action: .stop(player: player))))
    }
    #expect(moved == [0, 1, 0, 2, 3])
    var order = [Int32]()
    while let command = pending.take(at: 1000) { order.append(command.action.player) }
    #expect(order == [1, 4, 3, 0, 2])
  }
}
