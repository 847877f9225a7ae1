import Testing
import ThrumPattern

@testable import ThrumEngine
@testable import ThrumRealtime

/// One tap from its file to a device frame, hop by hop. The numbers are those of docs/follow-one-event.md.
@Suite struct FollowOneEventTests {
  /// A tap 0.1 s into its pattern, which is started 0.105 s into the timeline of a 48 kHz device.
  static let file = """
    {"Version": 1, "Pattern": [{"Event": {"Time": 0.1, "EventType": "HapticTransient",
      "EventParameters": [{"ParameterID": "HapticSharpness", "ParameterValue": 1.0}]}}]}
    """
  static let start = RenderFrame(840)
  static let onset: Int64 = 840 + 800

  @Test func hop1TheFileSaysSeconds() throws {
    let event = try #require(try decode().events.first)
    #expect(event.type == .hapticTransient)
    #expect(event.time == 0.1)
  }

  @Test func hop2TheCompilerMakesFrames() throws {
    let schedule = ScheduleCompiler.compile(try decode())
    let page = try #require(schedule.view.pages[0])
    #expect(page[0].startFrame == 800)
    #expect(page[0].entryIndex == 0)
    withExtendedLifetime(schedule) {}
  }

  @Test func hop3ThePlayerSendsACommandWithTheFrameAtWhichItApplies() throws {
    let rig = try Rig(rate: 48_000)
    let player = try rig.engine.makePlayer(for: ScheduleCompiler.compile(try decode()))
    try player.start(at: Self.start)
    // The device is not turned: the test stands where the render thread would.
    let commands = rig.output.console.withState { $0.port.commands }
    guard case .addPlayer(let added, _, _, let view) = commands.pop()?.action else {
      Issue.record("the player was not sent")
      return
    }
    let command = try #require(commands.pop())
    guard case .start(let started, _, _, _, _) = command.action else {
      Issue.record("the start was not sent")
      return
    }
    #expect(added == 0)
    #expect(started == 0)
    #expect(view.eventCount == 1)
    #expect(command.frame == 840)
    #expect(commands.pop() == nil)
  }

  @Test func hop4TheRendererStartsAVoiceInsideABlock() throws {
    let schedule = ScheduleCompiler.compile(try decode())
    var renderer = Renderer(settings: RendererSettings(), profiles: [.none])
    let commands = renderer.port.commands
    let isSent =
      commands.push(Command(action: .addPlayer(player: 0, engine: 0, bus: 0, schedule: schedule.view)))
      && commands.push(Command(frame: Self.start.value, action: .start(player: 0, run: 1)))
    #expect(isSent)
    // 1,640 = 25 blocks of 64 frames and 40.
    for block in 0..<26 {
      renderer.render(frames: 64)
      let firstSounding = (0..<64).first { renderer.buses[0][$0] != 0 }
      // A tap's own first sample is 0 (signal model, section 2).
      #expect(firstSounding == (block == 25 ? 41 : nil), "block \(block)")
    }
    var onset: Int64?
    while let notification = renderer.port.notifications.pop() {
      if case .eventStarted(_, _, _, let frame) = notification { onset = frame }
    }
    #expect(onset == Self.onset)
    withExtendedLifetime(schedule) {}
  }

  @Test func hops5And6TheStageFillsAPeriodAndTheDeviceTakesIt() throws {
    let rig = try Rig(rate: 48_000)
    let native = try Rig()
    for each in [rig, native] {
      let player = try each.engine.makePlayer(for: ScheduleCompiler.compile(try decode()))
      try player.start(at: Self.start)
      try each.output.start()
    }
    // The kernel delays by 6 render frames: (1,640 + 6) · 6.
    #expect(rig.output.timing.deviceFrame(of: RenderFrame(Self.onset)) == DeviceFrame(9876))
    // 9,876 = 41 periods of 240 frames and 36.
    let periodFrames = rig.device.output.periodFrames
    #expect(periodFrames == 240)
    var samples: [Float] = []
    for _ in 0..<50 { samples += rig.turn(periodFrames) }
    #expect(samples[..<(41 * 240)].allSatisfy { $0 == 0 })
    #expect(samples[(41 * 240)..<(42 * 240)].contains { $0 != 0 })
    // There and a render frame apart from there, the device hears what the voice made: within the kernel's
    // ripple.
    let voice = native.turn(1800)
    for frame in 0..<Int(sharpTapFrames) {
      let heard = samples[9876 + 6 * frame]
      #expect(abs(heard - voice[Int(Self.onset) + frame]) < 0.005, "frame \(frame) of the tap")
    }
  }

  @Test func theWayBackNamesTheSameFrames() throws {
    let rig = try Rig(rate: 48_000)
    let player = try rig.engine.makePlayer(for: ScheduleCompiler.compile(try decode()))
    let finished = Log<Int64>()
    player.onFinish = { finished.append($0.value) }
    try player.start(at: Self.start)
    try rig.output.start()
    for _ in 0..<50 { rig.turn(240) }
    let end = Self.onset + sharpTapFrames
    #expect(
      rig.log.values == [
        .eventStarted(
          player: 0, entryIndex: 0, kind: .transient, frame: RenderFrame(1640),
          deviceFrame: DeviceFrame(9876),
          seconds: 0.205),
        .finished(
          player: 0, frame: RenderFrame(end), deviceFrame: DeviceFrame(6 * (end + 6)), seconds: 0.21875,
          wasStopped: false),
      ])
    #expect(finished.values == [end])
  }

  @Test func aLiveControlAppliesOnTheNextMultipleOfEight() throws {
    let rig = try Rig()
    let plain = try Rig()
    var players: [Player] = []
    for each in [rig, plain] {
      let player = try each.engine.makePlayer(for: schedule(tone(0, duration: 1)))
      try player.start()
      try each.output.start()
      players.append(player)
    }
    try players[0].setControl(.hapticIntensityControl, 0, at: RenderFrame(1001))
    let changed = rig.turn(1200)
    let unchanged = plain.turn(1200)
    let first = changed.indices.first { changed[$0] != unchanged[$0] }
    // The smoother lets a little of a step through on its own frame; the wave's zeros hide it for a frame at
    // most.
    #expect(first == 1008 || first == 1009)
  }

  private func decode() throws -> Pattern {
    var text = Self.file
    return try text.withUTF8 { try AHAPDecoder.decode(UnsafeRawBufferPointer($0), file: "tap.ahap").pattern }
  }
}
