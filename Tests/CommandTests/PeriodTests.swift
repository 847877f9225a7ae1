import Foundation
import Testing

/// The bounds of `--period`, which is 1 to 1000 ms at every rate, on the virtual actuator and on ALSA.
@Suite("Period")
struct PeriodTests {
  /// Plays a tap on a PCM that forgets everything, or on the virtual actuator.
  private func play(_ device: String, _ words: String...) throws -> ThrumProcess.Outcome {
    let folder = try TemporaryFolder()
    let configuration = try folder.write("pcm.nothing { type null }\n", to: "asound.conf")
    return try ThrumProcess.run(
      ["play", "-d", device, "--json", "-"] + words, input: Array(tapText.utf8),
      environment: ["ALSA_CONFIG_PATH": configuration])
  }

  @Test("1 ms is legal at every rate, a part of a frame rounded up", arguments: ["virtual", "nothing"])
  func oneMillisecond(device: String) throws {
    for (rate, frames) in [(8000, 8), (16000, 16), (32000, 32), (44100, 45), (48000, 48), (96000, 96)] {
      for period in ["1", "1ms", "\(frames)f"] {
        let outcome = try play(device, "-r", "\(rate)", "-p", period)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\"periodFrames\":\(frames),"), "\(outcome.output)")
      }
    }
  }

  @Test(
    "What is beyond a bound is bad usage, and the nearest period is named", arguments: ["virtual", "nothing"])
  func beyond(device: String) throws {
    for (rate, frames, sentence) in [
      (44100, 44, "is shorter than 1 ms; the smallest is 45 frames"),
      (8000, 7, "is shorter than 1 ms; the smallest is 8 frames"),
      (8000, 8001, "is longer than 1000 ms; the largest is 8000 frames"),
    ] {
      let outcome = try play(device, "-r", "\(rate)", "-p", "\(frames)f")
      let start = "thrum play: a period of \(frames) frames at \(rate) Hz \(sentence)"
      #expect(outcome.errors.hasPrefix(start), "\(outcome.errors)")
      #expect(outcome.errors.hasSuffix("\n\"thrum play --help\" lists what it takes.\n"))
      #expect(outcome.errorLines.count == 2)
      #expect(outcome.output == "")
      #expect(outcome.status == 2)
    }
  }
}
