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
      .tap(at: 2.2, sharpness: 1),
      .tap(at: 2.9), .tap(at: 6.3, sharpness: 0.2))

    /// What sounded, by timeline frames, and where it began again.
    private struct Heard {
      var samples: [Float?]
      var starts: [Int]
      /// The first frame that the first stream did not play any more.
      var cut: Int?
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
      heard.cut = streams.first?.endFrame.map { Int($0) - silence }
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
      try expectNoClickBefore(heard, whole)
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

    /// Up to the last frame that the card played, what is above 1 kHz stays under −60 dB of a full-scale tone: what it was
    /// given goes on smoothly into what it would have been given. That the cable cuts it off there is not ours to mend.
    private func expectNoClickBefore(
      _ heard: Heard, _ whole: [Float], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let cut = try #require(heard.cut, sourceLocation: sourceLocation)
      #expect(heard.samples[cut - 1] != nil, sourceLocation: sourceLocation)
      let frames = (cut - 800..<cut + 400).map { place in
        Double(place < cut ? heard.samples[place] ?? 0 : whole[place])
      }
      #expect(frames[400..<800].contains { abs($0) > 0.05 }, sourceLocation: sourceLocation)
      // Behind what the filter makes of the beginning of the excerpt.
      let level = highFrequencyLevel(frames, in: 400..<frames.count, fullScale: 0.5)
      #expect(level <= -60, sourceLocation: sourceLocation)
    }

    /// Where sound begins again, what is above 1 kHz stays under −60 dB of a full-scale tone.
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
