import TestSupport
import Testing

@testable import ThrumAudition

/// Trials are by chance, tell nothing before their end, and their result is exact.
@Suite struct BlindComparisonTests {
  @Test(arguments: [BlindComparison.Question.preference, .identification])
  func countsHits(_ question: BlindComparison.Question) {
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed)
      var comparison = BlindComparison(question, trials: 10, using: &generator)
      for trial in 0..<10 {
        #expect(comparison.trial == trial && comparison.result == nil, "seed \(seed)")
        let hidden = comparison.version(of: question == .preference ? .first : .unknown)
        #expect(hidden != nil, "seed \(seed)")
        // Always for A, or always right, but in the last trial.
        let right: BlindComparison.Button = hidden == .a ? .first : .second
        let wrong: BlindComparison.Button = hidden == .a ? .second : .first
        let isTaken = comparison.answer(trial == 9 ? wrong : right)
        #expect(isTaken, "seed \(seed)")
      }
      let isAnswered = comparison.answer(.first)
      let isTakenBack = comparison.takeBack()
      #expect(comparison.trial == nil && !isAnswered && !isTakenBack, "seed \(seed)")
      #expect(comparison.result == .init(question: question, trials: 10, hits: 9), "seed \(seed)")
    }
  }

  @Test func showsBothVersionsOfEveryTrial() {
    var generator = SeededGenerator(seed: 3)
    var firsts: [BlindComparison.Version: Int] = [:]
    for _ in 0..<20 {
      var comparison = BlindComparison(.preference, trials: 100, using: &generator)
      while comparison.trial != nil {
        let first = comparison.version(of: .first)
        let second = comparison.version(of: .second)
        #expect(Set([first, second]) == [.a, .b] && comparison.version(of: .unknown) == nil, "seed 3")
        if let first { firsts[first, default: 0] += 1 }
        let isTaken = comparison.answer(.first)
        #expect(isTaken, "seed 3")
      }
    }
    // Five standard deviations of 2,000 tosses.
    #expect((888...1112).contains(firsts[.a] ?? 0), "seed 3: \(firsts)")
  }

  @Test func tellsNothingBeforeTheEnd() {
    var dumps: Set<String> = []
    for seed in UInt64(1)...20 {
      var generator = SeededGenerator(seed: seed)
      let comparison = BlindComparison(.identification, trials: 8, using: &generator)
      #expect(comparison.version(of: .first) == .a && comparison.version(of: .second) == .b)
      var text = "\(comparison) \(String(reflecting: comparison))"
      dump(comparison, to: &text)
      dumps.insert(text)
    }
    #expect(dumps.count == 1, "\(dumps)")
  }

  @Test func endsEarlyWithWhatThereIs() {
    var generator = SeededGenerator(seed: 5)
    var comparison = BlindComparison(.preference, trials: 500, using: &generator)
    #expect(comparison.trialCount == 100)
    let answers = [BlindComparison.Button.first, .second, .unknown].map { comparison.answer($0) }
    #expect(answers == [true, true, false])
    let isTakenBack = comparison.takeBack()
    #expect(isTakenBack)
    #expect(comparison.description == "trial 2 of 100")
    comparison.finish()
    #expect(comparison.result?.trials == 1 && comparison.version(of: .first) == nil)
    #expect(comparison.description == "finished after 1 of 100 trials")
  }

  /// A question, trials, hits, and the ways of chance to do as well or better, of two to the power of the
  /// trials.
  static let tails: [(question: BlindComparison.Question, trials: Int, hits: Int, ways: Double)] = [
    (.identification, 10, 9, 11), (.identification, 10, 10, 1), (.identification, 16, 12, 2517),
    (.identification, 5, 0, 32), (.identification, 0, 0, 1), (.preference, 10, 9, 22),
    (.preference, 10, 1, 22),
    (.preference, 10, 5, 1024), (.preference, 100, 100, 2),
  ]

  @Test(arguments: tails) func countsTheTailsExactly(
    _ question: BlindComparison.Question, _ trials: Int, _ hits: Int, _ ways: Double
  ) {
    var chance = ways
    for _ in 0..<trials { chance /= 2 }
    #expect(BlindComparison.Result(question: question, trials: trials, hits: hits).chance == chance)
  }

  @Test func boundsTheShare() {
    // The published bounds of 95 %.
    let some = BlindComparison.Result(question: .identification, trials: 10, hits: 9).interval
    #expect(abs(some.lowerBound - 0.55498) < 1e-4 && abs(some.upperBound - 0.99747) < 1e-4, "\(some)")
    let none = BlindComparison.Result(question: .identification, trials: 10, hits: 0).interval
    #expect(none.lowerBound == 0 && abs(none.upperBound - 0.30850) < 1e-4, "\(none)")
    #expect(BlindComparison.Result(question: .preference, trials: 0, hits: 0).interval == 0...1)
  }

  @Test func saysWhatCameOut() {
    func text(_ question: BlindComparison.Question, _ trials: Int, _ hits: Int) -> String {
      BlindComparison.Result(question: question, trials: trials, hits: hits).description
    }
    #expect(
      text(.identification, 10, 9)
        == "9 of 10 right; chance alone does as well 1.1 % of the time: the difference is felt")
    #expect(
      text(.identification, 10, 6)
        == "6 of 10 right; chance alone does as well 38 % of the time: no difference is shown")
    #expect(
      text(.preference, 10, 1)
        == "A once, B 9 times of 10; chance alone does as well 2.1 % of the time: B is preferred")
    #expect(
      text(.preference, 4, 2)
        == "A and B 2 times each of 4; chance alone does as well 100 % of the time: no preference is shown")
    #expect(text(.preference, 100, 100).contains("less than 0.1 %"))
    #expect(text(.preference, 0, 0) == "no trial was answered")
  }
}
