import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Limits and slots: what is refused, and what is reused when.
@Suite struct ConsoleTests {
  @Test func aFullCommandQueueIsAnErrorAtTheCallerAndNothingIsSent() throws {
    var settings = RendererSettings()
    settings.commandCapacity = 8
    let rig = try Rig(settings: settings)
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    for count in 1..<8 {
      try player.setControl(.hapticIntensityControl, 0.5)
      #expect(rig.output.status.commandsUnderWay == 1 + count)
    }
    let error = EngineError.commandQueueFull(limit: 8)
    #expect(throws: error) { try player.start() }
    #expect(throws: error) { try player.stop(at: RenderFrame(8000)) }
    #expect(throws: error) { try player.play(passes: 2) }
    #expect(throws: error) { try player.seek(to: 1) }
    #expect(throws: error) {
      try player.scheduleCurve(
        ParameterCurve(id: .hapticIntensityControl, time: 0, points: [.init(time: 0, value: 1)]))
    }
    #expect(throws: error) { try rig.engine.makePlayer(for: schedule(tap(0))) }
    #expect(rig.output.status.commandsUnderWay == 8)
    #expect(!player.isActive)
    // Applied commands make room.
    try rig.output.start()
    rig.turn(80)
    #expect(rig.output.status.commandsUnderWay == 0)
    try player.start()
    rig.turn(800)
    #expect(rig.log.onsets.count == 1)
  }

  @Test func scheduledCommandsCountUntilTheyApply() throws {
    var settings = RendererSettings()
    settings.commandCapacity = 8
    let rig = try Rig(settings: settings)
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    rig.turn(80)
    for step in 0..<8 {
      try player.setControl(.hapticIntensityControl, 1, at: RenderFrame(8000 + Int64(step)))
    }
    rig.turn(800)
    #expect(rig.output.status.commandsUnderWay == 8)
    #expect(throws: EngineError.self) { try player.start() }
    rig.turn(8000)
    #expect(rig.output.status.commandsUnderWay == 0)
  }

  @Test func latestValuesWaitForRoomAndTheLastOneCounts() throws {
    var settings = RendererSettings()
    settings.commandCapacity = 8
    let rig = try Rig(settings: settings)
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    for _ in 0..<7 { try player.setControl(.hapticSharpnessControl, 0) }
    player.rate = 4
    player.isMuted = true
    rig.engine.isMutedForHaptics = true
    player.rate = 0.5
    player.isMuted = false
    rig.engine.isMutedForHaptics = false
    #expect(rig.output.status.commandsUnderWay == 8)
    try rig.output.start()
    rig.turn(80)
    rig.turn(80)
    try player.start()
    #expect(rig.turn(3200).contains { $0 != 0 })
    #expect(rig.log.onsets == [[0, 160], [1, 1760]])
  }

  @Test func playersAndEnginesAreLimited() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 2
    settings.engineCapacity = 2
    let rig = try Rig(settings: settings)
    let players = [
      try rig.engine.makePlayer(for: schedule(tap(0))), try rig.engine.makePlayer(for: schedule(tap(0))),
    ]
    let engine = try rig.output.makeEngine()
    let engineError = EngineError.enginesExhausted(limit: 2)
    #expect(throws: engineError) { try rig.output.makeEngine() }
    #expect(throws: EngineError.playersExhausted(limit: 2)) { try engine.makePlayer(for: schedule(tap(0))) }
    #expect(engineError.description.contains("2 engines"))
    #expect(throws: EngineError.self) { try rig.engine.makePlayer(for: schedule(tap(0)), bus: 1) }
    withExtendedLifetime((players, engine)) {}
  }

  @Test func aSlotIsReusedOnlyAfterItCameBack() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    let rig = try Rig(settings: settings)
    try rig.output.start()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tap(0)))
      withExtendedLifetime(player) {}
    }
    // The render thread has not been asked yet: the slot is still the old player's.
    #expect(throws: EngineError.playersExhausted(limit: 1)) {
      try rig.engine.makePlayer(for: schedule(tap(0)))
    }
    rig.turn(80)
    let player = try rig.engine.makePlayer(for: schedule(tap(0.01)))
    try player.start()
    rig.turn(800)
    #expect(rig.log.onsets == [[0, 160]])
  }

  @Test func aPlayerLetGoOfPlaysOnAndIsRemovedAfterwards() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    let rig = try Rig(settings: settings)
    try rig.output.start()
    let finished = Log<Int64>()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
      player.onFinish = { finished.append($0.value) }
      try player.start()
    }
    rig.turn(400)
    #expect(throws: EngineError.playersExhausted(limit: 1)) {
      try rig.engine.makePlayer(for: schedule(tap(0)))
    }
    rig.turn(800)
    #expect(rig.log.onsets == [[0, 0], [1, 800]])
    #expect(finished.values == [800 + sharpTapFrames])
    rig.turn(80)
    let next = try rig.engine.makePlayer(for: schedule(tap(0)))
    withExtendedLifetime(next) {}
  }

  @Test func whatWasScheduledForAPlayerNeverReachesTheNextOneInItsSlot() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    let rig = try Rig(settings: settings)
    try rig.output.start()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tap(0)))
      try player.start()
      try player.setControl(.hapticIntensityControl, 0, at: RenderFrame(8000))
      try player.stop(at: RenderFrame(8400))
    }
    rig.turn(800)
    rig.turn(80)
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 4)))
    try player.start()
    rig.turn(6400)
    let late = rig.turn(8000)
    #expect(late.suffix(4000).contains { $0 != 0 })
    #expect(player.isActive)
  }

  @Test func aPausedPlayerLetGoOfIsRemoved() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    let rig = try Rig(settings: settings)
    try rig.output.start()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 1)))
      try player.start()
      rig.turn(80)
      try player.pause()
      rig.turn(80)
    }
    rig.turn(160)
    rig.turn(160)
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    withExtendedLifetime(player) {}
  }

  @Test func churnLeavesNothingBehind() throws {
    let rig = try Rig()
    try rig.output.start()
    let before = rig.output.console.withState { $0.freePlayers.count }
    for _ in 0..<200 {
      let player = try rig.engine.makePlayer(for: schedule(tap(0)))
      try player.start()
      rig.turn(8)
    }
    for _ in 0..<4 { rig.turn(800) }
    let state = rig.output.console.withState { ($0.freePlayers.count, $0.commandsUnderWay) }
    #expect(state.0 == before)
    #expect(state.1 == 0)
    #expect(rig.log.onsets.count == 200)
  }

  @Test func nothingIsSentAfterTheOutputWasClosed() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    try rig.output.start()
    rig.output.close()
    #expect(throws: EngineError.notRunning) { try player.start() }
    #expect(throws: EngineError.notRunning) { try rig.output.makeEngine() }
    #expect(throws: EngineError.notRunning) { try rig.engine.makePlayer(for: schedule(tap(0))) }
    #expect(throws: OutputError.self) { try rig.output.start() }
    player.rate = 2
    #expect(!rig.output.isRunning)
  }
}
