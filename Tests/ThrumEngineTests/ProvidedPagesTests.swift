import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// A long pattern is rendered to a file with the pages it is at, and to the same bytes as with all of them.
@Suite struct ProvidedPagesTests {
  /// Events of every kind at random, out of order, some hundreds of them on one frame, with controls between.
  private static func pattern(seed: UInt64, events: Int) -> Pattern {
    var random = SeededGenerator(seed: seed)
    var entries = PatternEntries()
    let seconds = Double(events) / 3000
    for index in 0..<events {
      var event = Event(type: random.chance(0.8) ? .hapticTransient : .hapticContinuous, time: 0)
      event.time = index % 40 == 0 ? seconds / 3 : random.number(in: 0..<seconds)
      if event.type == .hapticContinuous { event.duration = random.number(in: 0.0001..<0.02) }
      event.parameters[.hapticIntensity] = Float(random.number(in: 0..<0.02))
      event.parameters[.hapticSharpness] = Float(random.number(in: 0..<1))
      entries.append(.event(event))
      if index % 101 == 0 {
        let id = random.one(of: [DynamicParameterID.hapticIntensityControl, .hapticSharpnessControl])
        entries.append(.parameter(DynamicParameter(id: id, value: 0.5, time: event.time)))
      }
    }
    return Pattern(entries: entries)
  }

  private func render(_ schedule: Schedule, rate: Int, passes: Int, blockFrames: Int) -> (
    bytes: [UInt8], result: OfflineRender.Result
  ) {
    var bytes: [UInt8] = []
    let result = OfflineRender.render(
      schedule, profile: .safe, rate: rate, format: .float, passes: passes, blockFrames: blockFrames
    ) { bytes += $0 }
    return (bytes, result)
  }

  @Test(arguments: [(8000, 1, 1024), (8000, 3, 1024), (8000, 2, 1), (48_000, 1, 999), (8000, 1, 100_000)])
  func rendersTheSameBytes(rate: Int, passes: Int, blockFrames: Int) {
    for seed in [UInt64(rate + passes)] {
      let pattern = Self.pattern(seed: seed, events: 9000)
      let provided = ScheduleCompiler.compile(pattern, largestUnstreamedPageCount: 0)
      let whole = ScheduleCompiler.compile(pattern, largestUnstreamedPageCount: .max)
      #expect(provided.view.pageCount == 3)
      let left = render(provided, rate: rate, passes: passes, blockFrames: blockFrames)
      let right = render(whole, rate: rate, passes: passes, blockFrames: 1024)
      #expect(left.bytes == right.bytes, "seed \(seed)")
      #expect(left.result == right.result, "seed \(seed)")
    }
  }

  /// A pass that is shorter than what is provided for at once has all its pages.
  @Test func rendersShortPasses() {
    let entries = (0..<9000).map { tap(Double($0 % 90) / 8000, intensity: 0.001) }
    let pattern = Pattern(entries: entries)
    let provided = ScheduleCompiler.compile(pattern, largestUnstreamedPageCount: 0)
    let left = render(provided, rate: 8000, passes: 9, blockFrames: 64)
    let right = render(ScheduleCompiler.compile(pattern), rate: 8000, passes: 9, blockFrames: 64)
    #expect(left.bytes == right.bytes)
  }

  @Test func holdsFewPages() throws {
    let schedule = ScheduleCompiler.compile(StreamingTests.pattern, largestUnstreamedPageCount: 0).provided
    let pages = try #require(ProvidedPages(schedule, isLooping: false))
    var most = 0
    for frame in stride(from: Int64(0), to: 250_000, by: 1000) {
      pages.provide(from: frame, through: frame + 1000)
      let there = (0..<schedule.view.pageCount).filter { schedule.view.pages[$0] != nil }
      most = max(most, there.count)
      // Every event of the block is there.
      for event in schedule.firstEvent(atFrame: frame)..<schedule.firstEvent(atFrame: frame + 1000) {
        #expect(there.contains(event / ScheduleView.pageEvents))
      }
    }
    #expect(most <= 2)
  }

  /// Frames so far apart that they do not fit into a number with the place beside them.
  @Test func sortsTimesThatAreFarApart() {
    var random = SeededGenerator(seed: 9)
    let times = (0..<300).map { _ in random.chance(0.5) ? random.number(in: 0..<1e12) : 3 }
    for scale in [1e-9, 1.0] {
      let pattern = Pattern(entries: times.map { tap($0 * scale) })
      let index = EventIndex(entries: pattern.entries)
      let memory = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: ScheduleView.pageEvents)
      defer { memory.deallocate() }
      index.compile(page: 0, into: memory)
      let order = (0..<index.count).map { Int(memory[$0].entryIndex) }
      let expected = times.indices.sorted {
        let left = Timeline.frame(atSeconds: times[$0] * scale).value
        let right = Timeline.frame(atSeconds: times[$1] * scale).value
        return (left, $0) < (right, $1)
      }
      #expect(order == expected)
    }
  }
}
