import BenchmarkSupport
import Testing

/// The arithmetic that every printed figure goes through.
@Suite struct FigureTests {
  @Test func percentilesAreNearestRanks() {
    let values = Percentiles((1...100).map(Double.init).shuffled())
    #expect(values[50] == 50)
    #expect(values[99] == 99)
    #expect(values[99.9] == 100)
    #expect(values[100] == 100)
    #expect(values[0] == 1)
    #expect(Percentiles((1...1000).map(Double.init))[99.9] == 999)
    #expect(Percentiles([7])[99] == 7)
    #expect(Percentiles([]).median == 0)
  }

  @Test func percentilesNeedEnoughMeasurements() {
    #expect(Percentiles(Array(repeating: 1, count: 99)).line(digits: 0).contains("p99 –"))
    #expect(Percentiles(Array(repeating: 1, count: 100)).line(digits: 0).contains("p99 1  p99.9 –"))
    #expect(Percentiles(Array(repeating: 1, count: 1000)).line(digits: 0).hasSuffix("p99.9 1  max 1  n 1000"))
  }

  @Test(arguments: [
    (0.0, 2, "0.00"), (1.005, 1, "1.0"), (-1.25, 1, "-1.3"), (-0.001, 2, "0.00"), (12.3456, 3, "12.346"),
    (999.9996, 3, "1000.000"), (2.5, 0, "3"), (.infinity, 2, "–"), (.nan, 2, "–"),
  ]) func numbersHaveTheirDigits(value: Double, digits: Int, text: String) {
    #expect(fixed(value, digits) == text)
  }

  @Test func slopesAreExponents() {
    let counts = [1.0, 10, 100, 1000]
    #expect(abs(logLogSlope(counts.map { ($0, 3 * $0) }) - 1) < 1e-12)
    #expect(abs(logLogSlope(counts.map { ($0, 5 * $0 * $0) }) - 2) < 1e-12)
    #expect(abs(logLogSlope(counts.map { ($0, 4) })) < 1e-12)
  }

  @Test func randomNumbersRepeat() {
    var (one, two) = (Random(seed: 3), Random(seed: 3))
    for _ in 0..<100 {
      let value = one.unit()
      #expect(value >= 0 && value < 1)
      #expect(value == two.unit())
    }
  }
}
