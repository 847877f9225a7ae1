import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Many of everything at once: actuators, engines, voices, seconds.
@Suite struct ScaleTests {
  private func samples(of schedule: Schedule, voices: Int = 256) -> [Float] {
    var settings = RendererSettings()
    settings.voiceCapacity = voices
    var samples: [Float] = []
    OfflineRender.render(
      schedule, profile: .none, rate: 8000, format: .float, settings: settings
    ) { samples += $0.bindMemory(to: Float.self) }
    return samples
  }

  /// Eight actuators on one card, each with an engine and a pattern of its own, of a pitch of its own: a voice takes on the
  /// phase of one of its pitch on any bus.
  @Test func eightActuatorsPlayEightPatterns() throws {
    let schedules = (0..<8).map { bus in
      let sharpness = Float(bus) / 7
      return schedule(
        tap(0.1 + Double(bus) * 0.01, sharpness: sharpness, intensity: 0.5),
        .event(.buzz(at: 0.2, for: 0.3, intensity: 0.5, sharpness: sharpness)))
    }
    let device = VirtualOutput(channels: 8, isTurnedByHand: true)
    let output = Output(
      device: device,
      configuration: OutputConfiguration(
        profiles: [BusProfile](repeating: .none, count: 8), map: ChannelMap((0..<8).map { .haptic($0) })))
    let engines = try (0..<8).map { _ in try output.makeEngine() }
    let players = try (0..<8).map { try engines[$0].makePlayer(for: schedules[$0], bus: $0) }
    for player in players { try player.start() }
    try output.start()
    let frames = floats(device.advance(frames: 8000))
    output.close()
    for bus in 0..<8 {
      let channel = stride(from: bus, to: frames.count, by: 8).map { frames[$0] }
      let alone = samples(of: schedules[bus])
      #expect(Array(channel.prefix(alone.count)) == alone, "actuator \(bus)")
      #expect(channel.dropFirst(alone.count).allSatisfy { $0 == 0 }, "actuator \(bus)")
    }
  }

  /// 64 engines share an output; each is muted and closed by itself, and the 65th place is refused.
  @Test func sixtyFourEnginesShareAnOutput() throws {
    var settings = RendererSettings()
    settings.engineCapacity = 64
    let rig = try Rig(settings: settings)
    var engines = try (0..<63).map { _ in try rig.output.makeEngine() }
    #expect(throws: EngineError.self) { try rig.output.makeEngine() }
    try rig.output.start()
    let tap = schedule(tap(0, intensity: 0.01))
    let players = try engines.map { try $0.makePlayer(for: tap) }
    for player in players { try player.start(at: RenderFrame(64)) }
    let all = rig.turn(400)
    #expect(rig.log.onsets.count == 63)
    for engine in engines[..<62] { engine.isMutedForHaptics = true }
    for player in players { try player.start(at: RenderFrame(600)) }
    let one = rig.turn(800)
    let loudest = { (samples: [Float]) in samples.map(abs).max() ?? 0 }
    #expect(abs(loudest(all) / loudest(one) - 63) < 0.01)
    engines.removeAll()
  }

  /// A thousand voices at once where there is room for them: none is stolen, and they sound as the sum of them.
  @Test func aThousandVoicesSound() {
    let entries = (0..<1000).map { index -> Pattern.Entry in
      .event(
        .buzz(
          at: Double(index) / 8000, for: 0.15, intensity: 0.0005, sharpness: Float(index % 100) / 100))
    }
    var settings = RendererSettings()
    settings.voiceCapacity = 1024
    var frames = 0
    let result = OfflineRender.render(
      ScheduleCompiler.compile(Pattern(entries: entries)), profile: .none, rate: 8000, format: .float,
      settings: settings
    ) { frames += $0.count / 4 }
    #expect(result.stolenVoices == 0)
    #expect(result.peak > 0.01 && result.peak <= 0.5)
    #expect(frames == Int(result.frames))
    settings.voiceCapacity = 999
    let short = OfflineRender.render(
      ScheduleCompiler.compile(Pattern(entries: entries)), profile: .none, rate: 8000, format: .float,
      settings: settings
    ) { _ in }
    #expect(short.stolenVoices == 1)
  }

  /// A tap every half second under curves of a minute each, from one minute to another.
  private static func minutes(_ minutes: Range<Int>, from start: Double) -> Pattern {
    var entries = (minutes.lowerBound * 120..<minutes.upperBound * 120).map { index in
      tap(Double(index) / 2 - start, intensity: 0.5)
    }
    for minute in minutes {
      let points = (0...60).map { second in
        ParameterCurve.Point(time: Double(second), value: Float(second) / 60)
      }
      entries.append(
        .curve(
          ParameterCurve(id: .hapticIntensityControl, time: Double(minute * 60) - start, points: points)))
    }
    return Pattern(entries: entries)
  }

  /// A seek to the middle of an hour finds its place among the events and in the curves, and sounds as if the pattern began
  /// there.
  @Test func anHourIsSoughtIn() throws {
    let hour = ScheduleCompiler.compile(Self.minutes(0..<60, from: 0), largestUnstreamedPageCount: 0)
    #expect(hour.durationFrames == 3600 * 8000 - 4000)
    func play(_ schedule: Schedule, from seconds: Double) throws -> (samples: [Float], onsets: [[Int]]) {
      let rig = try Rig()
      try rig.output.start()
      let player = try rig.engine.makePlayer(for: schedule)
      try player.seek(to: seconds)
      try player.start(at: RenderFrame(800))
      let samples = rig.turn(20_000)
      #expect(rig.output.status.starvedEvents == 0)
      return (samples, rig.log.onsets)
    }
    let sought = try play(hour, from: 1800.25)
    #expect(
      sought.onsets == [[3601, 2800], [3602, 6800], [3603, 10_800], [3604, 14_800], [3605, 18_800]])
    let begun = try play(ScheduleCompiler.compile(Self.minutes(30..<31, from: 1800)), from: 0.25)
    #expect(sought.samples == begun.samples)
    #expect(sought.samples.contains { $0 != 0 })
  }

  /// What the render thread works in: so much for a voice, a player and an engine, whatever there is of the others.
  @Test func memoryIsLinearInTheCapacities() {
    func bytes(voices: Int = 256, players: Int = 64, engines: Int = 8) -> Int {
      var settings = RendererSettings()
      settings.voiceCapacity = voices
      settings.playerCapacity = players
      settings.engineCapacity = engines
      let feed = OutputFeed(
        stage: OutputStage(
          settings: settings, profiles: [.none], map: .allHaptic(channels: 1), rate: 8000, format: .float))
      var (index, sum) = (0, 0)
      while let block = feed.stage.pointee.memoryBlock(index) {
        sum += block.count
        index += 1
      }
      return sum
    }
    let voice = (bytes(voices: 1280) - bytes()) / 1024
    let player = (bytes(players: 1088) - bytes()) / 1024
    #expect(bytes(voices: 2304) - bytes(voices: 1280) <= 1024 * (voice + 1))
    #expect(bytes(players: 2112) - bytes(players: 1088) <= 1024 * (player + 1))
    let engine = (bytes(engines: 132) - bytes()) / 124
    #expect(bytes(engines: 256) - bytes(engines: 132) <= 124 * (engine + 1))
    print("memory of the render thread: \(voice) bytes a voice, \(player) a player, \(engine) an engine")
    #expect((1...1000).contains(voice))
    #expect((1...64_000).contains(player))
    #expect((1...8000).contains(engine))
  }

  /// The order of a long pattern takes four bytes an event, and none where the file is in order.
  @Test func theOrderIsSmall() {
    var random = SeededGenerator(seed: 3)
    var entries = PatternEntries()
    for _ in 0..<100_000 {
      var event = Event(type: .hapticContinuous, time: random.number(in: 0..<100), duration: 0.01)
      event.parameters[.hapticIntensity] = 0.5
      event.parameters[.hapticSharpness] = 0.5
      entries.append(.event(event))
    }
    let schedule = ScheduleCompiler.compile(Pattern(entries: entries))
    #expect(schedule.view.isStreamed)
    #expect(schedule.eventCount == 100_000)
    #expect(schedule.index?.orderBytes == 400_000)
    var sorted = PatternEntries()
    for index in 0..<100_000 { sorted.append(tap(Double(index) / 1000)) }
    #expect(ScheduleCompiler.compile(Pattern(entries: sorted)).index?.orderBytes == 0)
  }
}
