extension View {
  /// Plays a feedback when a value changes; never when the view appears.
  nonisolated public func sensoryFeedback<T: Equatable>(
    _ feedback: SensoryFeedback, trigger: T
  ) -> some View {
    modifier(FeedbackModifier(trigger, prepared: feedback) { _, _ in feedback })
  }

  /// Plays a feedback when a value changes and a condition holds.
  /// - Parameters:
  ///   - feedback: What is played.
  ///   - trigger: The value.
  ///   - condition: Given the value before and the one after.
  nonisolated public func sensoryFeedback<T: Equatable>(
    _ feedback: SensoryFeedback, trigger: T,
    condition: @escaping (_ oldValue: T, _ newValue: T) -> Bool
  ) -> some View {
    modifier(FeedbackModifier(trigger, prepared: feedback) { condition($0, $1) ? feedback : nil })
  }

  /// Plays what a closure says when a value changes.
  /// - Parameters:
  ///   - trigger: The value.
  ///   - feedback: Given the value before and the one after; nil plays nothing.
  nonisolated public func sensoryFeedback<T: Equatable>(
    trigger: T, _ feedback: @escaping (_ oldValue: T, _ newValue: T) -> SensoryFeedback?
  ) -> some View {
    modifier(FeedbackModifier(trigger, prepared: nil, feedback))
  }

  /// Plays what a closure says when a value changes.
  /// - Parameters:
  ///   - trigger: The value.
  ///   - feedback: Nil plays nothing.
  nonisolated public func sensoryFeedback<T: Equatable>(
    trigger: T, _ feedback: @escaping () -> SensoryFeedback?
  ) -> some View {
    modifier(FeedbackModifier(trigger, prepared: nil) { _, _ in feedback() })
  }
}

extension View {
  /// Calls a closure when a value has changed.
  /// - Parameters:
  ///   - value: The value.
  ///   - initial: Whether it is called when the view appears, too.
  ///   - action: Given the value before and the one after.
  nonisolated public func onChange<T: Equatable>(
    of value: T, initial: Bool = false, _ action: @escaping (_ oldValue: T, _ newValue: T) -> Void
  ) -> some View {
    modifier(ChangeModifier(value, initial, action))
  }

  /// Calls a closure when a value has changed.
  /// - Parameters:
  ///   - value: The value.
  ///   - initial: Whether it is called when the view appears, too.
  ///   - action: Called without arguments.
  nonisolated public func onChange<T: Equatable>(
    of value: T, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    modifier(ChangeModifier(value, initial) { _, _ in action() })
  }

  /// Calls a closure when the view appears.
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appearance: action, disappearance: nil))
  }

  /// Calls a closure when the view is gone.
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appearance: nil, disappearance: action))
  }
}

/// Plays a feedback when a value changes.
struct FeedbackModifier<Value: Equatable> {
  private let value: Value
  private let prepared: SensoryFeedback?
  private let choose: (Value, Value) -> SensoryFeedback?

  nonisolated init(
    _ value: Value, prepared: SensoryFeedback?, _ choose: @escaping (Value, Value) -> SensoryFeedback?
  ) {
    self.value = value
    self.prepared = prepared
    self.choose = choose
  }
}

extension FeedbackModifier: HostedModifier {
  func visit(_ content: some View, _ visitor: ViewVisitor) {
    let last = visitor.kept("value") { () -> Last<Value> in
      if let prepared { visitor.pass.prepare(prepared) }
      return Last(value)
    }
    let old = last.value
    if isAnother(value, than: old) {
      last.value = value
      // Later, when what the closure changes is followed again.
      visitor.pass.calls.append { [choose, value, emit = visitor.pass.emit] in
        if let feedback = choose(old, value) { emit(feedback) }
      }
    }
    visitor.visit(content)
  }
}

/// Calls a closure when a value has changed.
struct ChangeModifier<Value: Equatable> {
  private let value: Value
  private let isInitial: Bool
  private let action: (Value, Value) -> Void

  nonisolated init(_ value: Value, _ isInitial: Bool, _ action: @escaping (Value, Value) -> Void) {
    self.value = value
    self.isInitial = isInitial
    self.action = action
  }
}

extension ChangeModifier: HostedModifier {
  func visit(_ content: some View, _ visitor: ViewVisitor) {
    let last = visitor.kept("value") { () -> Last<Value> in
      if isInitial { visitor.pass.calls.append { [action, value] in action(value, value) } }
      return Last(value)
    }
    let old = last.value
    if isAnother(value, than: old) {
      last.value = value
      visitor.pass.calls.append { [action, value] in action(old, value) }
    }
    visitor.visit(content)
  }
}

/// Calls closures when a view appears and when it is gone.
struct AppearanceModifier {
  let appearance: (() -> Void)?
  let disappearance: (() -> Void)?

  nonisolated init(appearance: (() -> Void)?, disappearance: (() -> Void)?) {
    self.appearance = appearance
    self.disappearance = disappearance
  }
}

extension AppearanceModifier: HostedModifier {
  func visit(_ content: some View, _ visitor: ViewVisitor) {
    let isThere = visitor.kept("isThere") { Last(false) }
    if !isThere.value, let appearance { visitor.pass.calls.append(appearance) }
    isThere.value = true
    visitor.node.disappearance = disappearance
    visitor.visit(content)
  }
}

/// The value of the last update.
@MainActor private final class Last<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}
