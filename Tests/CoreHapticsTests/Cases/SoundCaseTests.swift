import CoreHaptics
import TestSupport
import Testing

/// The shared cases about sound, by the API.
@Suite struct SoundCaseTests {
  private func folder(_ name: String) -> URL? {
    SharedFiles.locate("cases/\(name)", for: "case \(name) by the API")
  }

  /// Cycles a second between two times, by the crossings of zero.
  private func pitch(_ samples: [Float], from: Double, to: Double) -> Double {
    let part = samples[Int(from * 8000)..<Int(to * 8000)]
    return Double(zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }) / 2 / (to - from)
  }

  @Test func waveformMissing() throws {
    guard let folder = folder("waveform-missing") else { return }
    let cases: [(String, [CHHapticError.Code], String)] = [
      ("missing", [.fileNotFound], ""), ("wrong-case", [.fileNotFound], "snd/blip.wav"),
      ("not-audio", [.invalidAudioResource], ""), ("directory", [.invalidAudioResource], ""),
      ("no-path", [.invalidAudioResource, .badEventEntry], ""),
    ]
    for (name, codes, words) in cases {
      let scene = try Scene()
      let file = folder.appendingPathComponent("\(name).ahap")
      let error = #expect(throws: CHHapticError.self, "\(name)") { try scene.engine.playPattern(from: file) }
      #expect(error.map { codes.contains($0.code) } == true, "\(name): \(String(describing: error))")
      #expect(words.isEmpty || error?.localizedDescription.contains(words) == true, "\(name)")
      scene.advance(0.5)
      #expect(scene.signal().allSatisfy { $0 == 0 } && scene.sound().allSatisfy { $0 == 0 }, "\(name)")
      scene.engine.stop()
      scene.engine.playsHapticsOnly = true
      do {
        try scene.engine.playPattern(from: file)
        scene.advance(0.5)
        // The one without a path has no tap either.
        #expect(onsets(scene.signal()).count == (name == "no-path" ? 0 : 1), "\(name)")
        #expect(scene.sound().allSatisfy { $0 == 0 }, "\(name)")
      } catch CHHapticError.badEventEntry {
        // The pattern is refused when it is read, whatever is played of it.
        #expect(name == "no-path")
      }
    }
  }

  @Test func waveformPathOtherFolder() throws {
    guard let folder = folder("waveform-path-other-folder") else { return }
    let file = folder.appendingPathComponent("pack/input.ahap")
    let bytes = try Data(contentsOf: file)
    for isFile in [true, false] {
      let scene = try Scene()
      if isFile {
        try scene.engine.playPattern(from: file)
      } else {
        #expect(code { try scene.engine.playPattern(from: bytes) } == .fileNotFound)
        scene.engine.soundFolder = folder.appendingPathComponent("pack")
        try scene.engine.playPattern(from: bytes)
      }
      scene.advance(1)
      #expect(abs(pitch(scene.sound(), from: 0.02, to: 0.12) - 300) < 20)
      #expect(abs(pitch(scene.sound(), from: 0.52, to: 0.62) - 900) < 20)
    }
  }

  @Test func audioTruncateAndPad() throws {
    guard let folder = folder("audio-truncate-and-pad") else { return }
    let scene = try Scene()
    let pattern = try CHHapticPattern(contentsOf: folder.appendingPathComponent("input.ahap"))
    #expect(pattern.duration == 4)
    try scene.engine.makePlayer(with: pattern).start(atTime: 0)
    scene.advance(5)
    let heard = scene.sound()
    func isHeard(_ from: Double, _ to: Double) -> Bool {
      peak(heard[Int(from * 8000)..<Int(to * 8000)]) > 0.01
    }
    #expect(isHeard(0, 0.2) && !isHeard(0.23, 1) && isHeard(1, 1.5) && isHeard(1.4, 1.49))
    #expect(!isHeard(1.53, 3) && isHeard(3.4, 3.49) && !isHeard(3.53, 4) && isHeard(4.4, 4.49))
  }

  @Test func clipEdgeEnvelope() throws {
    guard let folder = folder("clip-edge-envelope") else { return }
    let heard = try ["default", "raw"].map { name in
      let scene = try Scene()
      try scene.engine.playPattern(from: folder.appendingPathComponent("\(name).ahap"))
      scene.advance(0.5)
      return scene.sound()
    }
    #expect(zip(heard[0], heard[0].dropFirst()).allSatisfy { abs($0 - $1) <= 0.2 })
    let levels = heard.map { peak($0[1040..<1360]) }
    #expect(abs(levels[0] / levels[1] - 1) < 0.05)
    #expect(heard[1][799] == 0 && abs(heard[1][800] / levels[1] - 1) < 0.1)
    for signal in heard { #expect(signal.dropFirst(1840).allSatisfy { $0 == 0 }) }
  }

  @Test func mutingEitherTrackLeavesTheOtherAlone() throws {
    guard let folder = folder("audio-truncate-and-pad") else { return }
    let pattern = try CHHapticPattern(contentsOf: folder.appendingPathComponent("input.ahap"))
    let heard = try [false, true].map { isMuted in
      let scene = try Scene()
      scene.engine.isMutedForHaptics = isMuted
      try scene.engine.makePlayer(with: pattern).start(atTime: 0)
      scene.advance(1)
      return scene.sound()
    }
    #expect(heard[0] == heard[1] && peak(heard[0]) > 0.1)
  }
}
