/// Plays a feedback when a value changes that a model holds: what the view modifiers do, without views.
///
/// ```swift
/// let trigger = download.sensoryFeedback(.success, trigger: \.isDone)   // as long as `trigger` is kept
/// ```
///
/// The value is looked at once at the end of a turn of the main actor in which it was set, on any thread: of
/// many changes the last counts, and one that is taken back is none. It never plays for the value that it
/// begins with, and ends with its model, which it does not keep.
@MainActor public final class FeedbackTrigger {
  private let owner = Turn.Owner()
  private let center = FeedbackCenter.current
  private var look: (() -> SensoryFeedback?)?
  private var following = Following()

  /// Follows what a closure reads of `@Observable` models.
  /// - Parameters:
  ///   - value: Read on the main actor; nil ends the trigger, as when a model that is held weakly is gone. A
  ///     value that may itself be nil is given as `.some(nil)`.
  ///   - feedback: What is played, given the value before and the one after; nil plays nothing.
  public init<Value: Equatable>(
    following value: @escaping @MainActor () -> Value?,
    _ feedback: @escaping (_ oldValue: Value, _ newValue: Value) -> SensoryFeedback?
  ) {
    var last: Value?
    look = { [weak self] in
      guard let self else { return nil }
      guard let new = follow(value) else {
        cancel()
        return nil
      }
      defer { last = new }
      guard let old = last, isAnother(new, than: old) else { return nil }
      return feedback(old, new)
    }
    lookAgain()
  }

  deinit { following.stop() }

  /// Ends it; nothing is played any more.
  public func cancel() {
    look = nil
    following.stop()
  }

  private func lookAgain() {
    if let feedback = look?() { Turn.current.add(feedback, to: center) }
  }

  /// Reads the value, and has it read again after its next change.
  private func follow<Value: Equatable>(_ value: @MainActor () -> Value?) -> Value? {
    following.stop()
    following = Following()
    let read = following.read(value) { [weak self] in self?.schedule() }
    // Another thread may have set it before it was being followed.
    if isAnother(value(), than: read) { schedule() }
    return read
  }

  private nonisolated func schedule() {
    Turn.scheduleChange(owner) { [weak self] in self?.lookAgain() }
  }
}

/// Whether a value is another one. What is not equal to itself, as a number that is none, is one value: it
/// would be another at every look.
func isAnother<Value: Equatable>(_ new: Value, than old: Value) -> Bool {
  new != old && (new == new || old == old)
}

@MainActor extension Observable where Self: AnyObject {
  /// Plays a feedback when a value of the model changes, as long as the result is kept.
  public func sensoryFeedback<T: Equatable>(
    _ feedback: SensoryFeedback, trigger path: KeyPath<Self, T>
  ) -> FeedbackTrigger {
    sensoryFeedback(trigger: path) { _, _ in feedback }
  }

  /// Plays a feedback when a value of the model changes and a condition holds, as long as the result is kept.
  /// - Parameters:
  ///   - feedback: What is played.
  ///   - path: Where the value is.
  ///   - condition: Given the value before and the one after.
  public func sensoryFeedback<T: Equatable>(
    _ feedback: SensoryFeedback, trigger path: KeyPath<Self, T>,
    condition: @escaping (_ oldValue: T, _ newValue: T) -> Bool
  ) -> FeedbackTrigger {
    sensoryFeedback(trigger: path) { condition($0, $1) ? feedback : nil }
  }

  /// Plays what a closure says when a value of the model changes, as long as the result is kept.
  /// - Parameters:
  ///   - path: Where the value is.
  ///   - feedback: Given the value before and the one after; nil plays nothing.
  public func sensoryFeedback<T: Equatable>(
    trigger path: KeyPath<Self, T>,
    _ feedback: @escaping (_ oldValue: T, _ newValue: T) -> SensoryFeedback?
  ) -> FeedbackTrigger {
    FeedbackTrigger(following: { [weak self] in self.map { $0[keyPath: path] } }, feedback)
  }

  /// Plays what a closure says when a value of the model changes, as long as the result is kept.
  /// - Parameters:
  ///   - path: Where the value is.
  ///   - feedback: Nil plays nothing.
  public func sensoryFeedback<T: Equatable>(
    trigger path: KeyPath<Self, T>, _ feedback: @escaping () -> SensoryFeedback?
  ) -> FeedbackTrigger {
    sensoryFeedback(trigger: path) { _, _ in feedback() }
  }
}
