import CoreHaptics
import CoreHapticsTesting
import Testing

/// Players and sounds that come and go (case player-churn). Memory is `bench-lifetimes`' matter.
@Suite struct ChurnTests {
  let pattern: CHHapticPattern

  init() throws {
    pattern = try CHHapticPattern(events: [.tap(), .buzz(for: 0.05, 0.5)], parameters: [])
  }

  @Test func twoThousandPlayersAreStartedAndLetGoOf() throws {
    let haptics = VirtualHaptics(isRecording: false)
    let engine = try haptics.use { try CHHapticEngine() }
    try engine.start()
    for _ in 0..<2000 {
      try engine.makePlayer(with: pattern).start(atTime: 0)
      haptics.advance(seconds: 0.005)
    }
  }

  @Test func aThousandOneShotsComeAMillisecondApart() throws {
    let scene = try Scene()
    let bytes = try JSONSerialization.data(withJSONObject: pattern.exportDictionary())
    for _ in 0..<1000 {
      try scene.engine.playPattern(from: bytes)
      scene.advance(0.001)
    }
    scene.engine.notifyWhenPlayersFinished { _ in
      scene.note("finished")
      return .leaveEngineRunning
    }
    scene.advance(1)
    #expect(scene.log == ["finished"])
    #expect(scene.signal().suffix(4000).allSatisfy { $0 == 0 })
  }

  @Test func soundsAreRegisteredAndTakenBack() throws {
    let engine = try Scene().engine
    let folder = try SoundFolder()
    let file = try folder.wav(saw(100))
    var last = 0
    for _ in 0..<2000 {
      let number = try engine.registerAudioResource(file)
      #expect(number > last)
      last = number
      try engine.unregisterAudioResource(number)
    }
  }

  @Test func anyNumberOfPlayersMayWait() throws {
    let scene = try Scene()
    let players = try (0..<5000).map { _ in try scene.engine.makePlayer(with: pattern) }
    try players[4999].start(atTime: 0)
    scene.advance(0.3)
    #expect(onsets(scene.signal()).count == 1)
  }

  @Test func thePlayersThatPlayAtOnceAreLimitedAndTheErrorTellsTheLimit() throws {
    let scene = try Scene()
    let players = try (0..<257).map { _ in try scene.engine.makePlayer(with: pattern) }
    for player in players.dropLast() { try player.start(atTime: 0) }
    let error = #expect(throws: CHHapticError.self) { try players[256].start(atTime: 0) }
    #expect(error?.code == .resourceNotAvailable && error?.localizedDescription.contains("256") == true)
    scene.advance(0.5)
    try players[256].start(atTime: 0)
    scene.advance(0.5)
  }

  @Test func theEngineMayGoFirstOrLast() throws {
    let haptics = VirtualHaptics()
    for engineFirst in [true, false] {
      var engine: CHHapticEngine? = try haptics.use { try CHHapticEngine() }
      try engine?.start()
      var player = try engine?.makePlayer(with: pattern)
      try player?.start(atTime: 0)
      haptics.advance(seconds: 0.01)
      if engineFirst { engine = nil } else { player = nil }
      haptics.advance(seconds: 0.01)
      player = nil
      engine = nil
      haptics.advance(seconds: 0.5)
    }
    #expect(haptics.signal().suffix(3000).allSatisfy { $0 == 0 })
  }
}
