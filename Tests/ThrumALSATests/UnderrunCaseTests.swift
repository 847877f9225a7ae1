import Foundation
import TestSupport
import Testing
import ThrumRealtime

@testable import ThrumALSA

/// The case pcm-underrun: two underruns, one short write and one signal, by the script that lies beside the
/// project.
@Suite struct UnderrunCaseTests {
  private static let script = SharedFiles.locate("cases/pcm-underrun/pcm-script.txt", for: "pcm-underrun")

  private func bench() throws -> LoopBench {
    let text = try String(contentsOf: try #require(UnderrunCaseTests.script), encoding: .utf8)
    return LoopBench(format: .s16, script: try PCMScript(text))
  }

  @Test(.enabled(if: UnderrunCaseTests.script != nil))
  func playGoesOnToTheEndAndCountsTwoUnderruns() throws {
    let bench = try bench()
    #expect(bench.play(frames: 16000) == .drained)
    #expect(bench.source.made == 16000)
    #expect(bench.control.counters.xruns == 2)
    #expect(bench.device.prepares == 2)
    #expect(bench.control.faults.interruptions == 1)
    #expect(bench.control.faults.shortWrites == 1)
    #expect(bench.device.mostCallsBetweenWaits < 200)
  }

  @Test(.enabled(if: UnderrunCaseTests.script != nil))
  func eachGapIsAtMostTwoPeriodsAndStartsOnOne() throws {
    let bench = try bench()
    #expect(bench.play(frames: 16000) == .drained)
    #expect(bench.device.startFills == [40, 40, 40])
    // A gap is the time between two frames of sound that follow each other, less the one a frame takes.
    let gaps = zip(bench.sound, bench.sound.dropFirst()).map { $1.nanoseconds - $0.nanoseconds - 125_000 }
    let long = gaps.filter { $0 > 125_000 }
    #expect(long.count == 2)
    #expect(long.allSatisfy { $0 <= 10_000_000 })
  }

  @Test(.enabled(if: UnderrunCaseTests.script != nil))
  func lateFramesAreSkippedAndCountedAndTheOthersAreOnTheirFrame() throws {
    let bench = try bench()
    #expect(bench.play(frames: 16000) == .drained)
    let values = bench.sound.map { Int(UInt16(truncatingIfNeeded: $0.value)) }
    // In order, nothing doubled, and everything that is missing was counted.
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    #expect(Int(bench.control.counters.skippedFrames) == 16000 - values.count)
    #expect(bench.worstLateness <= 1)
    #expect(bench.source.ramps.count == 2)
  }

  @Test func aShortWriteContinuesWithTheFrameAfter() throws {
    let whole = try PCMScript("on write 60 take 30\non wait 70 return EINTR")
    let bench = LoopBench(format: .s16, script: whole)
    #expect(bench.play(frames: 16000) == .drained)
    #expect(bench.sound.count == 16000)
    #expect(bench.control.faults.shortWrites == 1)
    #expect(bench.control.faults.interruptions == 1)
  }

  @Test(.enabled(if: UnderrunCaseTests.script != nil))
  func noFrameIsAskedForOnADeviceInAnErrorState() throws {
    let bench = try bench()
    var fillsInError = 0
    bench.source.onFill = { if bench.device.pcmState != .running { fillsInError += 1 } }
    #expect(bench.play(frames: 16000) == .drained)
    #expect(fillsInError == 0)
  }

  @Test func aMalformedScriptIsRefusedWithItsLine() {
    #expect(throws: PCMScript.Malformed(line: 2, text: "on write return")) {
      try PCMScript("# nothing\non write return")
    }
    #expect(throws: PCMScript.Malformed.self) { try PCMScript("on write 3 return ENOTHING") }
    #expect(throws: PCMScript.Malformed.self) { try PCMScript("at 1 present perhaps") }
  }
}
