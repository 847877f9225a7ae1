import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// What a pause holds, and what ends it.
@Suite struct PauseTests {
  /// Frames in which a pause fades.
  private static let fade: Int64 = 60

  /// A tone of two seconds under way, on an output turned by hand.
  private func playing(_ rig: Rig, frames: Int = 800) throws -> Player {
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 2)))
    try player.start()
    try rig.output.start()
    rig.turn(frames)
    return player
  }

  @Test("The last request counts, however soon after each other they come", arguments: [0, 16, 40])
  func pauseResumePause(gap: Int) throws {
    let rig = try Rig()
    let player = try playing(rig)
    try player.pause()
    rig.turn(gap)
    try player.resume()
    rig.turn(gap)
    try player.pause()
    rig.turn(800)
    #expect(rig.turn(800).allSatisfy { $0 == 0 })
    #expect(rig.output.console.withState { !$0.isUnderWay(player.number) })
    try player.resume()
    rig.turn(80)
    #expect(rig.turn(800).contains { $0 != 0 })
  }

  @Test("A resume in mid-fade waits for its end, and another does not hurry it")
  func resumeInMidFade() throws {
    func run(_ resumes: Int) throws -> [Float] {
      let rig = try Rig()
      let player = try playing(rig)
      try player.pause()
      var samples = rig.turn(16)
      for _ in 0..<resumes { try player.resume() }
      samples += rig.turn(800)
      #expect(rig.output.status.commandsUnderWay == 0)
      withExtendedLifetime(player) {}
      return samples
    }
    let once = try run(1)
    // Held on frame 60, gone on from on frame 64.
    #expect(once[60..<64].allSatisfy { $0 == 0 })
    #expect(once[64..<200].contains { $0 != 0 })
    #expect(try run(3) == once)
  }

  @Test("A resume that waited does not let go of a new run")
  func resumeBeforeANewRun() throws {
    let rig = try Rig()
    let player = try playing(rig)
    try player.pause()
    try player.resume()
    try player.start()
    try player.pause()
    rig.turn(160)
    #expect(rig.turn(800).allSatisfy { $0 == 0 })
    #expect(rig.log.onsets.count == 1)
    try player.cancel()
    rig.turn(160)
    #expect(!player.isActive)
    #expect(rig.log.finishes.count == 2)
  }

  @Test("A paused tone that is stopped ends where its fade did")
  func stopNamesTheFade() throws {
    let rig = try Rig()
    let player = try playing(rig)
    try player.pause()
    rig.turn(160)
    try player.stop()
    rig.turn(160)
    #expect(rig.log.finishes == [800 + Self.fade])
  }

  /// How a paused run is ended.
  enum Ending: CaseIterable { case stop, cancel, seek }

  private func end(_ player: Player, by ending: Ending) throws {
    switch ending {
    case .stop: try player.stop()
    case .cancel: try player.cancel()
    case .seek: try player.seek(to: 3)
    }
  }

  @Test(
    "The end of a paused run is told although its player is let go of at once", arguments: Ending.allCases)
  func endOfALetGoRun(by ending: Ending) throws {
    let rig = try HandRig()
    let ends = Log<Int64>()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 2)))
      player.onFinish = { ends.append($0.value) }
      try player.start()
      rig.turn(800)
      try player.pause()
      rig.turn(400)
      try end(player, by: ending)
    }
    rig.turn(2000)
    #expect(ends.values == [800 + Self.fade])
    #expect(rig.log.finishes == ends.values)
  }

  @Test("A drain waits for the end of a paused run", arguments: Ending.allCases)
  func drainAfterAnEnd(by ending: Ending) throws {
    let rig = try Rig()
    let ends = Log<Int64>()
    let player = try playing(rig)
    player.onFinish = { ends.append($0.value) }
    try player.pause()
    rig.turn(400)
    try end(player, by: ending)
    #expect(rig.output.drain(timeoutSeconds: 5) == .drained)
    #expect(ends.values == [800 + Self.fade])
    #expect(!player.isActive)
  }

  @Test("A drain lets a pause fade")
  func drainAfterAPause() throws {
    let rig = try Rig(recordingFrames: 8000)
    let player = try playing(rig)
    try player.pause()
    #expect(rig.output.drain(timeoutSeconds: 5) == .drained)
    let samples = floats(rig.device.recorded)
    #expect(samples.count >= 860)
    #expect(samples.dropFirst(860).allSatisfy { $0 == 0 })
    withExtendedLifetime(player) {}
  }

  @Test("What ends a paused tone does not cut the filter's ringing", arguments: Ending.allCases)
  func ringing(by ending: Ending) throws {
    func run(_ ending: Ending?) throws -> [Float] {
      let rig = try Rig(profile: .safe)
      let player = try playing(rig, frames: 8000)
      try player.pause()
      var samples = rig.turn(72)
      if let ending { try end(player, by: ending) }
      samples += rig.turn(400)
      withExtendedLifetime(player) {}
      return samples
    }
    let held = try run(nil)
    #expect(held[80...].contains { $0 != 0 })
    #expect((try run(ending) == held) as Bool)
  }

  @Test("Nor does letting go of it")
  func ringingOfALetGoPlayer() throws {
    func run(letsGo: Bool) throws -> [Float] {
      let rig = try Rig(profile: .safe)
      var player: Player? = try playing(rig, frames: 8000)
      try player?.pause()
      var samples = rig.turn(72)
      if letsGo { player = nil }
      samples += rig.turn(1000)
      withExtendedLifetime(player) {}
      return samples
    }
    let gone = try run(letsGo: true)
    let held = try run(letsGo: false)
    // When all is over the filter is emptied where its tail ends, 120 dB down.
    let tail = Int(Self.fade) + 622
    #expect((gone[..<tail] == held[..<tail]) as Bool)
    #expect(zip(gone, held).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
