import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import ThrumSound

/// Sounds of players that are stopped, paused, muted and let go of, on a device that is turned by hand.
@Suite("Sounds under way")
struct SoundTransportTests {
  /// An output of three channels, haptic, left and right, at 48 kHz.
  private struct Rig {
    let device = VirtualOutput(rate: 48_000, channels: 3, format: .float, isTurnedByHand: true)
    let output: Output
    let engine: Engine

    init() throws {
      output = Output(
        device: device,
        configuration: OutputConfiguration(
          profiles: [.none], map: ChannelMap([.haptic(0), .soundLeft, .soundRight])))
      engine = try output.makeEngine()
      try output.start()
    }

    /// The next frames of a channel.
    func take(_ frames: Int, channel: Int = 1) -> [Double] {
      device.advance(frames: frames).withUnsafeBytes { bytes in
        let values = bytes.bindMemory(to: Float.self)
        return (0..<values.count / 3).map { Double(values[$0 * 3 + channel]) }
      }
    }
  }

  private func hum(_ files: SoundFiles, seconds: Double = 1) throws -> String {
    let step = 2 * Double.pi * 155 / 48_000
    let count = Int(48_000 * seconds)
    return try files.wav(
      (0..<count).map { frame in Float(0.5 * sin(step * Double(frame))) }, named: "hum.wav")
  }

  @Test("A sound that is unregistered while it plays plays on, and then its memory is given back")
  func unregistered() throws {
    let files = try SoundFiles()
    let library = SoundLibrary()
    let number = try library.register(path: try hum(files), options: SoundOptions(usesVolumeEnvelope: false))
    var event = Event.sound("", pan: -1)
    event.waveformPath = nil
    event.soundNumber = number
    let pattern = Pattern(event)
    let found = try PatternSounds.find(in: pattern, library: library, rules: SoundPaths(baseFolder: nil))
    let expected = try render(pattern, sounds: found.sounds)
    let rig = try Rig()
    var player: Player? = try rig.engine.makePlayer(
      for: ScheduleCompiler.compile(
        pattern,
        sounds: try PatternSounds.find(in: pattern, library: library, rules: SoundPaths(baseFolder: nil))
          .sounds))
    try player?.start()
    var heard = rig.take(4800)
    try library.unregister(number)
    player = nil
    heard += rig.take(48_000)
    #expect(heard[0..<48_000].elementsEqual(expected.left[0..<48_000]))
    rig.output.flushHandlers()
    _ = rig.take(4800)
    rig.output.flushHandlers()
    withExtendedLifetime(found) {}
    #expect(library.count == 0)
    #expect(throws: SoundError.self) { try library.registered(number) }
  }

  @Test("Paused, a sound waits where it was; stopped, it is silent; neither clicks")
  func pauseAndStop() throws {
    let files = try SoundFiles()
    _ = try hum(files)
    let pattern = Pattern(.sound("hum.wav", envelope: false, pan: -1))
    let sounds = try find(pattern, in: files.folder.path)
    let plain = try render(pattern, sounds: sounds).left
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: ScheduleCompiler.compile(pattern, sounds: sounds))
    try player.start()
    var heard = rig.take(9600)
    try player.pause()
    heard += rig.take(9600)
    #expect(heard.suffix(8000).allSatisfy { $0 == 0 })
    try player.resume()
    heard += rig.take(9600)
    // The pause is a whole number of render frames: find it where the fade in is over.
    let sample = Array(heard[28_000..<28_200])
    let match = try #require(
      (17_000..<20_000).first { start in plain[start..<start + 200].elementsEqual(sample) },
      "it goes on as it was"
    )
    let delay = 28_000 - match
    #expect(abs(delay - 9600) < 600, "\(delay) frames")
    try player.stop()
    heard += rig.take(4800)
    #expect(heard.suffix(4000).allSatisfy { $0 == 0 })
    #expect(highFrequencyLevel(heard, in: 9000..<33_000, rate: 48_000) < -65)
  }

  @Test("An engine's sounds are muted on their own, and a player's with all of it")
  func mutes() throws {
    let files = try SoundFiles()
    _ = try hum(files)
    let pattern = Pattern(.sound("hum.wav", pan: -1), .buzz(for: 1))
    let rig = try Rig()
    rig.engine.isMutedForSound = true
    let player = try rig.engine.makePlayer(
      for: ScheduleCompiler.compile(pattern, sounds: try find(pattern, in: files.folder.path)))
    try player.start()
    #expect(rig.take(9600).allSatisfy { $0 == 0 })
    #expect(peak(rig.take(4800, channel: 0)) > 0.2)
    rig.engine.isMutedForSound = false
    #expect(peak(rig.take(4800)) > 0.3)
    player.isMuted = true
    #expect(rig.take(4800).suffix(4000).allSatisfy { $0 == 0 })
    rig.engine.isMutedForSound = true
    player.isMuted = false
    #expect(rig.take(4800).suffix(4000).allSatisfy { $0 == 0 })
  }

  @Test("A looped pattern begins its sounds anew, and a faster one brings them closer")
  func loopsAndRates() throws {
    let files = try SoundFiles()
    _ = try files.wav([0.5], named: "click.wav")
    let pattern = Pattern(.sound("click.wav", at: 0.01, envelope: false, pan: -1), .buzz(at: 0, for: 0.05))
    let sounds = try find(pattern, in: files.folder.path)
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: ScheduleCompiler.compile(pattern, sounds: sounds))
    player.isLooping = true
    try player.start()
    let heard = rig.take(9600)
    #expect(heard.indices.filter { heard[$0] != 0 } == [516, 2916, 5316, 7716])
    let fast = try rig.engine.makePlayer(for: ScheduleCompiler.compile(pattern, sounds: sounds))
    try player.cancel()
    _ = rig.take(4800)
    fast.rate = 2
    try fast.start()
    let origin = 14_400
    let quick = rig.take(2400)
    let place = try #require(quick.firstIndex { $0 != 0 })
    #expect((origin + place - 36) % 6 == 0)
    #expect(abs(place - 36 - 240) <= 48)
  }

  @Test("More sounds than fit fade the quietest, which is counted")
  func stealing() throws {
    let files = try SoundFiles()
    _ = try hum(files)
    var pattern = Pattern()
    for index in 0..<6 {
      pattern.entries.append(.event(.sound("hum.wav", at: Double(index) * 0.05, volume: 0.1)))
    }
    var settings = RendererSettings()
    settings.soundCapacity = 4
    let schedule = ScheduleCompiler.compile(pattern, sounds: try find(pattern, in: files.folder.path))
    try schedule.prepareSounds(atRate: 48_000)
    let result = OfflineRender.render(
      schedule, profile: .none, rate: 48_000, format: .float, map: ChannelMap([.soundLeft, .soundRight]),
      settings: settings
    ) { _ in }
    #expect(result.stolenVoices == 2)
  }
}
