import CALSA
import Foundation
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

extension HandClockTests {
  /// The rows of the table in docs/output.md in which the card stays: asserted on the card's own log.
  @Suite struct FaultTableTests {
    /// A gap of the outage itself, of the silent period on which a device starts, and of the step of time in which
    /// the program looks.
    private func expectOneGap(
      _ bench: FaultBench, of frames: Int = 16000, seconds: ClosedRange<Double>,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let sound = try bench.sound()
      let gaps = bench.gaps(in: sound)
      #expect(gaps.count == 1, sourceLocation: sourceLocation)
      #expect(gaps.allSatisfy { seconds.contains($0.seconds) }, "\(gaps)", sourceLocation: sourceLocation)
      #expect(bench.worstLateness(of: sound) <= 1, sourceLocation: sourceLocation)
      bench.expectAllAccounted(sound, of: frames, sourceLocation: sourceLocation)
      #expect(bench.run.source.ramps.count == 1, sourceLocation: sourceLocation)
    }

    private func expectNothingHeard(
      _ bench: FaultBench, of frames: Int = 16000, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let sound = try bench.sound()
      #expect(sound.count == frames, sourceLocation: sourceLocation)
      #expect(bench.gaps(in: sound).isEmpty, sourceLocation: sourceLocation)
      #expect(bench.run.control.counters.xruns == 0, sourceLocation: sourceLocation)
      #expect(bench.told.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func anXrun() throws {
      let bench = try FaultBench("xrun at 8000")
      #expect(bench.run.play(frames: 16000) == .drained)
      // Its queue of two periods is lost, and it starts on one of silence.
      try expectOneGap(bench, seconds: 0.004...0.016)
      #expect(bench.run.control.counters.xruns == 1)
      #expect(bench.told.isEmpty)
    }

    @Test func aProgramHeldUpForAQuarterOfASecond() throws {
      let bench = try FaultBench("")
      #expect(bench.run.play(frames: 16000, holdUp: (1, 0.25)) == .drained)
      try expectOneGap(bench, seconds: 0.23...0.26)
      #expect(bench.run.control.counters.xruns == 1)
    }

    @Test func aProgramHeldUpForThreeSeconds() throws {
      let bench = try FaultBench("")
      #expect(bench.run.play(frames: 48000, holdUp: (1, 3)) == .drained)
      try expectOneGap(bench, of: 48000, seconds: 2.98...3.01)
      #expect(bench.run.control.faults.stoodStillFrames == 0)
    }

    @Test func aProgramHeldUpForLongOnACard() throws {
      let bench = try FaultBench("")
      #expect(bench.run.play(frames: 500_000, holdUp: (1, 62)) == .drained)
      let sound = try bench.sound()
      let gaps = bench.gaps(in: sound)
      #expect(gaps.count == 1 && (61.98...62.01).contains(gaps[0].seconds), "\(gaps)")
      bench.expectAllAccounted(sound, of: 500_000)
      #expect(bench.run.control.counters.skippedFrames == 480_000)
      // What sounds after it is where the timeline stood still for the rest, and not a frame beside.
      let stoodStill = Int(bench.run.control.faults.stoodStillFrames)
      let passed = Int((gaps[0].seconds * Double(FaultBench.rate)).rounded())
      #expect(Int(gaps[0].next - gaps[0].last) - 1 == 480_000)
      #expect(abs(passed - 480_000 - stoodStill) <= FaultBench.periodFrames + 1, "\(passed), \(stoodStill)")
      #expect(bench.told.isEmpty)
    }

    /// Only the program that holds it can pause a PCM; one whose driver comes out of a suspend so looks the same. A write that
    /// copies says so at once, one into the mapped buffer does not. Where none is due, the wait runs out: a buffer and 0.1 s.
    @Test(arguments: ["mmap", "rw"])
    func aCardThatIsPaused(access: String) throws {
      let bench = try FaultBench("", "pause \"yes\" access \"\(access)\"")
      let (source, pcm) = (bench.run.source, bench.run.pcm)
      source.onFill = {
        if source.made == 8000, let handle = pcm.rawHandle { #expect(snd_pcm_pause(handle, 1) == 0) }
      }
      #expect(bench.run.play(frames: 16000) == .drained)
      #expect(try bench.card.streams().map(\.why) == ["pause", "stop"])
      try expectOneGap(bench, seconds: 0.004...0.13)
      #expect(bench.run.control.faults.restarts == 1)
      #expect(bench.told.isEmpty)
    }

    @Test func aServerThatHidesAnUnderrun() throws {
      let bench = try FaultBench("", "dry \"hidden\"")
      #expect(bench.run.play(frames: 24000, holdUp: (1, 0.5)) == .drained)
      try expectOneGap(bench, of: 24000, seconds: 0.48...0.52)
      #expect(bench.run.control.counters.xruns == 1)
    }

    @Test(arguments: ["none", "prepare", "full"])
    func aSuspend(resume: String) throws {
      let bench = try FaultBench("suspend at 8000", "resume \"\(resume)\"")
      #expect(bench.run.play(frames: 16000) == .drained)
      #expect(bench.run.control.counters.suspends == 1)
      #expect(bench.told == ["out: suspended", "back: suspended"])
      if resume == "full" {
        // It goes on where it was; nothing was lost.
        #expect(bench.gaps(in: try bench.sound()).isEmpty)
        #expect(try bench.sound().count == 16000)
      } else {
        try expectOneGap(bench, seconds: 0.004...0.016)
      }
    }

    @Test func aSuspendWhoseDriverIsNotReadyYet() throws {
      let bench = try FaultBench("suspend at 8000 for 300 ms", "resume \"prepare\"")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectOneGap(bench, seconds: 0.3...0.6)
      #expect(bench.told == ["out: suspended", "back: suspended"])
    }

    /// libasound itself goes on with the rest; that the loop does too is PlaybackLoopTests' matter.
    @Test(arguments: ["mmap", "rw"])
    func aShortWrite(access: String) throws {
      let bench = try FaultBench("on write 100 take 13\non write 200..202 take 1", "access \"\(access)\"")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
    }

    @Test func aWriteThatASignalInterrupts() throws {
      let bench = try FaultBench("on write 100 return EINTR")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
      #expect(bench.run.control.faults.interruptions == 1)
    }

    @Test func aWriteThatIsRefused() throws {
      let bench = try FaultBench("on write 100..101 return EAGAIN")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
      #expect(bench.run.control.faults.refusedWrites == 2)
    }

    @Test func wakeUpsWithoutRoom() throws {
      let bench = try FaultBench("wake at 4000 times 500")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
    }

    @Test func aPointerThatStandsForLessThanTheBuffer() throws {
      let bench = try FaultBench("stall at 8000 for 6 ms")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
    }

    @Test func aPointerThatStandsForLonger() throws {
      let bench = try FaultBench("stall at 8000 for 100 ms")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectOneGap(bench, seconds: 0.08...0.12)
      #expect(bench.run.control.counters.xruns == 1)
    }

    @Test(arguments: [400, -400, 1_000_000])
    func aDelayThatIsWrong(frames: Int) throws {
      let bench = try FaultBench("lie at 4000 by \(frames)")
      let end = bench.run.play(frames: 16000)
      #expect(end == .drained)
      try expectNothingHeard(bench)
    }

    @Test func aDelayThatIsNotKnown() throws {
      let bench = try FaultBench("on delay 1.. return EIO")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
      #expect(bench.run.control.delayFrames.load(ordering: .relaxed) == -1)
    }

    @Test(arguments: [-300, 300])
    func aClockThatDrifts(drift: Int64) throws {
      let bench = try FaultBench("", "drift \"\(drift)\"")
      #expect(bench.run.play(frames: 160_000) == .drained)
      let sound = try bench.sound(drift: drift)
      #expect(sound.map(\.value) == Array(1...160_000))
      #expect(bench.gaps(in: sound).isEmpty)
      #expect(bench.run.control.counters.xruns == 0)
      let seconds = Double(sound[159_999].nanoseconds - sound[0].nanoseconds) * 1e-9
      #expect(abs(seconds - 159_999 / 8000 / (1 + Double(drift) * 1e-6)) < 1e-6)
    }

    @Test(arguments: ["late 30", "full"])
    func aCardThatStartsLate(start: String) throws {
      let bench = try FaultBench("", "start \"\(start)\"")
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
    }

    /// PulseAudio's outputs wake within 2 s; what plays meanwhile waits, and is whole.
    @Test func aServerThatSleepsFirst() throws {
      let patience = SoundServer.pulseAudio.startPatienceSeconds
      let bench = try FaultBench("", "start \"late 2500\"", startPatienceSeconds: patience)
      #expect(bench.run.play(frames: 16000) == .drained)
      try expectNothingHeard(bench)
      // A card that has not begun after a second is stuck; so is a server in the middle of playing.
      let card = try FaultBench("", "start \"late 2500\"", awayLimitSeconds: 0)
      #expect(card.run.play(frames: 16000) != .drained || card.told.first == "out: error")
      let stuck = try FaultBench("freeze at 8000", startPatienceSeconds: patience)
      #expect(stuck.run.play(frames: 40000) == .drained)
      try expectOneGap(stuck, of: 40000, seconds: 0.98...1.1)
    }

    @Test func aClockThatStandsStillForAWhile() throws {
      let bench = try FaultBench("freeze at 8000 for 300 ms")
      #expect(bench.run.play(frames: 16000) == .drained)
      let sound = try bench.sound()
      // The device's clock is the timeline's: what comes after is later by as much, and whole.
      #expect(sound.map(\.value) == Array(1...16000))
      let gaps = bench.gaps(in: sound)
      #expect(gaps.count == 1 && abs(gaps[0].seconds - 0.3) < 0.0002)
      #expect(bench.run.control.counters.xruns == 0)
      #expect(bench.told.isEmpty)
    }

    @Test func aClockThatStandsStillForLong() throws {
      let bench = try FaultBench("freeze at 8000")
      #expect(bench.run.play(frames: 40000) == .drained)
      // It takes a second to tell it from a slow one.
      try expectOneGap(bench, of: 40000, seconds: 0.98...1.1)
      #expect(bench.run.control.faults.reopenings == 1)
      #expect(bench.told == ["out: error", "back: error"])
    }
  }
}
