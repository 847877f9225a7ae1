@testable import CoreHaptics
import CoreHapticsTesting
import Synchronization
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSound

/// Sound by way of the settings' channel map.
@Suite struct SoundOutputTests {
  @Test(
    "A card gets what a render of the same pattern has, to the bit",
    arguments: [(48_000, "none"), (44_100, "none"), (48_000, "safe")])
  func aCardGetsWhatARenderHas(rate: Int, profile: String) throws {
    let profile = profile == "safe" ? BusProfile.safe : .none
    let folder = try SoundFolder()
    try folder.wav(saw(3000), named: "sound.wav", rate: 22_050)
    let file = try folder.write(
      Data(
        """
        {"Pattern": [
          {"Event": {"Time": 0.013, "EventType": "HapticTransient", "EventParameters": []}},
          {"Event": {"Time": 0.013, "EventType": "AudioCustom", "EventWaveformPath": "sound.wav"}},
          {"Event": {"Time": 0.1, "EventDuration": 0.2, "EventType": "AudioContinuous"}},
          {"Event": {"Time": 0.1, "EventDuration": 0.2, "EventType": "HapticContinuous"}},
          {"ParameterCurve": {"ParameterID": "AudioVolumeControl", "Time": 0.1, "ParameterCurveControlPoints": [
            {"Time": 0, "ParameterValue": 1}, {"Time": 0.1, "ParameterValue": 0.2}]}}]}
        """.utf8), named: "pattern.ahap")
    let settings = try settings("haptic=3:audio=1,2", profile, "audio-offset = 2ms")
    let card = HandCard(rate: rate, channels: 4, settings)
    let system = HapticSystem(provider: card, clock: card)
    let engine = try HapticSystem.$current.withValue(system) { try CHHapticEngine() }
    try engine.start()
    try engine.makePlayer(with: CHHapticPattern(contentsOf: file)).start(atTime: 0)
    defer {
      engine.stop()
      system.output(named: nil).session?.output.close()
    }
    let bytes = card.device.advance(frames: rate / 2)

    let pattern = try PatternFile.read(path: file.path).pattern
    let found = try PatternSounds.find(
      in: pattern, library: SoundLibrary(), rules: .besides(file.path))
    let schedule = ScheduleCompiler.compile(pattern, sounds: found.sounds)
    try schedule.prepareSounds(atRate: rate)
    var expected: [UInt8] = []
    OfflineRender.render(
      schedule, profile: profile, rate: rate, format: .float,
      map: ChannelMap([.soundLeft, .soundRight, .haptic(0), .silent]), soundOffsetSeconds: 0.002
    ) { expected += $0 }
    #expect(expected.count > rate / 4 * 16 && expected.contains { $0 != 0 })
    #expect(bytes.count > expected.count && Array(bytes.prefix(expected.count)) == expected)
    #expect(bytes.dropFirst(expected.count).allSatisfy { $0 == 0 })
  }

  @Test func theMapHasPlacesForLoudspeakers() throws {
    let both = try settings("haptic=3,4:audio=1,2")
    #expect(
      both.configuration(channels: 5).map?.sources
        == [.soundLeft, .soundRight, .haptic(0), .haptic(1), .silent])
    #expect(
      try settings("audio=2:haptic=1").configuration(channels: 2).map?.sources == [.haptic(0), .soundBoth])
    let alone = try settings("audio=1,2")
    #expect(alone.configuration(channels: 2).map?.sources == [.soundLeft, .soundRight])
    #expect(alone.configuration(channels: 2).profiles.count == 1 && alone.channelCount == 2)
    #expect(alone.hapticChannels == [])
    let other = try settings(
      "haptic=1", .none, "audio-device = speakers\naudio-offset = -20\nsound-memory = 8")
    #expect(other.soundDeviceName == "speakers" && other.soundCapacity == 8_000_000)
    #expect(other.configuration(channels: 1).soundOffsetSeconds == -0.02)
  }

  @Test func whatIsSupportedFollowsFromTheMap() throws {
    for (channels, haptics, audio) in [
      ("haptic=1:audio=2", true, true), ("haptic=1", true, false), ("audio=1", false, true),
    ] {
      let support = MachineOutputs.support(of: "virtual", try settings(channels))
      #expect(support.problem == nil && (support.actuators > 0) == haptics && support.carriesSound == audio)
    }
    // Without a map a card's channels all carry haptics.
    #expect(!MachineOutputs.support(of: "virtual", OutputSettings()).carriesSound)
    // A device for sound alone must be there.
    let gone = try settings("haptic=1", .none, "audio-device = hw:CARD=NoSuchCard")
    #expect(!MachineOutputs.support(of: "virtual", gone).carriesSound)
    #expect(code { _ = try MachineOutputs.open("virtual", gone) } == .serverInitFailed)
  }

  @Test func withoutLoudspeakersSoundIsLeftOutAndItsTimePasses() throws {
    let haptics = VirtualHaptics(hasLoudspeakers: false)
    haptics.use {
      let capability = CHHapticEngine.capabilitiesForHardware()
      #expect(capability.supportsHaptics && !capability.supportsAudio)
    }
    let engine = try haptics.use { try CHHapticEngine() }
    try engine.start()
    let player = try engine.makeAdvancedPlayer(
      with: CHHapticPattern(events: [.tone(for: 0.5)], parameters: []))
    let ended = Mutex(0.0)
    player.completionHandler = { _ in ended.withLock { $0 = haptics.seconds } }
    try player.start(atTime: 0)
    haptics.advance(seconds: 1)
    #expect((0.5...0.51).contains(ended.withLock { $0 }))
    #expect(haptics.sound().allSatisfy { $0 == 0 } && haptics.signal().allSatisfy { $0 == 0 })
  }
}
