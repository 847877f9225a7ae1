import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Players on a device that is turned by hand: every frame is known.
@Suite struct PlayerTests {
  @Test func aPlayerStartedBeforeTheOutputBeginsOnFrameZero() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start()
    try rig.output.start()
    rig.turn(1600)
    #expect(rig.log.onsets == [[0, 0], [1, 800]])
    #expect(rig.log.finishes == [800 + sharpTapFrames])
  }

  @Test(arguments: [1, 13, 800, 803])
  func aStartLandsOnItsExactFrame(_ frame: Int64) throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0.01)))
    try player.start(at: RenderFrame(frame))
    rig.turn(1600)
    #expect(rig.log.onsets == [[0, Int(frame) + 80]])
  }

  @Test func theFinishHandlerIsCalledOnceARunWithItsFrame() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    let frames = Log<Int64>()
    player.onFinish = { frames.append($0.value) }
    try player.start(at: RenderFrame(0))
    try player.start(at: RenderFrame(1000))
    #expect(player.isActive)
    rig.turn(2000)
    #expect(frames.values == [sharpTapFrames, 1000 + sharpTapFrames])
    #expect(!player.isActive)
  }

  @Test func aRestartEndsTheRunBefore() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 1)))
    try player.start()
    rig.turn(800)
    try player.start()
    rig.turn(80)
    #expect(rig.log.onsets == [[0, 0], [0, 800]])
    #expect(rig.log.finishes == [800])
    #expect(player.isActive)
  }

  @Test func aStoppedPlayerFadesOver61FramesAndReports() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 1)))
    try player.start()
    rig.turn(800)
    try player.stop()
    let after = rig.turn(160)
    #expect(after[60..<160].allSatisfy { $0 == 0 })
    #expect(after[..<60].contains { $0 != 0 })
    #expect(!player.isActive)
  }

  @Test func cancelDropsWhatWasScheduledAndEveryRunIsReported() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    try player.start(at: RenderFrame(4000))
    try player.start(at: RenderFrame(8000))
    rig.turn(80)
    try player.cancel()
    rig.turn(80)
    #expect(!player.isActive)
    #expect(rig.log.finishes.count == 2)
    #expect(rig.output.status.commandsUnderWay == 0)
    rig.turn(16_000)
    #expect(rig.log.onsets.isEmpty)
  }

  @Test func aPausedPlayerHoldsItsPosition() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start()
    rig.turn(400)
    try player.pause()
    rig.turn(8000)
    #expect(player.isActive)
    try player.resume()
    rig.turn(1600)
    #expect(rig.log.onsets == [[0, 0], [1, 8800]])
  }

  @Test func aSeekLeavesOutWhatBeganBefore() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1), tap(0.2)))
    try player.seek(to: 0.1)
    try player.start()
    rig.turn(400)
    try player.seek(to: 0.15)
    rig.turn(1600)
    #expect(rig.log.onsets == [[1, 0], [2, 800]])
    #expect(throws: EngineError.self) { try player.seek(to: .nan) }
  }

  @Test func rateScalesTime() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    player.rate = 0.5
    player.rate = -1
    player.rate = .nan
    #expect(player.rate == 0.5)
    try player.start()
    rig.turn(3200)
    #expect(rig.log.onsets == [[0, 0], [1, 1600]])
  }

  @Test func aMutedPlayerIsSilentWhileItsTimeGoesOn() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    player.isMuted = true
    try player.start()
    #expect(rig.turn(400).allSatisfy { $0 == 0 })
    player.isMuted = false
    #expect(rig.turn(1200).contains { $0 != 0 })
    #expect(rig.log.onsets == [[0, 0], [1, 800]])
  }

  @Test func aMutedEngineIsSilentAndTheNextOneInItsSlotIsNot() throws {
    let rig = try Rig()
    try rig.output.start()
    do {
      let engine = try rig.output.makeEngine()
      engine.isMutedForHaptics = true
      let player = try engine.makePlayer(for: schedule(tap(0)))
      try player.start()
      #expect(rig.turn(400).allSatisfy { $0 == 0 })
      #expect(engine.isMutedForHaptics)
    }
    rig.turn(400)
    rig.turn(400)
    let engine = try rig.output.makeEngine()
    #expect(!engine.isMutedForHaptics)
    rig.turn(80)
    let player = try engine.makePlayer(for: schedule(tap(0)))
    try player.start()
    #expect(rig.turn(400).contains { $0 != 0 })
  }

  @Test func aLoopGoesOnUntilItIsTurnedOff() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    player.isLooping = true
    player.loopEndSeconds = 0.2
    try player.start()
    rig.turn(4000)
    #expect(rig.log.loops == [1600, 3200])
    player.isLooping = false
    rig.turn(8000)
    #expect(rig.log.onsets.count == 6)
    #expect(rig.log.finishes == [4000 + sharpTapFrames])
  }

  @Test(arguments: [1, 2, 3, 7])
  func passesAreCounted(_ passes: Int) throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.play(passes: passes)
    rig.turn(16_000)
    // A pass lasts until its last tap has died away.
    let pass = 800 + Int(sharpTapFrames)
    #expect(rig.log.onsets == (0..<passes).flatMap { [[0, $0 * pass], [1, $0 * pass + 800]] })
    #expect(rig.log.finishes == [Int64(passes * pass)])
    // The loop of before stands again.
    try player.start()
    rig.turn(16_000)
    #expect(rig.log.onsets.count == 2 * passes + 2)
    #expect(throws: EngineError.self) { try player.play(passes: 0) }
  }

  @Test func aLiveControlChangesTheRunUnderWay() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start()
    rig.turn(400)
    try player.setControl(.hapticIntensityControl, 0)
    try player.setControl(.audioVolumeControl, 1)
    #expect(rig.turn(1200).allSatisfy { $0 == 0 })
    #expect(rig.output.status.commandsUnderWay == 0)
  }

  @Test func theMemoryOfLiveCurvesComesBack() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 2)))
    try player.start()
    let slot = player.number
    for round in 0..<50 {
      let points = [ParameterCurve.Point(time: 0, value: 1), .init(time: 0.01, value: 0.5)]
      try player.scheduleCurve(ParameterCurve(id: .hapticIntensityControl, time: 3, points: points))
      #expect(rig.output.console.withState { $0.players[slot]?.curves.count ?? 0 } <= 3, "round \(round)")
      rig.turn(160)
    }
    try player.scheduleCurve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: []))
    try player.setControl(.hapticIntensityControl, 1)
    rig.turn(16_000)
    #expect(rig.output.console.withState { $0.players[slot]?.curves.count } == 0)
  }
}
