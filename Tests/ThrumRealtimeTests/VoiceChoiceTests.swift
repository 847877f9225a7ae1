import Testing

@testable import ThrumRealtime

@Suite("When a full pool gives up a voice, it")
struct VoiceChoiceTests {
  private func settings(voices: Int, fades: Int) -> RendererSettings {
    var settings = RendererSettings()
    settings.voiceCapacity = voices
    settings.fadeCapacity = fades
    return settings
  }

  private func tap(_ intensity: Float, at frame: Int64, sharpness: Float = 0) -> ScheduledEvent {
    ScheduledEvent(startFrame: frame, kind: .transient, intensity: intensity, sharpness: sharpness)
  }

  private func tone(_ intensity: Float, at frame: Int64) -> ScheduledEvent {
    ScheduledEvent(
      startFrame: frame, durationFrames: 4000, kind: .continuous, intensity: intensity, sharpness: 0.5)
  }

  private func render(_ events: [ScheduledEvent], voices: Int = 2, stolen: Int) -> [Float] {
    let rig = TestRig(settings: settings(voices: voices, fades: 8))
    rig.play(TestSchedule(events: events, durationFrames: 4000))
    let samples = rig.render(2000)
    #expect(rig.port.status.pointee.stolenVoices.load(ordering: .relaxed) == stolen)
    return samples
  }

  @Test("spares what has only just begun, wherever in a group of eight", arguments: Int64(400)..<408)
  func justBegun(frame: Int64) {
    // Two old tails of 547 frames, far down at 400; then two taps on one frame, which take their places.
    let old = [tap(0.5, at: 0), tap(0.5, at: 0)]
    let samples = render(old + [tap(0.9, at: frame), tap(0.7, at: frame)], stolen: 2)
    let alone = render([tap(0.9, at: frame), tap(0.7, at: frame)], stolen: 0)
    for index in Int(frame)..<Int(frame) + 500 { #expect(abs(samples[index] - alone[index]) < 2e-3) }
    // Likewise two tones, whose attack has made nothing of them yet.
    let tones = [tone(0.9, at: frame), tone(0.7, at: frame)]
    let mixed = render(old + tones, stolen: 2)
    let only = render(tones, stolen: 0)
    for index in Int(frame)..<Int(frame) + 500 { #expect(abs(mixed[index] - only[index]) < 2e-3) }
  }

  @Test("takes the same one whatever the frame's place in a group of eight", arguments: Int64(8)...14)
  func placeInGroup(age: Int64) {
    // A short tap that starts louder falls below a long one about 10 frames after their common onset: before or after
    // the beginning of the group in which the third asks for a place.
    func samples(from start: Int64) -> [Float] {
      let events = [tap(0.3, at: start), tap(0.3, at: start, sharpness: 1), tap(0.3, at: start + age)]
      return Array(render(events, stolen: 1)[Int(start)..<Int(start) + 600])
    }
    let expected = samples(from: 800)
    for shift in Int64(1)..<8 {
      #expect(firstDifference(samples(from: 800 + shift), expected) == nil, "shifted by \(shift)")
    }
  }

  @Test("takes the one that began first where two are equally loud")
  func firstBegun() {
    func tone(_ index: Int) -> ScheduledEvent {
      ScheduledEvent(
        startFrame: Int64(index * 400), durationFrames: 4000, kind: .continuous, intensity: 0.5,
        sharpness: Float(index) / 4)
    }
    let samples = render((0..<4).map(tone), stolen: 2)
    let latest = render([tone(2), tone(3)], stolen: 0)
    for index in 1300..<2000 { #expect(abs(samples[index] - latest[index]) < 1e-5) }
  }

  @Test("searches no more often than voices can fade, however many begin on a frame")
  func boundedOnset() {
    let count = 10_000
    let schedule = TestSchedule(
      events: (0..<count).map { _ in tone(0.5, at: 3) }, durationFrames: 4000)
    var renderer = Renderer(settings: settings(voices: 256, fades: 32), profiles: [.none])
    let port = renderer.port
    #expect(
      port.commands.push(
        Command(action: .addPlayer(player: 0, engine: 0, bus: 0, schedule: schedule.view))))
    #expect(port.commands.push(Command(action: .start(player: 0, run: 1))))
    renderer.render(frames: 8)
    let stolen = renderer.pool.stolenCount
    let searches = renderer.pool.searchCount
    let active = renderer.pool.activeCount
    // Each tone that begins looks for a phase to inherit, each steal for the quietest.
    #expect(searches <= 256 + 32 + 32, "\(searches) searches for \(count) tones")
    #expect(stolen == count - 256)
    #expect(active == 256 + 32)
    // The next frame is a new one.
    renderer.render(frames: 64)
    #expect(renderer.pool.searchCount == searches)
  }
}

@Suite("A history of steps")
struct StepHistoryTests {
  @Test("that is full keeps to its memory and to the sum of the jumps")
  func full() {
    let guardCount = 100
    let storage = UnsafeMutablePointer<Step>.allocate(capacity: StepHistory.capacity + guardCount)
    defer { storage.deallocate() }
    storage.initialize(repeating: Step(frame: -7, jump: -7), count: StepHistory.capacity + guardCount)
    var history = StepHistory(steps: storage)
    // Frames that decrease settle none of those that are there.
    for index in 0..<Int64(StepHistory.capacity + guardCount) {
      history.append(frame: 10_000 - index, jump: 0.001)
    }
    for index in 0..<guardCount { #expect(storage[StepHistory.capacity + index].jump == -7) }
    let kept = (0..<StepHistory.capacity).map { storage[$0].jump }.reduce(0, +)
    let one = CoreMath.roundedHalfAway(0.001 * 16_777_216)
    #expect(kept == one * Int64(StepHistory.capacity + guardCount))
  }
}
