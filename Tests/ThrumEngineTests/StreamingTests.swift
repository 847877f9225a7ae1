import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// Long patterns go to the render thread page by page, and sound as if they were there from the start.
@Suite struct StreamingTests {
  /// 28,672 taps a millisecond apart, with every other pair swapped in the file, and a last one alone: eight
  /// pages.
  static let pattern: Pattern = {
    var entries = (0..<28_672).map { tap(Double($0) / 1000, intensity: Float($0 % 10) / 10) }
    for index in stride(from: 0, to: entries.count, by: 4) { entries.swapAt(index, index + 1) }
    return Pattern(entries: entries + [tap(30)])
  }()

  static let streamed = ScheduleCompiler.compile(pattern, largestUnstreamedPageCount: 0)
  static let whole = ScheduleCompiler.compile(pattern)

  @Test func aStreamedPatternSoundsLikeAWholeOne() throws {
    #expect(Self.streamed.view.isStreamed)
    #expect(!Self.whole.view.isStreamed)
    #expect(Self.streamed.view.pageCount == 8)
    let all = try play(Self.whole)
    let pages = try play(Self.streamed)
    #expect(all.samples == pages.samples)
    #expect(all.onsets == pages.onsets)
    #expect(pages.onsets.count == 28_673)
    #expect(pages.starved == 0)
  }

  @Test func pagesComeBackAndAreUsedAgain() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: Self.streamed)
    try player.start()
    var most = 0
    for _ in 0..<250 {
      rig.turn(1000)
      let pages = rig.output.console.withState { $0.players[player.number]?.window?.allocatedPages ?? 0 }
      most = max(most, pages)
    }
    // The first page stays; beside it those ahead, the one that plays and the one that has just been.
    #expect(most <= PageWindow.ahead + 3)
    #expect(rig.log.finishes == [240_000 + sharpTapFrames])
    #expect(rig.output.status.starvedEvents == 0)
  }

  @Test func twoPlayersStreamOneSchedule() throws {
    let rig = try Rig()
    try rig.output.start()
    let first = try rig.engine.makePlayer(for: Self.streamed)
    let second = try rig.engine.makePlayer(for: Self.streamed)
    try first.start()
    try second.start(at: RenderFrame(64_000))
    for _ in 0..<310 { rig.turn(1000) }
    #expect(rig.log.onsets.count == 2 * 28_673)
    #expect(rig.output.status.starvedEvents == 0)
  }

  @Test func aStreamedLoopIsNeverStarved() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: Self.streamed)
    player.isLooping = true
    try player.start()
    for _ in 0..<550 { rig.turn(1000) }
    #expect(rig.log.loops == [240_000, 480_000])
    #expect(rig.output.status.starvedEvents == 0)
    // Two passes, less the tap at the very end, which gives way to the next pass; and 70,000 frames of the
    // third.
    #expect(rig.log.onsets.count == 2 * 28_672 + 8750)
  }

  @Test func aSeekDeliversWhatItLandsOn() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: Self.streamed)
    try player.seek(to: 20)
    try player.start()
    for _ in 0..<20 { rig.turn(400) }
    #expect(rig.log.onsets.count == 1000)
    #expect(rig.log.onsets.first?[1] == 0)
    try player.seek(to: 5)
    for _ in 0..<20 { rig.turn(400) }
    #expect(rig.log.onsets.count == 2000)
    try player.start()
    for _ in 0..<20 { rig.turn(400) }
    #expect(rig.log.onsets.count == 3000)
    #expect(rig.output.status.starvedEvents == 0)
  }

  @Test func aRestartInTheMiddleStreamsFromTheStartAgain() throws {
    let rig = try Rig()
    try rig.output.start()
    let player = try rig.engine.makePlayer(for: Self.streamed)
    try player.start()
    for _ in 0..<150 { rig.turn(1000) }
    try player.start()
    for _ in 0..<250 { rig.turn(1000) }
    #expect(rig.log.onsets.count == 18_750 + 28_673)
    #expect(rig.output.status.starvedEvents == 0)
  }

  @Test func aPageThatIsAskedForComesFirst() {
    guard let index = Self.streamed.index else {
      Issue.record("the pattern is not streamed")
      return
    }
    var window = PageWindow(index: index)
    defer { window.deallocate() }
    #expect(window.missingPages(from: 0) == [0, 1, 2, 3, 4])
    let memories = window.missingPages(from: 0).map { window.deliver($0) }
    #expect(memories.map { $0[0].startFrame } == [0, 32_768, 65_536, 98_304, 131_072])
    window.takeBack(1, memory: memories[1], isLooping: false)
    #expect(window.wanted == [5])
    window.need(7, afterDeliveries: 5)
    #expect(window.wanted == [7, 5])
    window.need(9, afterDeliveries: 5)
    #expect(window.wanted == [7, 5])
    let last = window.deliver(7)
    #expect(last[0].startFrame == 240_000)
    #expect(window.wanted == [5])
    window.takeBack(7, memory: last, isLooping: true)
    #expect(window.wanted == [5, 1])
  }

  private func play(_ schedule: Schedule) throws -> (samples: [Float], onsets: [[Int]], starved: Int) {
    let rig = try Rig()
    let player = try rig.engine.makePlayer(for: schedule)
    try player.start()
    try rig.output.start()
    var samples: [Float] = []
    for _ in 0..<250 { samples += rig.turn(1000) }
    return (samples, rig.log.onsets, rig.output.status.starvedEvents)
  }
}
