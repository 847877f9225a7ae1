import Foundation
import Testing
import ThrumFeedback
import ThrumPattern

@Suite struct FeedbackSettingsTests {
  private typealias Effect = FeedbackSettings.Effect

  private func effect(
    _ name: FeedbackName, role: FeedbackRole? = nil, isInTransition: Bool = false,
    _ change: (inout FeedbackSettings) -> Void
  ) -> FeedbackSettings.Effect {
    var settings = FeedbackSettings()
    change(&settings)
    return settings.effect(on: FeedbackRequest(name, role: role, isInTransition: isInTransition))
  }

  @Test(arguments: PresetLibrary.presetNames) func eachSwitchSilencesEveryPreset(name: FeedbackName) {
    #expect(effect(name) { _ in } == .play(name))
    #expect(effect(name) { $0.isVibrationOn = false } == .silence(.vibrationOff))
    #expect(effect(name) { $0.isHapticsOn = false } == .silence(.hapticsOff))
    #expect(effect(name) { $0.isApplicationOn = false } == .silence(.applicationOff))
    #expect(effect(name, isInTransition: true) { _ in } == .silence(.inTransition))
    #expect(effect(name) { $0.isSilent = true } == .play(name))
  }

  @Test func lessMotionSoftensAndLeavesOut() {
    func reduced(_ name: FeedbackName, _ role: FeedbackRole? = nil) -> FeedbackSettings.Effect {
      effect(name, role: role) { $0.reducesMotion = true }
    }
    #expect(reduced(.impactHeavy) == .play(.impactLight))
    #expect(reduced(.impactRigid) == .play(.impactSoft))
    #expect(reduced(.impactLight) == .play(.impactLight))
    #expect(reduced(.impactHeavy, .functional) == .play(.impactHeavy))
    #expect(reduced(.impactHeavy, .decorative) == .silence(.reducedMotion))
    #expect(reduced(.success) == .play(.success))
    #expect(reduced(.success, .decorative) == .silence(.reducedMotion))
    #expect(reduced(.error) == .play(.error))
  }

  @Test func lowPowerLeavesOutWhatNobodyReliesOn() {
    func low(_ name: FeedbackName, _ role: FeedbackRole? = nil) -> FeedbackSettings.Effect {
      effect(name, role: role) { $0.isLowPower = true }
    }
    #expect(low(.selection) == .silence(.lowPower))
    #expect(low(.selection, .functional) == .play(.selection))
    #expect(low(.impactHeavy, .decorative) == .silence(.lowPower))
    #expect(low(.impactHeavy) == .play(.impactHeavy))
    #expect(low(.error) == .play(.error))
  }

  @Test func aScreenReaderMarksStepsItself() {
    #expect(effect(.selection) { $0.isScreenReaderRunning = true } == .silence(.screenReader))
    #expect(effect(.success) { $0.isScreenReaderRunning = true } == .play(.success))
    #expect(effect(.impactLight) { $0.isScreenReaderRunning = true } == .play(.impactLight))
  }

  @Test func silentModeLeavesOutWhatIsHeard() throws {
    var policy = FeedbackPolicy()
    let sound = Pattern(entries: [
      .event(Event(type: .hapticTransient, time: 0)), .event(Event(type: .audioContinuous, time: 0)),
      .parameter(DynamicParameter(id: .audioVolumeControl, value: 0.5, time: 0)),
    ])
    #expect(sound.withoutSound.entries.count == 1)
    policy.settings.isSilent = true
    #expect(policy.pattern(for: FeedbackRequest(.success)) == PresetLibrary.preset(named: .success))
  }

  @Test func gainAndIntensityMultiply() throws {
    var policy = FeedbackPolicy()
    policy.settings.gain = 0.5
    guard case .play(let play) = policy.decide(FeedbackRequest(.impactHeavy, intensity: 0.5), at: 0) else {
      Issue.record("not played")
      return
    }
    #expect(play.gain == 0.25 && play.pattern.events[0].value(of: .hapticIntensity) == 0.25)
    #expect(FeedbackRequest(.success, intensity: .nan).intensity == 0)
    #expect(FeedbackRequest(.success, intensity: 7).intensity == 1)
  }

  @Test func nothingIsKnownByAnUnknownName() throws {
    var policy = FeedbackPolicy()
    let name = try #require(FeedbackName("nobody"))
    #expect(policy.decide(FeedbackRequest(name), at: 0) == .silence(.unknownName))
  }

  @Test func aSilencedRequestTakesNoPlace() {
    var policy = FeedbackPolicy()
    policy.settings.isHapticsOn = false
    #expect(policy.decide(FeedbackRequest(.success), at: 0) == .silence(.hapticsOff))
    policy.settings.isHapticsOn = true
    guard case .play = policy.decide(FeedbackRequest(.success), at: 1) else {
      Issue.record("kept away by one that was not played")
      return
    }
  }
}

@Suite struct FeedbackSettingsReadingTests {
  /// Reads a configuration file of a text.
  private func read(_ text: String, _ environment: [String: String] = [:]) throws -> FeedbackSettings.Reading
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID())")
    let own = folder.appendingPathComponent("thrum")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    try text.write(to: own.appendingPathComponent("config"), atomically: true, encoding: .utf8)
    var all = environment
    all["XDG_CONFIG_HOME"] = folder.path
    var reading = FeedbackSettings.read(environment: all, application: "shop")
    reading.problems = reading.problems.map { $0.replacingOccurrences(of: own.path, with: "") }
    return reading
  }

  @Test func aByteOrderMarkIsNoPartOfTheFirstKey() throws {
    #expect(try !read("\u{FEFF}vibration = no").settings.isVibrationOn)
  }

  @Test func everyKeyIsRead() throws {
    let reading = try read(
      """
      # Other keys are for others.
      device = hw:1
      vibration = no
      haptics = off
      reduce-motion = yes
      prefer-cross-fade = 1
      silent = true
      low-power = on
      screen-reader = YES
      feedback-gain = -6.0206 dB
      feedback-ceiling = 7
      feedback-folder = /tmp/mine
      haptics-off-for = game , shop
      """)
    #expect(reading.problems == [])
    var expected = FeedbackSettings()
    expected.isVibrationOn = false
    expected.isHapticsOn = false
    expected.isApplicationOn = false
    expected.reducesMotion = true
    expected.prefersCrossFade = true
    expected.isSilent = true
    expected.isLowPower = true
    expected.isScreenReaderRunning = true
    expected.gain = reading.settings.gain
    expected.ceiling = 7
    expected.folder = "/tmp/mine"
    #expect(reading.settings == expected)
    #expect(abs(reading.settings.gain - 0.5) < 0.0001)
  }

  @Test func theEnvironmentWins() throws {
    let reading = try read(
      "reduce-motion = yes\nfeedback-gain = -20", ["THRUM_REDUCE_MOTION": "0", "THRUM_FEEDBACK_GAIN": "0"])
    #expect(!reading.settings.reducesMotion && reading.settings.gain == 1)
  }

  @Test func theLastListOfProgramsCounts() throws {
    let file = "haptics-off-for = shop"
    #expect(try !read(file).settings.isApplicationOn)
    #expect(try read(file, ["THRUM_HAPTICS_OFF_FOR": "game"]).settings.isApplicationOn)
    #expect(try !read("", ["THRUM_HAPTICS_OFF_FOR": "game,shop"]).settings.isApplicationOn)
  }

  @Test func mistakesAreToldAndDoNotCount() throws {
    let reading = try read(
      "\nhaptics = perhaps\nfeedback-gain = loud\nfeedback-ceiling = 0\nfeedback-folder = mine",
      ["THRUM_SILENT": "quite"])
    #expect(
      reading.problems == [
        "/config:2: haptics takes yes or no, not \"perhaps\"",
        "/config:3: feedback-gain takes decibels from -120 to 20, such as -6, not \"loud\"",
        "/config:4: feedback-ceiling takes a whole number from 1 to 50, not \"0\"",
        "/config:5: feedback-folder takes an absolute path, not \"mine\"",
        "THRUM_SILENT: silent takes yes or no, not \"quite\"",
      ])
    var settings = reading.settings
    settings.folder = nil
    #expect(settings == FeedbackSettings())
  }

  @Test func withoutAFileTheFolderIsTheUsersOwn() {
    let reading = FeedbackSettings.read(environment: ["HOME": "/nowhere"], application: "shop")
    #expect(reading.problems == [] && reading.settings.folder == "/nowhere/.config/thrum/feedback")
    #expect(FeedbackSettings.read(environment: [:], application: "").settings == FeedbackSettings())
  }
}
