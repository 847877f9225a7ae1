import Synchronization
import Testing
import ThrumRealtime

@testable import ThrumEngine

/// The delay-locked loop and what is read of it, on a simulated clock.
@Suite struct ClockTests {
  /// A card that is fast or slow, and a program that reads its position late.
  struct Card {
    /// Its true time between two frames at 48 kHz.
    var nanosecondsPerFrame: Double
    /// The longest lateness of a reading, evenly spread from 0.
    var latenessNanoseconds: Double = 0
    var seed: UInt64 = 1

    static let start: Int64 = 1_000_000_000_000_000

    func time(of frame: Int64) -> Double { Double(frame) * nanosecondsPerFrame }

    /// The pair that a program reports about a frame.
    mutating func reading(of frame: Int64) -> Int64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let late = Double(seed >> 40) / Double(1 << 24) * latenessNanoseconds
      return Card.start + Int64((time(of: frame) + late).rounded())
    }
  }

  static let nominal = 1e9 / 48_000

  @Test(arguments: [-1000.0, -6, 0, 18, 741])
  func theRateIsFound(_ partsPerMillion: Double) {
    var card = Card(nanosecondsPerFrame: Self.nominal * (1 + partsPerMillion * 1e-6))
    var loop = ClockLoop(rate: 48_000)
    for period in 0..<6000 {
      let frame = Int64(period) * 240
      loop.update(frame: frame, nanoseconds: card.reading(of: frame))
    }
    // 30 s: within a hundredth of a part in a million, and the position within a microsecond.
    #expect(abs(loop.nanosecondsPerFrame / card.nanosecondsPerFrame - 1) < 1e-8)
    let error = Double(loop.nanoseconds(ofFrame: 1_440_000) - Card.start) - card.time(of: 1_440_000)
    #expect(abs(error) < 1000)
  }

  @Test func jitterIsSmoothed() {
    // 200 µs of lateness at 5 ms periods, evenly spread: a standard deviation of 58 µs.
    var card = Card(nanosecondsPerFrame: Self.nominal, latenessNanoseconds: 200_000, seed: 7)
    var loop = ClockLoop(rate: 48_000)
    var worst = 0.0
    for period in 0..<12_000 {
      let frame = Int64(period) * 240
      loop.update(frame: frame, nanoseconds: card.reading(of: frame))
      if period < 6000 { continue }
      // The mean lateness of 100 µs is the card's as far as anybody can tell.
      let error = Double(loop.nanoseconds(ofFrame: Double(frame)) - Card.start) - card.time(of: frame)
      worst = max(worst, abs(error - 100_000))
    }
    #expect(worst < 20_000, "seed 7")
    #expect(abs(loop.nanosecondsPerFrame / Self.nominal - 1) < 2e-5, "seed 7")
  }

  @Test func positionsThatGoBackwardsArePassedOver() {
    var loop = ClockLoop(rate: 48_000)
    loop.update(frame: 480, nanoseconds: 10_000_000)
    let before = loop
    loop.update(frame: 470, nanoseconds: 12_000_000)
    loop.update(frame: 480, nanoseconds: 12_000_000)
    #expect(loop == before)
  }

  @Test(arguments: [0.02, 0.5, 1, 30])
  func anOutageIsBridgedToWithinADeviceFrame(_ outageSeconds: Double) {
    var card = Card(nanosecondsPerFrame: Self.nominal * (1 + 50e-6))
    let feed = makeFeed(rate: 48_000)
    #expect(feed.dueFrame(atNanoseconds: 0) == nil)
    var frame: Int64 = 0
    for period in 0..<4000 {
      frame = Int64(period) * 240
      feed.report(heard: DeviceFrame(frame), nanoseconds: card.reading(of: frame), delayFrames: 720)
    }
    let due = frame + Int64(outageSeconds * 48_000)
    let now = Card.start + Int64(card.time(of: due).rounded())
    let answer = feed.dueFrame(atNanoseconds: now)
    #expect(abs((answer?.value ?? 0) - due) <= 1)
  }

  @Test func aJumpIsFollowedAtOnceAndTheRateKept() {
    var card = Card(nanosecondsPerFrame: Self.nominal * (1 + 100e-6))
    var loop = ClockLoop(rate: 48_000)
    for period in 0..<4000 {
      loop.update(frame: Int64(period) * 240, nanoseconds: card.reading(of: Int64(period) * 240))
    }
    let rate = loop.nanosecondsPerFrame
    // The device comes back a second later than its clock would have it.
    let frame: Int64 = 4000 * 240
    let late = card.reading(of: frame) + 1_000_000_000
    loop.update(frame: frame, nanoseconds: late)
    #expect(loop.nanoseconds(ofFrame: Double(frame)) == late)
    #expect(loop.nanosecondsPerFrame == rate)
  }

  @Test func theTimelineIsSmoothAndNeverGoesBackwards() {
    let clock = PublishedClock(rate: 48_000)
    let now = Log<Int64>()
    let timeline = Timeline(clock: clock, timing: OutputTiming(rate: 48_000, isLimited: true)) {
      now.values.last ?? 0
    }
    #expect(timeline.currentFrame == RenderFrame(0))
    #expect(timeline.nanoseconds(of: RenderFrame(0)) == nil)
    #expect(timeline.frame(atNanoseconds: 0) == nil)
    var card = Card(nanosecondsPerFrame: Self.nominal, latenessNanoseconds: 2_000_000, seed: 3)
    var loop = ClockLoop(rate: 48_000)
    var last = 0.0
    var smallest = Double.infinity
    var largest = 0.0
    for period in 0..<2000 {
      let frame = Int64(period) * 240
      loop.update(frame: frame, nanoseconds: card.reading(of: frame))
      clock.publish(loop, delayFrames: 720)
      now.append(Card.start + Int64(card.time(of: frame)) + 2_500_000)
      let seconds = timeline.currentSeconds
      if period > 1000 {
        smallest = min(smallest, seconds - last)
        largest = max(largest, seconds - last)
      }
      #expect(seconds >= last, "seed 3, period \(period)")
      last = seconds
    }
    // Readings 5 ms apart, up to 2 ms late: the clock goes 5 ms a period to within a twentieth of one.
    #expect(smallest > 0.00475, "seed 3")
    #expect(largest < 0.00525, "seed 3")
  }

  @Test func whatIsHeardAllowsForTheDelays() {
    let clock = PublishedClock(rate: 48_000)
    let timing = OutputTiming(rate: 48_000, isLimited: true)
    var loop = ClockLoop(rate: 48_000)
    loop.update(frame: 48_000, nanoseconds: 5_000_000_000)
    clock.publish(loop, delayFrames: 720)
    let timeline = Timeline(clock: clock, timing: timing) { 5_000_000_000 }
    // A second of device frames, less 8 frames of the limiter and 6 of the kernel.
    #expect(timeline.currentFrame == RenderFrame(8000 - 14))
    #expect(timeline.nanoseconds(of: RenderFrame(8000 - 14)) == 5_000_000_000)
    #expect(timeline.frame(atNanoseconds: 5_000_000_000) == RenderFrame(8000 - 14))
    #expect(timeline.frame(atNanoseconds: 5_000_000_000 + 62_400) == RenderFrame(8000 - 14))
    #expect(timeline.frame(atNanoseconds: 5_000_000_000 + 62_600) == RenderFrame(8000 - 13))
    #expect(timing.deviceFrame(of: RenderFrame(8000 - 14)) == DeviceFrame(48_000))
    #expect(timeline.deviceDelayFrames == 720)
    #expect(timeline.estimatedRate == 48_000)
  }

  @Test func aReaderNeverSeesHalfOfAPublication() async {
    let clock = PublishedClock(rate: 8000)
    let isDone = Atomic<Bool>(false)
    async let torn: Int = Task.detached {
      var torn = 0
      while !isDone.load(ordering: .acquiring) {
        guard let (loop, delay) = clock.read() else { continue }
        // Everything that is published carries the same number.
        if loop.originFrame != Int64(delay) || loop.originNanoseconds != Int64(delay) { torn += 1 }
      }
      return torn
    }.value
    for number in 1...200_000 {
      var loop = ClockLoop(rate: 8000)
      loop.update(frame: Int64(number), nanoseconds: Int64(number))
      clock.publish(loop, delayFrames: number)
    }
    isDone.store(true, ordering: .releasing)
    #expect(await torn == 0)
    #expect(clock.read()?.delayFrames == 200_000)
  }

  private func makeFeed(rate: Int) -> OutputFeed {
    OutputFeed(
      stage: OutputStage(
        settings: RendererSettings(), profiles: [.none], map: .allHaptic(channels: 1), rate: rate,
        format: .float))
  }
}
