import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Pages that are wanted again while they are on their way back, and requests that find no room.
@Suite struct PageRequestTests {
  /// Eight frames a tap: a page lasts 32,768 frames.
  private static let schedule = ScheduleCompiler.compile(
    Pattern(entries: (0..<40_000).map { tap(Double($0) / 1000, intensity: 0.01) }),
    largestUnstreamedPageCount: 0)

  @Test("A page sought while it is on its way back is sent again")
  func seekIntoAPageJustLeft() throws {
    let rig = try HandRig()
    let player = try rig.engine.makePlayer(for: Self.schedule)
    try player.start()
    rig.turn(65_200)
    // Leaves page 1, which is now in the release queue.
    rig.fill(800)
    try player.seek(to: 5)
    rig.fill(80)
    rig.drain()
    let before = rig.log.onsets.count
    rig.turn(32_000)
    #expect(rig.log.onsets.count >= before + 3900)
    #expect(player.isActive)
  }

  @Test("A page asked for while it is on its way there is not sent twice")
  func requestsThatCross() throws {
    let index = try #require(Self.schedule.index)
    var window = PageWindow(index: index)
    defer { window.deallocate() }
    let memories = (0..<5).map { window.deliver($0) }
    #expect(memories.map { $0[0].startFrame } == [0, 32_768, 65_536, 98_304, 131_072])
    // Asked for when three pages had arrived: the fourth is under way.
    window.need(3, afterDeliveries: 3)
    window.takeBack(3, memory: memories[3], isLooping: false)
    #expect(window.wanted == [5, 6, 7])
    // Asked for when all had arrived: it is on its way back, and comes first.
    window.need(2, afterDeliveries: 5)
    #expect(window.wanted == [3, 5, 6, 7])
    window.takeBack(2, memory: memories[2], isLooping: false)
    #expect(window.wanted.first == 2)
  }

  @Test("A page is asked for again when the request found no room")
  func requestsWithoutRoom() throws {
    var settings = RendererSettings()
    settings.playerCapacity = 1
    settings.notificationCapacity = 4
    let rig = try HandRig(settings: settings)
    let player = try rig.engine.makePlayer(for: Self.schedule)
    try player.start()
    rig.turn(65_200)
    // No handler returns for a while: restarts fill the queue to its last place, and a seek asks for a page then.
    for _ in 0..<20 {
      try player.start()
      rig.fill(8)
    }
    try player.seek(to: 25)
    rig.fill(40)
    while rig.feed.stage.pointee.port.releases.pop() != nil { Issue.record("nothing has come back yet") }
    rig.drain()
    rig.turn(160_000)
    #expect(!player.isActive)
    #expect(rig.log.finishes.count == 21)
  }
}
