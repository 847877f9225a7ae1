import CoreHaptics
import CoreHapticsTesting
import Feedback
import FeedbackTesting
import Testing
import ThrumPattern

@MainActor @Suite(.serialized) struct SettingsTests {
  private let mock = MockHaptics()

  /// An engine that plays a tone for a second.
  private func makeTone() throws -> (CHHapticEngine, any CHHapticPatternPlayer) {
    try mock.use {
      let engine = try CHHapticEngine()
      try engine.start()
      let tone = CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: 5)
      let player = try engine.makePlayer(with: CHHapticPattern(events: [tone], parameters: []))
      try player.start(atTime: CHHapticTimeImmediate)
      return (engine, player)
    }
  }

  /// Whether anything was felt in the last tenth of a second of a fifth that passes.
  private func isFelt() -> Bool {
    mock.advance(seconds: 0.2)
    return mock.signal.suffix(800).contains { $0 != 0 }
  }

  @Test func theMasterSwitchSilencesEnginesToo() throws {
    let (engine, player) = try makeTone()
    #expect(isFelt())
    mock.settings.isVibrationOn = false
    #expect(!isFelt())
    let other = try makeTone()
    #expect(!isFelt(), "an engine that starts meanwhile")
    mock.settings.isVibrationOn = true
    #expect(isFelt())
    withExtendedLifetime((engine, player, other)) {}
  }

  @Test func anEngineFollowsTheRestWhenAsked() throws {
    let (engine, player) = try makeTone()
    mock.settings.isHapticsOn = false
    #expect(isFelt())
    var follower: EngineFollower? = engine.follow(mock.settings)
    #expect(!isFelt())
    mock.settings.isHapticsOn = true
    #expect(isFelt())
    mock.settings.isLowPower = true
    #expect(!isFelt())
    mock.settings.isLowPower = false
    mock.settings.isSilent = true
    #expect(engine.isMutedForAudio && isFelt())
    withExtendedLifetime(follower) {}
    follower = nil
    mock.settings.reducesMotion = true
    #expect(isFelt())
    withExtendedLifetime(player) {}
  }

  @Test func theStandInsSayWhatIsSet() {
    let settings = mock.settings
    mock.use {
      #expect(!UIAccessibility.isReduceMotionEnabled && !UIAccessibility.isVoiceOverRunning)
      #expect(!ProcessInfo.processInfo.isLowPowerModeEnabled && !UIAccessibility.prefersCrossFadeTransitions)
      settings.reducesMotion = true
      settings.isScreenReaderRunning = true
      settings.isLowPower = true
      settings.prefersCrossFade = true
      #expect(UIAccessibility.isReduceMotionEnabled && UIAccessibility.isVoiceOverRunning)
      #expect(ProcessInfo.processInfo.isLowPowerModeEnabled && UIAccessibility.prefersCrossFadeTransitions)
      #expect(EnvironmentValues().accessibilityReduceMotion)
      #expect(EnvironmentValues().accessibilityVoiceOverEnabled)
    }
  }

  @Test func whatIsOutOfRangeIsHeldWithin() {
    mock.settings.ceiling = 0
    #expect(mock.settings.ceiling == 1)
    mock.settings.ceiling = 900
    #expect(mock.settings.ceiling == 50)
    mock.settings.gain = -.infinity
    #expect(mock.settings.gain == 0)
  }

  @Test func changesArePosted() async {
    let name = UIAccessibility.reduceMotionStatusDidChangeNotification
    let settings = mock.settings
    await confirmation { posted in
      let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        posted()
      }
      settings.reducesMotion = true
      settings.reducesMotion = true
      settings.isLowPower = true
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test func theSwitchIsAsItWasSetLastOnWhateverThread() {
    let settings = mock.settings
    let system = mock.use { HapticSystem.current }
    for round in 0..<10_000 {
      DispatchQueue.concurrentPerform(iterations: 8) { settings.isVibrationOn = $0 % 2 == round % 2 }
      #expect(system.isVibrationOn == settings.isVibrationOn)
    }
  }

  @Test func aSoundThatIsNoneDoesNotEndWhatPlays() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let files = [
      ("a.wav", "no sound"),
      (
        "bad.ahap",
        #"{"Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom","#
          + #" "EventWaveformPath": "a.wav", "EventParameters": []}}]}"#
      ),
      (
        "long.ahap",
        #"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous","#
          + #" "EventDuration": 5, "EventParameters": []}}]}"#
      ),
    ]
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    mock.use { FeedbackCenter.current.change { $0.folder = FileName(folder.path) } }
    mock.trigger(try #require(SensoryFeedback(named: "long")))
    mock.advance(seconds: 1.2)
    mock.trigger(try #require(SensoryFeedback(named: "bad")))
    #expect(isFelt() && mock.played == ["long", "bad"])
  }

  @Test func theSwitchOfTheProcessIsNotThatOfATest() throws {
    let machine = VirtualHaptics()
    try machine.use {
      let engine = try CHHapticEngine()
      try engine.start()
      let tone = CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: 5)
      let player = try engine.makePlayer(with: CHHapticPattern(events: [tone], parameters: []))
      try player.start(atTime: CHHapticTimeImmediate)
      HapticSettings.current.isVibrationOn = false
      machine.advance(seconds: 0.2)
      HapticSettings.current.isVibrationOn = true
      withExtendedLifetime((engine, player)) {}
    }
    #expect(machine.signal().contains { $0 != 0 })
  }

  @Test func aMachineWithoutAnOutputIsNoReasonToFail() {
    mock.machine.hasOutput = false
    mock.trigger(.success)
    mock.advance(seconds: 0.3)
    #expect(mock.played == ["success"] && mock.signal.allSatisfy { $0 == 0 })
    mock.machine.hasOutput = true
    mock.trigger(.success)
    mock.advance(seconds: 0.3)
    #expect(mock.signal.contains { $0 != 0 })
  }
}
