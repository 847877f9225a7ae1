import CoreHaptics
import CoreHapticsTesting
import Testing

/// A program's own code, that takes its haptics from outside.
private final class Slider {
  private let haptics: any HapticsProviding
  private var player: (any CHHapticAdvancedPatternPlayer)?

  init(haptics: any HapticsProviding) { self.haptics = haptics }

  func grab() throws {
    let buzz = CHHapticEvent(
      eventType: .hapticContinuous,
      parameters: [CHHapticEventParameter(parameterID: .hapticIntensity, value: 0.8)], relativeTime: 0,
      duration: 10)
    player = try haptics.makeAdvancedPlayer(with: CHHapticPattern(events: [buzz], parameters: []))
    try player?.start(atTime: haptics.currentTime + 0.1)
  }

  func move(to value: Float) throws {
    let parameter = CHHapticDynamicParameter(
      parameterID: .hapticIntensityControl, value: value, relativeTime: 0.05)
    try player?.sendParameters([parameter], atTime: 0)
  }

  func letGo() throws { try player?.stop(atTime: 0) }
}

@Suite struct RecordingTests {
  @Test func whatWasPlayedWhenAndWithWhichParametersIsKnown() throws {
    let haptics = try RecordingHaptics()
    let slider = Slider(haptics: haptics)
    try slider.grab()
    haptics.machine.advance(seconds: 0.5)
    try slider.move(to: 0.25)
    haptics.machine.advance(seconds: 0.5)
    try slider.letGo()
    haptics.machine.advance(seconds: 0.5)

    let requests = haptics.requests
    #expect(requests.map(\.action) == [.start, .parameter(.hapticIntensityControl, 0.25), .stop])
    #expect(requests.map { ($0.time * 1000).rounded() } == [100, 550, 1000])
    #expect(requests.allSatisfy { $0.player == 1 })
    #expect(
      haptics.played == [
        [
          RecordedEvent(
            type: .hapticContinuous, time: 0, duration: 10,
            values: [
              .hapticIntensity: 0.8, .hapticSharpness: 0.422601, .attackTime: 0, .decayTime: 0,
              .releaseTime: 0, .sustained: 1,
            ])
        ]
      ])
    let signal = haptics.machine.signal()
    #expect(signal.firstIndex { $0 != 0 } == 801)
    #expect(signal.suffix(3800).allSatisfy { $0 == 0 })
  }

  @Test func soundsAreRecordedAndHeard() throws {
    let engine = try RecordingHaptics()
    let machine = engine.machine
    let file = try quietSound()
    defer {
      do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
    }
    let number = try engine.registerAudioResource(file)
    try engine.start()
    let sound = CHHapticEvent(audioResourceID: number, parameters: [], relativeTime: 0.1)
    try engine.makePlayer(with: CHHapticPattern(events: [sound], parameters: [])).start(atTime: 0)
    let bytes = Data(
      """
      {"Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "\(file.path)"}}]}
      """.utf8)
    machine.advance(seconds: 0.5)
    try engine.playPattern(from: bytes)
    machine.advance(seconds: 0.5)
    #expect(machine.requests.map { $0.events[0].sound } == [.registered(number), .file(file.path)])
    #expect(machine.requests[0].events[0][.audioVolume] == 1)
    for side in VirtualHaptics.Side.allCases {
      let heard = machine.sound(side: side)
      #expect(heard.count == 8000 && heard.firstIndex { $0 != 0 }.map { (800...801).contains($0) } == true)
      #expect(heard[900..<4000].allSatisfy { $0 == 0 } && heard[4001] != 0)
    }
    #expect(machine.signal().allSatisfy { $0 == 0 } && machine.soundBytes == 400)
    try engine.unregisterAudioResource(number)
    #expect(machine.soundBytes == 0 && VirtualHaptics(hasLoudspeakers: false).sound() == [])
  }

  /// 100 samples of 16 bits at the machine's rate, in a WAV file.
  private func quietSound() throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).wav")
    let header: [UInt8] = [
      0x52, 0x49, 0x46, 0x46, 0xEC, 0, 0, 0, 0x57, 0x41, 0x56, 0x45, 0x66, 0x6D, 0x74, 0x20, 16, 0, 0, 0, 1,
      0, 1, 0,
      0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0, 0x64, 0x61, 0x74, 0x61, 0xC8, 0, 0, 0,
    ]
    try Data(header + (0..<100).flatMap { _ in [UInt8(0), 0x10] }).write(to: file)
    return file
  }

  @Test func whatIsRefusedIsNotRecorded() throws {
    let haptics = try RecordingHaptics()
    let player = try haptics.makePlayer(with: CHHapticPattern(events: [], parameters: []))
    haptics.stop()
    #expect(throws: CHHapticError.self) { try player.start(atTime: 0) }
    #expect(haptics.requests == [])
  }

  @Test func anEngineOfTheProgramsOwnIsRecordedToo() throws {
    let machine = VirtualHaptics()
    let engine = try machine.use { try CHHapticEngine() }
    let bytes = Data(
      """
      {"Pattern": [{"Event": {"Time": 0.5, "EventType": "HapticTransient", "EventParameters": []}}]}
      """.utf8)
    machine.advance(seconds: 2)
    try engine.playPattern(from: bytes)
    let request = try #require(machine.requests.first)
    #expect(request.action == .start && request.time == 2 && request.events.count == 1)
    #expect(request.events[0].time == 0.5 && request.events[0][.hapticIntensity] == 0.75)
    #expect(request.events[0][.sustained] == nil)
  }
}
