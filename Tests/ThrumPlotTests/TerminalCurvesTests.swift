import Foundation
import Testing
import ThrumPlot

/// Curves in characters.
@Suite struct TerminalCurvesTests {
  private func curve(_ level: (Double) -> Double) -> TerminalPlot.Curve {
    let hertz = (0...400).map { 45 * pow(10, Double($0) / 400) }
    return TerminalPlot.Curve(x: hertz, y: hertz.map(level))
  }

  private func bump(_ hertz: Double, at place: Double) -> Double { -20 * abs(log2(hertz / place)) }

  @Test func linesAreAsWideAsAskedAndHoldNoControlCodes() {
    let lines = TerminalPlot.curves(
      measured: curve { bump($0, at: 175) }, fitted: curve { bump($0, at: 175) }, columns: 60, rows: 9,
      mark: (175, "175.0 Hz"))
    #expect(lines.count == 11)
    for line in lines {
      #expect(line.count <= 60, "\(line)")
      #expect(!line.unicodeScalars.contains { $0.value < 32 })
    }
    #expect(lines[0].hasPrefix("  0 dB ┤") && lines[8].contains("dB ┤"))
    #expect(lines[9].contains("▲ 175.0 Hz"))
    #expect(lines[10].contains("50") && lines[10].contains("200") && lines[10].hasSuffix("Hz"))
    // Where both curves are the same only the measured one is seen.
    #expect(!lines[0..<9].contains { $0.contains("o") })
  }

  @Test func theMarkStandsBelowThePeak() throws {
    let lines = TerminalPlot.curves(
      measured: curve { bump($0, at: 120) }, fitted: nil, columns: 80, rows: 11, mark: (120, "f0"))
    let mark = try #require(lines[11].firstIndex(of: "▲"))
    let column = lines[11].distance(from: lines[11].startIndex, to: mark)
    let top = Array(lines[0])
    #expect(top[column - 1...column + 1].contains { $0 != " " }, "\(lines.joined(separator: "\n"))")
  }

  @Test func aFitThatIsElsewhereIsSeen() {
    let lines = TerminalPlot.curves(
      measured: curve { bump($0, at: 120) }, fitted: curve { bump($0, at: 240) }, columns: 80, rows: 11)
    #expect(lines.contains { $0.contains("o") })
  }

  @Test func whatIsFlatOrNothingStaysSo() {
    let flat = TerminalPlot.curves(
      measured: curve { $0 < 100 ? 0 : -0.1 }, fitted: nil, columns: 40, rows: 5)
    #expect(flat[4].contains("−6 dB"))
    #expect(TerminalPlot.curves(measured: .init(x: [], y: []), fitted: nil, columns: 40, rows: 5).isEmpty)
    #expect(TerminalPlot.curves(measured: .init(x: [1], y: [1]), fitted: nil, columns: 40, rows: 5).isEmpty)
    let gaps = TerminalPlot.curves(
      measured: curve { $0 < 100 ? .nan : -$0 / 100 }, fitted: nil, columns: 40, rows: 5)
    #expect(gaps.count == 6)
  }
}
