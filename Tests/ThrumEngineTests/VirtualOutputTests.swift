import Glibc
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// A number that tells threads apart.
func currentThread() -> UInt { UInt(pthread_self()) }

/// The virtual actuator: counts, not times.
@Suite struct VirtualOutputTests {
  @Test func itTakesWhatItIsMadeFor() {
    let device = VirtualOutput(rate: 48_000, channels: 2, format: .s16, periodFrames: 240, bufferFrames: 1000)
    #expect(
      device.output
        == OutputDescription(
          name: "virtual", rate: 48_000, channels: 2, format: .s16, periodFrames: 240, bufferFrames: 960))
    #expect(VirtualOutput().output.periodFrames == 40)
    #expect(VirtualOutput().output.bufferFrames == 120)
    #expect(device.counters == OutputCounters())
    #expect(device.scheduling == nil)
    #expect(device.statistics == nil)
  }

  @Test func inRealTimeItTakesWholePeriodsAtItsRateAndEndsWithTheLastFrame() throws {
    let device = VirtualOutput(rate: 48_000, format: .s16, recordingFrames: 96_000)
    let output = Output(device: device, configuration: OutputConfiguration(profiles: [.none]))
    let player = try output.makeEngine().makePlayer(for: schedule(tap(0), tap(0.1)))
    try player.start()
    let start = MonotonicClock.nanoseconds
    try output.start()
    #expect(output.drain(timeoutSeconds: 30) == .drained)
    let elapsed = MonotonicClock.nanoseconds - start
    // 800 + 110 render frames, 11 of the kernel's, six device frames each.
    let frames: Int64 = 6 * (800 + 110 + 11)
    #expect(elapsed >= frames * 1_000_000_000 / 48_000)
    let written = device.counters.writtenFrames
    #expect(written % 240 == 0)
    // No more than was heard and a buffer, and the periods of a late handler.
    #expect(written >= frames)
    #expect(Double(written) <= Double(elapsed) * 48e-6 + 720)
    #expect(device.counters.xruns == 0)
    #expect(device.counters.skippedFrames == 0)
    let statistics = try #require(device.statistics)
    // One wake-up a period, but for those that fill the buffer.
    #expect(Int64(statistics.wakeUps.reduce(0, +)) == written / 240 - 3)
    #expect(statistics.worstRenderSeconds > 0)
    #expect(statistics.peaks.count == 1 && (0.1...1).contains(statistics.peaks[0]))
    #expect(device.statistics?.peaks == [0])
    // The same renderer, to the bit.
    var offline: [UInt8] = []
    OfflineRender.render(player.schedule, profile: .none, rate: 48_000, format: .s16) { offline += $0 }
    #expect(Array(device.recorded.prefix(offline.count)) == offline)
    output.close()
  }

  @Test func theClockOfTheOutputFollowsTheDevice() throws {
    let device = VirtualOutput(rate: 8000)
    let output = Output(device: device, configuration: OutputConfiguration(profiles: [.none]))
    #expect(output.currentFrame == RenderFrame(0))
    try output.start()
    var last = RenderFrame(0)
    var readings = 0
    // Read often, and to the end, however much of the processor others have.
    while output.currentFrame < RenderFrame(800) || readings <= 100 {
      let frame = output.currentFrame
      #expect(frame >= last)
      last = frame
      readings += 1
    }
    #expect(device.counters.writtenFrames >= 800)
    #expect(output.timeline.estimatedRate.map { abs($0 - 8000) < 1 } == true)
    #expect(output.status.deviceDelayFrames.map { (0...120).contains($0) } == true)
    #expect(output.status.scheduling?.isEmpty == false)
    output.close()
  }

  @Test func anEndlessDrainIsCutOff() throws {
    let output = Output(device: VirtualOutput())
    let player = try output.makeEngine().makePlayer(for: schedule(tap(0)))
    player.isLooping = true
    try player.start()
    try output.start()
    #expect(output.drain(timeoutSeconds: 0.05) == .timedOut)
    output.close()
    output.close()
  }

  @Test func byHandADrainTurnsItThroughTheLastTail() throws {
    let rig = try Rig(rate: 48_000, format: .s16, recordingFrames: 100_000)
    let player = try rig.engine.makePlayer(for: schedule(tap(0), tap(0.5)))
    try player.start()
    try rig.output.start()
    #expect(rig.output.drain(timeoutSeconds: 10) == .drained)
    #expect(rig.log.finishes == [4110])
    #expect(rig.device.counters.writtenFrames >= 6 * (4110 + 11))
    var offline: [UInt8] = []
    OfflineRender.render(player.schedule, profile: .none, rate: 48_000, format: .s16) { offline += $0 }
    #expect(Array(rig.device.recorded.prefix(offline.count)) == offline)
    #expect(rig.output.currentFrame >= RenderFrame(4110))
  }

  @Test func byHandALoopTimesOutInItsOwnTime() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    player.isLooping = true
    player.loopEndSeconds = 0.1
    try player.start()
    try rig.output.start()
    #expect(rig.output.drain(timeoutSeconds: 1) == .timedOut)
    #expect(rig.log.loops == (1..<10).map { $0 * 800 })
  }

  @Test func anXrunLosesItsFramesAndNothingElse() throws {
    let rig = try Rig()
    let undisturbed = try Rig()
    for each in [rig, undisturbed] {
      let player = try each.engine.makePlayer(for: schedule(tone(0, duration: 1)))
      try player.start()
      try each.output.start()
    }
    let whole = undisturbed.turn(4000)
    let before = rig.turn(1000)
    rig.device.injectXrun(missedFrames: 400)
    let after = rig.turn(1000)
    #expect(before == Array(whole[..<1000]))
    #expect(after[0] == 0)
    // The ramp is over after 64 frames: bit-equal from there on.
    #expect(Array(after[64...]) == Array(whole[1464..<2400]))
    rig.device.injectSuspend()
    let resumed = rig.turn(1000)
    #expect(Array(resumed[64...]) == Array(whole[2464..<3400]))
    var counters = OutputCounters()
    counters.xruns = 1
    counters.suspends = 1
    counters.skippedFrames = 400
    counters.writtenFrames = 3000
    #expect(rig.device.counters == counters)
  }

  @Test(arguments: SampleFormat.allCases)
  func levelsAreThoseOfWhatItTook(_ format: SampleFormat) throws {
    let rig = try Rig(format: format)
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    try player.start()
    try rig.output.start()
    #expect(rig.device.takeLevels() == Levels())
    rig.turn(200)
    let levels = rig.device.takeLevels()
    // Signal model, section 2: 0.966 at sharpness 1, energy 6.4. Half a step of 16 bits, and its dither.
    #expect(abs(levels.peak - 0.966) < 0.001)
    #expect(abs(levels.sumOfSquares - 6.4) < 0.01)
    #expect(levels.sampleCount == 200)
    #expect(abs(levels.rms - (6.4 / 200).squareRoot()) < 0.001)
    rig.turn(8000)
    rig.device.discard(frames: 100)
    #expect(rig.device.takeLevels().sampleCount == 8100)
  }

  @Test func nothingIsTakenWithoutAStart() {
    let device = VirtualOutput(isTurnedByHand: true)
    #expect(device.advance(frames: 10).isEmpty)
    #expect(device.drain(through: DeviceFrame(100), timeoutSeconds: 0) == .drained)
    #expect(device.clockNanoseconds == 0)
  }

  @Test func itStartsOnce() throws {
    let device = VirtualOutput(isTurnedByHand: true)
    let first = Output(device: device)
    let second = Output(device: device)
    try first.start()
    try first.start()
    #expect(throws: OutputError.self) { try second.start() }
    #expect(throws: EngineError.notRunning) { try second.makeEngine() }
  }
}

/// The thread that devices render on.
@Suite struct RenderThreadTests {
  @Test func itSaysWhatItObtained() throws {
    let thread = RenderThread(name: "thrum-a-long-name")
    let names = Log<String>()
    #expect(thread.scheduling == nil)
    #expect(!thread.isCurrent)
    try thread.start { names.append(threadName()) }
    thread.join()
    thread.join()
    #expect(names.values == ["thrum-a-long-na"])
    let scheduling = try #require(thread.scheduling)
    #expect(scheduling.hasPrefix("SCHED_FIFO 10") || scheduling.hasPrefix("normal priority (SCHED_FIFO 10: "))
    #expect(!thread.isRunning)
  }

  @Test func itsStackIsAsLargeAsAskedFor() throws {
    let thread = RenderThread(name: "stack", stackBytes: 256 << 10)
    let sums = Log<Int>()
    try thread.start {
      // 200 KB of locals.
      let sum = withUnsafeTemporaryAllocation(byteCount: 200 << 10, alignment: 64) { memory in
        memory.initializeMemory(as: UInt8.self, repeating: 1)
        return memory.reduce(0) { $0 + Int($1) }
      }
      sums.append(sum)
    }
    thread.join()
    #expect(sums.values == [200 << 10])
  }

  private func threadName() -> String {
    guard let file = fopen("/proc/thread-self/comm", "r") else { return "" }
    defer { fclose(file) }
    var name: [UInt8] = []
    while true {
      let character = fgetc(file)
      if character == EOF || character == 10 { return String(decoding: name, as: UTF8.self) }
      name.append(UInt8(truncatingIfNeeded: character))
    }
  }
}
