import Foundation
import Testing

/// What the command line tells of a sound server, on a card that calls itself as the plug-ins do.
@Suite("A sound server behind a device")
struct SoundServerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func card(_ keys: String) throws -> [String: String] {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let path = try folder.write(
      """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.card { type thrum_test_card log "\(folder.path("log"))" \(keys) }
      pcm.front { type plug slave.pcm "card" hint { show on description "The desktop" } }

      """, to: "asound.conf")
    return ["ALSA_CONFIG_PATH": path]
  }

  private func play(_ keys: String, _ words: [String] = []) throws -> ThrumProcess.Outcome {
    try ThrumProcess.run(
      ["play", "-d", "front", "--json", "-v", "-"] + words, input: Array(tapText.utf8),
      environment: try card(keys))
  }

  private static let pipeWire = "name \"ALSA <-> PipeWire PCM I/O Plugin\""

  @Test("play tells the server and what was obtained, and gives it 10 ms where nothing was asked for")
  func played() throws {
    let outcome = try play(Self.pipeWire)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\"periodFrames\":480,\"bufferFrames\":1440,\"server\":\"PipeWire\""))
    #expect(
      outcome.errors.contains("front: 48000 Hz, s32, 1 channel, period 10 ms × 3, the sound server PipeWire"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("asked for"))
  }

  @Test("A period that was asked for is taken, and one that the device does not have is told of")
  func asked() throws {
    let taken = try play(Self.pipeWire, ["-p", "2"])
    #expect(taken.output.contains("\"periodFrames\":96,\"bufferFrames\":288"), "\(taken.output)")
    #expect(!taken.errors.contains("asked for"), "\(taken.errors)")
    // 1,024 frames of S32 on one channel, and no others.
    let fixed = try play(Self.pipeWire + " channels \"1\" period_bytes \"4096\"", ["-p", "2"])
    #expect(fixed.status == 0, "\(fixed.errors)")
    #expect(fixed.output.contains("\"periodFrames\":1024"), "\(fixed.output)")
    let lines = fixed.errorLines.filter { $0.contains("does not have the period that was asked for") }
    #expect(lines.count == 1, "\(fixed.errors)")
    #expect(lines.first?.contains("21.33 ms × 3") == true, "\(fixed.errors)")
  }

  @Test("A card is none")
  func noServer() throws {
    let outcome = try play("")
    #expect(outcome.output.contains("\"periodFrames\":40,\"bufferFrames\":120,\"server\":null"))
    #expect(!outcome.errors.contains("sound server"), "\(outcome.errors)")
  }

  @Test("devices tells it too, with the rate and the period that it gets")
  func listed() throws {
    let environment = try card(Self.pipeWire)
    let text = try ThrumProcess.run(["devices"], environment: environment)
    #expect(text.status == 0, "\(text.errors)")
    #expect(
      text.output.contains("the sound server PipeWire; 48000 Hz and a period 10 ms × 3 unless asked"),
      "\(text.output)")
    let json = try ThrumProcess.run(["devices", "--json"], environment: environment)
    #expect(
      json.output.contains(
        "\"server\":\"PipeWire\",\"usual\":{\"rate\":48000,\"channels\":1,\"format\":\"s32\","
          + "\"periodFrames\":480,\"bufferFrames\":1440}"), "\(json.output)")
  }
}
