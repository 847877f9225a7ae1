import CoreHaptics
import CoreHapticsTesting
import TestSupport
import Testing

/// The engine's life (API sheet, 2.6 and 2.8): handlers in their order, and what is felt.
@Suite struct EngineBehaviourTests {
  @Test func severalEnginesAreMixedOnOneOutput() throws {
    let scene = try Scene()
    let other = try scene.haptics.use { try CHHapticEngine() }
    try other.start()
    try scene.player(.buzz(for: 0.5, 0.4)).start(atTime: 0)
    let tap = try CHHapticPattern(events: [.tap(at: 0.25, 0.5)], parameters: [])
    try other.makePlayer(with: tap).start(atTime: 0)
    scene.advance(0.6)
    expectEqual(
      scene.signal(), try rendered(.buzz(for: 0.5, 0.4), .tap(at: 0.25, 0.5), seconds: 0.6))
    // Each has its own mute and its own stop.
    other.stop()
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.2)
    #expect(onsets(scene.signal()).last.map { $0 >= 4800 && $0 <= 4802 } == true)
  }

  @Test func outputsOfTheirOwnAreIndependent() throws {
    let haptics = VirtualHaptics(actuators: 2)
    let (left, right) = try haptics.use {
      let controller = try #require(GCController.current?.haptics)
      return (
        try #require(controller.createEngine(withLocality: .leftHandle)),
        try #require(controller.createEngine(withLocality: .rightHandle))
      )
    }
    try left.start()
    try right.start()
    let pattern = try CHHapticPattern(events: [.tap()], parameters: [])
    try left.makePlayer(with: pattern).start(atTime: left.currentTime + 0.1)
    try right.makePlayer(with: pattern).start(atTime: right.currentTime + 0.2)
    haptics.advance(seconds: 0.4)
    let tap = try rendered(pattern, seconds: 0.2)
    expectEqual(haptics.signal(channel: 0).map(Double.init), silence(800) + tap + silence(800))
    expectEqual(haptics.signal(channel: 1).map(Double.init), silence(1600) + tap)
  }

  @Test func aControllerThatGoesHasAReasonOfItsOwn() throws {
    let scene = try Scene(actuators: 2)
    let engine = try scene.haptics.use {
      try #require(GCController.current?.haptics?.createEngine(withLocality: .handles))
    }
    engine.stoppedHandler = { [weak scene] in scene?.note("stopped \($0)") }
    try engine.start()
    scene.haptics.beginOutage(.unplugged)
    scene.advance(0.1)
    #expect(scene.log == ["stopped \(CHHapticEngine.StoppedReason.gameControllerDisconnect)"])
  }

  @Test func anEngineOnAllActuatorsPlaysOnAllOnOneFrame() throws {
    let scene = try Scene(actuators: 3)
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.3)
    let first = scene.signal(channel: 0)
    #expect(onsets(first).count == 1)
    for channel in 1...2 { expectEqual(scene.signal(channel: channel), first) }
  }

  @Test func startingARunningEngineDoesNothing() throws {
    let scene = try Scene()
    try scene.player(.buzz(for: 0.5)).start(atTime: 0)
    scene.advance(0.1)
    try scene.engine.start()
    scene.advance(0.5)
    expectEqual(scene.signal(), try rendered(.buzz(for: 0.5), seconds: 0.6))
  }

  @Test func everyFormOfStartAndStopIsAnswered() async throws {
    let scene = try Scene(isStarted: false)
    scene.noteHandlers()
    scene.engine.start { [weak scene] in scene?.note("started \($0 == nil)") }
    scene.haptics.settle()
    try scene.player(.tap()).start(atTime: 0)
    scene.engine.stop { [weak scene] in scene?.note("stopped by itself \($0 == nil)") }
    scene.engine.stop(completionHandler: nil)
    scene.haptics.settle()
    try await scene.engine.start()
    try await scene.engine.start()
    try await scene.engine.stop()
    try await scene.engine.stop()
    #expect(scene.log == ["started true", "stopped by itself true"])
  }

  @Test func aStopIsForAStartThatHasNotBeenMadeToo() throws {
    let scene = try Scene(isStarted: false)
    for _ in 0..<20 {
      scene.engine.start { [weak scene] _ in scene?.note("started") }
      scene.engine.stop { [weak scene] _ in scene?.note("stopped") }
      scene.haptics.settle()
      #expect(code { try scene.player(.tap()).start(atTime: 0) } == .engineNotRunning)
    }
    #expect(scene.log == Array(repeating: ["started", "stopped"], count: 20).flatMap(\.self))
  }

  @Test func outputsByNameAreApart() throws {
    let haptics = VirtualHaptics()
    let (one, two) = try haptics.use {
      (try CHHapticEngine(outputNamed: "one"), try CHHapticEngine(outputNamed: "two"))
    }
    nonisolated(unsafe) var reasons: [String] = []
    one.stoppedHandler = { reasons.append("one \($0.rawValue)") }
    two.stoppedHandler = { reasons.append("two \($0.rawValue)") }
    try one.start()
    haptics.advance(seconds: 0.5)
    try two.start()
    let pattern = try CHHapticPattern(events: [.tap()], parameters: [])
    try one.makePlayer(with: pattern).start(atTime: one.currentTime + 0.1)
    try two.makePlayer(with: pattern).start(atTime: two.currentTime + 0.2)
    haptics.advance(seconds: 0.5)
    haptics.beginOutage(.failed, output: "one")
    haptics.advance(seconds: 0.1)
    #expect(reasons == ["one -1"])
    let tap = try rendered(pattern, seconds: 0.3)
    expectEqual(
      haptics.signal(output: "one").map(Double.init), silence(4800) + tap + silence(1600))
    expectEqual(haptics.signal(output: "two").map(Double.init), silence(5600) + tap + silence(800))
  }

  @Test func aFailedStartIsAnsweredWithItsError() throws {
    let scene = try Scene()
    scene.haptics.beginOutage(.unplugged)
    scene.advance(0.1)
    scene.engine.start { [weak scene] in
      scene?.note("\(String(describing: ($0 as? CHHapticError)?.code.rawValue))")
    }
    scene.haptics.settle()
    #expect(scene.log == ["Optional(-4811)"])
    #expect(code { try scene.engine.start() } == .serverInterrupted)
    // An engine that would have started meanwhile is told when it can.
    let late = try scene.haptics.use { try CHHapticEngine() }
    late.resetHandler = { [weak scene] in scene?.note("late may start") }
    #expect(code { try late.start() } == .serverInterrupted)
    scene.haptics.endOutage()
    scene.advance(0.1)
    #expect(scene.log.last == "late may start")
    try late.start()
  }

  @Test func playersMayBeMadeBeforeTheStart() throws {
    let scene = try Scene(isStarted: false)
    let player = try scene.player(.tap())
    #expect(code { try player.start(atTime: 0) } == .engineNotRunning)
    try scene.engine.start()
    try player.start(atTime: 0)
    scene.advance(0.2)
    expectEqual(scene.signal(), try rendered(.tap(), seconds: 0.2))
  }

  @Test func aStoppedEngineRefusesEverythingThatPlays() throws {
    let scene = try Scene(isStarted: false)
    let player = try scene.advanced(.tap())
    let curve = CHHapticParameterCurve(
      parameterID: .hapticIntensityControl, controlPoints: [], relativeTime: 0)
    let calls: [() throws -> Void] = [
      { try player.start(atTime: 0) }, { try player.stop(atTime: 0) }, { try player.cancel() },
      { try player.pause(atTime: 0) }, { try player.resume(atTime: 0) },
      { try player.sendParameters([.intensity(0)], atTime: 0) },
      { try player.scheduleParameterCurve(curve, atTime: 0) },
    ]
    for (index, call) in calls.enumerated() { #expect(code(call) == .engineNotRunning, "\(index)") }
    try player.seek(toOffset: 0)
  }

  @Test func anEngineThatShutsDownByItselfIsStartedByItsPlayers() throws {
    let scene = try Scene(isStarted: false)
    scene.engine.isAutoShutdownEnabled = true
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.2)
    expectEqual(scene.signal(), try rendered(.tap(), seconds: 0.2))
  }

  @Test func itShutsDownAfterTwoIdleMinutesAndStartsOnDemand() throws {
    let scene = try Scene()
    scene.noteHandlers()
    scene.engine.isAutoShutdownEnabled = true
    let player = try scene.player(.tap())
    scene.advance(60)
    try player.start(atTime: 0)
    scene.advance(119)
    #expect(scene.log == [])
    scene.advance(2)
    #expect(scene.log == ["stopped \(CHHapticEngine.StoppedReason.idleTimeout)"])
    let time = scene.engine.currentTime
    try player.start(atTime: 0)
    scene.advance(1)
    #expect(scene.engine.currentTime - time == 1)
    #expect(onsets(scene.signal()).count == 2)
  }

  @Test func withoutAutoShutdownItRunsOn() throws {
    let scene = try Scene()
    scene.noteHandlers()
    scene.advance(300)
    #expect(scene.log == [])
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.1)
    #expect(onsets(scene.signal()).count == 1)
  }

  @Test func aPausedPlayerKeepsItAwake() throws {
    let scene = try Scene()
    scene.noteHandlers()
    scene.engine.isAutoShutdownEnabled = true
    let player = try scene.advanced(.buzz(for: 1))
    try player.start(atTime: 0)
    scene.advance(0.1)
    try player.pause(atTime: 0)
    scene.advance(200)
    #expect(scene.log == [])
    try player.stop(atTime: 0)
    scene.advance(121)
    #expect(scene.log == ["stopped \(CHHapticEngine.StoppedReason.idleTimeout)"])
  }

  @Test func patternsFromFilesAndBytesStartTheEngine() throws {
    let dictionary = try CHHapticPattern(events: [.tap()], parameters: []).exportDictionary()
    let bytes = try JSONSerialization.data(withJSONObject: dictionary)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ahap")
    try bytes.write(to: file)
    let scene = try Scene(isStarted: false)
    try scene.engine.playPattern(from: bytes)
    scene.advance(0.5)
    try scene.engine.playPattern(from: file)
    scene.advance(0.5)
    try FileManager.default.removeItem(at: file)
    let tap = try rendered(.tap(), seconds: 0.5)
    expectEqual(scene.signal(), tap + tap)
  }

  @Test func haltsOfOtherKindsTellTheirReason() throws {
    for (fault, reason) in [
      (VirtualHaptics.Fault.unplugged, CHHapticEngine.StoppedReason.systemError), (.failed, .systemError),
      (.suspended, .applicationSuspended),
    ] {
      let scene = try Scene()
      scene.noteHandlers()
      let player = try scene.advanced(.buzz(for: 10))
      player.completionHandler = { [weak scene] in
        scene?.note("ended \(($0 as? CHHapticError)?.code.rawValue ?? 0)")
      }
      try player.start(atTime: 0)
      scene.advance(0.5)
      scene.haptics.beginOutage(fault)
      scene.advance(0.1)
      #expect(scene.log == ["ended -4811", "stopped \(reason)"])
      #expect(code { try player.start(atTime: 0) } == .engineNotRunning)
      scene.haptics.endOutage()
      scene.advance(0.1)
      #expect(scene.log == ["ended -4811", "stopped \(reason)", "reset"])
      try scene.engine.start()
      try player.start(atTime: 0)
      scene.advance(0.5)
      #expect(rms(scene.signal(), from: 0.8, to: 1.1) > 0.3)
    }
  }

  @Test func theEngineMayBeStartedWithinItsHandlers() throws {
    let scene = try Scene()
    let engine = scene.engine
    engine.stoppedHandler = { [weak engine, weak scene] _ in
      do {
        try engine?.start()
      } catch {
        scene?.note("refused \((error as? CHHapticError)?.code.rawValue ?? 0)")
      }
    }
    engine.resetHandler = { [weak engine, weak scene] in
      do {
        try engine?.start()
        scene?.note("restarted")
      } catch {
        scene?.note("failed")
      }
    }
    scene.haptics.beginOutage(.unplugged)
    scene.advance(0.1)
    scene.haptics.endOutage()
    scene.advance(0.1)
    #expect(scene.log == ["refused -4811", "restarted"])
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.1)
    #expect(onsets(scene.signal()).count == 1)
    // And synchronously, in a handler that nothing stands in the way of.
    let finished = try Scene()
    finished.engine.stoppedHandler = { [weak finished] reason in
      finished?.note("stopped \(reason.rawValue)")
      do {
        try finished?.engine.start()
        try finished?.player(.tap()).start(atTime: 0)
      } catch {
        finished?.note("failed")
      }
    }
    finished.engine.notifyWhenPlayersFinished { _ in .stopEngine }
    finished.advance(0.2)
    #expect(finished.log == ["stopped 4"] && onsets(finished.signal()).count == 1)
  }

  @Test func stoppingIsSilentSoonWithoutAClickAndCallsNoStoppedHandler() throws {
    let scene = try Scene()
    scene.noteHandlers()
    let player = try scene.advanced(.buzz(for: 2))
    player.completionHandler = { [weak scene] in scene?.note("ended \($0 == nil)") }
    try player.start(atTime: 0)
    scene.advance(0.5)
    scene.engine.stop { [weak scene] in scene?.note("done \($0 == nil)") }
    scene.advance(0.5)
    #expect(scene.log == ["ended true", "done true"])
    let signal = scene.signal()
    #expect(signal.slice(4072, 8000).allSatisfy { $0 == 0 } && signal.count == 8000)
    let steps = zip(signal, signal.dropFirst()).map { abs($0 - $1) }
    #expect(try #require(steps[3900...].max()) <= 1.5 * (try #require(steps[1600..<3200].max())))
  }

  @Test func anEngineThatIsLetGoOfFallsSilentAndTellsIt() throws {
    let scene = try Scene()
    var engine: CHHapticEngine? = try scene.haptics.use { try CHHapticEngine() }
    engine?.stoppedHandler = { [weak scene] in scene?.note("stopped \($0)") }
    try engine?.start()
    let player = try engine?.makePlayer(with: CHHapticPattern(events: [.buzz(for: 2)], parameters: []))
    try player?.start(atTime: 0)
    scene.advance(0.25)
    engine = nil
    scene.advance(0.25)
    #expect(scene.log == ["stopped \(CHHapticEngine.StoppedReason.engineDestroyed)"])
    #expect(scene.signal().slice(2072, 4000).allSatisfy { $0 == 0 })
    #expect(code { try player?.start(atTime: 0) } == .engineNotRunning)
  }

  @Test func playersFinishedIsToldAtOnceWhereNothingPlays() throws {
    for isStarted in [false, true] {
      let scene = try Scene(isStarted: isStarted)
      scene.engine.notifyWhenPlayersFinished { error in
        scene.note("finished \(error == nil)")
        return .leaveEngineRunning
      }
      scene.haptics.settle()
      #expect(scene.log == ["finished true"])
      try scene.engine.start()
      try scene.player(.tap()).start(atTime: 0)
    }
  }

  @Test func laterPlayersPutOffTheEndAndAPausedOneToo() throws {
    let scene = try Scene()
    scene.noteHandlers()
    let one = try scene.advanced(.tap(), .tap(at: 0.5))
    one.completionHandler = { [weak scene] _ in scene?.note("one") }
    try one.start(atTime: 0)
    scene.engine.notifyWhenPlayersFinished { _ in
      scene.note("finished")
      return .stopEngine
    }
    scene.advance(0.25)
    let two = try scene.advanced(.buzz(for: 1))
    two.completionHandler = { [weak scene] _ in scene?.note("two") }
    try two.start(atTime: 0)
    scene.advance(0.5)
    try two.pause(atTime: 0)
    scene.advance(5)
    #expect(scene.log == ["one"])
    try two.resume(atTime: 0)
    scene.advance(1)
    #expect(
      scene.log == [
        "one", "two", "finished", "stopped \(CHHapticEngine.StoppedReason.notifyWhenFinished)",
      ])
    #expect(code { try one.start(atTime: 0) } == .engineNotRunning)
  }

  @Test func mutesActLiveAndTimeGoesOn() throws {
    let scene = try Scene()
    scene.engine.isMutedForHaptics = true
    try scene.player(.tap(), .tap(at: 0.75)).start(atTime: 0)
    scene.advance(0.5)
    scene.engine.isMutedForHaptics = false
    scene.engine.isMutedForAudio = true
    scene.advance(0.5)
    expectEqual(scene.signal(), silence(6000) + (try rendered(.tap(), seconds: 0.25)))
  }

  @Test func playingSoundsOnlyTakesEffectAtTheNextStart() throws {
    let scene = try Scene()
    scene.engine.playsAudioOnly = true
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.25)
    #expect(onsets(scene.signal()).count == 1)
    scene.engine.stop()
    try scene.engine.start()
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.25)
    #expect(onsets(scene.signal()).count == 1)
    scene.engine.playsHapticsOnly = true
    #expect(!scene.engine.playsAudioOnly)
    scene.engine.stop()
    try scene.engine.start()
    try scene.player(.tap()).start(atTime: 0)
    scene.advance(0.25)
    #expect(onsets(scene.signal()).count == 2)
  }

  @Test func timeIsNeverZeroAndNeverGoesBack() throws {
    let scene = try Scene(isStarted: false)
    var last = scene.engine.currentTime
    #expect(last > 0)
    for step in 0..<40 {
      if step % 7 == 3 { try scene.engine.start() }
      if step % 7 == 5 { scene.engine.stop() }
      scene.advance(0.1)
      let time = scene.engine.currentTime
      #expect(abs(time - last - 0.1) < 1e-9, "step \(step)")
      last = time
    }
  }

  @Test func soundsAreCheckedNumberedAndTimed() throws {
    let scene = try Scene()
    let sounds = try SoundFolder()
    let file = try sounds.wav(saw(100))
    let number = try scene.register(file)
    let missing = URL(fileURLWithPath: "/nowhere/a.wav")
    #expect(code { _ = try scene.engine.registerAudioResource(missing) } == .fileNotFound)
    let folder = file.deletingLastPathComponent()
    #expect(code { _ = try scene.engine.registerAudioResource(folder) } == .invalidAudioResource)
    let sound = CHHapticEvent(audioResourceID: number, parameters: [], relativeTime: 0, duration: 0.5)
    let player = try scene.advanced(sound)
    player.completionHandler = { [weak scene] _ in scene?.note("ended at \(scene?.haptics.seconds ?? 0)") }
    try player.start(atTime: 0)
    scene.advance(1)
    #expect(scene.log == ["ended at 0.505"] || scene.log == ["ended at 0.5"])
    #expect(scene.signal().allSatisfy { $0 == 0 })
    try scene.engine.unregisterAudioResource(number)
    #expect(code { try scene.engine.unregisterAudioResource(number) } == .invalidAudioResource)
    #expect(code { _ = try scene.player(sound) } == .invalidAudioResource)
    scene.engine.playsHapticsOnly = true
    _ = try scene.player(sound)
  }
}
