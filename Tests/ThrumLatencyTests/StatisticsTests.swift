import Glibc
import Testing
import ThrumLatency

@Suite("What runs can tell")
struct StatisticsTests {
  @Test(
    "A percentile takes as many values as lie one beyond it",
    arguments: [
      (50.0, 2), (90, 10), (99, 100), (99.9, 1000), (100, 1),
    ])
  func support(percent: Double, count: Int) {
    #expect(Percentiles.leastCount(forPercent: percent) == count)
    #expect(!Percentiles([Double](repeating: 0, count: count - 1)).supports(percent: percent))
    #expect(Percentiles([Double](repeating: 0, count: count)).supports(percent: percent))
  }

  @Test("Nearest ranks, and the mean of the middle two for the median")
  func ranks() {
    let percentiles = Percentiles([4, 1, 3, 2])
    #expect(percentiles.value(atPercent: 50) == 2 && percentiles.value(atPercent: 100) == 4)
    #expect(percentiles.median == 2.5 && Percentiles([3, 1, 2]).median == 2)
    #expect(Percentiles([]).value(atPercent: 50) == 0 && Percentiles([]).median == 0)
  }

  @Test(
    "The rank is exact where a percentile's share is a whole number of values",
    arguments: [1000, 2000, 20_000])
  func wholeRanks(count: Int) {
    let percentiles = Percentiles((1...count).map(Double.init))
    for (percent, thousandths) in [(50.0, 500), (90, 900), (99, 990), (99.9, 999), (2.5, 25), (97.5, 975)] {
      let rank = Double(count / 1000 * thousandths)
      #expect(percentiles.value(atPercent: percent) == rank, "\(percent) % of \(count)")
    }
  }

  @Test("The interval of the median is that of the tables of the sign test")
  func tables() {
    // Ranks of the 95 % interval of a median (e.g. Conover, table A3): 2 and 9 of 10, 6 and 15 of 20, 18 and 33 of 50.
    for (count, low, high) in [(10, 2.0, 9.0), (20, 6, 15), (50, 18, 33)] {
      let interval = Percentiles((1...count).map(Double.init)).interval(atPercent: 50)
      #expect(interval == low...high, "\(count)")
    }
    #expect(Percentiles([1, 2, 3, 4, 5]).interval(atPercent: 50) == nil)
    #expect(Percentiles((1...100).map(Double.init)).interval(atPercent: 99.9) == nil)
  }

  @Test("The interval holds the true percentile in 95 of 100 runs", arguments: [50.0, 90])
  func coverage(percent: Double) {
    var random = SeededRandom(seed: 7)
    let held = (0..<400).count { _ in
      let values = (0..<200).map { _ in -log(1 - random.unit()) }
      return Percentiles(values).interval(atPercent: percent)?.contains(-log(1 - percent / 100)) == true
    }
    // 380 expected, at least; 3 deviations of a count of 400 at 95 % are 13.
    #expect(held >= 367, "seed 7: \(held) of 400")
  }

  @Test("Equal runs are told apart in 5 of 100 cases, different ones in nearly all")
  func comparison() throws {
    var random = SeededRandom(seed: 11)
    var (falseAlarms, hits) = (0, 0)
    let runs = 12
    for run in 0..<runs {
      let first = (0..<150).map { _ in 5 + random.unit() }
      let second = (0..<150).map { _ in 5 + random.unit() }
      let slower = second.map { $0 + 0.3 }
      let equal = try #require(Comparison(first, second, seed: UInt64(run)))
      if equal.verdict != .undecided { falseAlarms += 1 }
      let other = try #require(Comparison(first, slower, seed: UInt64(run)))
      if other.verdict == .firstIsFaster { hits += 1 }
      #expect(other.interval.contains(other.difference))
      #expect(abs(other.difference - equal.difference - 0.3) < 1e-9)
    }
    // Less than one expected; 4 deviations above are 4.
    #expect(falseAlarms <= 4, "seed 11: \(falseAlarms) of \(runs)")
    #expect(hits == runs, "seed 11")
  }

  @Test("Trials that resemble their neighbours widen the interval")
  func neighbours() throws {
    var random = SeededRandom(seed: 13)
    var drift = 0.0
    let wandering = (0..<400).map { _ in
      drift = 0.95 * drift + random.unit() - 0.5
      return drift
    }
    let other = [Double](repeating: 0, count: 400)
    let shuffled = wandering.map { ($0, random.unit()) }.sorted { $0.1 < $1.1 }.map(\.0)
    let ordered = try #require(Comparison(other, wandering))
    let mixed = try #require(Comparison(other, shuffled))
    func width(_ comparison: Comparison) -> Double {
      comparison.interval.upperBound - comparison.interval.lowerBound
    }
    #expect(width(ordered) > 1.5 * width(mixed))
  }

  @Test("A seed repeats, the order of the runs turns the sign, a difference below the resolution is none")
  func properties() throws {
    var random = SeededRandom(seed: 17)
    let first = (0..<100).map { _ in random.unit() * 0.1 }
    let second = first.map { $0 + 0.05 }
    let one = try #require(Comparison(first, second, seed: 5))
    #expect(one == Comparison(first, second, seed: 5))
    let turned = try #require(Comparison(second, first, seed: 5))
    #expect(turned.difference == -one.difference && turned.verdict == .secondIsFaster)
    #expect(Comparison(first, second, resolution: 0.1)?.verdict == .undecided)
    #expect(Comparison(Array(first.prefix(19)), second) == nil)
  }

  @Test("A line between two clocks that tell whole frames is placed to a fiftieth of a frame")
  func clocks() throws {
    var random = SeededRandom(seed: 19)
    var line = ClockLine()
    // Two clocks 80 millionths apart, asked at moments that have nothing to do with either.
    var time = 1e9
    for _ in 0..<1500 {
      time += 200 + 700 * random.unit()
      let other = (time + 1234.3) * 1.00008
      line.add(time.rounded(.down), other.rounded(.down) - time.rounded(.down))
    }
    // The program was held up between the two answers.
    line.add(1e9 + 5000.3, 100_000)
    let fit = try #require(line.fit())
    let truth = (time + 1234.3) * 1.00008 - time
    #expect(abs(fit.value(at: time) - truth) < 0.05, "seed 19: \(fit.value(at: time)), \(truth)")
    #expect(fit.standardError(at: time) < 0.03)
    #expect(ClockLine().fit() == nil)
  }

  @Test("Thresholds stand below, among or above the trials")
  func standings() {
    let touch = PerceptionThreshold.all[0]
    #expect(touch.milliseconds == 24)
    #expect(touch.standing(of: Percentiles([1, 2, 3])) == .below)
    #expect(touch.standing(of: Percentiles([1, 2, 30])) == .among)
    #expect(touch.standing(of: Percentiles([25, 26, 30])) == .above)
    #expect(touch.standing(of: Percentiles([])) == nil)
    #expect(touch.standing(of: Percentiles([Double](repeating: 1, count: 200) + [40])) == .below)
  }
}
