import Foundation
import Testing
import ThrumFeedback

/// `thrum feedback` on the real binary.
@Suite("feedback", .serialized)
struct FeedbackTests {
  /// The lines of a log.
  private func log(_ outcome: ThrumProcess.Outcome) throws -> [[String: Any]] {
    try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// What plays, and how loud, by the log.
  private func played(
    _ words: [String], environment: [String: String] = [:]
  ) throws -> (file: String, starts: [Int], peak: Double, errors: String) {
    let outcome = try ThrumProcess.run(
      ["feedback", "-d", "virtual", "-a", "none", "--json"] + words, environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try log(outcome)
    let file = try #require(lines.first { $0["event"] as? String == "file" }?["file"] as? String)
    let starts = lines.filter { $0["event"] as? String == "started" }.compactMap { $0["renderFrame"] as? Int }
    let peaks = lines.first { $0["event"] as? String == "statistics" }?["peaks"] as? [Double]
    return (file, starts, try #require(peaks?.first), outcome.errors)
  }

  @Test("A preset plays its pulses, at its times, and says nothing")
  func preset() throws {
    let success = try played(["success"])
    #expect(success.file == "success" && success.errors == "")
    #expect(success.starts == [0, 960])
    #expect(try played(["error"]).starts.count == 3)
  }

  @Test(
    "impact is light unless a weight is given",
    arguments: ["light", "medium", "heavy", "soft", "solid", "rigid"])
  func weight(word: String) throws {
    #expect(try played(["impact", "--weight", word]).file == "impact-\(word)")
    if word == "light" { #expect(try played(["impact"]).file == "impact-light") }
  }

  @Test("Half the intensity is felt as less, none is not played")
  func intensity() throws {
    let peaks = try ["1", "0.5"].map { try played(["impact", "-w", "heavy", "--intensity", $0]).peak }
    #expect(peaks[0] > peaks[1] * 1.5 && peaks[1] > 0)
    let none = try ThrumProcess.run(["feedback", "impact", "-w", "heavy", "--intensity", "0"])
    #expect(none.errors == "thrum feedback: impact-heavy is not played: it has no strength\n")
    #expect(none.status == 0)
  }

  @Test(
    "What the user has settled keeps it from playing: the reason on one line, and 0",
    arguments: [
      (["THRUM_VIBRATION": "0"], "success", "vibration is switched off"),
      (["THRUM_HAPTICS": "off"], "error", "haptics are switched off"),
      (["THRUM_HAPTICS_OFF_FOR": "shop, thrum"], "success", "haptics are switched off for this program"),
      (["THRUM_SCREEN_READER": "1"], "selection", "a screen reader marks steps itself"),
      (["THRUM_LOW_POWER": "yes"], "selection", "power is saved"),
    ])
  func settled(environment: [String: String], name: String, reason: String) throws {
    let outcome = try ThrumProcess.run(["feedback", name, "--json"], environment: environment)
    #expect(outcome.errors == "thrum feedback: \(name) is not played: \(reason)\n")
    #expect(outcome.output == "{\"event\":\"silence\",\"feedback\":\"\(name)\",\"reason\":\"\(reason)\"}\n")
    #expect(outcome.status == 0)
  }

  @Test("Under Reduce Motion a heavy impact is a light one, and that is told")
  func softened() throws {
    let impact = try played(["impact", "-w", "heavy"], environment: ["THRUM_REDUCE_MOTION": "1"])
    #expect(impact.file == "impact-light")
    #expect(impact.errors == "thrum feedback: less motion is wanted; impact-light plays\n")
  }

  @Test("The configuration file is read, and a mistake among the settings is bad usage")
  func configuration() throws {
    let home = try TemporaryFolder()
    try home.makeFolder(".config/thrum")
    let environment = ["HOME": home.path("")]
    try home.write("device = virtual\nhaptics = no\n", to: ".config/thrum/config")
    let silent = try ThrumProcess.run(["feedback", "success"], environment: environment)
    #expect(silent.errors == "thrum feedback: success is not played: haptics are switched off\n")
    let path = try home.write("\nhaptics = maybe\n", to: ".config/thrum/config")
    let wrong = try ThrumProcess.run(["feedback", "success"], environment: environment)
    #expect(wrong.errors == "thrum: error: \(path):2: haptics takes yes or no, not \"maybe\"\n")
    #expect(wrong.status == 2)
  }

  @Test("A file of one's own takes a preset's place or adds a name; a broken one is told of")
  func ownFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "success.ahap")
    try folder.write(tapText, to: "door.ahap")
    try folder.write("{", to: "error.ahap")
    try folder.write("{", to: "broken.ahap")
    let environment = ["THRUM_FEEDBACK_FOLDER": folder.path("")]
    #expect(try played(["success"], environment: environment).starts == [0])
    #expect(try played(["door"], environment: environment).starts == [0])
    let preset = try played(["error"], environment: environment)
    #expect(preset.starts.count == 3)
    #expect(preset.errors.hasPrefix(folder.path("error.ahap") + ":1:"))
    let broken = try ThrumProcess.run(["feedback", "broken"], environment: environment)
    #expect(broken.status == 1)
    #expect(broken.errors.hasPrefix(folder.path("broken.ahap") + ":1:"), "\(broken.errors)")
    let list = try ThrumProcess.run(["feedback", "--list"], environment: environment)
    #expect(list.output.contains("\nbroken"))
    #expect(list.output.contains(folder.path("door.ahap")))
  }

  @Test("--list tells every preset, with --json as one object")
  func list() throws {
    let plain = try ThrumProcess.run(["feedback", "--list"])
    let names = PresetLibrary.presetNames.map(\.text)
    #expect(plain.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) } == names)
    let outcome = try ThrumProcess.run(["feedback", "--list", "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.outputBytes)) as? [String: Any])
    let feedbacks = try #require(object["feedbacks"] as? [[String: Any]])
    #expect(feedbacks.compactMap { $0["name"] as? String } == names)
    let error = try #require(feedbacks.first { $0["name"] as? String == "error" })
    #expect(error["matters"] as? String == "critical")
    #expect(error["durationSeconds"] as? Double == 0.2)
    #expect(outcome.status == 0 && outcome.errors == "")
  }

  @Test("A device that cannot be opened is 1, as for play")
  func noDevice() throws {
    let outcome = try ThrumProcess.run(
      ["feedback", "success", "-d", "nobody"], environment: ["ALSA_CONFIG_PATH": "/dev/null"])
    #expect(outcome.errors.hasPrefix("thrum feedback: cannot open sound device \"nobody\": "))
    #expect(outcome.status == 1)
  }
}
