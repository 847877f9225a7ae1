import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// When a device's loop wakes the handler thread.
@Suite struct NewsTests {
  @Test("Only what happened rings: an onset, an end, a command that was applied, and what was not taken yet")
  func rings() throws {
    let rig = try HandRig()
    let bell = Doorbell()
    rig.feed.bell = bell
    let player = try rig.engine.makePlayer(for: schedule(tone(0.1, duration: 1)))
    try player.start()
    /// Whether the frames ring, and then those after them when all has been taken.
    func ring(_ frames: Int) -> Bool {
      let before = bell.count
      rig.fill(frames)
      rig.feed.tellNews()
      return bell.count == before + 1
    }
    func tells() -> Bool { rig.feed.tellsNews.load(ordering: .relaxed) }
    #expect(!tells())
    #expect(ring(80))
    #expect(tells())
    rig.drain()
    #expect(!ring(640))
    // The onset on frame 800.
    #expect(ring(160))
    #expect(ring(8), "nobody has taken it")
    rig.drain()
    #expect(!ring(4000))
    try player.setControl(.hapticIntensityControl, 0.5)
    #expect(ring(8))
    rig.drain()
    #expect(!ring(800))
    #expect(ring(8000))
    rig.drain()
    #expect(rig.log.finishes.count == 1)
    #expect(!ring(800))
  }

  @Test("A bell that somebody is at is not waited for, and rung the next time")
  func busyBell() throws {
    let rig = try HandRig()
    rig.feed.bell = nil
    let player = try rig.engine.makePlayer(for: schedule(tap(0)))
    try player.start()
    rig.fill(80)
    // Without a bell, as with one that cannot be had, it stays untold.
    rig.feed.tellNews()
    rig.drain()
    let bell = Doorbell()
    rig.feed.bell = bell
    rig.feed.tellNews()
    #expect(bell.count == 1)
    rig.feed.tellNews()
    #expect(bell.count == 1)
  }

  @Test("The handler thread is woken by a device that plays by itself, and looks no more often than it is")
  func wakeUps() throws {
    let output = Output(device: VirtualOutput())
    let counts = Log<Int>()
    output.observe { [pump = output.pump] _ in counts.append(pump.passCount) }
    let ended = Doorbell()
    let player = try output.makeEngine().makePlayer(for: schedule(tap(0), tone(0.05, duration: 0.3)))
    player.onFinish = { _ in ended.ring() }
    try player.start()
    try output.start()
    let limit = MonotonicClock.nanoseconds + 20_000_000_000
    while ended.count == 0, MonotonicClock.nanoseconds < limit {
      ended.wait(after: 0, untilNanoseconds: limit)
    }
    #expect(ended.count == 1)
    // From the tone's onset to its end, by which time the device has told once: looking every 2 ms would make 150.
    #expect(counts.values.count == 3)
    #expect((counts.values.last ?? .max) - (counts.values.dropFirst().first ?? 0) < 15)
    output.close()
  }
}
