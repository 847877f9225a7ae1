import ThrumFeedback
import ThrumPattern

/// What is felt for which event, by profile.
struct Theme {
  /// What is felt for an event.
  struct Feedback: Equatable {
    /// The profile from which on it is felt.
    var profile: FeedbackProfile
    /// The name by which the policy knows it: a preset's, or that of a pattern of the theme.
    var name: FeedbackName
    /// How strong, 0…1.
    var intensity = 1.0
    /// Seconds between two runs, where it repeats.
    var rest = Theme.usualRest
  }

  /// Seconds between two runs of what does not say.
  static let usualRest = 0.5

  /// By the names of the events.
  var feedbacks: [String: [Feedback]] = [:]
  /// The patterns that the theme brings along.
  var patterns: [FeedbackName: Pattern] = [:]
  /// Whether the built-in theme answers for events that this one does not name.
  var hasParent = false
  /// The files that it was read from, its own first.
  var files: [FileName] = []
  /// How many feedbacks are for loudspeakers or lights, which are not ours.
  var otherCount = 0

  /// What is felt for an event; nil for nothing.
  func feedback(for event: String, profile: FeedbackProfile) -> Feedback? {
    if let own = feedbacks[event] {
      return own.filter { $0.profile <= profile }.max { $0.profile < $1.profile }
    }
    return hasParent ? Theme.builtIn(event, profile: profile) : nil
  }

  /// Gives the patterns to a library, which forgets them when it is made anew.
  func install(in library: inout PresetLibrary) {
    for (name, pattern) in patterns { library.set(pattern, named: name) }
  }
}

// The theme that is there without a file.
extension Theme {
  /// The built-in theme: the events that applications know by convention, and every preset by its own name.
  static let builtIn = Theme(hasParent: true)

  private static func builtIn(_ event: String, profile: FeedbackProfile) -> Feedback? {
    guard profile >= .quiet, let name = FeedbackName(presetNames[event] ?? event) else { return nil }
    return Feedback(profile: .quiet, name: name)
  }

  /// The events that it knows by convention.
  static var builtInEvents: [String] { presetNames.keys.sorted() }

  private static let presetNames: [String: String] = [
    "alarm-clock-elapsed": "notification", "battery-caution": "warning", "battery-full": "success",
    "battery-low": "warning", "bell-terminal": "generic", "button-pressed": "press-button",
    "button-released": "navigation-link-tap", "camera-focus": "alignment", "camera-shutter": "press-toggle",
    "device-added": "level-change", "key-pressed": "press-button-icon-only",
    "message-new-cellbroadcast": "underwater-depth-critical-prompt", "message-new-email": "notification",
    "message-new-instant": "notification", "message-new-sms": "notification",
    "message-sent-instant": "success", "notification-new-generic": "notification",
    "phone-failure": "error", "phone-hangup": "stop", "phone-incoming-call": "notification",
    "phone-outgoing-busy": "warning", "power-plug": "start", "power-unplug": "stop",
    "power-unplug-battery-low": "warning", "screen-capture": "press-toggle", "theme-demo": "success",
    "timeout-completed": "notification", "window-close": "selection-off",
  ]
}
