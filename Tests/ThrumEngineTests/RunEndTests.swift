import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Whether a player is under way, and that each of its runs is told of once.
@Suite struct RunEndTests {
  @Test("Every run ends once, in order, although no handler returned for a while")
  func endsWithoutRoom() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 2
    settings.notificationCapacity = 4
    let rig = try HandRig(settings: settings)
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    let ends = Log<Int64>()
    player.onFinish = { ends.append($0.value) }
    for _ in 0..<200 {
      try player.start()
      rig.fill(16)
    }
    #expect(ends.values.isEmpty)
    rig.fill(800)
    rig.drain()
    rig.turn(80)
    #expect(!player.isActive)
    #expect(!rig.drain())
    #expect(ends.values.count == 200)
    #expect(ends.values == ends.values.sorted())
    #expect(ends.values.last == 199 * 16 + sharpTapFrames)
    #expect(rig.log.finishes == ends.values)
  }

  @Test("A slot comes back only after the ends of its runs were told")
  func endsBeforeTheSlot() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    settings.notificationCapacity = 4
    let rig = try HandRig(settings: settings)
    do {
      let player = try rig.engine.makePlayer(for: schedule(tap(0)))
      for _ in 0..<40 {
        try player.start()
        rig.fill(16)
      }
      try player.pause()
      rig.fill(80)
    }
    rig.fill(80)
    for _ in 0..<4 {
      rig.drain()
      rig.fill(80)
    }
    let next = try rig.engine.makePlayer(for: schedule(tap(0)))
    try next.start()
    #expect(next.isActive)
    rig.turn(800)
    #expect(!next.isActive)
  }

  @Test("A player paused as it starts waits at its beginning")
  func pauseAtTheStart() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start(at: RenderFrame(83))
    try player.pause(at: RenderFrame(80))
    try rig.output.start()
    #expect(rig.turn(800).allSatisfy { $0 == 0 })
    #expect(player.isActive)
    #expect(rig.output.drain(timeoutSeconds: 0) == .drained)
    #expect(rig.log.onsets.isEmpty)
  }

  @Test("A player paused as it starts and resumed later plays from its beginning")
  func pauseAtTheStartAndResume() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start()
    try player.pause()
    try rig.output.start()
    rig.turn(800)
    try player.resume()
    rig.turn(1600)
    #expect(rig.log.onsets == [[0, 800], [1, 1600]])
  }

  @Test("A pause for later that a resume came before still pauses, and the drain ends there")
  func resumeBeforeAScheduledPause() throws {
    let rig = try Rig(recordingFrames: 8000)
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 10)))
    try player.start()
    try player.pause(at: RenderFrame(1600))
    try player.resume()
    try rig.output.start()
    #expect(rig.output.drain(timeoutSeconds: 5) == .drained)
    #expect(player.isActive)
    // The pause has faded.
    #expect((1660...1800).contains(rig.device.counters.writtenFrames))
    let samples = floats(rig.device.recorded)
    #expect(samples.count >= 1660)
    #expect(samples.dropFirst(1660).allSatisfy { $0 == 0 })
    #expect(samples[1500..<1660].contains { $0 != 0 })
  }

  @Test("A player let go of that pauses by itself gives its slot back")
  func aLetGoPlayerThatPauses() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    let rig = try Rig(settings: settings)
    try rig.output.start()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 10)))
      try player.start()
      try player.pause(at: RenderFrame(1600))
      try player.resume()
    }
    for _ in 0..<20 { rig.turn(160) }
    let next = try rig.engine.makePlayer(for: schedule(tap(0)))
    withExtendedLifetime(next) {}
  }

  @Test("A pause before a start that is for later does not hold it up")
  func pauseBeforeAScheduledStart() throws {
    let rig = try Rig()
    try rig.output.start()
    do {
      let player = try rig.engine.makePlayer(for: schedule(tap(0)))
      try player.start(at: RenderFrame(800))
      try player.pause()
    }
    #expect(rig.output.drain(timeoutSeconds: 5) == .drained)
    #expect(rig.log.onsets == [[0, 800]])
  }

  @Test("A drain waits for a resume that is for later")
  func resumeForLater() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start()
    try player.pause(at: RenderFrame(400))
    try player.resume(at: RenderFrame(4000))
    try rig.output.start()
    rig.turn(800)
    #expect(rig.output.drain(timeoutSeconds: 5) == .drained)
    #expect(rig.log.onsets == [[0, 0], [1, 4400]])
  }

  @Test("A stop of a player that is being removed does not keep its slot")
  func stopWhileBeingRemoved() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    let rig = try HandRig(settings: settings)
    do {
      let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 10)))
      try player.start()
      rig.fill(800)
      try player.pause()
      rig.fill(8)
      rig.drain()
    }
    rig.drain()
    rig.fill(8)
    try rig.console.withState { (state) throws(EngineError) in try state.stopAll() }
    rig.turn(800)
    #expect(!rig.drain())
    let next = try rig.engine.makePlayer(for: schedule(tap(0)))
    withExtendedLifetime(next) {}
  }

  @Test("A million passes of a pattern without events are over at once")
  func passesOfNothing() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule())
    try player.play(passes: 1_000_000)
    try rig.output.start()
    rig.turn(80)
    #expect(!player.isActive)
    #expect(rig.log.loops.isEmpty)
    #expect(rig.log.finishes == [0])
    let result = OfflineRender.render(
      schedule(), profile: .none, rate: 8000, format: .float, passes: 1000
    ) { _ in }
    #expect(result.frames == 0)
  }
}
