import Testing

@testable import ThrumAudition

/// Numbers as authors write them.
@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.1, 9, 1, "0.1"), (1, 9, 1, "1.0"), (1, 9, 0, "1"), (0.5, 9, 3, "0.500"), (12.25, 6, 1, "12.25"),
    (0.1 + 0.2, 6, 0, "0.3"), (-0.25, 9, 1, "-0.25"), (-1e-12, 9, 1, "0.0"), (0.000001, 6, 0, "0.000001"),
    (1234567.125, 6, 0, "1234567.125"), (1.125899906842624e12, 9, 0, "1125899906842.62"), (0, 9, 0, "0"),
  ])
  func writes(_ value: Double, _ decimals: Int, _ fewest: Int, _ text: String) {
    var style = NumberText.Style()
    style.minimumDecimals = fewest
    #expect(NumberText.text(value, decimals: decimals, style: style) == text)
  }

  @Test(arguments: [
    (["0.5", "1.0"], "1.0"), (["0", "0.25"], "1"), (["0.50", "0.25"], "1.00"), (["0.123", "0.456"], "1.0"),
    (["0.123", "0.400"], "1.000"), (["1e0"], "1.0"), ([], "1.0"),
  ])
  func followsItsNeighbours(_ neighbours: [String], _ text: String) {
    let numbers = neighbours.compactMap { NumberText($0.utf8) }
    #expect(numbers.count == neighbours.count)
    let style = NumberText.Style(replacing: nil, among: numbers)
    #expect(NumberText.text(1, decimals: 9, style: style) == text)
  }

  @Test(arguments: ["5e-1", "0.25E+2", "1e3", "7.5e-3", "0e0"]) func keepsAnExponent(_ text: String) throws {
    let number = try #require(NumberText(text.utf8))
    let style = NumberText.Style(replacing: number, among: [])
    for value in [0, 0.5, 1, 0.123456789, 30, 1000] {
      let written = NumberText.text(value, decimals: 9, style: style)
      #expect(written.hasSuffix(number.exponentText), "\(written)")
      #expect(Double(written) == value, "\(written) is not \(value)")
    }
  }

  @Test func readsWhatIsWritten() {
    #expect(NumberText("-0.250e-1".utf8)?.decimals == 4)
    #expect(NumberText("12".utf8)?.fractionDigits == 0)
    #expect(NumberText("true".utf8) == nil)
  }
}
