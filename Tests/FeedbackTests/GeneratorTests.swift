import CoreHaptics
import Feedback
import FeedbackTesting
import Testing

@MainActor @Suite struct GeneratorTests {
  private let mock = MockHaptics()

  /// What a call plays.
  private func played(_ call: () -> Void) -> [String] {
    let before = mock.played.count
    mock.use(call)
    mock.advance(seconds: 1)
    return Array(mock.played.dropFirst(before))
  }

  @Test(arguments: [
    (UIImpactFeedbackGenerator.FeedbackStyle.light, "impact-light"), (.medium, "impact-medium"),
    (.heavy, "impact-heavy"), (.soft, "impact-soft"), (.rigid, "impact-rigid"),
  ])
  func impactsHaveTheirStyle(style: UIImpactFeedbackGenerator.FeedbackStyle, name: String) {
    let generator = UIImpactFeedbackGenerator(style: style)
    #expect(played { generator.impactOccurred() } == [name])
    #expect(played { generator.impactOccurred(intensity: 0.7) } == [name])
    #expect(played { generator.impactOccurred(at: CGPoint(x: 1, y: 2)) } == [name])
    #expect(played { generator.impactOccurred(intensity: 0.7, at: .zero) } == [name])
    #expect(mock.triggeredEvents.map(\.intensity) == [1, 0.7, 1, 0.7])
    #expect(UIImpactFeedbackGenerator.FeedbackStyle(rawValue: style.rawValue) == style)
  }

  @Test func theSiblingsPlayWhatTheySay() {
    let view = UIView()
    let selection = UISelectionFeedbackGenerator(view: view)
    #expect(played { selection.selectionChanged() } == ["selection"])
    #expect(played { selection.selectionChanged(at: .zero) } == ["selection"])
    let notification = UINotificationFeedbackGenerator()
    #expect(played { notification.notificationOccurred(.success) } == ["success"])
    #expect(played { notification.notificationOccurred(.warning) } == ["warning"])
    #expect(played { notification.notificationOccurred(.error, at: .zero) } == ["error"])
    let canvas = UICanvasFeedbackGenerator(view: view)
    #expect(played { canvas.alignmentOccurred(at: .zero) } == ["alignment"])
    #expect(played { canvas.pathCompleted(at: .zero) } == ["path-complete"])
    #expect(
      played { UIImpactFeedbackGenerator(style: .heavy, view: view).impactOccurred() } == ["impact-heavy"])
    #expect(played { UIImpactFeedbackGenerator().impactOccurred() } == ["impact-medium"])
  }

  @Test(arguments: [
    (WKHapticType.notification, "notification"), (.directionUp, "increase"), (.directionDown, "decrease"),
    (.success, "success"), (.failure, "error"), (.retry, "warning"), (.start, "start"), (.stop, "stop"),
    (.click, "selection"), (.navigationLeftTurn, "navigation-left-turn"),
    (.navigationRightTurn, "navigation-right-turn"),
    (.navigationGenericManeuver, "navigation-generic-maneuver"),
    (.underwaterDepthPrompt, "underwater-depth-prompt"),
    (.underwaterDepthCriticalPrompt, "underwater-depth-critical-prompt"),
    (.navigationLinkTap, "navigation-link-tap"),
  ])
  func aWatchPlaysItsTypes(type: WKHapticType, name: String) {
    #expect(played { WKInterfaceDevice.current().play(type) } == [name])
  }

  @Test func theTypesOfAWatchHaveItsNumbers() {
    #expect(WKHapticType.allCases.map(\.rawValue) == Array(0...13) + [1000])
  }

  @Test func theDesktopPerformsNowOrAtTheEndOfTheTurn() async {
    let performer = NSHapticFeedbackManager.defaultPerformer
    #expect(played { performer.perform(.levelChange, performanceTime: .now) } == ["level-change"])
    #expect(played { performer.perform(.generic, performanceTime: .drawCompleted) } == [])
    await endOfTurn()
    #expect(mock.played.last == "generic")
    mock.advance(seconds: 1)
    mock.use { performer.perform(.alignment, performanceTime: .default) }
    await endOfTurn()
    #expect(mock.played.last == "alignment")
  }

  /// Frames from the call to the first sample that is felt.
  private func latency(_ call: () -> Void) -> Int {
    let start = mock.signal.count
    mock.use(call)
    mock.advance(seconds: 0.3)
    return mock.signal.dropFirst(start).firstIndex { abs($0) > 0.01 }.map { $0 - start } ?? -1
  }

  @Test func afterPreparingTheFirstTapIsAsSoonAsLaterOnes() {
    let generator = UIImpactFeedbackGenerator(style: .medium)
    mock.use { generator.prepare() }
    mock.advance(seconds: 0.1)
    #expect(mock.played == [] && mock.signal.allSatisfy { $0 == 0 })
    let latencies = (0..<4).map { _ in latency { generator.impactOccurred() } }
    #expect(Set(latencies).count == 1 && latencies[0] >= 0, "\(latencies)")
  }
}
