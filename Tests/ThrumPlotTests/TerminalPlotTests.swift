import Foundation
import Testing

@testable import ThrumPlot

@Suite("Terminal plots")
struct TerminalPlotTests {
  @Test("braille dots stand where the samples are")
  func braille() {
    // The left half has its top dot; the right half is a line from there to the bottom.
    #expect(TerminalPlot.waveform(samples: [1, -1], columns: 1, rows: 1) == ["\u{28B9}"])
    // Silence is a line in the middle.
    #expect(TerminalPlot.waveform(samples: [0, 0], columns: 1, rows: 1) == ["\u{2824}"])
    #expect(TerminalPlot.waveform(samples: [], columns: 2, rows: 1) == ["\u{2800}\u{2800}"])
    #expect(TerminalPlot.waveform(samples: [.nan, .nan], columns: 1, rows: 1) == ["\u{2800}"])
  }

  @Test("blocks stand as high as the magnitude")
  func blocks() {
    #expect(TerminalPlot.waveform(samples: [0.5, -1], columns: 2, rows: 1, characters: .blocks) == ["▄█"])
    #expect(
      TerminalPlot.waveform(samples: [0.5, -1, 0.75], columns: 3, rows: 2, characters: .blocks) == [
        " █▄", "███",
      ])
  }

  @Test("labels name the peak, zero and the length")
  func labels() {
    let samples = (0..<16_000).map { Float(0.25 * sin(Double($0) / 10)) }
    let lines = TerminalPlot.waveform(samples: samples, columns: 40, rows: 5, rate: 8000)
    #expect(lines.count == 6)
    #expect(lines[0].hasPrefix(" 0.250 ┤"))
    #expect(lines[2].hasPrefix(" 0.000 ┤"))
    #expect(lines[4].hasPrefix("−0.250 ┤"))
    #expect(lines[5] == "        0                         2.00 s")
    let short = TerminalPlot.waveform(samples: Array(samples[0..<400]), columns: 40, rows: 3, rate: 8000)
    #expect(short[3].hasSuffix(" 50 ms"))
  }

  @Test("no line is wider than asked, and none holds a control code unless colour is asked for")
  func width() {
    let samples = (0..<3000).map { Float(sin(Double($0) / 30)) * 123_456 }
    for columns in 1...90 {
      for characters in [TerminalPlot.Characters.braille, .blocks] {
        let lines = TerminalPlot.waveform(
          samples: samples, columns: columns, rows: 4, rate: 8000, characters: characters)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(columns)")
        #expect(!lines.joined().contains("\u{1B}"))
      }
      let lines = TerminalPlot.histogram(values: samples.map(Double.init), columns: columns, unit: "frames")
      #expect(lines.allSatisfy { $0.count <= max(columns, 24) }, "\(columns)")
    }
    let coloured = TerminalPlot.waveform(samples: samples, columns: 40, rows: 1, isColoured: true)
    #expect(coloured[0].contains("\u{1B}[36m") && coloured[0].hasSuffix("\u{1B}[0m"))
    #expect(TerminalPlot.waveform(samples: samples, columns: 0, rows: 3).isEmpty)
    #expect(TerminalPlot.waveform(samples: samples, columns: 3, rows: 0).isEmpty)
  }

  @Test("a histogram has a line for each bin, and rare values keep a trace")
  func histogram() {
    let lines = TerminalPlot.histogram(values: [1, 2, 2, 4, .nan], columns: 24, bins: 8)
    #expect(lines.map { $0.prefix(3) } == ["1 │", "2 │", "3 │", "4 │"])
    #expect(lines.map { $0.last } == ["1", "2", "0", "1"])
    let rare = TerminalPlot.histogram(
      values: [Double](repeating: 0, count: 10_000) + [10], columns: 40, bins: 10, unit: "ms")
    #expect(rare.first?.hasSuffix(" 10,000") == true)
    #expect(rare.last?.contains("▏") == true)
    #expect(TerminalPlot.histogram(values: [], columns: 40) == ["no values"])
  }
}

@Suite("Bins")
struct BinsTests {
  @Test(
    "every finite value is counted once, in few bins",
    arguments: [
      [0.0], [1, 1, 1], [0.1, 0.2, 0.25, 0.9], [-5, 5], [1e20, 1e20 + 32_768], [-1.7e308, 1.7e308],
      [1e-300, 2e-300],
      [.nan, 3, .infinity],
    ] as [[Double]])
  func counts(values: [Double]) throws {
    let bins = try #require(Bins(values, most: 10))
    #expect(bins.counts.reduce(0, +) == values.filter(\.isFinite).count)
    #expect(bins.counts.count <= 12)
    #expect(bins.width > 0)
  }

  @Test("bins of fractions have edges that can be read")
  func edges() throws {
    let bins = try #require(Bins([0.12, 0.31, 0.58], most: 10))
    #expect(bins.width == 0.05)
    #expect(bins.counts == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    #expect(bins.label(of: 0) == "0.10–0.15")
    #expect(Bins([], most: 10) == nil)
    #expect(Bins([.nan], most: 10) == nil)
  }

  @Test("percentiles are values that occurred", arguments: [(0.5, 50.0), (0.99, 99), (1, 100), (0, 1)])
  func percentiles(share: Double, value: Double) {
    #expect(percentile(share, ofSorted: (1...100).map(Double.init)) == value)
  }

  @Test("there is no percentile of nothing")
  func noPercentile() {
    #expect(percentile(0.5, ofSorted: []) == nil)
  }
}
