internal import ThrumFeedback

/// What the user of the machine needs, by the names of a phone's toolkit.
///
/// Threads: any.
public enum UIAccessibility {
  /// Whether less motion is wanted.
  public static var isReduceMotionEnabled: Bool { FeedbackCenter.current.settings.reducesMotion }

  /// Whether a screen reader runs.
  public static var isVoiceOverRunning: Bool { FeedbackCenter.current.settings.isScreenReaderRunning }

  /// Whether cross-fades are preferred to movements.
  public static var prefersCrossFadeTransitions: Bool { FeedbackCenter.current.settings.prefersCrossFade }

  /// Posted when ``isReduceMotionEnabled`` has changed.
  public static let reduceMotionStatusDidChangeNotification = Notification.Name(
    "UIAccessibilityReduceMotionStatusDidChangeNotification")

  /// Posted when ``isVoiceOverRunning`` has changed.
  public static let voiceOverStatusDidChangeNotification = Notification.Name(
    "UIAccessibilityVoiceOverStatusDidChangeNotification")

  /// Posted when ``prefersCrossFadeTransitions`` has changed.
  public static let prefersCrossFadeTransitionsStatusDidChange = Notification.Name(
    "UIAccessibilityPrefersCrossFadeTransitionsStatusDidChangeNotification")
}

extension ProcessInfo {
  /// Whether power is to be saved.
  public var isLowPowerModeEnabled: Bool { FeedbackCenter.current.settings.isLowPower }
}

extension Notification.Name {
  /// Posted when `ProcessInfo.isLowPowerModeEnabled` has changed.
  public static let NSProcessInfoPowerStateDidChange = Notification.Name(
    "NSProcessInfoPowerStateDidChangeNotification")
}

/// Posts what has changed.
func postChanges(_ old: FeedbackSettings, _ new: FeedbackSettings) {
  func post(_ name: Notification.Name, _ path: KeyPath<FeedbackSettings, Bool>) {
    if old[keyPath: path] != new[keyPath: path] { NotificationCenter.default.post(name: name, object: nil) }
  }
  post(UIAccessibility.reduceMotionStatusDidChangeNotification, \.reducesMotion)
  post(UIAccessibility.voiceOverStatusDidChangeNotification, \.isScreenReaderRunning)
  post(UIAccessibility.prefersCrossFadeTransitionsStatusDidChange, \.prefersCrossFade)
  post(.NSProcessInfoPowerStateDidChange, \.isLowPower)
}
