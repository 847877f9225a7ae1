import Feedback
import FeedbackTesting
import Testing

/// The four forms of the modifier, in views.
@MainActor @Suite(.serialized) struct ViewFormTests {
  private struct Cart: View {
    @State private var items = 0

    var body: some View {
      Button("In the cart") { items += 1 }
        .sensoryFeedback(.success, trigger: items)
    }
  }

  @Test func aValueThatChangesIsFeltAndItsFirstIsNot() {
    let stage = Stage()
    let host = stage.host(Cart())
    #expect(stage.endTurn(host) == [])
    Pressing.press()
    #expect(stage.endTurn(host) == [.success])
    #expect(stage.endTurn(host) == [])
    #expect(stage.mock.signal.contains { abs($0) > 0.1 })
  }

  private struct Like: View {
    @State private var isLiked = false

    var body: some View {
      Button {
        isLiked.toggle()
      } label: {
        EmptyView()
      }
      .sensoryFeedback(.impact(weight: .light, intensity: 0.7), trigger: isLiked) { old, new in
        old == false && new == true
      }
    }
  }

  @Test func aConditionIsGivenOldAndNew() {
    let stage = Stage()
    let host = stage.host(Like())
    Pressing.press()
    #expect(stage.endTurn(host) == [.impact(weight: .light, intensity: 0.7)])
    Pressing.press()
    #expect(stage.endTurn(host) == [])
  }

  private struct Steps: View {
    let steps: Int

    var body: some View {
      EmptyView()
        .sensoryFeedback(trigger: steps) { old, new in
          new == 5 ? nil : new > old ? .increase : .decrease
        }
    }
  }

  @Test func aClosureChooses() {
    let stage = Stage()
    let host = stage.host(Steps(steps: 0))
    var felt: [SensoryFeedback] = []
    for steps in [1, 2, 1, 5, 5, 4] {
      host.root = Steps(steps: steps)
      felt += stage.endTurn(host)
    }
    #expect(felt == [.increase, .increase, .decrease, .decrease])
  }

  private struct Plain: View {
    let value: String?

    var body: some View { EmptyView().sensoryFeedback(trigger: value) { .levelChange } }
  }

  @Test func nothingIsAValueLikeAnyOther() {
    let stage = Stage()
    let host = stage.host(Plain(value: nil))
    var felt: [Int] = []
    for value in [nil, "a", "a", nil, "b"] {
      host.root = Plain(value: value)
      felt.append(stage.endTurn(host).count)
    }
    #expect(felt == [0, 1, 0, 1, 1])
  }

  @Test func manyChangesOfATurnAreOne() {
    let stage = Stage()
    let host = stage.host(Cart())
    for _ in 0..<20 { Pressing.press() }
    #expect(stage.endTurn(host) == [.success])
    let liking = stage.host(Like())
    Pressing.press()
    Pressing.press()
    #expect(stage.endTurn(liking) == [])
  }

  private struct Both: View {
    let value: Int

    var body: some View {
      EmptyView().sensoryFeedback(.selection, trigger: value)
      EmptyView().sensoryFeedback(.error, trigger: value)
      EmptyView().sensoryFeedback(.success, trigger: value)
    }
  }

  @Test func ofSeveralInATurnTheMostImportantPlays() {
    let stage = Stage()
    let host = stage.host(Both(value: 0))
    host.root = Both(value: 1)
    #expect(stage.endTurn(host) == [.selection, .error, .success])
    #expect(stage.mock.played == ["error"])
  }

  private struct Page: View {
    let isShown: Bool
    let value: Int

    var body: some View {
      if isShown {
        EmptyView().sensoryFeedback(.selection, trigger: value)
      }
    }
  }

  @Test func aViewThatAppearsAgainBeginsAnew() {
    let stage = Stage()
    let host = stage.host(Page(isShown: true, value: 1))
    var felt: [Int] = []
    for (isShown, value) in [(false, 2), (true, 3), (true, 4)] {
      host.root = Page(isShown: isShown, value: value)
      felt.append(stage.endTurn(host).count)
    }
    #expect(felt == [0, 0, 1])
  }

  @Test func whatChangesInTransitionIsNotedAndNotFelt() {
    let stage = Stage()
    let host = stage.host(Cart())
    host.isInTransition = true
    Pressing.press()
    #expect(stage.endTurn(host) == [.success])
    #expect(stage.mock.played == [])
    #expect(stage.mock.records.map(\.silence) == ["the view is in transition"])
    host.isInTransition = false
    #expect(stage.endTurn(host) == [])
    Pressing.press()
    #expect(stage.endTurn(host) == [.success] && stage.mock.played == ["success"])
  }

  private struct Contextual: ViewModifier {
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    let trigger: Bool

    func body(content: Content) -> some View {
      content.sensoryFeedback(.impact(weight: .light), trigger: trigger) { _, _ in !reduceMotion }
    }
  }

  @Test func aModifierFindsTheSettingsInItsEnvironment() {
    let stage = Stage()
    let host = stage.host(EmptyView().modifier(Contextual(trigger: false)))
    host.root = EmptyView().modifier(Contextual(trigger: true))
    #expect(stage.endTurn(host).count == 1)
    stage.mock.settings.reducesMotion = true
    host.root = EmptyView().modifier(Contextual(trigger: false))
    #expect(stage.endTurn(host).count == 0)
  }

  @Test func aHostThatIsClosedFeelsNothing() {
    let stage = Stage()
    let host = stage.host(Cart())
    host.close()
    Pressing.press()
    #expect(stage.endTurn(host) == [])
  }

  @Test func theTurnEndsByItself() async {
    let stage = Stage()
    let host = stage.host(Cart())
    Pressing.press()
    await endOfTurn()
    #expect(stage.mock.triggeredEvents == [.success])
    withExtendedLifetime(host) {}
  }
}

/// Comes back when what the main actor had waiting by now is done.
@MainActor func endOfTurn() async { await Task { @MainActor in }.value }
