import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Pages that were delivered for one place go back when the player is moved to another.
@Suite struct PageReturnTests {
  /// Forty pages of taps a millisecond apart.
  private static let pattern = Pattern(
    entries: (0..<40 * ScheduleView.pageEvents).map { tap(Double($0) / 1000, intensity: Float($0 % 7) / 7) })
  private static let streamed = ScheduleCompiler.compile(pattern, largestUnstreamedPageCount: 0)
  private static let whole = ScheduleCompiler.compile(pattern, largestUnstreamedPageCount: .max)
  private static let seconds = 40 * Double(ScheduleView.pageEvents) / 1000

  /// What a start needs, what the last two seeks delivered, what came for the one before last, and memory kept for the
  /// next.
  private static let most = 4 * PageWindow.ahead + 2

  private func pages(_ rig: HandRig, _ player: Player) -> Int {
    rig.console.withState { $0.players[player.number]?.window?.allocatedPages ?? 0 }
  }

  /// Fifty seeks to and fro, each followed by what a player comes to in `frames`.
  private func wander(
    _ schedule: Schedule, seed: UInt64, frames: Int, isPaused: Bool = false,
    drains: (Int) -> Bool = { _ in true }
  ) throws -> (samples: [Float], onsets: [[Int]], starved: Int, pages: Int) {
    let rig = try HandRig()
    let player = try rig.engine.makePlayer(for: schedule)
    var generator = SeededGenerator(seed: seed)
    var samples: [Float] = []
    try player.start()
    if isPaused { try player.pause(at: RenderFrame(160)) }
    var most = 0
    for round in 0..<50 {
      try player.seek(to: generator.number(in: 0..<Self.seconds - 10))
      for _ in 0..<frames / 400 {
        samples += rig.fill(400)
        if drains(round) { rig.drain() }
      }
      if drains(round) { most = max(most, pages(rig, player)) }
    }
    rig.drain()
    rig.fill(80)
    rig.drain()
    return (samples, rig.log.onsets, rig.starvedEvents, drains(48) ? most : pages(rig, player))
  }

  @Test("Fifty seeks hold no more pages than a few", arguments: [400, 40_000])
  func fiftySeeks(frames: Int) throws {
    let seed: UInt64 = 20
    let pages = try wander(Self.streamed, seed: seed, frames: frames)
    let all = try wander(Self.whole, seed: seed, frames: frames)
    #expect(pages.pages <= Self.most, "seed \(seed)")
    #expect(pages.samples == all.samples, "seed \(seed)")
    #expect(pages.onsets == all.onsets, "seed \(seed)")
    #expect(pages.onsets.count >= 50 * frames / 8 - 50)
    #expect(pages.starved == 0)
  }

  @Test("A paused player that is moved holds no more either")
  func paused() throws {
    let pages = try wander(Self.streamed, seed: 21, frames: 400, isPaused: true)
    #expect(pages.pages <= Self.most)
  }

  @Test("Handlers that return late hold pages up, and no longer than that")
  func lateHandlers() throws {
    let isLate = { (round: Int) in round % 10 == 9 }
    let pages = try wander(Self.streamed, seed: 22, frames: 400, drains: isLate)
    let all = try wander(Self.whole, seed: 22, frames: 400)
    #expect(pages.samples == all.samples)
    #expect(pages.starved == 0)
    #expect(pages.pages <= Self.most)
  }

  @Test("A start from the beginning has its pages, wherever the player was moved before")
  func startAfterSeeks() throws {
    let rig = try HandRig()
    let player = try rig.engine.makePlayer(for: Self.streamed)
    try player.start()
    // The second run is to come while the first is moved about.
    try player.start(at: RenderFrame(4000))
    rig.turn(800)
    for place in [100.0, 20, 130] {
      try player.seek(to: place)
      rig.turn(800)
    }
    rig.turn(800 + 10_000)
    let begun = rig.log.onsets.last?[0] ?? -1
    #expect(begun == 10_000 / 8 - 1)
    #expect(rig.starvedEvents == 0)
    #expect(pages(rig, player) <= Self.most)
  }

  @Test("A page that is asked back and wanted again at once is delivered anew, and each memory comes home")
  func thereAndBack() throws {
    let index = try #require(Self.streamed.index)
    var window = PageWindow(index: index)
    defer { window.deallocate() }
    var memories = window.missingPages(from: 0).map { window.deliver($0) }
    let far = Int64(20 * 32_768)
    let first = window.missingPages(from: far).map { window.deliver($0) }
    memories += first
    window.move(to: far)
    #expect(window.unwanted == [])
    window.move(to: 30 * 32_768)
    #expect(window.unwanted == [20, 21, 22, 23])
    // Moved back before they were asked for: they are still there.
    #expect(window.missingPages(from: far) == [])
    window.move(to: far)
    #expect(window.unwanted == [])
    window.move(to: 30 * 32_768)
    for page in window.unwanted { window.giveUp(page) }
    #expect(window.missingPages(from: far) == [20, 21, 22, 23])
    let again = window.missingPages(from: far).map { window.deliver($0) }
    #expect(Set(again).isDisjoint(with: memories))
    #expect(window.allocatedPages == 13)
    for (page, memory) in zip(20..<24, first) { window.takeBack(page, memory: memory, isLooping: false) }
    // What was asked back pulls nothing in, and the pages delivered anew are still out.
    #expect(window.wanted == [])
    #expect(window.missingPages(from: far) == [])
    window.takeBack(20, memory: again[0], isLooping: false)
    #expect(window.wanted == [24])
  }
}
