import Testing

@testable import ThrumPlot

@Suite("Ticks")
struct TicksTests {
  struct Case: Sendable {
    var range: ClosedRange<Double>
    var most: Int
    var labels: [String]
  }

  @Test(
    "linear marks stand at 1, 2 or 5 times a power of ten",
    arguments: [
      Case(range: 0...1, most: 6, labels: ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
      Case(
        range: 0...1, most: 11,
        labels: ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]),
      Case(range: -0.54...0.54, most: 7, labels: ["−0.4", "−0.2", "0.0", "0.2", "0.4"]),
      Case(range: -1.1...1.1, most: 7, labels: ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
      Case(range: 0.0101...0.0119, most: 5, labels: ["0.0105", "0.0110", "0.0115"]),
      Case(
        range: 466...1214, most: 13, labels: ["500", "600", "700", "800", "900", "1,000", "1,100", "1,200"]),
      Case(range: 3...3, most: 5, labels: ["3.0"]),
    ])
  func linear(_ expected: Case) {
    #expect(Ticks.linear(expected.range, most: expected.most).marks.map(\.label) == expected.labels)
  }

  struct TimeCase: Sendable {
    var seconds: Double
    var unit: String
    var labels: [String]
  }

  @Test(
    "marks of time are in the unit the length asks for",
    arguments: [
      TimeCase(seconds: 0.00125, unit: "ms", labels: ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2"]),
      TimeCase(seconds: 0.05, unit: "ms", labels: ["0", "10", "20", "30", "40", "50"]),
      TimeCase(seconds: 2.9, unit: "s", labels: ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]),
      TimeCase(seconds: 32, unit: "s", labels: ["0", "5", "10", "15", "20", "25", "30"]),
      TimeCase(seconds: 300, unit: "min:s", labels: ["0:00", "1:00", "2:00", "3:00", "4:00", "5:00"]),
      TimeCase(
        seconds: 10_800, unit: "h:min", labels: ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00"]),
    ])
  func time(_ expected: TimeCase) {
    let ticks = Ticks.time(0...expected.seconds, most: 8)
    #expect(ticks.unit == expected.unit)
    #expect(ticks.marks.map(\.label) == expected.labels)
  }

  @Test("marks of frequency are labelled at 1, 2 and 5")
  func frequency() {
    let ticks = Ticks.frequency(20...4000)
    #expect(
      ticks.marks.filter { !$0.label.isEmpty }.map(\.label) == [
        "20", "50", "100", "200", "500", "1k", "2k", "4k",
      ])
    #expect(ticks.marks.count == 21)
    #expect(ticks.marks.map(\.value) == ticks.marks.map(\.value).sorted())
  }

  @Test(
    "no range asks for more marks than wanted, or never ends",
    arguments: [1e-12, 1e-7, 0.3, 7, 1e6, 1e15, 1e300])
  func bounded(span: Double) {
    for start in [0, -span / 3, 1e6] {
      for most in 2...20 {
        #expect(
          Ticks.linear(start...start + span, most: most).marks.count <= most + 1, "\(start), \(span), \(most)"
        )
        #expect(
          Ticks.time(start...start + span, most: most).marks.count <= most + 1, "\(start), \(span), \(most)")
      }
    }
    #expect(
      Ticks.linear(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, most: 5).marks.count <= 6
    )
  }

  @Test(
    "numbers are written with a fixed number of places",
    arguments: [
      (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (0.05, 1, "0.1"), (2.5, 0, "3"), (-1.25, 2, "-1.25"),
      (0.007, 3, "0.007"),
      (1234.5, 2, "1234.50"), (.nan, 1, "nan"), (.infinity, 1, "inf"), (1e16, 1, "1e+16"),
    ])
  func decimals(value: Double, places: Int, text: String) {
    #expect(decimal(value, places: places) == text)
  }

  @Test("counts have commas", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func grouping(value: Int, text: String) {
    #expect(grouped(value) == text)
  }
}
