import Testing
import ThrumAudition

/// A few letters find the name that was meant.
@Suite struct PatternSearchTests {
  private let names = [
    "door-open", "Door", "trapdoor", "indoor light", "heartbeat", "slow heart", "Über-Puls",
  ]

  private func found(_ query: String) -> [String] {
    PatternSearch.matches(query, in: names).map { names[$0.index] }
  }

  @Test func ranks() {
    #expect(found("door") == ["Door", "door-open", "trapdoor", "indoor light"])
    #expect(found("HEART") == ["heartbeat", "slow heart"])
    #expect(found("heart slow") == ["slow heart"])
    #expect(found("htbt") == ["heartbeat"])
    #expect(found("über") == ["Über-Puls"])
    #expect(found("xyz") == [])
    #expect(found("  ") == names)
    #expect(found("a very long query that is longer than any name") == [])
  }

  @Test func tellsTheCharactersThatWereFound() {
    #expect(PatternSearch.matches("door", in: ["trapdoor"]).map(\.characters) == [[4, 5, 6, 7]])
    #expect(PatternSearch.matches("td", in: ["trapdoor"]).map(\.characters) == [[0, 4]])
    #expect(
      PatternSearch.matches("light door", in: ["indoor light"]).map(\.characters) == [
        [2, 3, 4, 5, 7, 8, 9, 10, 11]
      ])
    #expect(PatternSearch.matches("i", in: ["İi"]).map(\.characters.count) == [1])
  }
}
