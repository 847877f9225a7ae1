import Foundation
import TestSupport
import Testing
import ThrumPattern

@testable import ThrumEngine
@testable import ThrumRealtime

/// Touch on one card and sound on another, whose clocks do not agree.
@Suite("Two cards")
struct TwoCardTests {
  /// A card that plays frames at its own true rate, seen through readings that are off by up to 50 µs.
  private struct Card {
    let rate: Double
    var random: SeededGenerator

    mutating func reading(at seconds: Double) -> (frame: Int64, nanoseconds: Int64) {
      let noise = random.number(in: -50e-6..<50e-6)
      return (Int64((seconds * rate).rounded(.down)), Int64(((seconds + noise) * 1e9).rounded()))
    }
  }

  @Test("For an hour they stay within a millisecond", arguments: [200e-6, -200e-6])
  func hour(apart: Double) throws {
    let seed: UInt64 = 7
    var touch = Card(rate: 48_000 * (1 + apart), random: SeededGenerator(seed: seed))
    var sound = Card(rate: 44_100 * (1 - apart), random: SeededGenerator(seed: seed + 1))
    let storage = LinkStorage(rate: 48_000, aheadSeconds: 0.02)
    let timing = OutputTiming(rate: 48_000, isLimited: true, linkRate: 48_000)
    let clock = PublishedClock(rate: 48_000)
    var loop = ClockLoop(rate: 48_000)
    let feed = SoundFeed(
      storage: storage, master: clock, timing: timing, rate: 44_100,
      map: ChannelMap([.soundLeft, .soundRight]),
      format: .float, lateSeconds: 0)
    var worst = 0.0
    var settled = 0.0
    var seconds = 0.0
    // 10 ms a turn; the device holds 20 ms.
    while seconds < 3600 {
      seconds += 0.01
      let heard = touch.reading(at: seconds)
      loop.update(frame: heard.frame, nanoseconds: heard.nanoseconds)
      clock.publish(loop, delayFrames: 0)
      let own = sound.reading(at: seconds)
      feed.report(heard: DeviceFrame(own.frame), nanoseconds: own.nanoseconds)
      while feed.nextFrame.value < own.frame + 882 { feed.skip(frames: 441) }
      if seconds < 1 { continue }
      let due = Double(feed.nextFrame.value) / sound.rate
      let apart = abs(feed.position - feed.place(heardBy: due * touch.rate)) / 48_000
      worst = max(worst, apart)
      if seconds > 60 { settled = max(settled, apart) }
    }
    print("\(apart * 1e6) ppm: worst \(worst * 1e6) µs, after a minute \(settled * 1e6) µs")
    #expect(worst <= 1e-3, "seed \(seed)")
    #expect(settled <= 0.1e-3, "seed \(seed)")
  }

  @Test("Until it knows its place the other one is silent, and then it begins without a click")
  func beginning() throws {
    let storage = LinkStorage(rate: 48_000, aheadSeconds: 0.02)
    let held = [Float](repeating: 1, count: 9600)
    storage.link.write(left: held, right: held, frames: held.count)
    let clock = PublishedClock(rate: 48_000)
    let feed = SoundFeed(
      storage: storage, master: clock,
      timing: OutputTiming(rate: 48_000, isLimited: false, linkRate: 48_000), rate: 48_000,
      map: ChannelMap([.soundBoth]), format: .float, lateSeconds: 0)
    let room = UnsafeMutableRawPointer.allocate(byteCount: 4 * 480, alignment: 16)
    defer { room.deallocate() }
    func made() -> [Float] {
      feed.fill(room, frames: 480)
      return Array(UnsafeRawBufferPointer(start: room, count: 4 * 480).bindMemory(to: Float.self))
    }
    #expect(made().allSatisfy { $0 == 0 })
    var loop = ClockLoop(rate: 48_000)
    for turn in 0..<10 as Range<Int64> {
      loop.update(frame: 480 * turn, nanoseconds: 10_000_000 * turn)
      clock.publish(loop, delayFrames: 0)
      feed.report(heard: DeviceFrame(480 * turn), nanoseconds: 10_000_000 * turn)
    }
    let heard = made()
    #expect(abs(heard[0]) < 0.001 && abs(heard[479] - 1) < 0.01)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 0.01 })
  }

  @Test(
    "The haptic device gets the same bytes, and the tone on the other one has no clicks",
    arguments: [0.02, 1.5])
  func tone(held: Double) throws {
    let seed: UInt64 = 9
    let files = try SoundFiles()
    let step = 2 * Double.pi * 200 / 48_000
    _ = try files.wav((0..<48_000).map { frame in Float(sin(step * Double(frame))) }, named: "hum.wav")
    let pattern = Pattern(.tap(at: 0.5), .sound("hum.wav", for: 8, envelope: false, loop: true, pan: -1))
    let schedule = ScheduleCompiler.compile(pattern, sounds: try find(pattern, in: files.folder.path))
    let storage = LinkStorage(rate: 48_000, aheadSeconds: held)
    let stage = OutputStage(
      settings: RendererSettings(), profiles: [.none], map: ChannelMap([.haptic(0)]), rate: 8_000,
      format: .float, link: storage.link)
    let feed = OutputFeed(stage: stage)
    let console = Console(feed: feed, settings: RendererSettings())
    let pump = NotificationPump(console: console)
    let player = try Engine(console: console, pump: pump).makePlayer(for: schedule)
    try player.start()
    var touch = Card(rate: 8_000 * (1 + 200e-6), random: SeededGenerator(seed: seed))
    var sound = Card(rate: 48_000 * (1 - 200e-6), random: SeededGenerator(seed: seed + 1))
    let heard = SoundFeed(
      storage: storage, master: feed.clock, timing: console.timing, rate: 48_000,
      map: ChannelMap([.soundLeft, .soundRight]), format: .float, lateSeconds: 0)
    var felt: [Float] = []
    var left: [Double] = []
    var worst = 0.0
    var seconds = 0.0
    let room = UnsafeMutableRawPointer.allocate(byteCount: 8 * 1024, alignment: 16)
    defer { room.deallocate() }
    while seconds < 7 {
      seconds += 0.005
      let now = touch.reading(at: seconds)
      feed.report(heard: DeviceFrame(now.frame), nanoseconds: now.nanoseconds, delayFrames: 0)
      // The other device holds 10 ms.
      while feed.nextFrame.value < now.frame + Int64(held * 8000) {
        feed.fill(room, frames: 40)
        felt += UnsafeRawBufferPointer(start: room, count: 160).bindMemory(to: Float.self)
      }
      let own = sound.reading(at: seconds)
      heard.report(heard: DeviceFrame(own.frame), nanoseconds: own.nanoseconds)
      while heard.nextFrame.value < own.frame + 480 {
        heard.fill(room, frames: 240)
        for (index, value) in UnsafeRawBufferPointer(start: room, count: 1920).bindMemory(to: Float.self)
          .enumerated()
        where index % 2 == 0 {
          left.append(Double(value))
        }
      }
      if seconds > 1 {
        let due = Double(heard.nextFrame.value) / sound.rate
        worst = max(worst, abs(heard.position - heard.place(heardBy: due * touch.rate)) / 48_000)
      }
    }
    #expect(worst <= 1e-3, "seed \(seed)")
    #expect(heard.missedFrames < 4800)
    let alone = try render(pattern, rate: 8_000, map: ChannelMap([.haptic(0)]))
    for frame in 0..<min(felt.count, alone.haptic.count) {
      #expect(Double(felt[frame]) == alone.haptic[frame])
    }
    // From the second second on the loops have locked; nothing but the tone is left.
    let level = highFrequencyLevel(left, in: 60_000..<330_000, rate: 48_000)
    print("above 1 kHz: \(level) dB; worst \(worst * 1e6) µs; \(heard.missedFrames) frames missed")
    #expect(level <= -70)
    #expect(abs(peak(left.slice(100_000, 48_000)) - 1) < 0.01)
  }
}
