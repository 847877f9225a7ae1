import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// What a full command queue still takes: stops for this moment.
@Suite struct FullQueueTests {
  /// Room for eight commands, and for eight players.
  private func makeRig() throws -> HandRig {
    var settings = RendererSettings()
    settings.commandCapacity = 8
    settings.playerCapacity = 8
    return try HandRig(settings: settings)
  }

  /// Takes all the room there is with controls that apply after a second.
  private func fill(_ rig: HandRig, _ player: Player) throws {
    while rig.console.withState({ $0.room() }) > 0 {
      try player.setControl(.hapticIntensityControl, 1, at: RenderFrame(8000))
    }
    #expect(throws: EngineError.commandQueueFull(limit: 8)) { try player.pause() }
  }

  @Test(
    "A full queue takes a stop, at once or for a frame that has passed, and a cancel", arguments: [0, 1, 2])
  func oneOfEach(_ kind: Int) throws {
    let rig = try makeRig()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 10)))
    try player.start()
    rig.turn(800)
    try fill(rig, player)
    switch kind {
    case 0: try player.stop()
    case 1: try player.stop(at: RenderFrame(80))
    default: try player.cancel()
    }
    #expect(throws: EngineError.commandQueueFull(limit: 8)) { try player.stop(at: RenderFrame(4000)) }
    rig.turn(80)
    #expect(rig.turn(400).allSatisfy { $0 == 0 })
    #expect(!player.isActive)
    #expect(rig.log.finishes.count == 1)
    // A cancel drops what was scheduled, a stop leaves it.
    #expect(rig.console.withState { $0.commandsUnderWay } == (kind == 2 ? 0 : 8))
  }

  @Test("All players stop, however full the queue and however often it is asked")
  func allPlayers() throws {
    let rig = try makeRig()
    var players: [Player] = []
    for _ in 0..<8 {
      players.append(try rig.engine.makePlayer(for: schedule(tone(0, duration: 10))))
      try players[players.count - 1].start()
      rig.turn(80)
    }
    try fill(rig, players[0])
    for _ in 0..<1000 {
      try rig.console.withState { (state) throws(EngineError) in try state.stopAll() }
      for player in players { try player.stop() }
      for player in players { try player.cancel() }
    }
    #expect(rig.console.withState { $0.commandsUnderWay } == 8 + 2 * 8)
    rig.turn(160)
    #expect(rig.turn(400).allSatisfy { $0 == 0 })
    #expect(players.allSatisfy { !$0.isActive })
    #expect(rig.log.finishes.count == 8)
    // What was dropped or done has made room, for others and for the next stops.
    #expect(rig.console.withState { $0.commandsUnderWay } == 0)
    try players[3].start()
    try fill(rig, players[0])
    try players[3].cancel()
    rig.turn(160)
    #expect(!players[3].isActive)
  }

  @Test("A stop that was taken does not stand for the next one")
  func startsBetweenStops() throws {
    let rig = try makeRig()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 10)))
    try player.start()
    try player.start(at: RenderFrame(1600))
    rig.turn(800)
    try fill(rig, player)
    try player.stop()
    rig.turn(400)
    #expect(player.isActive)
    // The second run begins, and room is filled again.
    rig.turn(800)
    try fill(rig, player)
    try player.stop()
    rig.turn(160)
    #expect(!player.isActive)
    #expect(rig.log.finishes.count == 2)
  }

  @Test("A closed output refuses them")
  func closed() throws {
    let rig = try makeRig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    rig.console.close()
    #expect(throws: EngineError.notRunning) { try player.stop() }
    #expect(throws: EngineError.notRunning) { try player.cancel() }
  }
}
