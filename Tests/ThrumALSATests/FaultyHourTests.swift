import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

extension HandClockTests {
  /// An hour of the card's time with a fault every few seconds, in seconds of ours.
  @Suite struct FaultyHourTests {
    // Unoptimised code is slower by ten times: three minutes then, and the hour where the tests run in release.
    #if DEBUG
      static let seconds = 180
    #else
      static let seconds = 3600
    #endif
    static let rate: Int64 = 8000

    /// A script of random faults, some of them while another one is being met.
    static func script(seed: UInt64, seconds: Int) -> String {
      var random = SeededGenerator(seed: seed)
      var lines: [String] = []
      // A card's true rate is known after some seconds.
      var frame = 20 * 8000
      // The card counts what it is given, and is given nothing while it is away; an end in the midst of an outage would be
      // another row of the table. So the time that each fault takes at most counts as well: what it says, and the time to
      // the next look at a card that is back.
      var lostMilliseconds = 0
      func lasting(_ words: String, _ milliseconds: Int) -> String {
        lostMilliseconds += milliseconds + 300
        return "\(words) for \(milliseconds) ms"
      }
      while frame + lostMilliseconds * 8 < (seconds - 10) * 8000 {
        let milliseconds = Int.random(in: 1...2500, using: &random)
        lostMilliseconds += 20
        let line =
          switch Int.random(in: 0..<9, using: &random) {
          case 0: "xrun at \(frame)"
          case 1: "suspend at \(frame)"
          case 2: lasting("suspend at \(frame)", milliseconds / 4)
          case 3, 4: lasting("unplug at \(frame)", milliseconds)
          case 5: lasting("die at \(frame)", milliseconds)
          case 6: lasting("stall at \(frame)", milliseconds / 20)
          case 7: "wake at \(frame) times \(milliseconds / 10)"
          default: "lie at \(frame) by \(milliseconds - 1250)"
          }
        lines.append(line)
        frame += Int.random(in: 200...40000, using: &random)
      }
      return lines.joined(separator: "\n")
    }

    @Test(arguments: [(1, 0), (2, 41)] as [(UInt64, Int64)])
    func nothingIsLostThatWasNotDueInAnOutage(seed: UInt64, drift: Int64) throws {
      let note: Comment = "seed \(seed), drift \(drift)"
      let frames = Int64(FaultyHourTests.seconds) * FaultyHourTests.rate
      let script = FaultyHourTests.script(seed: seed, seconds: FaultyHourTests.seconds)
      let bench = try FaultBench(script, "drift \"\(drift)\"")
      let memory = residentBytes()
      #expect(bench.run.play(frames: frames) == .drained, note)
      // What the source's own diary of the run takes is a small part of that.
      #expect(residentBytes() - memory < 64 << 20, note)

      var heard: Int64 = 0
      var (worst, worstLoss, previous) = (0.0, 0.0, Int32(0))
      var origin: Double?
      var lastNanoseconds: Int64 = 0
      let frame = 1e15 / Double(FaultyHourTests.rate * (1_000_000 + drift))
      let outages = try outageIntervals(of: bench.card)
      var outage = 0
      try bench.card.eachFrame(rate: Int(FaultyHourTests.rate), drift: drift) { value, nanoseconds in
        if value == 0 { return }
        if origin == nil { origin = Double(nanoseconds) }
        guard let origin else { return }
        heard += 1
        let due = origin + Double(value - 1) * frame
        worst = max(worst, abs(Double(nanoseconds) - due))
        if value != previous + 1 {
          // Everything between the two was due while the card did not play, or played the silence it starts on.
          while outage < outages.count && outages[outage].upperBound < Double(lastNanoseconds) { outage += 1 }
          let from = origin + Double(previous) * frame
          let covered = outages[min(outage, outages.count - 1)...].prefix { $0.lowerBound < due }
          let isCovered =
            covered.contains { $0.lowerBound - 2 * frame <= from }
            && covered.contains { $0.upperBound + 2 * frame >= due }
          if !isCovered { worstLoss = max(worstLoss, Double(value - previous)) }
        }
        previous = value
        lastNanoseconds = nanoseconds
      }
      #expect(worst / frame <= 1, note)
      #expect(worstLoss == 0, note)
      #expect(heard > frames / 2, note)
      // The program cannot know how much of the last period sounded before the card stopped.
      let unaccounted = frames - heard - bench.run.control.counters.skippedFrames
      #expect((0...Int64(outages.count * FaultBench.periodFrames)).contains(unaccounted), note)
      #expect(bench.run.control.faults.stoodStillFrames == 0, note)
      print(
        "\(FaultyHourTests.seconds) s, seed \(seed): \(script.split(separator: "\n").count) faults, "
          + "\(bench.run.control.counters.xruns) xruns, \(bench.run.control.faults.reopenings) reopenings, "
          + "\(frames - heard) frames lost, worst \(worst / frame) frames off")
    }

    /// The times in which nothing of ours could sound: from a stop to the end of the silence that follows the next
    /// start.
    private func outageIntervals(of card: TestCard) throws -> [ClosedRange<Double>] {
      let streams = try card.streams()
      let silence = 3.0 * Double(FaultBench.periodFrames) / Double(FaultyHourTests.rate) * 1e9
      return zip(streams, streams.dropFirst()).map { stopped, started in
        Double(stopped.endNanoseconds ?? 0)...Double(started.startNanoseconds) + silence
      }
    }

    private func residentBytes() -> Int {
      do {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
      } catch {
        return 0
      }
    }
  }
}
