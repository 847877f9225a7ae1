import Glibc
import ThrumFeedback
import ThrumJSON
import ThrumPattern

/// Why a theme file is refused: a sentence that names the file.
struct ThemeProblem: Error, Equatable {
  var message: String
}

// The format is that of feedbackd's themes, so that those which exist can be felt; `Haptic` is ours.
extension Theme {
  /// The most feedbacks of a file.
  static let maximumCount = 1000
  /// The longest feedback, seconds.
  static let longestSeconds = 60.0

  /// The longest chain of themes.
  static let maximumChain = 8

  /// Reads a theme file, and those of its parents.
  /// - Parameter folders: Where parents are looked for, after the theme's own folder.
  /// - Throws: ``ThemeProblem``; of the file nothing is used then.
  static func read(_ path: FileName, folders: [FileName] = []) throws(ThemeProblem) -> Theme {
    try read(path, folders, children: [])
  }

  private static func read(
    _ path: FileName, _ folders: [FileName], children: [FileName]
  ) throws(ThemeProblem) -> Theme {
    let text: String?
    do throws(CommandError) {
      text = try Configuration.contents(of: path, noun: "theme")
    } catch {
      if case .configuration(let message) = error { throw ThemeProblem(message: message) }
      throw ThemeProblem(message: "\(path): error: cannot be read")
    }
    guard let text else { throw ThemeProblem(message: "\(path): error: no such file; check the path") }
    var theme = try parse(text, path: path) { (name) throws(ThemeProblem) in
      let parent = try find(name, for: path, folders)
      let chain = children + [path]
      if chain.contains(parent) {
        let names = (chain.drop { $0 != parent } + [parent]).map(\.lastPart.text)
        throw ThemeProblem(
          message: "\(path): error: parent-name goes round in a circle: \(names.joined(separator: ", "))")
      }
      if chain.count >= maximumChain {
        throw ThemeProblem(
          message: "\(path): error: more than \(maximumChain) themes, one the parent of the other")
      }
      return try read(parent, folders, children: chain)
    }
    theme.files.insert(path, at: 0)
    return theme
  }

  private static func find(
    _ name: String, for path: FileName, _ folders: [FileName]
  ) throws(ThemeProblem) -> FileName {
    let places = ([path.folder] + folders).map { $0.appending(FileName(name + ".json")) }
    guard let found = places.first(where: { $0.withPath { access($0, F_OK) } == 0 }) else {
      let list = places.map(\.description).joined(separator: ", ")
      throw ThemeProblem(message: "\(path): error: parent-name is \"\(name)\", and none of \(list) is there")
    }
    return found
  }

  /// Reads the text of a theme file.
  /// - Parameter parent: Reads a parent by its name; without it there is the built-in theme alone.
  static func parse(
    _ text: String, path: FileName,
    parent: ((_ name: String) throws(ThemeProblem) -> Theme)? = nil
  ) throws(ThemeProblem) -> Theme {
    let bytes = Array(text.utf8)
    let root: LocatedJSON
    do throws(LocatedJSON.Fault) {
      // A theme needs five levels.
      root = try LocatedJSON.parse(bytes, deepest: 16)
    } catch {
      let place = LocatedJSON.place(of: error.offset, in: bytes)
      throw ThemeProblem(
        message: "\(path):\(place.line):\(place.column): error: \(printable(error.message))")
    }
    var theme = Theme()
    if let node = root["parent-name"] {
      guard let name = node.text, isName(name), name == "default" || parent != nil else {
        throw ThemeProblem(
          message:
            "\(path): error: parent-name takes \"default\", the built-in theme, or the name of a theme's "
            + "file without .json")
      }
      if let parent, name != "default" { theme = try parent(name) } else { theme.hasParent = true }
    }
    do throws(ThemeFault) {
      try theme.add(root)
    } catch {
      throw ThemeProblem(message: "\(path): error: \(error.message)")
    }
    return theme
  }

  /// Whether a name leads to no other folder: themes for devices are called such as `pine64,pinephone-1.2`.
  private static func isName(_ name: String) -> Bool {
    (1...128).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
  }

  /// Adds what a file says to what its parent has; an event that the file names is the file's alone.
  private mutating func add(_ root: LocatedJSON) throws(ThemeFault) {
    guard let profiles = root["profiles"]?.elements else { throw ThemeFault("profiles is missing, a list") }
    let inherited = feedbacks
    feedbacks = [:]
    defer { feedbacks.merge(inherited) { own, _ in own } }
    var count = 0
    for node in profiles {
      guard let word = node["name"]?.text, let profile = FeedbackProfile(rawValue: word) else {
        throw ThemeFault("the name of a profile is \(FeedbackProfile.words)")
      }
      guard let entries = node["feedbacks"]?.elements else {
        throw ThemeFault("feedbacks of the profile \(word) is missing, a list")
      }
      for entry in entries {
        count += 1
        if count > Self.maximumCount { throw ThemeFault("more than \(Self.maximumCount) feedbacks") }
        try add(entry, profile)
      }
    }
  }

  private mutating func add(_ node: LocatedJSON, _ profile: FeedbackProfile) throws(ThemeFault) {
    guard let event = node["event-name"]?.text, EventName.isValid(event) else {
      throw ThemeFault("event-name takes \(EventName.words)")
    }
    let entry = ThemeEntry(node: node, event: event)
    let type = node["type"]?.text ?? ""
    var pulses: [ThemeEntry.Pulse] = []
    switch type {
    case "Haptic":
      guard let name = node["effect"]?.text.flatMap({ FeedbackName($0) }) else {
        throw entry.fault("effect takes the name of a preset or of a file of the folder of feedbacks")
      }
      let intensity = try entry.number("intensity", 0...1, usual: 1)
      let rest = try entry.number("pause", 0...60_000, usual: Self.usualRest * 1000) / 1000
      feedbacks[event, default: []].append(
        Feedback(profile: profile, name: name, intensity: intensity, rest: rest))
      return
    case "VibraRumble": pulses = try entry.rumble()
    case "VibraPeriodic": pulses = try entry.periodic()
    case "VibraPattern": pulses = try entry.pattern()
    case "Sound", "Led":
      otherCount += 1
      return
    default:
      throw entry.fault(
        "type takes one of Haptic, VibraRumble, VibraPeriodic, VibraPattern, Sound, Led, "
          + "not \"\(printable(type))\""
      )
    }
    guard let name = FeedbackName("theme-\(patterns.count + 1)") else { return }
    let (pattern, rest) = try entry.pattern(of: pulses)
    patterns[name] = pattern
    feedbacks[event, default: []].append(Feedback(profile: profile, name: name, rest: rest))
  }
}

/// What is wrong inside of a theme.
private struct ThemeFault: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

/// One feedback of a file.
private struct ThemeEntry {
  /// Something that is felt, or a rest where its magnitude is 0.
  struct Pulse {
    var seconds: Double
    var magnitude: Double
  }

  /// The most pulses of one feedback.
  private static let maximumCount = 256

  let node: LocatedJSON
  let event: String

  func fault(_ message: String) -> ThemeFault { ThemeFault("\(event): \(message)") }

  func number(_ key: String, _ range: ClosedRange<Double>, usual: Double) throws(ThemeFault) -> Double {
    guard let value = node[key] else { return usual }
    guard let number = value.number, range.contains(number) else {
      throw fault(
        "\(key) takes a number \(words(range))"
      )
    }
    return number
  }

  private func words(_ range: ClosedRange<Double>) -> String {
    "from \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))"
  }

  func rumble() throws(ThemeFault) -> [Pulse] {
    let pulse = Pulse(
      seconds: try number("duration", 1...60_000, usual: 1000) / 1000,
      magnitude: try number("magnitude", 0...1, usual: 1))
    let pause = Pulse(seconds: try number("pause", 0...60_000, usual: 0) / 1000, magnitude: 0)
    let count = Int(try number("count", 1...100, usual: 1))
    return (0..<count).flatMap { _ in [pulse, pause] }
  }

  func periodic() throws(ThemeFault) -> [Pulse] {
    [
      Pulse(
        seconds: try number("duration", 1...60_000, usual: 1000) / 1000,
        magnitude: try number("magnitude", 0...1, usual: 1))
    ]
  }

  func pattern() throws(ThemeFault) -> [Pulse] {
    let magnitudes = try list("magnitudes", 0...1)
    let durations = try list("durations", 0...60_000)
    guard magnitudes.count == durations.count, !magnitudes.isEmpty else {
      throw fault("magnitudes and durations are equally many, and at least one")
    }
    return zip(magnitudes, durations).map { Pulse(seconds: $1 / 1000, magnitude: $0) }
  }

  private func list(_ key: String, _ range: ClosedRange<Double>) throws(ThemeFault) -> [Double] {
    let numbers = node[key]?.elements?.map(\.number) ?? []
    guard numbers.count <= Self.maximumCount else {
      throw fault("\(key) has more than \(Self.maximumCount) numbers")
    }
    let valid = numbers.compactMap { $0 }.filter(range.contains)
    guard valid.count == numbers.count else {
      throw fault(
        "\(key) takes numbers \(words(range))"
      )
    }
    return valid
  }

  /// The pulses as a pattern, and the rest at their end.
  func pattern(of pulses: [Pulse]) throws(ThemeFault) -> (pattern: Pattern, rest: Double) {
    var entries: [Pattern.Entry] = []
    var (time, end) = (0.0, 0.0)
    for pulse in pulses {
      if pulse.magnitude > 0, pulse.seconds > 0 {
        var parameters = EventParameters()
        parameters[.hapticIntensity] = Float(pulse.magnitude)
        entries.append(
          .event(Event(type: .hapticContinuous, time: time, duration: pulse.seconds, parameters: parameters)))
        end = time + pulse.seconds
      }
      time += pulse.seconds
    }
    guard time <= Theme.longestSeconds else {
      throw fault("longer than \(NumberText.short(Theme.longestSeconds)) s")
    }
    return (Pattern(entries: entries), time - end)
  }
}

/// What events may be called, by the naming convention that themes and programs share.
enum EventName {
  /// What is right, to follow "takes".
  static let words = "1 to 128 lower-case letters, digits, underscores, dashes and points"

  /// Whether a name is one.
  static func isValid(_ name: String) -> Bool {
    (1...128).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || [UInt8]("_-.".utf8).contains($0)
      }
  }
}
