import CoreHaptics
import TestSupport
import Testing

/// Players (API sheet, 2.7), by the frames on which something is felt and the order of handlers.
@Suite struct PlayerBehaviourTests {
  @Test func aStartLandsOnItsFrame() throws {
    let scene = try Scene()
    let now = scene.engine.currentTime
    for (index, delay) in [0.1, 0.3501, 0.7].enumerated() {
      try scene.player(.tap(at: 0, Float(index + 1) / 4)).start(atTime: now + delay)
    }
    scene.advance(1)
    var expected = silence(8000)
    for (index, frame) in [800, 2801, 5600].enumerated() {
      let tap = try rendered(.tap(at: 0, Float(index + 1) / 4), seconds: 0.25)
      for (offset, sample) in tap.enumerated() where frame + offset < 8000 {
        expected[frame + offset] += sample
      }
    }
    expectEqual(scene.signal(), expected)
  }

  @Test func startingAgainBeginsAgain() throws {
    for isAdvanced in [false, true] {
      let scene = try Scene()
      let events: [CHHapticEvent] = [.tap(), .tap(at: 0.2), .tap(at: 0.4)]
      let pattern = try CHHapticPattern(events: events, parameters: [])
      let player: any CHHapticPatternPlayer =
        isAdvanced
        ? try scene.engine.makeAdvancedPlayer(with: pattern) : try scene.engine.makePlayer(with: pattern)
      try player.start(atTime: 0)
      scene.advance(0.25)
      try player.start(atTime: 0)
      scene.advance(0.75)
      try player.start(atTime: scene.engine.currentTime - 0.5)
      scene.advance(1)
      #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 20, 25, 45, 65, 100, 120, 140])
    }
  }

  @Test func aStoppedFinishedOrCancelledPlayerPlaysAgainFromTheBeginning() throws {
    let scene = try Scene()
    let player = try scene.player(.tap(), .tap(at: 0.2), .tap(at: 0.4))
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
    #expect(
      onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 50, 70, 90, 150, 170, 190, 250, 270, 290])
  }

  @Test(arguments: [-1.0, -.infinity, .nan, .infinity])
  func aNegativeTimeAndWhatIsNoneAreRefused(time: Double) throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap())
    let curve = CHHapticParameterCurve(
      parameterID: .hapticIntensityControl, controlPoints: [], relativeTime: 0)
    let calls: [() throws -> Void] = [
      { try player.start(atTime: time) }, { try player.stop(atTime: time) },
      { try player.pause(atTime: time) },
      { try player.resume(atTime: time) }, { try player.sendParameters([], atTime: time) },
      { try player.scheduleParameterCurve(curve, atTime: time) },
    ]
    for (index, call) in calls.enumerated() { #expect(code(call) == .invalidTime, "\(index)") }
    scene.advance(0.1)
    #expect(scene.signal().allSatisfy { $0 == 0 })
  }

  @Test func aStopMayBeForLater() throws {
    let scene = try Scene()
    let player = try scene.advanced(.buzz(for: 2))
    player.completionHandler = { [weak scene] in
      scene?.note("ended \($0 == nil) at \(scene?.haptics.seconds ?? 0)")
    }
    try player.start(atTime: 0)
    try player.stop(atTime: scene.engine.currentTime + 0.5)
    scene.advance(1)
    let signal = scene.signal()
    let plain = try rendered(.buzz(for: 2), seconds: 0.5)
    expectEqual(Array(signal.prefix(4000)), plain)
    #expect(signal.slice(4062, 8000).allSatisfy { $0 == 0 } && signal[4010] != 0)
    #expect(scene.log.count == 1 && scene.log[0].hasPrefix("ended true at 0.51"))
  }

  @Test func cancelDropsWhatIsScheduled() throws {
    let scene = try Scene()
    let player = try scene.player(.tap())
    try player.start(atTime: scene.engine.currentTime + 0.5)
    scene.advance(0.25)
    try player.cancel()
    scene.advance(1)
    #expect(scene.signal().allSatisfy { $0 == 0 })
  }

  @Test func aMutedPlayersTimeGoesOn() throws {
    let scene = try Scene()
    let player = try scene.player(.tap(), .tap(at: 0.5))
    player.isMuted = true
    try player.start(atTime: 0)
    scene.advance(0.25)
    player.isMuted = false
    scene.advance(0.5)
    expectEqual(scene.signal(), silence(4000) + (try rendered(.tap(), seconds: 0.25)))
  }

  @Test func aPausedPlayerGoesOnInMidEvent() throws {
    let scene = try Scene()
    let player = try scene.advanced(.buzz(for: 1), .tap(at: 1.25))
    player.completionHandler = { [weak scene] _ in scene?.note("ended") }
    try player.start(atTime: 0)
    scene.advance(0.5)
    try player.pause(atTime: 0)
    scene.advance(1)
    #expect(scene.log == [])
    try player.resume(atTime: 0)
    scene.advance(1)
    let signal = scene.signal()
    #expect(signal.slice(4072, 7900).allSatisfy { $0 == 0 })
    // 8,000 frames later than without the pause.
    let plain = try rendered(.buzz(for: 1), .tap(at: 1.25), seconds: 1.5)
    expectEqual(Array(signal[12_080..<20_000]), Array(plain[4080..<12_000]))
    #expect(scene.log == ["ended"])
  }

  @Test func aPauseAndAResumeMayBeForLater() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .tap(at: 0.3), .tap(at: 0.5))
    let now = scene.engine.currentTime
    try player.start(atTime: 0)
    try player.pause(atTime: now + 0.2)
    try player.resume(atTime: now + 0.7)
    scene.advance(1.2)
    let tap = try rendered(.tap(), seconds: 0.2)
    expectEqual(scene.signal(), tap + silence(4800) + tap + tap)
  }

  @Test func afterASeekEventsUnderWayAreSilent() throws {
    let scene = try Scene()
    let player = try scene.advanced(.buzz(for: 1), .tap(at: 1.2))
    try player.start(atTime: 0)
    scene.advance(0.1)
    try player.seek(toOffset: 0.7)
    scene.advance(0.9)
    let signal = scene.signal()
    #expect(signal.slice(800 + 72, 4000 - 72).allSatisfy { $0 == 0 })
    expectEqual(Array(signal[4800..<8000]), try rendered(.tap(), seconds: 0.4))
  }

  @Test func aSeekBeforeTheStartIsWhereItBegins() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .tap(at: 0.5))
    try player.seek(toOffset: 0.25)
    try player.start(atTime: 0)
    scene.advance(1)
    try player.start(atTime: 0)
    scene.advance(1)
    #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [25, 100, 150])
  }

  @Test func aSeekToTheEndEndsOrLoops() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .buzz(at: 0.5, for: 0.5))
    player.completionHandler = { [weak scene] _ in scene?.note("ended at \(scene?.haptics.seconds ?? 0)") }
    try player.start(atTime: 0)
    scene.advance(0.25)
    try player.seek(toOffset: 1)
    scene.advance(0.25)
    #expect(scene.log.count == 1)
    player.loopEnabled = true
    try player.start(atTime: 0)
    scene.advance(0.25)
    try player.seek(toOffset: 7)
    scene.advance(0.25)
    #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 50, 75])
    #expect(code { try player.seek(toOffset: .nan) } == .invalidTime)
  }

  @Test func aLoopBeginsAgainAtItsEnd() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .tap(at: 0.5))
    player.loopEnabled = true
    player.loopEnd = 0.3
    player.completionHandler = { [weak scene] _ in scene?.note("ended") }
    try player.start(atTime: 0)
    scene.advance(1)
    player.loopEnabled = false
    scene.advance(1)
    // Turned off in the pass from 0.9, which goes on to the pattern's end.
    #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 30, 60, 90, 140])
    #expect(scene.log == ["ended"])
  }

  @Test func aLoopEndOfZeroOrNeverSetIsTheEndOfThePattern() throws {
    for end in [nil, 0.0] {
      let scene = try Scene()
      let player = try scene.advanced(.tap(), .tap(at: 0.2, for: 0.2))
      #expect(player.loopEnd == 0.4)
      if let end { player.loopEnd = end }
      player.loopEnabled = true
      try player.start(atTime: 0)
      scene.advance(1)
      #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 20, 40, 60, 80])
    }
  }

  @Test func theRateScalesTimesAndNotThePitch() throws {
    let scene = try Scene()
    let player = try scene.advanced(.buzz(for: 1), .tap(at: 1.5))
    player.playbackRate = 2
    try player.start(atTime: 0)
    scene.advance(1)
    let expected = try rendered(.buzz(for: 0.5), .tap(at: 0.75), seconds: 1)
    expectEqual(scene.signal(), expected)
    // And in the middle of a run: 0.4 s at rate 1, then the tap at 0.8 s at a half comes 0.8 s later.
    let other = try Scene()
    let slow = try other.advanced(.tap(), .tap(at: 0.8))
    try slow.start(atTime: 0)
    other.advance(0.4)
    slow.playbackRate = 0.5
    other.advance(1.5)
    #expect(onsets(other.signal()).map { ($0 + 40) / 80 } == [0, 120])
  }

  @Test func theRateScalesTheLoopEndAndParameters() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .tap(at: 0.4))
    player.playbackRate = 0.5
    player.loopEnd = 0.3
    player.loopEnabled = true
    try player.start(atTime: 0)
    scene.advance(1.5)
    #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 60, 120])
    let pattern = try CHHapticPattern(
      events: [.buzz(for: 1)], parameters: [.intensity(0.5, at: 0.5)])
    let fast = try Scene()
    let other = try fast.engine.makeAdvancedPlayer(with: pattern)
    other.playbackRate = 2
    try other.start(atTime: 0)
    fast.advance(0.6)
    let expected = try CHHapticPattern(
      events: [.buzz(for: 0.5)], parameters: [.intensity(0.5, at: 0.25)])
    expectEqual(fast.signal(), try rendered(expected, seconds: 0.6))
  }

  @Test(arguments: [Float(0), -1, .nan, .infinity])
  func aRateThatIsNotAboveZeroIsIgnored(rate: Float) throws {
    let player = try Scene().advanced(.tap())
    player.playbackRate = 2
    player.playbackRate = rate
    #expect(player.playbackRate == 2)
  }

  @Test func theCompletionHandlerIsCalledOnceForEachEnd() throws {
    let scene = try Scene()
    let player = try scene.advanced(.tap(), .buzz(at: 0.2, for: 0.2))
    player.completionHandler = { [weak scene] in scene?.note("ended \($0 == nil)") }
    try player.start(atTime: 0)
    scene.advance(1)
    #expect(scene.log == ["ended true"])
    try player.start(atTime: 0)
    scene.advance(0.1)
    // Starting anew is no end.
    try player.start(atTime: 0)
    scene.advance(0.1)
    #expect(scene.log.count == 1)
    try player.stop(atTime: 0)
    scene.advance(0.1)
    #expect(scene.log.count == 2)
    try player.start(atTime: 0)
    try player.cancel()
    scene.advance(0.1)
    #expect(scene.log.count == 3)
  }

  @Test func anEmptyPatternEndsAtOnce() throws {
    let scene = try Scene()
    let player = try scene.advanced()
    player.completionHandler = { [weak scene] _ in scene?.note("ended") }
    try player.start(atTime: 0)
    scene.advance(0.05)
    #expect(scene.log == ["ended"])
  }

  @Test func aPlayerThatIsLetGoOfPlaysToItsEnd() throws {
    let scene = try Scene()
    try scene.player(.tap(at: 0.5)).start(atTime: 0)
    scene.advance(1)
    expectEqual(scene.signal(), try rendered(.tap(at: 0.5), seconds: 1))
  }

  @Test func aLoopingPlayerThatIsLetGoOfEndsItsPass() throws {
    let scene = try Scene()
    do {
      let player = try scene.advanced(.tap(), .tap(at: 0.2, for: 0.3))
      player.loopEnabled = true
      player.completionHandler = { [weak scene] _ in scene?.note("ended") }
      try player.start(atTime: 0)
      scene.advance(0.7)
    }
    scene.advance(2)
    #expect(onsets(scene.signal()).map { ($0 + 40) / 80 } == [0, 20, 50, 70])
    #expect(scene.log == ["ended"])
  }

  @Test func aPausedPlayerThatIsLetGoOfEnds() throws {
    let scene = try Scene()
    do {
      let player = try scene.advanced(.buzz(for: 1))
      player.completionHandler = { [weak scene] _ in scene?.note("ended") }
      try player.start(atTime: 0)
      scene.advance(0.1)
      try player.pause(atTime: 0)
    }
    scene.advance(0.5)
    #expect(scene.log == ["ended"])
    scene.engine.notifyWhenPlayersFinished { _ in
      scene.note("finished")
      return .leaveEngineRunning
    }
    scene.advance(0.1)
    #expect(scene.log == ["ended", "finished"])
  }

  @Test func aHandlerMayStartTheNextPlayer() throws {
    let scene = try Scene()
    let first = try scene.advanced(.tap())
    let second = try scene.player(.tap())
    nonisolated(unsafe) let next = second
    first.completionHandler = { _ in
      do {
        try next.start(atTime: 0)
      } catch {
        scene.note("failed")
      }
    }
    try first.start(atTime: 0)
    scene.advance(0.5)
    #expect(onsets(scene.signal()).count == 2 && scene.log == [])
  }
}
