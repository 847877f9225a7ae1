/// Plays feedback, for code that is tested with a stand-in: ``SystemHaptics`` in a program, `MockHaptics` of
/// FeedbackTesting in its tests.
public protocol HapticProviding: Sendable {
  /// Plays a feedback now, if settings and manners allow it.
  func trigger(_ feedback: SensoryFeedback)
}

/// The machine's haptics.
public struct SystemHaptics: HapticProviding {
  /// Creates a provider; nothing is opened.
  public init() {}

  /// Plays a feedback now, if settings and manners allow it.
  ///
  /// Threads: any. Real-time: no.
  public func trigger(_ feedback: SensoryFeedback) { FeedbackCenter.current.trigger(feedback) }
}
