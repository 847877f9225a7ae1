import Feedback
import FeedbackTesting
import Testing

/// Every case, and what of it is played.
@Suite struct FeedbackCaseTests {
  static let cases: [(SensoryFeedback, String)] = [
    (.success, "success"), (.warning, "warning"), (.error, "error"), (.selection, "selection"),
    (.increase, "increase"), (.decrease, "decrease"), (.start, "start"), (.stop, "stop"),
    (.alignment, "alignment"), (.levelChange, "level-change"), (.pathComplete, "path-complete"),
    (.impact, "impact-light"), (.impact(weight: .light), "impact-light"),
    (.impact(weight: .medium), "impact-medium"), (.impact(weight: .heavy), "impact-heavy"),
    (.impact(weight: .soft), "impact-soft"), (.impact(weight: .rigid), "impact-rigid"),
    (.impact(flexibility: .rigid), "impact-rigid"), (.impact(flexibility: .solid), "impact-solid"),
    (.impact(flexibility: .soft), "impact-soft"), (.impact(), "impact-medium"),
    (.press(.button), "press-button"), (.press(.buttonIconOnly), "press-button-icon-only"),
    (.press(.slider), "press-slider"), (.press(.tab), "press-tab"), (.press(.toggle), "press-toggle"),
    (.release(.slider), "release-slider"), (.selection(.on), "selection-on"),
    (.selection(.off), "selection-off"), (.selection(.minimum), "selection-minimum"),
    (.selection(.maximum), "selection-maximum"),
  ]

  @Test func everyCasePlaysItsPreset() {
    for (feedback, name) in Self.cases {
      let mock = MockHaptics()
      mock.trigger(feedback)
      mock.advance(seconds: 0.5)
      #expect(mock.played == [name])
      #expect(mock.signal.contains { abs($0) > 0.05 }, "\(name)")
    }
  }

  @Test func intensityIsAFactor() throws {
    func peak(_ intensity: Double) -> Float {
      let mock = MockHaptics()
      mock.trigger(.impact(weight: .heavy, intensity: intensity))
      mock.advance(seconds: 0.3)
      return mock.signal.map(abs).max() ?? 0
    }
    let full = peak(1)
    #expect(abs(peak(0.5) / full - 0.5) < 0.01)
    #expect(peak(7) == full && peak(-1) == 0 && peak(.nan) == 0)
  }

  @Test func equalityIsByWhatIsPlayed() {
    #expect(SensoryFeedback.impact(weight: .soft) == .impact(flexibility: .soft))
    #expect(SensoryFeedback.impact == .impact(weight: .light, intensity: 1))
    #expect(SensoryFeedback.success != .warning)
    #expect(SensoryFeedback.impact(weight: .light, intensity: 0.5) != .impact)
    #expect(SensoryFeedback(named: "success") == .success)
    #expect(SensoryFeedback(named: "../success") == nil)
  }

  @Test func whatARoleSaysIsRespected() {
    let mock = MockHaptics()
    mock.settings.reducesMotion = true
    for feedback in [
      SensoryFeedback.impact(weight: .heavy), .impact(weight: .heavy).role(.functional),
      .impact(weight: .heavy).role(.decorative), .success,
    ] {
      mock.trigger(feedback)
      mock.advance(seconds: 0.5)
    }
    #expect(mock.records.map(\.played) == ["impact-light", "impact-heavy", nil, "success"])
    #expect(mock.records.map(\.silence) == [nil, nil, "less motion is wanted", nil])
  }

  @Test func mannersHoldForWholePrograms() {
    let mock = MockHaptics()
    for _ in 0..<5 { mock.trigger(.success) }
    #expect(mock.played == ["success"] && mock.triggeredEvents.count == 5)
    mock.advance(seconds: 0.02)
    mock.trigger(.error)
    mock.trigger(.selection)
    #expect(mock.played == ["success", "error"])
    #expect(mock.records.last?.silence == "a more important one is playing")
  }

  @Test func anErrorCutsShortWhatPlays() {
    let mock = MockHaptics()
    mock.trigger(.success)
    mock.advance(seconds: 0.06)
    mock.trigger(.error)
    mock.advance(seconds: 0.5)
    #expect(mock.machine.requests.map(\.action) == [.start, .stop, .start])
  }
}
