import Testing
import ThrumFeedback

/// Times are milliseconds here.
@Suite struct MannersTests {
  private func candidate(
    _ name: FeedbackName, _ priority: FeedbackPriority, length: Int64 = 30, asked: Int64? = nil
  ) -> Manners.Candidate {
    Manners.Candidate(
      name, priority: priority, lengthNanoseconds: length * 1_000_000,
      askedNanoseconds: asked.map { $0 * 1_000_000 })
  }

  private func decide(
    _ manners: inout Manners, _ candidates: [Manners.Candidate], at time: Int64
  ) -> [Manners.Verdict] {
    manners.decide(candidates, at: time * 1_000_000)
  }

  private func plays(
    _ manners: inout Manners, _ candidate: Manners.Candidate, at time: Int64
  ) -> Bool {
    if case .play = decide(&manners, [candidate], at: time)[0] { true } else { false }
  }

  @Test func theSameKindPlaysOnceInATenthOfASecond() {
    var manners = Manners()
    let impact = candidate(.impactLight, .ordinary)
    #expect(decide(&manners, [impact], at: 0) == [.play(interrupts: false)])
    #expect(decide(&manners, [impact], at: 99) == [.silence(.sameKind)])
    // Counted from what played, not from what was kept away.
    #expect(decide(&manners, [impact], at: 100) == [.play(interrupts: false)])
    #expect(plays(&manners, candidate(.impactHeavy, .ordinary), at: 120))
  }

  @Test func twentyStepsInThreeTenthsOfASecondAreThree() {
    var manners = Manners()
    let times = (0..<20).map { Int64($0 * 15) }
    let played = times.filter { plays(&manners, candidate(.selection, .step), at: $0) }
    #expect(played == [0, 105, 210])
  }

  @Test func aLongBurstOfStepsIsLimitedToSixASecond() {
    var manners = Manners()
    let played = (0..<400).filter { plays(&manners, candidate(.selection, .step), at: Int64($0 * 10)) }
    #expect(played.count == 24)
    for start in stride(from: 0, through: 300, by: 10) {
      #expect(played.count { (start..<start + 100).contains($0) } <= 6)
    }
  }

  @Test(arguments: [10, 5, 20]) func noSecondHasMoreThanTheCeiling(ceiling: Int) {
    var manners = Manners(rules: MannerRules(ceiling: ceiling))
    let kinds: [FeedbackName] = [.impactLight, .impactSoft, .impactHeavy, .impactRigid, .impactSolid]
    let played = (0..<300).filter { index in
      plays(&manners, candidate(kinds[index % 5], .ordinary, length: 5), at: Int64(index * 21))
    }.map { $0 * 21 }
    for start in played { #expect(played.count { (start..<start + 1000).contains($0) } <= ceiling - 2) }
    #expect(played.count > 6 * (ceiling - 3))
  }

  @Test(arguments: [1, 2, 3, 10]) func anErrorIsNotLostBehindOthers(ceiling: Int) {
    var manners = Manners(rules: MannerRules(ceiling: ceiling))
    let kinds: [FeedbackName] = [.impactLight, .selection, .success, .warning]
    let priorities: [FeedbackPriority] = [.ordinary, .step, .outcome, .outcome]
    let others = (0..<200).count { index in
      plays(&manners, candidate(kinds[index % 4], priorities[index % 4]), at: Int64(index * 5))
    }
    #expect(others >= max(1, ceiling - 2))
    #expect(plays(&manners, candidate(.error, .critical, length: 240), at: 1000))
  }

  @Test func whatMattersLessWaitsForNothingAndIsDropped() {
    var manners = Manners()
    #expect(plays(&manners, candidate(.error, .critical, length: 240), at: 0))
    #expect(decide(&manners, [candidate(.selection, .step)], at: 50) == [.silence(.masked)])
    #expect(decide(&manners, [candidate(.success, .outcome)], at: 239) == [.silence(.masked)])
    #expect(decide(&manners, [candidate(.selection, .step)], at: 240) == [.play(interrupts: false)])
  }

  @Test func whatMattersMoreInterrupts() {
    var manners = Manners()
    #expect(plays(&manners, candidate(.success, .outcome, length: 160), at: 0))
    #expect(decide(&manners, [candidate(.error, .critical)], at: 20) == [.play(interrupts: true)])
    #expect(plays(&manners, candidate(.impactLight, .ordinary), at: 500))
    // Contacts sound into each other.
    #expect(decide(&manners, [candidate(.impactHeavy, .ordinary)], at: 510) == [.play(interrupts: false)])
  }

  @Test func ofOneTurnTheMostImportantPlays() {
    var manners = Manners()
    let turn = [
      candidate(.selection, .step), candidate(.success, .outcome), candidate(.error, .critical),
      candidate(.error, .critical),
    ]
    #expect(
      decide(&manners, turn, at: 0) == [
        .silence(.coalesced), .silence(.coalesced), .play(interrupts: false), .silence(.coalesced),
      ])
    // An error that may not play again makes room for what may.
    #expect(
      decide(&manners, [candidate(.impactLight, .ordinary), candidate(.error, .critical)], at: 50) == [
        .play(interrupts: false), .silence(.sameKind),
      ])
  }

  @Test func whatComesTooLateIsNotPlayed() {
    var manners = Manners()
    #expect(
      decide(&manners, [candidate(.success, .outcome, asked: 0)], at: 101) == [.silence(.stale)])
    #expect(
      decide(&manners, [candidate(.success, .outcome, asked: 1)], at: 101) == [.play(interrupts: false)])
  }

  @Test func timeThatGoesBackStandsStill() {
    var manners = Manners()
    #expect(plays(&manners, candidate(.impactLight, .ordinary), at: 1000))
    #expect(decide(&manners, [candidate(.impactLight, .ordinary)], at: 0) == [.silence(.sameKind)])
    #expect(plays(&manners, candidate(.impactLight, .ordinary), at: 1100))
  }

  @Test func noTimeIsTooFarAway() {
    var manners = Manners()
    let success = Manners.Candidate(.success, priority: .outcome, lengthNanoseconds: .max)
    for time in [Int64.min, .min + 1, 0, .max - 1, .max] {
      #expect(manners.decide([success], at: time).count == 1)
    }
    var later = Manners()
    #expect(later.decide([success], at: .min) == [.play(interrupts: false)])
    #expect(later.decide([success], at: .max) == [.play(interrupts: false)])
    #expect(MannerRules(ceiling: .max).stepCeiling > 0 && MannerRules(ceiling: .min).ceiling == 1)
  }
}
