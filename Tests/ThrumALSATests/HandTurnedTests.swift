import Foundation
import Testing
import ThrumRealtime

@testable import ThrumALSA

extension HandClockTests {
  /// The loop through the real libasound, with time turned by hand: exact, and the same on a loaded machine.
  @Suite struct HandTurnedTests {
    @Test func tenMinutesAreExact() throws {
      let card = try TestCard("clock \"hand\"")
      let run = try HandTurnedRun(card)
      #expect(run.play(frames: 4_800_000) == .drained)
      #expect(run.control.counters.xruns == 0)
      let heard = try card.sound(rate: 8000)
      #expect(heard.count == 4_800_000)
      #expect(heard.enumerated().allSatisfy { $0.offset + 1 == Int($0.element.value) })
      #expect(try card.streams().count == 1)
    }

    @Test func aProgramHeldUpForFiftyMillisecondsGoesOnOnItsFrame() throws {
      let card = try TestCard("clock \"hand\"")
      let run = try HandTurnedRun(card)
      #expect(run.play(frames: 16000, holdUp: (afterSeconds: 1, forSeconds: 0.05)) == .drained)
      #expect(run.control.counters.xruns == 1)
      let heard = try card.sound(rate: 8000)
      let first = try #require(heard.first)
      let origin = first.nanoseconds - Int64(first.value - 1) * 125_000
      let worst = heard.map { abs($0.nanoseconds - origin - Int64($0.value - 1) * 125_000) }.max() ?? 0
      #expect(worst <= 125_000)
      #expect(heard.count + Int(run.control.counters.skippedFrames) == 16000)
      let streams = try card.streams()
      #expect(streams.count == 2)
      #expect(streams[0].why == "xrun")
    }
  }
}
