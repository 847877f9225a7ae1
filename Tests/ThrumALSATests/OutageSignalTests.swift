import Foundation
import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumALSA
@testable import ThrumEngine

extension HandClockTests {
  /// The engine's own signal through outages on the card: what sounded, against what a render writes.
  @Suite struct OutageSignalTests {
    private static let rate = 8000
    private static let rampFrames = 64

    /// Continuous events of one amplitude and another, taps between them, to the end of the run.
    private static let pattern = Pattern(
      .buzz(at: 0, for: 9, intensity: 0.6), .buzz(at: 1.2, for: 6, intensity: 0.3),
      .tap(at: 2.5, sharpness: 1),
      .tap(at: 2.9), .tap(at: 6.3, sharpness: 0.2))

    /// What sounded, by timeline frames, and where it began again.
    private struct Heard {
      var samples: [Float?]
      var starts: [Int]
      var end: LoopEnd?
      var finishes: Int
    }

    private func play(_ script: String, frames: Int, holdUp: Double? = nil) throws -> Heard {
      let card = try TestCard("clock \"hand\"", script: script)
      let output = Output(
        device: VirtualOutput(isTurnedByHand: true), configuration: OutputConfiguration(profiles: [.none]))
      let finishes = Locked(0)
      let player = try output.makeEngine().makePlayer(
        for: ScheduleCompiler.compile(OutageSignalTests.pattern))
      player.onFinish = { _ in finishes.withLock { $0 += 1 } }
      try player.start()
      let request = ALSARequest(rate: OutageSignalTests.rate, format: .float, channels: 1)
      let run = try HandTurnedRun(card, request) { _ in output.feed }
      let end = run.play(frames: Int64(frames), holdUp: holdUp.map { (3, $0) })
      output.pump.drain()
      var heard = Heard(
        samples: Array(repeating: nil, count: frames), starts: [], end: end,
        finishes: finishes.withLock { $0 })
      let streams = try card.streams()
      let silence = 40
      let origin = (streams.first?.startNanoseconds ?? 0) + Int64(silence) * 125_000
      heard.starts = streams.map { Int(($0.startNanoseconds - origin + 62_500) / 125_000) + silence }
      try card.eachFrame(rate: OutageSignalTests.rate) { bits, nanoseconds in
        let place = Int((nanoseconds - origin + 62_500) / 125_000)
        if nanoseconds >= origin && place < frames {
          heard.samples[place] = Float(bitPattern: UInt32(bitPattern: bits))
        }
      }
      return heard
    }

    private static let whole: [Float] = {
      var samples: [Float] = []
      OfflineRender.render(
        ScheduleCompiler.compile(pattern), profile: .none, rate: rate, format: .float
      ) { bytes in samples += bytes.bindMemory(to: Float.self) }
      return samples
    }()

    @Test(arguments: [
      "unplug at 20000 for 400 ms", "unplug at 20000 for 3000 ms", "die at 20000 for 700 ms", "xrun at 20000",
      "suspend at 20000", "suspend at 20000 for 200 ms",
    ])
    func whatFollowsIsEqualToTheBitAfterTheRamp(script: String) throws {
      let whole = OutageSignalTests.whole
      let heard = try play(script, frames: whole.count)
      #expect(heard.end == .drained)
      #expect(heard.finishes == 1)
      #expect(heard.starts.count == 2)
      let start = try #require(heard.starts.last)
      var differing = 0
      for (place, sample) in heard.samples.enumerated() {
        guard let sample, !(start - 80..<start + OutageSignalTests.rampFrames + 80).contains(place) else {
          continue
        }
        if sample != whole[place] { differing += 1 }
      }
      #expect(differing == 0)
      #expect(heard.samples.suffix(8000).allSatisfy { $0 != nil })
      try expectNoClick(heard, at: start)
    }

    @Test func aProgramHeldUpForSecondsGoesOnAsIfItHadNotBeen() throws {
      let whole = OutageSignalTests.whole
      let heard = try play("", frames: whole.count, holdUp: 2.7)
      #expect(heard.end == .drained)
      let start = try #require(heard.starts.last)
      let after = (start + OutageSignalTests.rampFrames + 80)..<whole.count
      #expect(after.allSatisfy { heard.samples[$0] == whole[$0] })
      try expectNoClick(heard, at: start)
    }

    /// Where sound begins again, what is above 1 kHz stays under −60 dB of a full-scale tone. On the other side the card
    /// ended the signal, not we: the last frames it had are the signal's own.
    private func expectNoClick(
      _ heard: Heard, at start: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      // No onset is near: what is heard is the ramp, and the tones.
      let frames = (start - 400..<start + 400).map { place in
        place < start - 40 ? 0 : Double(heard.samples[place] ?? 0)
      }
      #expect(frames.contains { abs($0) > 0.05 }, sourceLocation: sourceLocation)
      let level = highFrequencyLevel(frames, in: 0..<frames.count, fullScale: 0.5)
      #expect(level <= -60, sourceLocation: sourceLocation)
    }
  }
}
