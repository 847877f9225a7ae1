import Feedback
import FeedbackTesting

/// A machine without a card, and a view or a trigger on it.
@MainActor final class Stage {
  let mock = MockHaptics()

  /// Hosts a view on it.
  func host<Root: View>(_ root: Root) -> ViewHost<Root> { mock.use { ViewHost(root) } }

  /// Ends the turn, after which half a second passes, and gives back what was asked for in it.
  func endTurn<Root: View>(_ host: ViewHost<Root>) -> [SensoryFeedback] {
    let before = mock.triggeredEvents.count
    host.update()
    mock.advance(seconds: 0.5)
    return Array(mock.triggeredEvents.dropFirst(before))
  }
}

extension MockHaptics {
  /// What is asked for in a turn that a closure begins.
  @MainActor func felt(_ change: () -> Void) async -> [SensoryFeedback] {
    let before = triggeredEvents.count
    change()
    await endOfTurn()
    advance(seconds: 0.5)
    return Array(triggeredEvents.dropFirst(before))
  }
}

/// A button of a toolkit, which its adapter presses.
struct Button<Label: View>: HostedView {
  let action: () -> Void
  let label: Label

  init(action: @escaping () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  init(_ title: String, action: @escaping () -> Void) where Label == EmptyView {
    self.init(action: action) { EmptyView() }
  }

  func visitChildren(_ visitor: ViewVisitor) {
    Pressing.action = action
    visitor.visit(label)
  }
}

/// The button that was seen last.
@MainActor enum Pressing {
  static var action: () -> Void = {}

  static func press() { action() }
}
