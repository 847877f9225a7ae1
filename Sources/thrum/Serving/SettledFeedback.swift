import ThrumDesktop
import ThrumFeedback

/// What the user has settled about feedback, and who said so.
struct SettledFeedback {
  let reading: FeedbackSettings.Reading
  let desktop: DesktopSettings
  /// How far the desktop has come with its answer; nil where it is not to be followed.
  let progress: DesktopFollower.Progress?

  /// How long a command waits for the desktop. One that is there answers within a few; what hangs must not hold a
  /// tap up for longer than it can be felt as an answer.
  private static let limitMilliseconds = 50

  /// Reads the configuration file and the environment, and asks the desktop.
  /// - Throws: `CommandError.configuration` for the first mistake.
  static func read() throws(CommandError) -> SettledFeedback {
    // Asked first, so that it answers while the file is read.
    let follower = DesktopFollower()
    let own = FeedbackSettings.read()
    if let problem = own.problems.first { throw .configuration("thrum: error: \(problem)") }
    guard own.followsDesktop else {
      return SettledFeedback(reading: own, desktop: DesktopSettings(), progress: nil)
    }
    follower.wait(milliseconds: limitMilliseconds)
    let desktop = follower.settings
    var reading = own
    reading.settings.follow(desktop, except: own.settled)
    return SettledFeedback(reading: reading, desktop: desktop, progress: follower.progress)
  }

  /// One setting as it is told.
  private struct Row {
    var key: String
    var value: JSONValue
    var word: String
    var place: String
  }

  private var rows: [Row] {
    FeedbackSettings.keys.map { key in
      let (value, word) = value(of: key)
      let isDesktop = DesktopSettings.Key(rawValue: key).flatMap { desktop[$0] } != nil
      let place = reading.places[key] ?? (isDesktop ? "the desktop" : "nobody")
      return Row(key: key, value: value, word: word, place: place)
    }
  }

  private func value(of key: String) -> (JSONValue, String) {
    let settings = reading.settings
    func truth(_ isTrue: Bool) -> (JSONValue, String) { (.bool(isTrue), isTrue ? "yes" : "no") }
    switch key {
    case "vibration": return truth(settings.isVibrationOn)
    case "haptics": return truth(settings.isHapticsOn)
    // Of lists of programs it is told whether this one is in it.
    case "haptics-off-for": return truth(!settings.isApplicationOn)
    case "reduce-motion": return truth(settings.reducesMotion)
    case "prefer-cross-fade": return truth(settings.prefersCrossFade)
    case "silent": return truth(settings.isSilent)
    case "low-power": return truth(settings.isLowPower)
    case "screen-reader": return truth(settings.isScreenReaderRunning)
    case "allow-important": return truth(reading.allowsImportant)
    case "follow-desktop": return truth(reading.followsDesktop)
    case "feedback-gain":
      let level = decibels(Double(settings.gain))
      return (.number(level), "\(NumberText.fixed(level, 1)) dB")
    case "feedback-ceiling": return (.number(Double(settings.ceiling)), "\(settings.ceiling)")
    default:
      let folder = settings.folder?.text
      return (.optional(folder), folder ?? "none")
    }
  }

  private var progressWords: String {
    if progress == .following, desktop == DesktopSettings() { return "says nothing" }
    return progress?.rawValue ?? "not followed"
  }

  /// A line for each setting, and one for the desktop.
  var lines: String {
    let rows = rows
    let (first, second) = (rows.map(\.key.count).max() ?? 0, rows.map(\.word.count).max() ?? 0)
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let table = rows.map { "\(padded($0.key, first))  \(padded($0.word, second))  \($0.place)\n" }
    return table.joined() + "desktop: \(progressWords)\n"
  }

  /// The same as an object.
  var json: JSONValue {
    let settings = rows.map { row -> JSONValue in
      .object([("key", .string(row.key)), ("value", row.value), ("from", .string(row.place))])
    }
    return .object([("settings", .array(settings)), ("desktop", .string(progressWords))])
  }
}
