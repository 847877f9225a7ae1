import Foundation
import TestSupport
import Testing

/// `thrum check` and `thrum inspect` on the real binary.
@Suite("check and inspect")
struct CheckTests {
  static let brokenText = #"{"Pattern": [{"Event": {"EventType": "HapticBuzz", "Time": 0}}]}"#

  @Test("A sound file says nothing in a pipe, and 0")
  func sound() throws {
    let folder = try TemporaryFolder()
    let outcome = try ThrumProcess.run(["check", try folder.write(tapText, to: "tap.ahap")])
    #expect(outcome.output == "")
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
  }

  @Test(
    "A broken file is one line with place, path, finding, advice and code, and 1; the others are still checked"
  )
  func broken() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write(Self.brokenText, to: "a.ahap")
    let second = try folder.write("{", to: "b.ahap")
    let outcome = try ThrumProcess.run(["check", first, second])
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0].hasPrefix(
        "\(first):1:38: error: Pattern[0].Event.EventType: \"HapticBuzz\" is not an event type; "))
    #expect(lines[0].hasSuffix("(-4821)"))
    #expect(lines[1].hasPrefix("\(second):1:"))
    #expect(outcome.errors == "")
  }

  @Test("Warnings alone leave 0")
  func warning() throws {
    let folder = try TemporaryFolder()
    let text = tapText.replacingOccurrences(of: "\"Time\": 0", with: "\"Time\": 0, \"Tiem\": 1")
    let outcome = try ThrumProcess.run(["check", try folder.write(text, to: "a.ahap")])
    #expect(outcome.output.contains(": warning: "))
    #expect(outcome.status == 0)
  }

  @Test("A folder stands for every .ahap below it; an empty one, and one that is missing, are errors")
  func folders() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("in/deep")
    try folder.makeFolder("none")
    try folder.write("{", to: "in/deep/z.AHAP")
    try folder.write("{", to: "in/a.ahap")
    try folder.write("{", to: "in/notes.txt")
    try FileManager.default.createSymbolicLink(atPath: folder.path("in/loop"), withDestinationPath: "..")
    let outcome = try ThrumProcess.run(["check", "in"], in: folder.path(""))
    let names = outcome.output.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(names == ["in/a.ahap", "in/deep/z.AHAP"])
    #expect(outcome.status == 1)
    let empty = try ThrumProcess.run(["check", "none"], in: folder.path(""))
    #expect(empty.output == "none: error: there is no .ahap file in this folder\n")
    #expect(empty.status == 1)
    let missing = try ThrumProcess.run(["check", "nowhere"], in: folder.path(""))
    #expect(missing.output == "nowhere: error: no such file; check the path (-4851)\n")
    #expect(missing.status == 1)
  }

  @Test("--json is one object that names every file")
  func json() throws {
    let folder = try TemporaryFolder()
    try folder.write(tapText, to: "a.ahap")
    try folder.write(Self.brokenText, to: "b.ahap")
    let outcome = try ThrumProcess.run(["check", "--json", "."], in: folder.path(""))
    #expect(outcome.status == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.outputBytes)) as? [String: Any])
    #expect(object["errors"] as? Int == 1)
    #expect(object["warnings"] as? Int == 0)
    let files = try #require(object["files"] as? [[String: Any]])
    #expect(files.map { $0["file"] as? String } == ["./a.ahap", "./b.ahap"])
    #expect(files.map { $0["loads"] as? Bool } == [true, false])
    let diagnostic = try #require((files[1]["diagnostics"] as? [[String: Any]])?.first)
    #expect(diagnostic["code"] as? Int == -4821)
    #expect(diagnostic["line"] as? Int == 1)
    #expect(diagnostic["column"] as? Int == 38)
    #expect(diagnostic["keyPath"] as? String == "Pattern[0].Event.EventType")
  }

  @Test("Standard input is read as -")
  func standardInput() throws {
    let outcome = try ThrumProcess.run(["check", "-"], input: Array("[]".utf8))
    #expect(outcome.output.hasPrefix("-:1:1: error: "))
    #expect(outcome.status == 1)
  }

  @Test(
    "Case bad-files, checks 1, 2 and 7: one run over the folder reports each file once, with place and code")
  func badFiles() throws {
    guard let folder = SharedFiles.locate("cases/bad-files", for: "bad-files") else { return }
    let codes: [String: Set<String>] = [
      "deep": ["-4813", "-4814"], "empty": ["-4813", "-4814"], "missing-type": ["-4830"],
      "nan-word": ["-4813", "-4814"], "negative-duration": ["-4823"], "negative-time": ["-4822"],
      "no-pattern": ["-4813", "-4814"], "not-text": ["-4813", "-4814"], "parameter-no-id": ["-4831"],
      "pattern-not-array": ["-4813", "-4814"], "text-number": ["-4813", "-4814"],
      "too-large-number": ["-4822"], "top-level-array": ["-4813", "-4814"],
      "truncated": ["-4813", "-4814"], "unknown-event-type": ["-4821"], "unknown-parameter": ["-4820"],
    ]
    let outcome = try ThrumProcess.run(["check", folder.path])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "")
    let lines = outcome.output.split(separator: "\n").filter { $0.contains(": error: ") }
    for (name, expected) in codes {
      let own = lines.filter { $0.hasPrefix("\(folder.path)/\(name).ahap:") }
      #expect(own.count == 1, "\(name): \(own)")
      guard let line = own.first else { continue }
      #expect(expected.contains { line.hasSuffix("(\($0))") }, "\(line)")
      // The place: line and column follow the name.
      let place = line.dropFirst("\(folder.path)/\(name).ahap:".count).prefix { $0 != " " }
      #expect(place.split(separator: ":").count == 2, "\(line)")
      let single = try ThrumProcess.run(["check", "\(folder.path)/\(name).ahap"])
      #expect(single.status == 1)
      #expect(single.output == "\(line)\n")
    }
    #expect(!outcome.output.contains("empty-pattern.ahap:"))
  }

  @Test("inspect shows length, level, the timeline and brackets around defaults")
  func inspect() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"Pattern": [
        {"Event": {"EventType": "HapticContinuous", "Time": 0.5, "EventDuration": 0.25, "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1.0},
          {"ParameterID": "AttackTime", "ParameterValue": 0.5}]}},
        {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": 0.5, "ParameterCurveControlPoints": [
          {"Time": 0, "ParameterValue": 1}, {"Time": 0.1, "ParameterValue": 0.25},
          {"Time": 0.25, "ParameterValue": 0.5}]}},
        {"Event": {"EventType": "HapticTransient", "Time": 0}}
      ]}
      """
    try folder.write(text, to: "p.ahap")
    let outcome = try ThrumProcess.run(["inspect", "p.ahap"], in: folder.path(""))
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "p.ahap")
    #expect(lines[1] == "  0.750 s: 1 transient, 1 continuous, 1 curve")
    #expect(lines[2].hasPrefix("  peak -"))
    #expect(lines[2].hasSuffix(", actuator none"))
    #expect(
      lines.suffix(4) == [
        "    time/s  what          intensity  sharpness  length/s  more",
        "     0.000  transient        (0.75)     (0.50)",
        "     0.500  continuous        1.00      (0.42)     0.250  attack 0.50",
        "     0.500  HapticIntensityControl curve: 1.00 to 0.50 within 0.25…1.00, 3 points to 0.250 s",
      ])
  }

  @Test("inspect --json has the entries in file order, and the level")
  func inspectJSON() throws {
    let outcome = try ThrumProcess.run(["inspect", "--json", "-"], input: Array(tapText.utf8))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.outputBytes)) as? [String: Any])
    #expect(object["file"] as? String == "-")
    #expect(object["durationSeconds"] as? Double == 0)
    let entries = try #require(object["entries"] as? [[String: Any]])
    #expect(entries.count == 1)
    #expect(entries[0]["type"] as? String == "HapticTransient")
    let level = try #require(object["level"] as? [String: Any])
    let peak = try #require(level["peak"] as? Double)
    // The default tap of the signal model peaks below full scale and well above a whisper.
    #expect(peak > 0.1 && peak < 1)
  }

  @Test("What is wrong with a sound is told with its place, and with what may be meant")
  func sounds() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("snd")
    try folder.write("no sound", to: "snd/blip.wav")
    let events = ["Snd/Blip.wav", "snd", "Snd/Blip.wav", "snd/blip.wav", "snd/blip.wav"].map {
      #"{"Event": {"EventType": "AudioCustom", "Time": 0, "EventWaveformPath": "\#($0)"}}"#
    }
    let text = #"{"Version": 1.0, "Pattern": ["# + events.joined(separator: ",\n") + "]}"
    let outcome = try ThrumProcess.run(["check", try folder.write(text, to: "a.ahap")])
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(outcome.output)")
    for line in 0..<3 { #expect(lines[line].contains("a.ahap:\(line + 1):")) }
    #expect(lines[0].contains("did you mean \"snd/blip.wav\"?") && lines[2].contains("did you mean"))
    #expect(lines[1].contains("is a folder"))
    #expect(lines[3].contains("Pattern[3]") && lines[3].contains("cannot be read"))
  }

  @Test("A refused file is told on standard error by inspect, render, plot and play, and 1")
  func refusedElsewhere() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.brokenText, to: "a.ahap")
    let message = try ThrumProcess.run(["check", path]).output
    let out = folder.path("out")
    for words in [
      ["inspect", path], ["render", path, "-o", out], ["plot", "-t", "svg", path, "-o", out], ["play", path],
    ] {
      let outcome = try ThrumProcess.run(words)
      #expect(outcome.errors == message, "\(words)")
      #expect(outcome.output == "")
      #expect(outcome.status == 1)
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }
}
