import Testing
import ThrumEngine

@testable import ThrumALSA

extension HandClockTests {
  /// What the render thread measures of itself, on a card whose clock the test turns.
  @Suite struct StatisticsTests {
    @Test func aProgramThatIsInTimeIsNeverLate() throws {
      let bench = try FaultBench("")
      #expect(bench.run.play(frames: 16000) == .drained)
      let statistics = bench.run.control.statistics.read()
      // A wake-up a period, but for the first few and the end.
      #expect((350...430).contains(statistics.wakeUps.reduce(0, +)))
      #expect(statistics.wakeUps[0] == statistics.wakeUps.reduce(0, +))
      #expect(statistics.lateness(ofShare: 0.999) == 50e-6)
      // The samples count up to 16,000; full scale is 2³¹.
      #expect(statistics.peaks.count == 1)
      #expect(abs(statistics.peaks[0] - 16000 / 2_147_483_520) < 1e-9)
      #expect(bench.run.control.statistics.read().peaks == [0])
    }

    @Test func aPointerThatStoodShowsAsOneLateWakeUp() throws {
      let bench = try FaultBench("stall at 8000 for 6 ms")
      #expect(bench.run.play(frames: 16000) == .drained)
      let late = bench.run.control.statistics.read().wakeUps.dropFirst()
      #expect(late.reduce(0, +) == 1)
      // Six milliseconds after frame 8000 less the five to its next wake-up, or one more wake-up in between.
      let place = try #require(late.firstIndex(of: 1))
      #expect(OutputStatistics.limit(ofClass: place) <= 0.0128)
    }

    @Test func classesDouble() {
      #expect(OutputStatistics.limit(ofClass: 0) == 50e-6)
      #expect(OutputStatistics.limit(ofClass: 3) == 400e-6)
      #expect(OutputStatistics.limit(ofClass: OutputStatistics.classes - 1) == .infinity)
      var statistics = OutputStatistics()
      #expect(statistics.lateness(ofShare: 0.5) == 0)
      statistics.wakeUps[0] = 98
      statistics.wakeUps[2] = 2
      #expect(statistics.lateness(ofShare: 0.98) == 50e-6)
      #expect(statistics.lateness(ofShare: 0.99) == 200e-6)
    }
  }
}
