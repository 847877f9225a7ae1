import CoreHaptics
import TestSupport
import Testing

/// The shared cases that belong to the Core Haptics API, with their own inputs and steps.
@Suite struct CaseTests {
  private func pattern(_ name: String) throws -> CHHapticPattern? {
    try SharedFiles.locate("cases/\(name)/input.ahap", for: "case \(name)").map(
      CHHapticPattern.init(contentsOf:))
  }

  /// Onsets as the cases measure them, in seconds.
  private func onsetTimes(_ signal: [Double]) -> [Double] {
    var times: [Double] = []
    var from = 0
    while let frame = onset(in: signal, from: from, floor: 0.001) {
      times.append(Double(frame) / 8000)
      // A tap is over, or another one begins, after 40 ms.
      from = frame + 320
      while from < signal.count, abs(signal[from]) > 0.001 { from += 1 }
    }
    return times
  }

  private func expect(_ times: [Double], _ expected: [Double]) {
    #expect(times.count == expected.count, "\(times)")
    for (time, wanted) in zip(times, expected) {
      #expect(abs(time - wanted) <= 0.003, "\(time), not \(wanted)")
    }
  }

  @Test func replayAfterStop() throws {
    guard let pattern = try pattern("replay-after-stop") else { return }
    let scene = try Scene()
    let player = try scene.engine.makePlayer(with: pattern)
    try player.start(atTime: 0)
    scene.advance(0.1)
    try player.stop(atTime: 0)
    scene.advance(0.4)
    try player.start(atTime: 0)
    scene.advance(1)
    try player.start(atTime: 0)
    scene.advance(0.6)
    try player.cancel()
    scene.advance(0.4)
    try player.start(atTime: 0)
    scene.advance(1)
    expect(onsetTimes(scene.signal()), [0, 0.5, 0.7, 0.9, 1.5, 1.7, 1.9, 2.5, 2.7, 2.9])
  }

  @Test func restartWhilePlaying() throws {
    guard let pattern = try pattern("restart-while-playing") else { return }
    for isAdvanced in [false, true] {
      let scene = try Scene()
      let player: any CHHapticPatternPlayer =
        isAdvanced
        ? try scene.engine.makeAdvancedPlayer(with: pattern) : try scene.engine.makePlayer(with: pattern)
      try player.start(atTime: 0)
      scene.advance(0.25)
      try player.start(atTime: 0)
      scene.advance(0.75)
      // The step goes back 5 s, before the clock's beginning here; 0.9 s is as much in the past.
      try player.start(atTime: scene.engine.currentTime - 0.9)
      scene.advance(1)
      expect(onsetTimes(scene.signal()), [0, 0.2, 0.25, 0.45, 0.65, 1, 1.2, 1.4])
    }
  }

  @Test func stopWithoutClick() throws {
    guard let pattern = try pattern("stop-without-click") else { return }
    let scene = try Scene()
    let player = try scene.engine.makeAdvancedPlayer(with: pattern)
    try player.start(atTime: 0)
    scene.advance(0.503)
    try player.pause(atTime: 0)
    scene.advance(0.297)
    try player.resume(atTime: 0)
    scene.advance(0.503)
    try player.stop(atTime: 0)
    scene.advance(0.297)
    let signal = scene.signal()
    let steps = zip(signal, signal.dropFirst()).map { abs($0 - $1) }
    let plain = try #require(steps[1600..<3200].max())
    #expect(try #require(steps.max()) <= 1.5 * plain)
    #expect(
      signal.slice(4280, 2120).allSatisfy { $0 == 0 } && signal.slice(10_680, 4000).allSatisfy { $0 == 0 })
    #expect(abs(signal.slice(10_424, 256).reduce(0, +) / 256) < 0.05)
  }

  @Test func mutesAndStopsWithoutClick() throws {
    guard let pattern = try pattern("stop-without-click") else { return }
    let scene = try Scene()
    let player = try scene.engine.makeAdvancedPlayer(with: pattern)
    try player.start(atTime: 0)
    scene.advance(0.503)
    player.isMuted = true
    scene.advance(0.2)
    player.isMuted = false
    scene.advance(0.2)
    scene.engine.isMutedForHaptics = true
    scene.advance(0.2)
    scene.engine.isMutedForHaptics = false
    scene.advance(0.2)
    scene.engine.stop()
    scene.advance(0.2)
    let signal = scene.signal()
    let steps = zip(signal, signal.dropFirst()).map { abs($0 - $1) }
    #expect(try #require(steps.max()) <= 1.5 * (try #require(steps[1600..<3200].max())))
    for (from, to) in [(0.535, 0.7), (0.935, 1.1), (1.335, 1.5)] {
      #expect(rms(signal, from: from, to: to) == 0, "from \(from)")
    }
  }

  @Test func muteCoversEverything() throws {
    guard let pattern = try pattern("mute-covers-everything") else { return }
    let scene = try Scene()
    scene.engine.isMutedForHaptics = true
    try scene.engine.makePlayer(with: pattern).start(atTime: 0)
    scene.advance(0.2)
    try scene.engine.makePlayer(with: pattern).start(atTime: 0)
    scene.advance(0.3)
    scene.engine.isMutedForHaptics = false
    scene.advance(1)
    let signal = scene.signal()
    #expect(signal.prefix(4000).allSatisfy { $0 == 0 })
    // The same two runs without the mute: once its ramp is over nothing differs, so time has run on.
    let open = try Scene()
    try open.engine.makePlayer(with: pattern).start(atTime: 0)
    open.advance(0.2)
    try open.engine.makePlayer(with: pattern).start(atTime: 0)
    open.advance(1.3)
    expectEqual(Array(signal.dropFirst(4072)), Array(open.signal().dropFirst(4072)))
  }

  @Test func playerChurn() throws {
    guard let pattern = try pattern("player-churn"),
      let file = SharedFiles.locate("cases/player-churn/input.ahap", for: "case player-churn"),
      let sound = SharedFiles.locate("cases/player-churn/blip.wav", for: "case player-churn")
    else { return }
    let haptics = try Scene()
    for _ in 0..<1000 {
      try haptics.engine.makePlayer(with: pattern).start(atTime: 0)
      haptics.advance(0.005)
    }
    for _ in 0..<200 {
      try haptics.engine.unregisterAudioResource(try haptics.engine.registerAudioResource(sound))
    }
    for _ in 0..<500 {
      try haptics.engine.playPattern(from: file)
      haptics.advance(0.001)
    }
    haptics.advance(0.5)
    #expect(haptics.signal().suffix(2000).allSatisfy { $0 == 0 })
  }

  @Test func badFilesThrowAndAnEmptyPatternEnds() throws {
    guard let folder = SharedFiles.locate("cases/bad-files", for: "case bad-files") else { return }
    for name in SharedFiles.patterns(in: folder) where name != "empty-pattern.ahap" && name != "deep.ahap" {
      let error = #expect(throws: CHHapticError.self, "\(name)") {
        try CHHapticPattern(contentsOf: folder.appendingPathComponent(name))
      }
      #expect(error?.localizedDescription.contains(name) == true, "\(name)")
    }
    let scene = try Scene()
    let empty = try CHHapticPattern(contentsOf: folder.appendingPathComponent("empty-pattern.ahap"))
    let player = try scene.engine.makeAdvancedPlayer(with: empty)
    player.completionHandler = { [weak scene] _ in scene?.note("ended") }
    try player.start(atTime: 0)
    scene.advance(0.1)
    #expect(scene.log == ["ended"] && empty.duration == 0)
  }

  @Test func everyFileOfTheCorpusLoadsOrIsRefusedWithACode() throws {
    guard let folder = SharedFiles.locate("corpus/ahap", for: "corpus by the API") else { return }
    var loaded = 0
    for name in SharedFiles.patterns(in: folder) {
      do {
        let pattern = try CHHapticPattern(contentsOf: folder.appendingPathComponent(name))
        let again = try CHHapticPattern(dictionary: pattern.exportDictionary())
        let (one, two) = (try pattern.exportDictionary(), try again.exportDictionary())
        #expect(NSDictionary(dictionary: one).isEqual(NSDictionary(dictionary: two)), "\(name)")
        loaded += 1
      } catch {
        #expect(error is CHHapticError, "\(name)")
      }
    }
    #expect(loaded > 50)
  }
}
