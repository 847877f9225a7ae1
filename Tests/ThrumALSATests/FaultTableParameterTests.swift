import Foundation
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

extension HandClockTests {
  /// The rows of the table in docs/output.md about what a card is and tells of itself: asserted on the card's own log.
  @Suite struct FaultTableParameterTests {
    @Test(arguments: [
      "rates_again \"48000\"", "formats_again \"S16_LE\"", "channels_again \"2..4\"",
      "period_bytes_again \"4096..8192\"",
    ])
    func backWithOtherParameters(keys: String) throws {
      let bench = try FaultBench("unplug at 8000 for 300 ms", keys)
      #expect(bench.run.play(frames: 16000) == .failed(-EINVAL))
      // What was made for one device is not put out on another: one opening, one stream, and nothing after it.
      #expect(try bench.sound().last?.value == 7960)
      #expect(try bench.card.log().filter { $0[0] == "take" }.count > 100)
      #expect(try bench.card.log().filter { $0[0] == "play" }.count == 1)
      #expect(bench.told == ["out: unplugged", "given up: error"])
      let words = ALSAError.message(OutputFault(-EINVAL, .play), device: "card").message
      #expect(words.contains("came back with another rate"))
    }

    @Test(arguments: [
      "rates_again \"8000,48000\"", "channels_again \"1..2\"", "formats_again \"S16_LE,S32_LE\"",
    ])
    func backWithWhatItHadAndMore(keys: String) throws {
      let bench = try FaultBench("unplug at 8000 for 300 ms", keys)
      #expect(bench.run.play(frames: 16000) == .drained)
      #expect(try bench.sound().last?.value == 16000)
      #expect(bench.told == ["out: unplugged", "back: unplugged"])
    }

    /// What is heard by the card's log does not change; what the clock calls heard does, by as much.
    @Test(arguments: [0, 800, 2400, 15000])
    func aServerThatHoldsBack(frames: Int) throws {
      let bench = try FaultBench("lie at 0 by \(frames)")
      #expect(bench.run.play(frames: 16000) == .drained)
      let sound = try bench.sound()
      #expect(sound.count == 16000)
      #expect(bench.gaps(in: sound).isEmpty)
      #expect(bench.told.isEmpty)
      // Between the question how much room there is and the one for the delay, some frames may have sounded.
      let hidden = bench.run.control.hiddenFrames.load(ordering: .relaxed)
      #expect(abs(hidden - frames) <= FaultBench.periodFrames, "\(hidden)")
    }

    @Test(arguments: [(16100, 2.0), (900, 0.1)])
    func aServerThatHoldsBackTooMuch(frames: Int, limit: Double) throws {
      let bench = try FaultBench("lie at 0 by \(frames)", hiddenLimitSeconds: limit)
      #expect(bench.run.play(frames: 16000) == .failed(-EOVERFLOW))
      // It takes three answers, a tenth of a second apart.
      #expect(try bench.sound().count < 4000)
      #expect(bench.told == ["given up: error"])
      let words = ALSAError.message(reading: OutputFault(-EOVERFLOW, .play), device: "card").message
      #expect(words.contains("holds seconds of sound back"))
      #expect(words.split(separator: "\n").count <= 3)
    }
  }
}
