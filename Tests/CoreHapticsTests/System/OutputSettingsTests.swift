@testable import CoreHaptics
import Testing
import ThrumALSA
import ThrumActuator
import ThrumRealtime

/// What the environment and the configuration file say about outputs.
@Suite final class OutputSettingsTests {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)")

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record(error)
    }
  }

  private func read(_ text: String, _ more: [String: String] = [:]) throws -> OutputSettings {
    let thrum = folder.appendingPathComponent("thrum")
    try FileManager.default.createDirectory(at: thrum, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: thrum.appendingPathComponent("config"))
    return try OutputSettings.read(environment: ["XDG_CONFIG_HOME": folder.path].merging(more) { $1 })
  }

  @Test func everyKeyIsRead() throws {
    let settings = try read(
      """
      # an actuator on a game pad
      device = hw:CARD=Pad
      actuator = none
      rate = 48000
      format = s24_3
      period = 48f
      gain = -6 dB
      channels = haptic=3,4:audio=1,5
      fallback = virtual
      colour = green
      """.replacingOccurrences(of: "-6 dB", with: "-6dB"))
    #expect(settings.deviceName == "hw:CARD=Pad" && settings.rate == 48_000 && settings.format == .s24in3)
    #expect(settings.period == .frames(48) && settings.hapticChannels == [3, 4])
    #expect(
      settings.request.channels == 5 && settings.fallbackName == "virtual"
        && settings.request.period == .frames(48))
    let configuration = settings.configuration(channels: 6)
    #expect(
      configuration.map?.sources
        == [.soundLeft, .silent, .haptic(0), .haptic(1), .soundRight, .silent])
    #expect(configuration.profiles.map(\.name) == ["none", "none"])
    #expect(abs(configuration.profiles[0].gain - 0.501187) < 1e-5)
  }

  @Test func theEnvironmentComesFirst() throws {
    let settings = try read(
      "device = hw:0\nchannels = haptic=1", ["THRUM_DEVICE": "virtual", "THRUM_CHANNELS": "haptic=2,1"])
    #expect(settings.deviceName == "virtual" && settings.hapticChannels == [2, 1])
    let speakers = "audio-device = speakers"
    #expect(try read(speakers, ["THRUM_CHANNELS": "haptic=1"]).soundDeviceName == "speakers")
    #expect(try read(speakers, ["THRUM_CHANNELS": "haptic=1:audio=2"]).soundDeviceName == nil)
    let folder = ["XDG_CONFIG_HOME": folder.path]
    #expect(try read("sound-memory = 8").soundCapacity == 8_000_000)
    #expect(OutputSettings.soundCapacity(environment: folder) == 8_000_000)
  }

  @Test func theActuatorIsChosenByProgramEnvironmentAndFile() throws {
    let actuators = folder.appending(path: "thrum/actuators")
    try FileManager.default.createDirectory(at: actuators, withIntermediateDirectories: true)
    let text = #"{"thrumActuator": 1, "name": "mine", "kind": "wideband", "gain": 0.25, "channels": [2]}"#
    try Data(text.utf8).write(to: actuators.appending(path: "mine.json"))
    #expect(try read("actuator = lra-175").actuator == .lra175)
    // By name in the user's folder, and as a path from the configuration file's.
    for word in ["mine", "actuators/mine.json"] {
      let settings = try read("actuator = \(word)")
      #expect(settings.actuator.gain == 0.25 && settings.hapticChannels == [2], "\(word)")
    }
    #expect(
      try read("actuator = lra-175\nchannels = haptic=1", ["THRUM_ACTUATOR": "mine"]).hapticChannels == [1])
    let mixed = try read("actuator = wideband\nchannels = haptic=1@lra-235,2,3@mine:audio=4")
    #expect(mixed.configuration(channels: 4).profiles.map(\.name) == ["lra-235", "wideband", "mine"])
    let settings = try OutputSettings.read(
      environment: ["XDG_CONFIG_HOME": folder.path, "THRUM_ACTUATOR": "mine"], actuator: "speaker")
    #expect(settings.actuator == .speaker)
  }

  @Test func moreActuatorsThanBusesAreRefused() throws {
    let actuators = folder.appending(path: "thrum/actuators")
    try FileManager.default.createDirectory(at: actuators, withIntermediateDirectories: true)
    let numbers = (1...17).map(String.init).joined(separator: ",")
    let text = #"{"thrumActuator": 1, "name": "many", "kind": "wideband", "channels": [\#(numbers)]}"#
    try Data(text.utf8).write(to: actuators.appending(path: "many.json"))
    for line in ["actuator = many", "channels = haptic=\(numbers)"] {
      let error = #expect(throws: CHHapticError.self) { try read(line) }
      #expect(error?.localizedDescription.contains("16 are the most") == true, "\(line)")
    }
  }

  @Test func withoutAFileEverythingIsChosen() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = try OutputSettings.read(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(settings.deviceName == nil && settings.actuator == .safe && settings.hapticChannels == nil)
    #expect(settings.configuration(channels: 2).map == nil)
  }

  @Test(arguments: [
    "actuator = huge", "rate = 12345", "format = s8", "period = 0", "period = 0f", "gain = loud",
    "channels = haptic=0", "channels = haptic=1,1", "channels = left", "channels = haptic=1:audio=1",
    "channels = haptic=1:audoi=2", "actuator = lra-157",
    "channels = haptic=1@", "channels = haptic=1@huge", "channels = audio=1@safe", "channels = haptic=",
    "audio-offset = 2000", "sound-memory = 0",
    "no setting",
  ])
  func whatIsWrongIsToldWithItsPlace(line: String) throws {
    let error = #expect(throws: CHHapticError.self) { try read("\n\(line)") }
    #expect(error?.code == .invalidEngineParameter)
    #expect(error?.localizedDescription.contains("thrum/config:2: ") == true)
  }
}

/// What the machine has, found out without opening it.
@Suite struct MachineOutputsTests {
  @Test func theVirtualActuatorCountsWhereItIsAskedFor() throws {
    #expect(MachineOutputs().support(of: "virtual").problem == nil)
    let opened = try MachineOutputs().open("virtual")
    #expect(opened.device.output.rate >= 8000)
  }

  @Test func aCardThatIsNotThereIsNamed() throws {
    let problem = MachineOutputs().support(of: "hw:CARD=NoSuchCard").problem
    #expect(problem?.contains("NoSuchCard") == true)
    #expect(code { _ = try MachineOutputs().open("hw:CARD=NoSuchCard") } == .serverInitFailed)
    #expect(code { _ = try CHHapticEngine(outputNamed: "hw:CARD=NoSuchCard") } == .notSupported)
  }

  @Test func engineOnTheVirtualActuatorPlaysInRealTime() throws {
    let engine = try CHHapticEngine(outputNamed: "virtual")
    let player = try engine.makeAdvancedPlayer(with: CHHapticPattern(events: [.tap()], parameters: []))
    let ended = DispatchSemaphore(value: 0)
    player.completionHandler = { _ in ended.signal() }
    try engine.start()
    let start = engine.currentTime
    try player.start(atTime: start + 0.05)
    #expect(ended.wait(timeout: .now() + 60) == .success)
    #expect(engine.currentTime >= start + 0.05)
  }
}
