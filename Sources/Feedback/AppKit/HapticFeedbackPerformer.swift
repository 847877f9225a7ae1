internal import ThrumFeedback

/// What plays feedback, by the name that programs for a desktop know.
public protocol NSHapticFeedbackPerformer: AnyObject, Sendable {
  /// Plays a feedback.
  func perform(
    _ pattern: NSHapticFeedbackManager.FeedbackPattern,
    performanceTime: NSHapticFeedbackManager.PerformanceTime)
}

/// Where the performer is found.
///
/// Threads: any.
open class NSHapticFeedbackManager: NSObject {
  /// A feedback.
  public enum FeedbackPattern: Int, Sendable {
    /// One plain tap.
    case generic = 0
    /// What is dragged is aligned.
    case alignment = 1
    /// A level is crossed.
    case levelChange = 2
  }

  /// When a feedback is played.
  public enum PerformanceTime: Int, Sendable {
    /// At the end of the turn of the main actor, with what it changed on the screen.
    case `default` = 0
    /// At once.
    case now = 1
    /// At the end of the turn of the main actor.
    case drawCompleted = 2
  }

  /// The performer.
  open class var defaultPerformer: any NSHapticFeedbackPerformer { SystemPerformer.shared }
}

private final class SystemPerformer: NSHapticFeedbackPerformer {
  static let shared = SystemPerformer()

  func perform(
    _ pattern: NSHapticFeedbackManager.FeedbackPattern,
    performanceTime: NSHapticFeedbackManager.PerformanceTime
  ) {
    let name: FeedbackName =
      switch pattern {
      case .generic: .generic
      case .alignment: .alignment
      case .levelChange: .levelChange
      }
    let center = FeedbackCenter.current
    let feedback = SensoryFeedback(name)
    switch performanceTime {
    case .now: center.trigger(feedback)
    case .default, .drawCompleted: Turn.schedule(feedback, to: center)
    }
  }
}
