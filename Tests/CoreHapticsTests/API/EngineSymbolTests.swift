import CoreHaptics
import CoreHapticsTesting
import Testing

@Suite struct EngineSymbolTests {
  let haptics = VirtualHaptics()

  @Test func propertiesHaveTheirDefaults() throws {
    let engine = try haptics.use { try CHHapticEngine(audioSession: AVAudioSession.sharedInstance()) }
    let time: TimeInterval = engine.currentTime
    #expect(time > 0)
    #expect(!engine.playsHapticsOnly && !engine.playsAudioOnly && !engine.isMutedForAudio)
    #expect(!engine.isMutedForHaptics && !engine.isAutoShutdownEnabled)
    engine.stoppedHandler = { (reason: CHHapticEngine.StoppedReason) in print(reason) }
    engine.resetHandler = {}
    let stopped: CHHapticEngine.StoppedHandler = engine.stoppedHandler
    let reset: CHHapticEngine.ResetHandler = engine.resetHandler
    stopped(.systemError)
    reset()
    for property in [
      \CHHapticEngine.playsHapticsOnly, \.playsAudioOnly, \.isMutedForAudio, \.isMutedForHaptics,
      \.isAutoShutdownEnabled,
    ] {
      engine[keyPath: property] = true
      #expect(engine[keyPath: property])
    }
  }

  @Test func theLongNameOfTheInitializerIsThereToo() throws {
    let engine: CHHapticEngine = try haptics.use { try CHHapticEngine(andReturnError: ()) }
    try engine.start()
    let none = VirtualHaptics()
    none.hasOutput = false
    #expect(code { _ = try none.use { try CHHapticEngine(andReturnError: ()) } } == .notSupported)
  }

  @Test func theEngineIsKnownByItsIdentity() throws {
    let (one, two) = try haptics.use { (try CHHapticEngine(), try CHHapticEngine()) }
    #expect(one == one && one != two && Set([one, two, one]).count == 2)
    let sendable: any Sendable = one
    #expect(sendable as? CHHapticEngine === one)
  }

  @Test func rawValuesAreAsPublished() {
    #expect(CHHapticEngine.FinishedAction.stopEngine.rawValue == 1)
    #expect(CHHapticEngine.FinishedAction.leaveEngineRunning.rawValue == 2)
    let reasons: [(CHHapticEngine.StoppedReason, Int)] = [
      (.audioSessionInterrupt, 1), (.applicationSuspended, 2), (.idleTimeout, 3), (.notifyWhenFinished, 4),
      (.engineDestroyed, 5), (.gameControllerDisconnect, 6), (.systemError, -1),
    ]
    for (reason, number) in reasons { #expect(reason.rawValue == number) }
  }

  @Test func everyMethodIsThere() async throws {
    let haptics = haptics
    let engine = try haptics.use { try CHHapticEngine() }
    let completion: CHHapticEngine.CompletionHandler = { #expect($0 == nil) }
    completion(nil)
    func synchronously() throws {
      engine.start(completionHandler: nil)
      engine.start { error in #expect(error == nil) }
      try engine.start()
      engine.stop()
      engine.stop(completionHandler: { error in #expect(error == nil) })
    }
    try synchronously()
    try await engine.start()
    let pattern = try CHHapticPattern(events: [], parameters: [])
    let player: any CHHapticPatternPlayer = try engine.makePlayer(with: pattern)
    let advanced: any CHHapticAdvancedPatternPlayer = try engine.makeAdvancedPlayer(with: pattern)
    #expect(!player.isEqual(advanced) && !(player is any CHHapticAdvancedPatternPlayer))
    let bytes = try JSONSerialization.data(withJSONObject: try pattern.exportDictionary())
    try engine.playPattern(from: bytes)
    #expect(throws: CHHapticError.self) {
      try engine.playPattern(from: URL(fileURLWithPath: "/nowhere/at/all.ahap"))
    }
    let folder = try SoundFolder()
    let sound = try folder.wav([0.5])
    let id: CHHapticAudioResourceID = try engine.registerAudioResource(sound)
    #expect(id > 0)
    try engine.unregisterAudioResource(id)
    let other = try engine.registerAudioResource(
      sound, options: [CHHapticAudioResourceKeyLoopEnabled: true])
    #expect(other > id)
    engine.notifyWhenPlayersFinished { (error: (any Error)?) -> CHHapticEngine.FinishedAction in
      #expect(error == nil)
      return .leaveEngineRunning
    }
    haptics.settle()
    try await engine.stop()
  }

  @Test func playersHaveTheirProperties() throws {
    let engine = try haptics.use { try CHHapticEngine() }
    try engine.start()
    let buzz = CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: 1.5)
    let player = try engine.makeAdvancedPlayer(with: CHHapticPattern(events: [buzz], parameters: []))
    #expect(!player.loopEnabled && player.loopEnd == 1.5 && player.playbackRate == 1 && !player.isMuted)
    player.loopEnabled = true
    player.loopEnd = 1
    player.playbackRate = 2
    player.isMuted = true
    #expect(player.loopEnabled && player.loopEnd == 1 && player.playbackRate == 2 && player.isMuted)
    player.completionHandler = { (_: (any Error)?) in }
    let completion: CHHapticAdvancedPatternPlayerCompletionHandler = player.completionHandler
    completion(nil)
    try player.start(atTime: CHHapticTimeImmediate)
    try player.pause(atTime: 0)
    try player.resume(atTime: 0)
    try player.seek(toOffset: 0)
    try player.sendParameters([], atTime: 0)
    try player.scheduleParameterCurve(
      CHHapticParameterCurve(parameterID: .hapticIntensityControl, controlPoints: [], relativeTime: 0),
      atTime: 0)
    try player.stop(atTime: 0)
    try player.cancel()
    let plain: any CHHapticPatternPlayer = player
    plain.isMuted = false
    #expect(!player.isMuted)
    let object: any NSObjectProtocol = plain
    #expect(object.isEqual(player))
  }

  @Test func anEngineMayBeSubclassed() throws {
    let quiet = try haptics.use { try QuietEngine() }
    try quiet.start()
    #expect(quiet.starts == 1 && quiet.currentTime > 0)
  }

  final class QuietEngine: CHHapticEngine, @unchecked Sendable {
    var starts = 0
    override init() throws { try super.init() }
    override func start() throws { starts += 1 }
  }
}
