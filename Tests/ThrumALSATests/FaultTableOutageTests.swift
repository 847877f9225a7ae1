import Foundation
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

extension HandClockTests {
  /// The rows of the table in docs/output.md in which the card goes: asserted on the card's own log.
  @Suite struct FaultTableOutageTests {
    private func expectBack(
      _ bench: FaultBench, of frames: Int, seconds: ClosedRange<Double>, cause: OutageCause,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let sound = try bench.sound()
      let gaps = bench.gaps(in: sound)
      #expect(gaps.count == 1, sourceLocation: sourceLocation)
      #expect(gaps.allSatisfy { seconds.contains($0.seconds) }, "\(gaps)", sourceLocation: sourceLocation)
      #expect(bench.worstLateness(of: sound) <= 1, sourceLocation: sourceLocation)
      bench.expectAllAccounted(sound, of: frames, sourceLocation: sourceLocation)
      #expect(bench.told == ["out: \(cause)", "back: \(cause)"], sourceLocation: sourceLocation)
      #expect(bench.run.control.faults.reopenings >= 1, sourceLocation: sourceLocation)
      #expect(bench.run.control.faults.stoodStillFrames == 0, sourceLocation: sourceLocation)
      // What the control side was told are the frames around the gap.
      let changes = bench.run.source.changes
      guard changes.count == 2, gaps.count == 1 else { return }
      #expect(abs(changes[0].frame.value - Int64(gaps[0].last)) <= 40, sourceLocation: sourceLocation)
      #expect(changes[1].frame.value == Int64(gaps[0].next) - 1, sourceLocation: sourceLocation)
    }

    /// It sounds again within a second of being back; by how much it is looked for, within 0.3.
    @Test(arguments: [20, 300, 3000, 20000])
    func unpluggedAndPluggedInAgain(milliseconds: Int) throws {
      let bench = try FaultBench("unplug at 8000 for \(milliseconds) ms")
      let frames = 16000 + milliseconds * 8
      #expect(bench.run.play(frames: Int64(frames)) == .drained)
      let seconds = Double(milliseconds) / 1000
      try expectBack(bench, of: frames, seconds: seconds...seconds + 0.3, cause: .unplugged)
    }

    @Test func unpluggedTwice() throws {
      let bench = try FaultBench("unplug at 8000 for 500 ms\nunplug at 12000 for 500 ms")
      #expect(bench.run.play(frames: 40000) == .drained)
      let sound = try bench.sound()
      #expect(bench.gaps(in: sound).count == 2)
      #expect(bench.worstLateness(of: sound) <= 1)
      bench.expectAllAccounted(sound, of: 40000)
      #expect(bench.told == ["out: unplugged", "back: unplugged", "out: unplugged", "back: unplugged"])
    }

    /// Gone again before a buffer has played: one outage, told of once, however often it flaps.
    @Test func goneAgainBeforeItHasPlayed() throws {
      let flaps = (0..<10).map { "unplug at \(8000 + 100 * $0) for 50 ms" }.joined(separator: "\n")
      let bench = try FaultBench(flaps)
      #expect(bench.run.play(frames: 40000) == .drained)
      #expect(try bench.card.streams().count { $0.why == "unplug" } == 10)
      let sound = try bench.sound()
      // A card that stops does not say at which frame: to within a period for each outage.
      let accounted = sound.count + Int(bench.run.control.counters.skippedFrames)
      #expect(abs(accounted - 40000) <= 10 * FaultBench.periodFrames, "\(accounted)")
      #expect(bench.told == ["out: unplugged", "back: unplugged"])
      // It was told to be back where it was, and stayed.
      let gaps = bench.gaps(in: sound)
      #expect(gaps.count >= 2)
      #expect(bench.run.source.changes.last?.frame.value == gaps.last.map { Int64($0.next) - 1 })
    }

    /// One that takes a little each time it is opened, and fails: it was not heard to the end, and nobody is told so.
    @Test func aDeviceThatFailsAtOnceEachTime() throws {
      let bench = try FaultBench("on write 4.. return EIO")
      #expect(bench.run.play(frames: 16000) == .failed(-EIO))
      #expect(bench.told == ["out: error", "given up: error"])
    }

    @Test func backAndHeldByAnotherForAWhile() throws {
      let bench = try FaultBench(
        "unplug at 8000 for 100 ms\non open 4..6 return EBUSY\non open 7 return EACCES")
      #expect(bench.run.play(frames: 32000) == .drained)
      try expectBack(bench, of: 32000, seconds: 0.1...1.5, cause: .unplugged)
    }

    @Test func unpluggedWithNobodyToWait() throws {
      let bench = try FaultBench("unplug at 8000", awayLimitSeconds: 0)
      #expect(bench.run.play(frames: 16000) == .failed(-ENODEV))
      #expect(try bench.sound().last?.value == 7960)
      #expect(bench.told == ["given up: unplugged"])
    }

    @Test func unpluggedForLongerThanIsWaited() throws {
      let bench = try FaultBench("unplug at 8000", awayLimitSeconds: 2)
      #expect(bench.run.play(frames: 80000) == .failed(-ENODEV))
      #expect(bench.told == ["out: unplugged", "given up: unplugged"])
      #expect(try bench.card.log().filter { $0[0] == "refuse" }.count < 20)
    }

    @Test func unpluggedUntilAfterTheEnd() throws {
      let bench = try FaultBench("unplug at 8000")
      #expect(bench.run.play(frames: 16000) == .failed(-ENODEV))
      #expect(bench.told == ["out: unplugged", "given up: unplugged"])
    }

    @Test func aServerThatDiesAndComesBack() throws {
      let bench = try FaultBench("die at 8000 for 3000 ms")
      #expect(bench.run.play(frames: 48000) == .drained)
      try expectBack(bench, of: 48000, seconds: 3...3.6, cause: .error)
    }

    @Test func aServerThatStaysDead() throws {
      let bench = try FaultBench("die at 8000", awayLimitSeconds: 0)
      #expect(bench.run.play(frames: 160_000) == .failed(-ECONNREFUSED))
      #expect(bench.told == ["out: error", "given up: error"])
      // Asked again and again, but never in a busy loop.
      #expect(try bench.card.log().filter { $0[0] == "refuse" }.count < 60)
    }

    @Test func aSuspendFromWhichTheCardDoesNotComeBackAtOnce() throws {
      let bench = try FaultBench("suspend at 8000\non resume 1 return ENODEV\non open 2..4 return ENODEV")
      #expect(bench.run.play(frames: 32000) == .drained)
      let sound = try bench.sound()
      #expect(bench.gaps(in: sound).count == 1)
      #expect(bench.worstLateness(of: sound) <= 1)
      #expect(bench.told == ["out: suspended", "back: suspended"])
    }

    @Test(arguments: [
      "on start 2 return EIO\nxrun at 8000", "on prepare 3 return EIO\nxrun at 8000",
      "on avail 300 return EIO",
      "on write 200 return EIO",
    ])
    func aCallThatFailsOnce(script: String) throws {
      let bench = try FaultBench(script)
      #expect(bench.run.play(frames: 24000) == .drained)
      let sound = try bench.sound()
      #expect(bench.gaps(in: sound).count <= 1)
      #expect(bench.worstLateness(of: sound) <= 1)
      bench.expectAllAccounted(sound, of: 24000)
      #expect(sound.last?.value == 24000)
    }
  }
}
