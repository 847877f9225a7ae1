import Foundation
import TestSupport
import Testing
import ThrumALSA
import ThrumEngine
import ThrumLatency
import ThrumPattern
import ThrumRealtime

@testable import thrum

/// The bench and the library on a card, through libasound.
@Suite("The bench on a card", .serialized)
struct AuditionCardTests {
  /// Waits for news of a bench, with a limit that only a failure meets.
  private func wait(for bench: Bench, _ match: (BenchNews) -> Bool) throws -> [BenchNews] {
    let deadline = Date(timeIntervalSinceNow: 30)
    var news: [BenchNews] = []
    while !news.contains(where: match) {
      let left = Int32(max(0, deadline.timeIntervalSinceNow) * 1000)
      try #require(left > 0, "only \(news)")
      if waitForReading([bench.descriptor], milliseconds: left) == [true] { news += bench.news() }
    }
    return news
  }

  @Test("An outage in the middle is told, ridden through, and the pattern goes on where it then would be")
  func outage() throws {
    let card = try AuditionCard(script: "unplug at 24000 for 400 ms\n")
    let bench = try card.bench()
    let pattern = Pattern.taps((0..<20).map { Double($0) * 0.1 })
    bench.load(NamedPattern(path: "t.ahap", pattern: pattern), into: .a)
    bench.play()
    let news = try wait(for: bench) { if case .returned = $0 { true } else { false } }
    #expect(news.contains { if case .outage = $0 { true } else { false } })
    #expect(bench.meters.outage == nil)
    #expect(bench.meters.transport == .playing)
    // It ends when it would have.
    #expect(try wait(for: bench) { $0 == .finished }.last == .finished)
    bench.close()
    let (stretches, frames) = (try card.stretches(), try card.frames())
    // Taps 100 ms apart by the clock, those that fell into the outage left out.
    var times: [Double] = []
    var silent = 2000
    for (frame, sample) in frames.enumerated() {
      silent = abs(sample) > 0.1 ? 0 : silent + 1
      guard silent == 0, let time = AuditionCard.time(of: frame, in: stretches) else { continue }
      if times.last.map({ time - $0 > 50e6 }) ?? true { times.append(time) }
    }
    #expect(times.count >= 12 && times.count < 20)
    for time in times.dropFirst() {
      let place = (time - times[0]) / 100e6
      // Within a frame and a half of the card, and what the ramp after the outage hides of one tap.
      #expect(abs(place - place.rounded()) < 0.02, "\(times)")
    }
  }

  @Test("A device that is given back after a while comes again with the next tap")
  func givenBack() throws {
    let card = try AuditionCard()
    let bench = try card.bench(idleSeconds: 0.1)
    bench.tap()
    bench.settle()
    #expect(bench.meters.device != nil)
    let deadline = Date(timeIntervalSinceNow: 30)
    while bench.meters.device != nil, deadline.timeIntervalSinceNow > 0 {
      // The news are of no matter, but for their bell.
      if waitForReading([bench.descriptor], milliseconds: 1000) == [true], bench.news().isEmpty { continue }
    }
    #expect(bench.meters.device == nil)
    bench.tap()
    bench.settle()
    #expect(bench.meters.device != nil)
    bench.close()
    #expect(try card.stretches().count == 2)
  }

  @Test("A device that is not there leaves the virtual actuator, and says so")
  func missing() throws {
    let choice = DeviceChoice.choose(option: "thrum-no-such-card", configuration: nil)
    let bench = try Bench(
      BenchSettings(choice: choice, request: DeviceRequest(configuration: Configuration())))
    defer { bench.close() }
    bench.open()
    bench.settle()
    #expect(bench.meters.isVirtual)
    #expect(
      bench.news().contains {
        if case .notice(let words) = $0 { words.contains("virtual actuator") } else { false }
      })
  }

  /// Percentiles, in milliseconds.
  private func words(_ values: [Double]) -> String {
    let percentiles = Percentiles(values)
    func at(_ percent: Double) -> String {
      String(format: "%.1f", percentiles.value(atPercent: percent) / 1e6)
    }
    return "p50 \(at(50)), p90 \(at(90)), p99 \(at(99)), max \(at(100)) ms, n \(values.count)"
  }

  @Test("From a touch to its first frame, and from a save to the first frame of the new version")
  func latencies() throws {
    let card = try AuditionCard()
    let bench = try card.bench()
    let folder = try TemporaryFolder()
    func text(_ sharpness: Double) -> String {
      #"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 20, "EventParameters": "#
        + #"[{"ParameterID": "HapticSharpness", "ParameterValue": \#(sharpness)}]}}]}"#
    }
    let path = try folder.write(text(0), to: "f.ahap")
    let library = try PatternLibrary([FileName(path)])
    defer { library.end() }
    bench.open()
    bench.settle()
    var generator = SeededGenerator(seed: 7)
    // Touches, in silence.
    usleep(100_000)
    var touches: [Double] = []
    for _ in 0..<60 {
      touches.append(Double(MonotonicClock.nanoseconds))
      bench.tap(sharpness: 1)
      usleep(UInt32.random(in: 60_000..<75_000, using: &generator))
    }
    // Saves; each is heard at once as a tone from silence: the bench is muted by a stop, and plays what comes.
    var saves: [Double] = []
    library.choose(library.items)
    for number in 0..<40 {
      let other = try folder.write(text(Double(number % 2)), to: "new")
      let saved = Double(MonotonicClock.nanoseconds)
      #expect(rename(other, path) == 0)
      var isHere = false
      while !isHere {
        try #require(waitForReading([library.descriptor], milliseconds: 10_000) == [true])
        for case .changed(_, let pattern) in library.news() {
          bench.load(pattern, into: .a)
          isHere = true
        }
      }
      bench.play()
      saves.append(saved)
      usleep(UInt32.random(in: 90_000..<110_000, using: &generator))
      bench.stop()
      usleep(60_000)
    }
    let xruns = bench.meters.xruns
    bench.close()
    let (stretches, frames) = (try card.stretches(), try card.frames())
    func latency(_ call: Double) -> Double? {
      let first = AuditionCard.frame(at: call, in: stretches)
      guard first < frames.count, let found = frames[first...].firstIndex(where: { $0 != 0 }),
        let time = AuditionCard.time(of: found, in: stretches)
      else { return nil }
      return time - call
    }
    let (felt, heard) = (touches.compactMap(latency), saves.compactMap(latency))
    print("touch to first frame, period 5 ms x 3: \(words(felt)); xruns \(xruns)")
    print("save to first frame, period 5 ms x 3: \(words(heard))")
    // The bars are the benchmark's, on a quiet machine; here each touch and each save has to be heard.
    #expect(felt.count == 60 && heard.count == 40)
  }
}
