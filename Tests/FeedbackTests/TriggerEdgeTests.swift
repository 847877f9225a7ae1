import Feedback
import FeedbackTesting
import Testing

/// Triggers and hosts where values, owners and turns are not as simple as they look.
@MainActor @Suite(.serialized) struct TriggerEdgeTests {
  @Observable @MainActor final class Model {
    var count = 0
    var level = 0.0
    var shown = 0
  }

  private let mock = MockHaptics()

  @Test func aTriggerInThePlaceOfOneThatIsGoneIsNotTakenForIt() async {
    // Memory that is let go of is given to the next who asks for as much.
    for _ in 0..<5 {
      let model = Model()
      var first: FeedbackTrigger? = mock.use { model.sensoryFeedback(.error, trigger: \.count) }
      model.count = 1
      withExtendedLifetime(first) {}
      first = nil
      let second = mock.use { model.sensoryFeedback(.success, trigger: \.count) }
      #expect(await mock.felt { model.count = 2 } == [.success])
      #expect(await mock.felt { model.count = 3 } == [.success])
      withExtendedLifetime(second) {}
    }
  }

  @Test func whatIsNoNumberIsOneValue() async {
    let model = Model()
    let trigger = mock.use { model.sensoryFeedback(.success, trigger: \.level) }
    #expect(await mock.felt { model.level = .nan } == [.success])
    for _ in 0..<20 { await endOfTurn() }
    mock.advance(seconds: 0.5)
    #expect(mock.triggeredEvents.count == 1)
    #expect(await mock.felt { model.level = .nan } == [])
    #expect(await mock.felt { model.level = 1 } == [.success])
    withExtendedLifetime(trigger) {}
  }

  private struct Level: View {
    let level: Double
    let other: Int

    var body: some View {
      EmptyView().sensoryFeedback(.success, trigger: level).onChange(of: level) { Level.changes += 1 }
    }

    @MainActor static var changes = 0
  }

  @Test func aViewWhoseValueIsNoNumberIsStillAtRest() {
    let stage = Stage()
    let host = stage.host(Level(level: 1, other: 0))
    host.root = Level(level: .nan, other: 0)
    #expect(stage.endTurn(host) == [.success])
    Level.changes = 0
    host.root = Level(level: .nan, other: 1)
    #expect(stage.endTurn(host) == [])
    #expect(Level.changes == 0)
  }

  private struct Mirrored: View {
    let model: Model

    var body: some View {
      Inner(shown: model.shown, count: model.count) { [model] in model.shown = $0 }
        .sensoryFeedback(.increase, trigger: model.shown)
    }
  }

  private struct Inner: View {
    let shown: Int
    let count: Int
    let set: (Int) -> Void

    var body: some View {
      EmptyView().sensoryFeedback(trigger: count) { _, new in
        set(new)
        return .success
      }
    }
  }

  @Test func aClosureThatChangesTheModelIsNoticed() {
    let stage = Stage()
    let model = Model()
    let host = stage.host(Mirrored(model: model))
    model.count = 1
    #expect(stage.endTurn(host) == [.success, .increase])
  }

  private struct Reader: View {
    let model: Model
    let whileRead: () -> Void

    var body: some View {
      let count = model.count
      whileRead()
      return EmptyView().sensoryFeedback(.success, trigger: count)
    }
  }

  @Test func whatIsSetWhileViewsAreGoneThroughIsSeen() {
    let stage = Stage()
    let model = Model()
    let host = stage.host(Reader(model: model) {})
    host.root = Reader(model: model) { if model.count == 0 { model.count = 1 } }
    #expect(stage.endTurn(host) == [.success])
  }

  @Test func aGeneratorThatIsMadeOnAMachinePlaysOnIt() {
    let generator = mock.use { UIImpactFeedbackGenerator(style: .heavy) }
    generator.impactOccurred()
    #expect(mock.triggeredEvents == [.impact(weight: .heavy)])
    let other = MockHaptics()
    other.use { generator.impactOccurred() }
    #expect(other.triggeredEvents == [.impact(weight: .heavy)])
  }

  private struct Acting: View {
    let count: Int

    var body: some View {
      EmptyView().onChange(of: count) { SystemHaptics().trigger(.success) }
    }
  }

  @Test func whatAHostedViewAsksForPlaysOnItsMachine() {
    let stage = Stage()
    let host = stage.host(Acting(count: 0))
    host.root = Acting(count: 1)
    #expect(stage.endTurn(host) == [.success])
  }

  @Test func aFeedbackWithoutStrengthTakesNoPlace() {
    mock.trigger(.impact(weight: .heavy, intensity: 0))
    mock.trigger(.impact(weight: .heavy))
    #expect(mock.played == ["impact-heavy"])
  }
}
