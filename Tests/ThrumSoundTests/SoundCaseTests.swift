import TestSupport
import Testing
import ThrumEngine
import ThrumPattern

@testable import ThrumSound

/// The shared cases about sound, rendered at 8 kHz.
@Suite("Cases")
struct SoundCaseTests {
  private func play(_ path: String, library: SoundLibrary = SoundLibrary()) throws -> Channels? {
    guard let url = SharedFiles.locate("cases/\(path)", for: path) else { return nil }
    let pattern = try PatternFile.read(path: url.path).pattern
    let found = try PatternSounds.find(in: pattern, library: library, rules: .besides(url.path))
    return try render(pattern, sounds: found.sounds, rate: 8_000)
  }

  @Test("A shorter duration cuts a sound, a longer one pads it")
  func truncateAndPad() throws {
    guard let output = try play("audio-truncate-and-pad/input.ahap") else { return }
    let expected: [(Double, Double, Bool)] = [
      (0.01, 0.2, true), (0.23, 1, false), (1.01, 1.49, true), (1.5, 3, false), (3.01, 3.49, true),
      (3.5, 4, false), (4.01, 4.49, true),
    ]
    for (start, end, sounds) in expected {
      let part = output.left.slice(Int(start * 8000), Int((end - start) * 8000))
      #expect(sounds ? rms(part) > 0.05 : peak(part) <= 0.0001, "\(start) to \(end)")
    }
  }

  @Test("A file that begins and ends with a jump is ramped, unless it is not to be")
  func edges() throws {
    guard let ramped = try play("clip-edge-envelope/default.ahap"),
      let raw = try play("clip-edge-envelope/raw.ahap")
    else { return }
    for (a, b) in zip(ramped.left, ramped.left.dropFirst()) { #expect(abs(a - b) <= 0.2) }
    for frame in 1040..<1360 { #expect(abs(ramped.left[frame] / raw.left[frame] - 1) < 0.05) }
    #expect(raw.left[799] == 0)
    #expect(abs(raw.left[800] / raw.left[1200] - 1) < 0.1)
    for output in [ramped, raw] { #expect(output.left.dropFirst(1840).allSatisfy { $0 == 0 }) }
  }

  @Test("Ticks and taps of a minute keep their distance")
  func minute() throws {
    guard let output = try play("audio-haptic-sync-60s/input.ahap") else { return }
    var distances: [Int] = []
    for index in 0...12 {
      let first = index * 40_000
      let touch = try #require(onset(in: output.haptic, from: max(0, first - 10)))
      let tick = try #require(onset(in: output.left, from: max(0, first - 10)))
      #expect(abs(touch - first) <= 16)
      distances.append(tick - touch)
    }
    #expect(Set(distances).count == 1)
    #expect(abs(distances[0]) <= 16)
  }

  @Test("Sounds are found beside the pattern, never in the current folder")
  func otherFolder() throws {
    guard let output = try play("waveform-path-other-folder/pack/input.ahap") else { return }
    #expect(abs(ToneFit(output.left.slice(400, 1600), near: 300).frequency - 300) < 1)
    #expect(abs(ToneFit(output.left.slice(4400, 1600), near: 900).frequency - 900) < 1)
  }

  @Test("A sound that is not there is an error with its name, in every way it can be missing")
  func missing() throws {
    let expected: [(String, SoundError.Code, String)] = [
      ("missing", .fileNotFound, "snd/gone.wav"), ("wrong-case", .fileNotFound, "snd/blip.wav"),
      ("not-audio", .invalidAudioResource, "not-audio.wav"), ("directory", .invalidAudioResource, "folder"),
      ("no-path", .invalidAudioResource, "EventWaveformPath"),
    ]
    for (name, code, words) in expected {
      guard SharedFiles.locate("cases/waveform-missing/\(name).ahap", for: name) != nil else { return }
      let found = try #require(refusal { _ = try play("waveform-missing/\(name).ahap") }, "\(name)")
      #expect(found.code == code, "\(name): \(found)")
      #expect(found.message.contains(words), "\(name): \(found)")
    }
  }
}
