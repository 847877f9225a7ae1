import Testing

@testable import thrum

/// Which pass is heard.
@Suite("Starts of passes")
struct PassStartTests {
  @Test("A pass is found by its start, and the latest are kept however many there were")
  func passes() {
    var starts = PassStarts.Latest(first: 100)
    #expect(starts.pass(at: 0) == (0, 100))
    for pass in 1...10_000 { starts.append(100 + Int64(pass) * 8) }
    #expect(starts.pass(at: 100 + 9_999 * 8 + 7) == (9_999, 100 + 9_999 * 8))
    #expect(starts.pass(at: .max) == (10_000, 100 + 10_000 * 8))
    // Longer ago than a device holds back: the oldest that is known.
    #expect(starts.pass(at: 0).number >= 10_000 - PassStarts.Latest.most)
  }
}
