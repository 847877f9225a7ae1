import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// More events at a time than pages wait: a render has them all, a player counts what it had to pass over.
@Suite struct StarvingTests {
  /// Seven pages, of which five go ahead of a start.
  static let count = 24_600

  /// Streams however short.
  static func streamed(_ entries: [Pattern.Entry]) -> Schedule {
    ScheduleCompiler.compile(Pattern(entries: entries), largestUnstreamedPageCount: 0)
  }

  static func fewVoices(_ count: Int = 8) -> RendererSettings {
    var settings = RendererSettings()
    settings.voiceCapacity = count
    settings.fadeCapacity = 2
    settings.notificationCapacity = 1 << 17
    return settings
  }

  private func render(_ schedule: Schedule, blockFrames: Int, passes: Int = 1, voices: Int = 8) -> (
    samples: [Float], result: OfflineRender.Result
  ) {
    var bytes: [UInt8] = []
    let result = OfflineRender.render(
      schedule, profile: .none, rate: 8000, format: .float, passes: passes, blockFrames: blockFrames,
      settings: Self.fewVoices(voices)
    ) { bytes += $0 }
    return (floats(bytes), result)
  }

  @Test("A render of taps that all begin at once loses them to stealing alone", arguments: [1, 7, 64, 4096])
  func tapsAtOnce(_ blockFrames: Int) {
    let entries = (0..<Self.count).map { _ in tap(0, intensity: 0.01) }
    let (samples, result) = render(Self.streamed(entries), blockFrames: blockFrames)
    let whole = render(ScheduleCompiler.compile(Pattern(entries: entries)), blockFrames: 1024)
    #expect(result.frames == sharpTapFrames)
    #expect(result.stolenVoices == Self.count - 8)
    #expect(samples == whole.samples)
    #expect(result == whole.result)
  }

  @Test("A render of taps faster than pages has them all", arguments: [7, 64, 1024, 4096])
  func tapsInAFifthOfASecond(_ blockFrames: Int) {
    let entries = (0..<Self.count).map { tap(0.2 * Double($0) / Double(Self.count), intensity: 0.01) }
    let (samples, result) = render(Self.streamed(entries), blockFrames: blockFrames)
    let whole = render(ScheduleCompiler.compile(Pattern(entries: entries)), blockFrames: 1024)
    #expect(samples == whole.samples)
    #expect(result == whole.result)
  }

  @Test("A render of tones that all begin at once, twice, has them all", arguments: [7, 1024])
  func tonesAtOnce(_ blockFrames: Int) {
    let entries = (0..<Self.count).map { _ in tone(0, duration: 0.01) }
    let (samples, result) = render(
      Self.streamed(entries), blockFrames: blockFrames, passes: 2, voices: 1)
    let whole = render(
      ScheduleCompiler.compile(Pattern(entries: entries)), blockFrames: 64, passes: 2, voices: 1)
    #expect(result.stolenVoices >= 2 * (Self.count - 1))
    #expect(samples == whole.samples)
    #expect(result == whole.result)
  }

  @Test("A player counts the events whose pages came too late")
  func starvedEventsAreCounted() throws {
    let rig = try Rig(settings: Self.fewVoices())
    let player = try rig.engine.makePlayer(
      for: Self.streamed((0..<Self.count).map { _ in tap(0, intensity: 0.01) }))
    try player.start()
    try rig.output.start()
    for _ in 0..<10 { rig.turn(400) }
    #expect(!player.isActive)
    #expect(rig.output.status.starvedEvents == Self.count - 5 * ScheduleView.pageEvents)
    #expect(rig.log.onsets.count == 5 * ScheduleView.pageEvents)
  }

  @Test("A pass that ends before its pages came counts them")
  func starvedPassesAreCounted() throws {
    let rig = try HandRig(settings: Self.fewVoices())
    let late = 4200
    let entries = (0..<Self.count).map { tap($0 < Self.count - late ? 0 : 0.02, intensity: 0.01) }
    let player = try rig.engine.makePlayer(for: Self.streamed(entries))
    player.loopEndSeconds = 0.01
    try player.play(passes: 3)
    // Two wraps and the first frames of the last pass before any page is sent.
    rig.fill(200)
    rig.turn(1600)
    #expect(!player.isActive)
    #expect(rig.log.loops == [80, 160])
    // The last pass goes on behind the loop's end.
    let begun = rig.log.onsets.count
    #expect(begun + rig.starvedEvents == 3 * Self.count - 2 * late)
    #expect(rig.starvedEvents > 0)
  }
}
