import Foundation
import Testing
import ThrumRealtime

@testable import ThrumALSA

/// A loop on a device in simulated time.
struct LoopBench {
  let device: FakePCM
  let source: CountingSource
  let control: LoopControl
  let parameters: NegotiatedParameters

  init(
    rate: Int = 8000, period: Int = 40, periods: Int = 3, format: SampleFormat = .s32,
    awayLimitSeconds: Double = 0, script: PCMScript = PCMScript()
  ) {
    control = LoopControl(awayLimitSeconds: awayLimitSeconds)
    parameters = NegotiatedParameters(
      rate: rate, channels: 1, format: format, access: .readWrite, periodFrames: period,
      bufferFrames: period * periods)
    device = FakePCM(parameters: parameters, script: script)
    source = CountingSource(parameters: parameters)
  }

  /// Plays so many frames to the end.
  func play(frames: Int64) -> LoopEnd {
    control.endFrame.store(frames, ordering: .relaxed)
    return PlaybackLoop(device: device, source: source, parameters: parameters, control: control).run()
  }

  /// The frames heard that are not silence.
  var sound: [FakePCM.HeardFrame] { device.heard.filter { $0.value != 0 } }

  /// The largest distance of any frame from where the first one says it belongs, in frames.
  var worstLateness: Double {
    guard let first = sound.first else { return 0 }
    let origin = Double(first.nanoseconds) - Double(first.value - 1) * 1e9 / Double(parameters.rate)
    return sound.map { frame in
      abs((Double(frame.nanoseconds) - origin) * 1e-9 * Double(parameters.rate) - Double(frame.value - 1))
    }.max() ?? 0
  }
}

@Suite struct PlaybackLoopTests {
  @Test(arguments: [1, 39, 40, 41, 120, 121, 16000])
  func everyFrameIsHeardOnceAndInOrder(frames: Int64) {
    let bench = LoopBench()
    #expect(bench.play(frames: frames) == .drained)
    #expect(bench.sound.map(\.value) == Array(1...Int32(frames)))
    #expect(bench.control.counters.writtenFrames == frames)
    #expect(bench.control.counters.xruns == 0)
    #expect(bench.worstLateness < 0.01)
  }

  @Test func silenceBeforeTheFirstFrameIsOnePeriodAndTheDeviceStartsOnIt() {
    let bench = LoopBench()
    #expect(bench.play(frames: 400) == .drained)
    #expect(bench.device.heard.prefix { $0.value == 0 }.count == 40)
    #expect(bench.device.startFills == [40])
  }

  @Test func framesAreMadeOnlyWhenAPeriodIsFree() {
    // Wait first: in the steady state a frame is made at most a buffer and never less than two periods before
    // its turn.
    let bench = LoopBench()
    var distances: [Int64] = []
    bench.device.onWait = { device in
      guard bench.source.made > 400, bench.source.made < 1600 else { return }
      distances.append(bench.source.made - Int64(device.heard.count - 40))
    }
    #expect(bench.play(frames: 2000) == .drained)
    #expect(distances.max() == 80)
    #expect(distances.min() == 80)
  }

  @Test func aDriftingDeviceIsFollowed() {
    let bench = LoopBench(rate: 48000, period: 240)
    bench.device.driftPerMillion = 200
    #expect(bench.play(frames: 96000) == .drained)
    #expect(bench.sound.map(\.value) == Array(1...96000))
    #expect(bench.control.counters.xruns == 0)
  }

  @Test func aStallRunsDryOnceAndWhatFollowsIsOnItsFrame() {
    let bench = LoopBench()
    // 50 ms instead of 5: 35 ms after the buffer is empty.
    bench.device.stalls[30] = 50_000_000
    #expect(bench.play(frames: 8000) == .drained)
    #expect(bench.control.counters.xruns == 1)
    #expect(bench.device.prepares == 1)
    #expect(bench.source.ramps.count == 1)
    #expect(bench.worstLateness <= 1)
    // Dry for 35 ms, then a period of silence: 320 frames, a little more for the calls between.
    let skipped = bench.control.counters.skippedFrames
    #expect((320...330).contains(skipped))
    #expect(bench.sound.count == 8000 - Int(skipped))
    #expect(bench.device.startFills == [40, 40])
  }

  @Test func aProgramHeldUpForLongSkipsAMinuteAndStandsStillForTheRest() {
    let bench = LoopBench()
    bench.device.stalls[30] = 62_000_000_000
    #expect(bench.play(frames: 500_000) == .drained)
    #expect(bench.control.counters.xruns == 1)
    #expect(bench.control.counters.skippedFrames == 480_000)
    let stoodStill = bench.control.faults.stoodStillFrames
    #expect((15_800...16_000).contains(stoodStill))
    #expect(bench.sound.count == 20000)
  }

  @Test func nothingIsSkippedPastTheEnd() {
    let bench = LoopBench()
    bench.device.stalls[30] = 500_000_000
    #expect(bench.play(frames: 1300) == .drained)
    #expect(bench.source.made == 1300)
    #expect(bench.sound.count + Int(bench.control.counters.skippedFrames) == 1300)
  }

  @Test(arguments: [true, false])
  func aSuspendIsCountedAndPlayGoesOnAtTheRightFrame(canResume: Bool) throws {
    // snd-dummy resumes and is in state XRUN then; others cannot resume at all. Both must be prepared.
    let script = try PCMScript(canResume ? "on resume 1..9 return 0" : "on resume 1..9 return ENOSYS")
    let bench = LoopBench(script: script)
    bench.device.happenings.append(
      (
        100_000_000,
        { device in
          device.pcmState = .suspended
          device.loseQueue()
        }
      ))
    #expect(bench.play(frames: 4000) == .drained)
    #expect(bench.control.counters.suspends == 1)
    #expect(bench.control.counters.xruns == 0)
    #expect(bench.device.prepares == 1)
    #expect(bench.worstLateness <= 1)
    // How much of its queue the device lost is known to a frame, by the clock.
    #expect(abs(bench.sound.count + Int(bench.control.counters.skippedFrames) - 4000) <= 1)
  }

  @Test func aDeviceThatIsStillWakingUpIsAskedAgain() throws {
    let bench = LoopBench(script: try PCMScript("on resume 1..3 return EAGAIN"))
    bench.device.happenings.append((100_000_000, { $0.pcmState = .suspended }))
    #expect(bench.play(frames: 4000) == .drained)
    #expect(bench.device.counts[.resume] == 4)
    #expect(bench.control.counters.suspends == 1)
  }

  @Test func anUnpluggedDeviceEndsWithItsErrorThoughAvailSaysNothing() {
    let bench = LoopBench()
    bench.device.happenings.append((100_000_000, { $0.pcmState = .disconnected }))
    #expect(bench.play(frames: 40000) == .failed(-ENODEV))
    #expect(bench.device.nanoseconds < 120_000_000)
  }

  @Test("Handlers hear of what ends while the device is away as soon as of what ends while it plays")
  func handlersAreToldInAnOutage() {
    let bench = LoopBench(awayLimitSeconds: 10)
    bench.device.happenings.append((100_000_000, { $0.pcmState = .disconnected }))
    bench.device.reopenResult = { $0.nanoseconds < 2_000_000_000 ? -ENODEV : 0 }
    #expect(bench.play(frames: 40000) == .drained)
    #expect(bench.control.counters.skippedFrames > 14_000)
    // A step of waiting is 10 ms, a buffer 15.
    #expect(bench.source.mostUntold <= 120)
  }

  @Test("A device that fails again before its clock is known does not hold the timeline up")
  func failuresBeforeTheClockIsKnown() throws {
    // As ALSA's file on a full disk: opened anew it takes some frames, and fails.
    let faults = (1...8).map { "on write \(3 * $0) return EIO" }.joined(separator: "\n")
    let bench = LoopBench(awayLimitSeconds: 1000, script: try PCMScript(faults))
    bench.device.isClockless = true
    #expect(bench.play(frames: 16000) == .drained)
    #expect(bench.device.reopens == 8)
    // 1.13 s of pauses, which are a part of the 2 s that the pattern takes; faster by a buffer at most, before the first
    // failure and behind the last.
    #expect((1.97...2.1).contains(Double(bench.device.nanoseconds) * 1e-9))
    #expect((8000...10_000).contains(bench.control.counters.skippedFrames))
  }

  @Test func aServerThatRefusesEveryWriteIsNotAskedInABusyLoop() throws {
    // A sound server that was killed: prepare works, every write fails at once.
    let bench = LoopBench(script: try PCMScript("after 0.2 on write return EPIPE"))
    bench.device.reopenResult = { _ in -EHOSTDOWN }
    let end = bench.play(frames: 800_000)
    #expect(end != .drained)
    #expect((5.0...6.5).contains(Double(bench.device.nanoseconds) * 1e-9))
    // From 0.2 s on, 5 s long.
    #expect(bench.device.prepares + bench.device.reopens < 100)
    #expect(bench.device.mostCallsBetweenWaits < 200)
    #expect(bench.device.reopens > 2)
  }

  @Test func aRefusedWriteIsOfferedAgain() throws {
    let bench = LoopBench(script: try PCMScript("on write 30..32 return EAGAIN"))
    #expect(bench.play(frames: 8000) == .drained)
    #expect(bench.sound.map(\.value) == Array(1...8000))
    #expect(bench.control.faults.refusedWrites == 3)
    #expect(bench.control.counters.xruns == 0)
  }

  @Test func aDeviceThatOnlyRefusesIsGivenUp() throws {
    let script = "after 0.2 on write return EAGAIN\nafter 0.2 on state return RUNNING"
    let bench = LoopBench(script: try PCMScript(script))
    bench.device.hidesUnderruns = true
    bench.device.reopenResult = { _ in -ENODEV }
    #expect(bench.play(frames: 80000) == .failed(-ENODEV))
    #expect(bench.device.mostCallsBetweenWaits < 200)
  }

  @Test func aServerThatComesBackIsOpenedAgainAndPlayGoesOn() throws {
    let bench = LoopBench(script: try PCMScript("after 0.2 on write 1..6 return EPIPE"))
    #expect(bench.play(frames: 16000) == .drained)
    #expect(bench.device.reopens > 0)
    #expect(bench.control.counters.xruns == 1)
    #expect(bench.worstLateness <= 1)
  }

  @Test func aDeviceWhoseClockStopsIsOpenedAgain() throws {
    let bench = LoopBench(script: try PCMScript("at 0.5 clock stop\nat 1.0 clock go"))
    #expect(bench.play(frames: 16000) == .drained)
    let stuck = LoopBench(script: try PCMScript("at 0.5 clock stop"))
    stuck.device.reopenResult = { _ in -ENODEV }
    #expect(stuck.play(frames: 16000) == .failed(-ENODEV))
    #expect(stuck.device.counts[.wait, default: 0] < 300)
  }

  @Test func aDeviceWithoutAClockIsPacedAndLosesNothing() {
    let bench = LoopBench()
    bench.device.isClockless = true
    #expect(bench.play(frames: 16000) == .drained)
    let isPaced = bench.control.isPaced.load(ordering: .relaxed)
    #expect(isPaced)
    #expect(bench.sound.map(\.value) == Array(1...16000))
    // Two seconds, faster by a buffer at most.
    #expect((1.98...2.1).contains(Double(bench.device.nanoseconds) * 1e-9))
    #expect(bench.device.counts[.write, default: 0] < 450)
    #expect(bench.control.counters.xruns == 0)
    #expect(bench.control.counters.skippedFrames == 0)
  }

  @Test(arguments: [1, 100, 4000, 8061, 23_999])
  func aPacedDeviceEndsWithItsLastFrameAndNotWithThePeriodAfterIt(frames: Int64) {
    // Periods of a second.
    let bench = LoopBench(period: 8000)
    bench.device.isClockless = true
    #expect(bench.play(frames: frames) == .drained)
    #expect(bench.sound.map(\.value) == Array(1...Int32(frames)))
    // And as much time as the calls take.
    let heard = Double(bench.device.nanoseconds) * 1e-9 * 8000
    #expect((Double(frames)...Double(frames + 16)).contains(heard))
  }

  @Test func aPacedDeviceIsNeverGivenMoreThanItsBufferAhead() {
    let bench = LoopBench(period: 8000)
    bench.device.isClockless = true
    var ahead: [Double] = []
    bench.device.onWait = { device in
      ahead.append(Double(bench.source.made) - Double(device.nanoseconds) * 1e-9 * 8000)
    }
    bench.device.happenings.append(
      (5_500_000_000, { _ in bench.control.endFrame.store(bench.source.made, ordering: .relaxed) }))
    #expect(bench.play(frames: .max) == .drained)
    #expect(bench.device.nanoseconds <= 8_510_000_000)
    #expect(ahead.allSatisfy { $0 <= 24_000 })
  }

  @Test func aServerThatHidesItsUnderrunsIsFoundOut() {
    let bench = LoopBench()
    // A second in which the server plays nothing and says nothing: the queue is empty, the state is RUNNING.
    bench.device.hidesUnderruns = true
    bench.device.stalls[30] = 500_000_000
    #expect(bench.play(frames: 16000) == .drained)
    #expect(bench.control.counters.xruns == 1)
    #expect(bench.worstLateness <= 1)
  }

  @Test func theControlSideCanCallItOff() {
    let bench = LoopBench()
    bench.device.happenings.append(
      (500_000_000, { _ in bench.control.isClosing.store(true, ordering: .relaxed) }))
    #expect(bench.play(frames: .max) == .closed)
    #expect(bench.device.nanoseconds < 520_000_000)
  }
}
