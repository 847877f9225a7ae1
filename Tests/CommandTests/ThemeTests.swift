import Testing
import ThrumFeedback
import ThrumPattern

@testable import thrum

/// Theme files.
@Suite("Themes")
struct ThemeTests {
  private func theme(_ feedbacks: String, profile: String = "full") -> String {
    "{\"profiles\": [{\"name\": \"\(profile)\", \"feedbacks\": [\(feedbacks)]}]}"
  }

  @Test("A pattern of magnitudes becomes events at their times, and its last rest one between runs")
  func vibraPattern() throws {
    let text = theme(
      #"{"event-name": "x", "type": "VibraPattern", "magnitudes": [0.5, 0, 1, 0], "durations": [20, 30, 40, 50]}"#
    )
    let theme = try Theme.parse(text, path: "t")
    let feedback = try #require(theme.feedback(for: "x", profile: .full))
    let events = try #require(theme.patterns[feedback.name]).events
    #expect(events.map(\.time) == [0, 0.05])
    #expect(events.map(\.duration) == [0.02, 0.04])
    #expect(events.map { $0.value(of: .hapticIntensity) } == [0.5, 1])
    #expect(abs(feedback.rest - 0.05) < 1e-9)
  }

  @Test("A rumble is as many events as it counts; a periodic one is one")
  func rumble() throws {
    let text = theme(
      #"{"event-name": "x", "type": "VibraRumble", "duration": 100, "count": 3, "pause": 50},"#
        + #"{"event-name": "y", "type": "VibraPeriodic", "duration": 1000, "magnitude": 0.25}"#)
    let theme = try Theme.parse(text, path: "t")
    let x = try #require(theme.feedback(for: "x", profile: .full).flatMap { theme.patterns[$0.name] })
    #expect(x.events.map { ($0.time * 1000).rounded() } == [0, 150, 300])
    let y = try #require(theme.feedback(for: "y", profile: .full).flatMap { theme.patterns[$0.name] })
    #expect(y.events.map(\.duration) == [1])
    #expect(y.events[0].value(of: .hapticIntensity) == 0.25)
  }

  @Test("The noisiest feedback that the profile allows is felt; a parent answers for what is not named")
  func profiles() throws {
    let text = """
      {"parent-name": "default", "profiles": [
        {"name": "full", "feedbacks": [{"event-name": "x", "type": "Haptic", "effect": "error", "intensity": 0.5},
          {"event-name": "bell-terminal", "type": "Sound", "effect": "bell"}]},
        {"name": "quiet", "feedbacks": [{"event-name": "x", "type": "Haptic", "effect": "success"}]},
        {"name": "silent", "feedbacks": [{"event-name": "x", "type": "Led", "color": "red"}]}]}
      """
    let theme = try Theme.parse(text, path: "t")
    #expect(theme.feedback(for: "x", profile: .full)?.name.text == "error")
    #expect(theme.feedback(for: "x", profile: .full)?.intensity == 0.5)
    #expect(theme.feedback(for: "x", profile: .quiet)?.name.text == "success")
    #expect(theme.feedback(for: "x", profile: .silent) == nil)
    #expect(theme.feedback(for: "bell-terminal", profile: .quiet)?.name.text == "generic")
    #expect(theme.feedback(for: "message-new-sms", profile: .silent) == nil)
    #expect(theme.otherCount == 2)
  }

  @Test(
    "A mistake is told with the file, and what would be right",
    arguments: [
      ("", "t:1:1: error: the text ends too early; a value belongs here"),
      ("{\"a\": 1,\n\"a\": 2}", "t:2:1: error: the key \"a\" is there twice"),
      ("{\"profiles\": [\n}", "t:2:1: error: a value belongs here"),
      ("{} x", "t:1:4: error: something follows the end of the value"),
      (String(repeating: "[", count: 18), "t:1:18: error: nested more than 16 deep"),
      ("[]", "t: error: profiles is missing, a list"),
      (
        "{\"parent-name\": \"x\", \"profiles\": []}",
        "t: error: parent-name takes \"default\", the built-in theme, or the name of a theme's file without .json"
      ),
      (
        "{\"profiles\": [{\"name\": \"loud\"}]}",
        "t: error: the name of a profile is one of full, quiet, silent"
      ),
      (
        "{\"profiles\": [{\"name\": \"full\"}]}", "t: error: feedbacks of the profile full is missing, a list"
      ),
    ])
  func mistakes(text: String, message: String) {
    #expect(throws: ThemeProblem(message: message)) { try Theme.parse(text, path: "t") }
  }

  @Test(
    "A feedback that makes no sense is told with its event",
    arguments: [
      (
        #"{"event-name": "x", "type": "Rumble"}"#,
        "x: type takes one of Haptic, VibraRumble, VibraPeriodic, VibraPattern, Sound, Led, not \"Rumble\""
      ),
      (#"{"event-name": "X", "type": "Led"}"#, "event-name takes \(EventName.words)"),
      (
        #"{"event-name": "x", "type": "Haptic", "effect": "../a"}"#,
        "x: effect takes the name of a preset or of a file of the folder of feedbacks"
      ),
      (
        #"{"event-name": "x", "type": "VibraRumble", "magnitude": 2}"#,
        "x: magnitude takes a number from 0 to 1"
      ),
      (
        #"{"event-name": "x", "type": "VibraPattern", "magnitudes": [1], "durations": []}"#,
        "x: magnitudes and durations are equally many, and at least one"
      ),
      (
        #"{"event-name": "x", "type": "VibraPattern", "magnitudes": [1, "a"], "durations": [1, 2]}"#,
        "x: magnitudes takes numbers from 0 to 1"
      ),
      (
        #"{"event-name": "x", "type": "VibraRumble", "duration": 60000, "count": 2}"#, "x: longer than 60 s"
      ),
    ])
  func feedbackMistakes(feedback: String, message: String) {
    #expect(throws: ThemeProblem(message: "t: error: \(message)")) {
      try Theme.parse(theme(feedback), path: "t")
    }
  }

  @Test("Every cut of a theme is read or refused, and escapes are characters")
  func cuts() throws {
    let text = theme(
      #"{"event-name": "\u0078\u002d1", "type": "VibraPattern", "magnitudes": [0.5e0], "durations": [20], "a": [true, null, "\n\""]}"#
    )
    #expect(try Theme.parse(text, path: "t").feedback(for: "x-1", profile: .full) != nil)
    for length in text.indices {
      #expect(throws: ThemeProblem.self) { try Theme.parse(String(text[..<length]), path: "t") }
    }
  }

  @Test("Everything that the built-in theme names is a preset", arguments: Theme.builtInEvents)
  func builtIn(event: String) throws {
    var library = PresetLibrary()
    let feedback = try #require(Theme.builtIn.feedback(for: event, profile: .quiet))
    #expect(library.pattern(named: feedback.name) != nil)
    #expect(EventName.isValid(event))
  }

  /// A theme of taps, one for each event.
  private func theme(_ events: [String], parent: String?, intensity: String = "1") -> String {
    let feedbacks = events.map {
      "{\"event-name\": \"\($0)\", \"type\": \"VibraRumble\", \"magnitude\": \(intensity)}"
    }
    let line = parent.map { "\"parent-name\": \"\($0)\", " } ?? ""
    let list = feedbacks.joined(separator: ", ")
    return "{\(line)\"profiles\": [{\"name\": \"full\", \"feedbacks\": [\(list)]}]}"
  }

  @Test("A chain of parents answers for what is not named, the nearest first, up to the built-in theme")
  func chain() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let path = try folder.write(theme(["x-a"], parent: "device,2"), to: "mine.json")
    let second = try folder.write(
      theme(["x-a", "x-b"], parent: "base", intensity: "0.5"), to: "device,2.json")
    let third = try other.write(theme(["x-b", "x-c"], parent: "default", intensity: "0.25"), to: "base.json")
    let theme = try Theme.read(FileName(path), folders: [FileName(other.path(""))])
    func strength(_ event: String) throws -> Float? {
      let feedback = try #require(theme.feedback(for: event, profile: .full))
      return theme.patterns[feedback.name]?.events.first?.value(of: .hapticIntensity)
    }
    #expect(try strength("x-a") == 1 && strength("x-b") == 0.5 && strength("x-c") == 0.25)
    #expect(theme.feedback(for: "message-new-sms", profile: .full)?.name == .notification)
    #expect(
      theme.files.map(\.text).map { $0.split(separator: "/").last } == [
        "mine.json", "device,2.json", "base.json",
      ])
    #expect(second != third)
  }

  @Test("Parents that go round in a circle, are too many, or are not there, are told with the file")
  func badChains() throws {
    let folder = try TemporaryFolder()
    func message(_ name: String) throws -> String {
      do throws(ThemeProblem) {
        let theme = try Theme.read(FileName(folder.path(name)))
        return "\(theme.files)"
      } catch {
        return error.message
      }
    }
    for (name, parent) in [("a", "b"), ("b", "c"), ("c", "b"), ("self", "self"), ("alone", "nobody")] {
      try folder.write(theme(["x"], parent: parent), to: "\(name).json")
    }
    for index in 0..<9 { try folder.write(theme(["x"], parent: "t\(index + 1)"), to: "t\(index).json") }
    try folder.write(theme(["x"], parent: nil), to: "t9.json")
    #expect(
      try message("a.json").hasSuffix(
        "/c.json: error: parent-name goes round in a circle: b.json, c.json, b.json"))
    #expect(
      try message("self.json").hasSuffix(
        "/self.json: error: parent-name goes round in a circle: self.json, self.json"))
    #expect(try message("alone.json").contains("/alone.json: error: parent-name is \"nobody\", and none of "))
    #expect(
      try message("t0.json").hasSuffix("/t7.json: error: more than 8 themes, one the parent of the other"))
    #expect(try message("t2.json").hasPrefix("["))
    for name in ["../a", ".a", "a/b", "", "a b"] {
      try folder.write(theme(["x"], parent: name), to: "bad.json")
      #expect(try message("bad.json").contains("parent-name takes"), "\(name)")
    }
  }
}
