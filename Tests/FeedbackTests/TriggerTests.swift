import Feedback
import FeedbackTesting
import Testing

/// Values of models, without views.
@MainActor @Suite struct TriggerTests {
  @Observable @MainActor final class Download {
    var count = 0
    var name: String?
    var other = 0
  }

  /// A model that any thread may set.
  @Observable final class Shared: @unchecked Sendable {
    // Safety of `@unchecked Sendable`: the value is behind a lock.
    @ObservationIgnored private let lock = NSLock()
    @ObservationIgnored private var stored = 0

    var count: Int {
      get {
        access(keyPath: \.count)
        return lock.withLock { stored }
      }
      set { withMutation(keyPath: \.count) { lock.withLock { stored = newValue } } }
    }
  }

  private let mock = MockHaptics()
  /// Turns within which what other threads have set is seen, unless it never is.
  private static let manyTurns = 1_000_000

  @Test func tableOfCases() async {
    let model = Download()
    let trigger = mock.use { model.sensoryFeedback(.success, trigger: \.count) }
    #expect(await mock.felt {} == [], "first sight")
    #expect(await mock.felt { model.count = 0 } == [], "an equal value")
    #expect(await mock.felt { model.count = 1 } == [.success], "another value")
    #expect(await mock.felt { for value in 2...30 { model.count = value } } == [.success], "many in a turn")
    #expect(
      await mock.felt {
        model.count = 31
        model.count = 30
      } == [], "there and back")
    #expect(await mock.felt { model.other = 1 } == [], "another property")
    #expect(await mock.felt { model.count = 32 } == [.success], "the next turn")
    trigger.cancel()
    #expect(await mock.felt { model.count = 33 } == [], "after its end")
  }

  @Test func nothingIsAValue() async {
    let model = Download()
    let trigger = mock.use { model.sensoryFeedback(.selection, trigger: \.name) }
    #expect(await mock.felt { model.name = nil } == [])
    #expect(await mock.felt { model.name = "a" } == [.selection])
    #expect(await mock.felt { model.name = nil } == [.selection])
    withExtendedLifetime(trigger) {}
  }

  @Test func conditionsAndClosures() async {
    let model = Download()
    let triggers = mock.use {
      [
        model.sensoryFeedback(.success, trigger: \.count) { _, new in new == 3 },
        model.sensoryFeedback(trigger: \.count) { $1 > $0 ? .increase : nil },
        model.sensoryFeedback(trigger: \.other) { .stop },
      ]
    }
    #expect(await mock.felt { model.count = 2 } == [.increase])
    #expect(Set(await mock.felt { model.count = 3 }.map(\.name)) == ["success", "increase"])
    #expect(await mock.felt { model.count = 1 } == [])
    #expect(await mock.felt { model.other = 1 } == [.stop])
    withExtendedLifetime(triggers) {}
  }

  @Test func aTriggerThatIsLetGoOfPlaysNothing() async {
    let model = Download()
    var trigger: FeedbackTrigger? = mock.use { model.sensoryFeedback(.success, trigger: \.count) }
    #expect(await mock.felt { model.count = 1 } == [.success])
    withExtendedLifetime(trigger) {}
    trigger = nil
    #expect(await mock.felt { model.count = 2 } == [])
  }

  @Test func aModelIsNotKept() async {
    var model: Download? = Download()
    weak let gone = model
    let trigger = mock.use { model?.sensoryFeedback(.success, trigger: \.count) }
    let last = await mock.felt {
      model?.count = 1
      model = nil
    }
    #expect(gone == nil && last == [])
    #expect(await mock.felt {} == [])
    withExtendedLifetime(trigger) {}
  }

  @Test func aChangeOnAnotherThreadIsSeen() async {
    let model = Shared()
    let trigger = mock.use { model.sensoryFeedback(.success, trigger: \.count) }
    await Task.detached { model.count = 1 }.value
    for _ in 0..<Self.manyTurns where mock.triggeredEvents.isEmpty { await endOfTurn() }
    #expect(mock.triggeredEvents == [.success])
    withExtendedLifetime(trigger) {}
  }

  @Test func aStormFromOtherThreadsEndsWithTheLastValueSeen() async {
    let model = Shared()
    var seen = 0
    let trigger = mock.use {
      model.sensoryFeedback(trigger: \.count) { _, new in
        seen = new
        return nil
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask { for step in 0..<500 { model.count = worker * 1000 + step } }
      }
    }
    let last = model.count
    for _ in 0..<Self.manyTurns where seen != last { await endOfTurn() }
    #expect(seen == last)
    withExtendedLifetime(trigger) {}
  }
}
