import Feedback
import FeedbackTesting
import Testing

/// What many threads do to one machine, and what is left of what is let go of.
@MainActor @Suite(.serialized) struct LifetimeTests {
  private static let manyTurns = 1_000_000

  @Test func nothingKeepsAMachine() async {
    weak var gone: MockHaptics?
    weak var machine: AnyObject?
    do {
      let mock = MockHaptics()
      gone = mock
      machine = mock.machine
      mock.trigger(.success)
      let host = mock.use { ViewHost(EmptyView().sensoryFeedback(.success, trigger: 1)) }
      let generator = mock.use { UIImpactFeedbackGenerator() }
      generator.prepare()
      generator.impactOccurred()
      mock.advance(seconds: 1)
      host.close()
    }
    // Its last work may still be under way on another thread.
    for _ in 0..<Self.manyTurns where machine != nil { await endOfTurn() }
    #expect(gone == nil && machine == nil)
  }

  @Test func manyThreadsAreOneAfterTheOther() async {
    let mock = MockHaptics()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        group.addTask {
          for _ in 0..<20 { mock.trigger(index % 2 == 0 ? .success : .error) }
          mock.settings.gain = 0.5
          mock.settings.isVibrationOn = index % 3 != 0
        }
      }
    }
    mock.advance(seconds: 1)
    #expect(mock.triggeredEvents.count == 320)
    #expect(mock.played.count <= 2)
  }

  /// An observed value that says which readings of it are still known of.
  final class Ledger: Observable, @unchecked Sendable {
    // Safety of `@unchecked Sendable`: used on the main actor alone.

    /// One reading.
    final class Reading: Hashable, Sendable {
      static func == (left: Reading, right: Reading) -> Bool { left === right }

      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    private struct Weak { weak var reading: Reading? }

    private let registrar = ObservationRegistrar()
    private var readings: [Weak] = []

    var knownCount: Int { readings.count { $0.reading != nil } }

    func read() {
      let reading = Reading()
      readings.append(Weak(reading: reading))
      // The key path holds its argument for as long as anybody follows it.
      registrar.access(self, keyPath: \.[reading])
    }

    private subscript(reading: Reading) -> Int { 0 }
  }

  private struct Page: View {
    let ledger: Ledger
    let count: Int

    var body: some View {
      ledger.read()
      return EmptyView().sensoryFeedback(.success, trigger: count)
    }
  }

  @Test func aModelThatStaysIsNotFollowedMoreAndMore() {
    let stage = Stage()
    let ledger = Ledger()
    let host = stage.host(Page(ledger: ledger, count: 0))
    for count in 1...50 {
      host.root = Page(ledger: ledger, count: count)
      host.update()
    }
    #expect(ledger.knownCount == 1)
    host.close()
    #expect(ledger.knownCount == 0)
  }

  @Test func aTriggerThatIsLetGoOfLeavesNothingBehind() {
    let ledger = Ledger()
    for _ in 0..<10 {
      let trigger = FeedbackTrigger(following: { () -> Int? in
        ledger.read()
        return 1
      }) { _, _ in .success }
      withExtendedLifetime(trigger) {}
    }
    #expect(ledger.knownCount == 0)
  }
}
