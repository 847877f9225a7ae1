import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// The ends of what numbers and lifetimes allow.
@Suite struct EdgeTests {
  @Test("The time of a frame that no clock counts to is the last one that it does")
  func timesBeyondTheClock() throws {
    let rig = try Rig()
    try rig.output.start()
    rig.turn(800)
    let timeline = rig.output.timeline
    let last = Timeline.frame(atSeconds: .infinity)
    let time = try #require(timeline.nanoseconds(of: RenderFrame(8000)))
    #expect(time == 1_000_000_000)
    for frame in [last, RenderFrame(.max)] {
      #expect(try #require(timeline.nanoseconds(of: frame)) > 4_000_000_000_000_000_000)
    }
    for frame in [RenderFrame(-last.value), RenderFrame(.min)] {
      #expect(try #require(timeline.nanoseconds(of: frame)) < -4_000_000_000_000_000_000)
    }
  }

  @Test("What is asked for on the last frame there is never happens")
  func theLastFrame() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: schedule(tone(0, duration: 1)))
    try player.start()
    try player.stop(at: RenderFrame(.max))
    try player.pause(at: RenderFrame(.max - 3))
    try player.setControl(.hapticIntensityControl, 0, at: RenderFrame(.max))
    rig.turn(800)
    #expect(rig.turn(800).contains { $0 != 0 })
    #expect(rig.output.status.commandsUnderWay == 3)
    try player.cancel()
    rig.turn(160)
    #expect(rig.output.status.commandsUnderWay == 0)
  }

  @Test("A device that is turned by hand gives nothing after its close")
  func nothingAfterTheClose() throws {
    let device = VirtualOutput(isTurnedByHand: true)
    do {
      let output = Output(device: device)
      let player = try output.makeEngine().makePlayer(for: schedule(tone(0, duration: 1)))
      try player.start()
      try output.start()
      #expect(device.advance(frames: 80).count == 320)
      output.close()
    }
    #expect(device.advance(frames: 80).isEmpty)
    device.discard(frames: 80)
    #expect(device.drain(through: DeviceFrame(8000), timeoutSeconds: 1) == .drained)
    #expect(device.counters.writtenFrames == 80)
  }

  @Test("A render thread let go of as it starts runs to its end, and starts once")
  func threadsLetGoOf() throws {
    let runs = Log<Int>()
    for run in 0..<100 {
      let thread = RenderThread(name: "edge")
      try thread.start { runs.append(run) }
    }
    #expect(runs.values == Array(0..<100))
    let thread = RenderThread(name: "edge")
    try thread.start {}
    #expect(throws: OutputError.self) { try thread.start {} }
    thread.join()
    #expect(thread.scheduling != nil)
  }

  @Test("A rate reads back as it is played")
  func ratesAreHeld() throws {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    player.rate = 1e9
    #expect(player.rate == 65_536)
    player.rate = 1e-9
    #expect(player.rate == 0x1p-16)
    player.rate = .nan
    #expect(player.rate == 0x1p-16)
  }

  @Test("A seek while it plays does not make the next start send pages of there")
  func aSeekWhilePlayingIsDone() throws {
    let rig = try HandRig()
    let player = try rig.engine.makePlayer(for: StreamingTests.streamed)
    try player.start()
    rig.turn(800)
    try player.seek(to: 28)
    rig.turn(8000)
    try player.stop()
    rig.turn(800)
    try player.start()
    // The start alone: the first pages are there, and nobody asked for those at 28 s again.
    #expect(rig.console.withState { $0.commandsUnderWay } == 1)
  }
}
