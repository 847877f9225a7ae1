import Glibc
import ThrumPattern

// The environment, and the configuration file that all of Thrum reads.
extension FeedbackSettings {
  /// The keys of the configuration file that are for feedback.
  public static let keys = [
    "vibration", "haptics", "haptics-off-for", "reduce-motion", "prefer-cross-fade", "silent", "low-power",
    "screen-reader", "feedback-gain", "feedback-ceiling", "feedback-folder", "follow-desktop",
    "allow-important",
  ]

  /// Settings as they were read, and what could not be.
  public struct Reading: Sendable, Equatable {
    /// The settings; what could not be read is as if it were not there.
    public var settings = FeedbackSettings()
    /// What is wrong, each with its place and what would be right.
    public var problems: [String] = []
    /// Where each key that was read is: a file and line, or a variable.
    public var places: [String: String] = [:]
    /// Whether the desktop is to be followed.
    public var followsDesktop = true
    /// Whether the program may have what it calls important felt whatever the service's profile is.
    public var allowsImportant = false

    /// The settings of which a desktop has no say any more.
    public var settled: Set<DesktopSettings.Key> {
      Set(DesktopSettings.Key.allCases.filter { places[$0.rawValue] != nil })
    }
  }

  /// Reads the configuration file, then the environment, which wins.
  /// - Parameters:
  ///   - environment: The variables; nil means the process's.
  ///   - application: The program's name for `haptics-off-for`; nil means that of its file.
  ///   - desktop: What the desktop says, which counts for less than both.
  ///
  /// Variables: the key in capitals with `THRUM_` before it, such as `THRUM_REDUCE_MOTION=1`; the folder is
  /// `$THRUM_FEEDBACK_FOLDER`, else that of the file, else `thrum/feedback` beside the configuration file.
  ///
  /// Threads: any; reads a file. Real-time: no.
  public static func read(
    environment: [String: String]? = nil, application: String? = nil,
    desktop: DesktopSettings = DesktopSettings()
  ) -> Reading {
    let environment = environment ?? ProcessEnvironment.values
    let application = application ?? ProcessEnvironment.programName
    var reading = Reading()
    let folder = configurationFolder(environment)
    if let folder {
      let path = folder.appending("config")
      do throws(ConfigurationFile.Problem) {
        if let text = try ConfigurationFile.text(of: path) {
          reading.apply(text, path: path.description, application)
        }
      } catch {
        reading.problems.append("\(path): \(error.text)")
      }
    }
    for key in keys {
      let variable = "THRUM_" + key.uppercased().split(separator: "-").joined(separator: "_")
      guard let word = environment[variable], !word.isEmpty else { continue }
      reading.set(key, to: word, place: variable, application)
    }
    if reading.settings.folder == nil { reading.settings.folder = folder?.appending("feedback") }
    if reading.followsDesktop { reading.settings.follow(desktop, except: reading.settled) }
    return reading
  }

  private static func configurationFolder(_ environment: [String: String]) -> FileName? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return FileName(folder).appending("thrum")
    }
    return environment["HOME"].map { FileName($0).appending(".config/thrum") }
  }

  /// Stores a value.
  /// - Returns: What would be right, where it is not.
  fileprivate mutating func store(_ key: String, _ word: String, _ application: String) -> String? {
    switch key {
    case "haptics-off-for":
      isApplicationOn = !Self.names(in: word).contains(application)
      return nil
    case "feedback-folder":
      guard word.hasPrefix("/") else { return "an absolute path" }
      folder = FileName(word)
      return nil
    case "feedback-gain":
      let number = word.hasSuffix("dB") ? ConfigurationFile.trimmed(word.dropLast(2)) : word
      // `Double` reads a point as the decimal mark whatever the locale.
      guard let level = Double(number), (-120...20).contains(level) else {
        return "decibels from -120 to 20, such as -6"
      }
      gain = Float(exp(level / 20 * log(10.0)))
      return nil
    case "feedback-ceiling":
      guard let count = Int(word), (1...50).contains(count) else { return "a whole number from 1 to 50" }
      ceiling = count
      return nil
    default:
      guard let path = Self.switches[key] else { return nil }
      guard let isOn = Self.truth(of: word) else { return "yes or no" }
      self[keyPath: path] = isOn
      return nil
    }
  }

  private static var switches: [String: WritableKeyPath<FeedbackSettings, Bool>] {
    [
      "vibration": \.isVibrationOn, "haptics": \.isHapticsOn, "reduce-motion": \.reducesMotion,
      "prefer-cross-fade": \.prefersCrossFade, "silent": \.isSilent, "low-power": \.isLowPower,
      "screen-reader": \.isScreenReaderRunning,
    ]
  }

  /// The names of a list with commas.
  fileprivate static func names(in word: String) -> [String] {
    word.split(separator: ",").map { ConfigurationFile.trimmed($0) }
  }

  fileprivate static func truth(of word: String) -> Bool? {
    switch word.lowercased() {
    case "1", "yes", "true", "on": true
    case "0", "no", "false", "off": false
    default: nil
    }
  }
}

extension FeedbackSettings.Reading {
  fileprivate mutating func apply(_ text: String, path: String, _ application: String) {
    for line in ConfigurationFile.lines(of: text) {
      // Other keys, and lines that are none, are for those whose they are.
      guard let (key, word) = line.setting, FeedbackSettings.keys.contains(key) else { continue }
      set(key, to: word, place: "\(path):\(line.number)", application)
    }
  }

  fileprivate mutating func set(_ key: String, to word: String, place: String, _ application: String) {
    if let expectation = store(key, word, application) {
      problems.append("\(place): \(key) takes \(expectation), not \"\(printable(word))\"")
    } else {
      places[key] = place
    }
  }

  private mutating func store(_ key: String, _ word: String, _ application: String) -> String? {
    switch key {
    case "follow-desktop":
      guard let isOn = FeedbackSettings.truth(of: word) else { return "yes or no" }
      followsDesktop = isOn
      return nil
    case "allow-important":
      allowsImportant = FeedbackSettings.names(in: word).contains(application)
      return nil
    default: return settings.store(key, word, application)
    }
  }
}
