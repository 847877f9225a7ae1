import Foundation
import TestSupport
import Testing
import ThrumActuator

@testable import thrum

/// Actuators as commands choose them, on the real binary.
@Suite("Actuators")
struct ActuatorTests {
  private let folder: TemporaryFolder
  private let tap: String

  init() throws {
    folder = try TemporaryFolder()
    tap = try folder.write(tapText, to: "tap.ahap")
  }

  /// A profile for a bench, measured, so that it brakes.
  static let bench = """
    {"thrumActuator": 1, "name": "bench", "kind": "lra",
     "resonance": {"hz": 175, "q": 15, "hzUncertaintyPercent": 0.2}}
    """

  private func configuration(_ text: String) throws -> [String: String] {
    try folder.makeFolder("config/thrum/actuators")
    try folder.write(text, to: "config/thrum/config")
    try folder.write(Self.bench, to: "config/thrum/actuators/mine.json")
    return ["XDG_CONFIG_HOME": folder.path("config")]
  }

  /// What a render is told to have played for.
  private func rendered(_ options: [String], _ environment: [String: String] = [:]) throws -> String {
    let outcome = try ThrumProcess.run(
      ["render", "--json", "-o", folder.path("out.wav"), tap] + options, environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test(
    "Every built-in actuator is rendered for, and has its name in the summary",
    arguments: ActuatorLibrary.builtInNames)
  func builtIn(name: String) throws {
    #expect(try rendered(["-a", name]).contains("\"actuator\":\"\(name)\""))
  }

  @Test("Case lra-rated-voltage, check 6: a profile without volts says once that its limits are a guess")
  func withoutVolts() throws {
    let file = try folder.write(Self.bench, to: "bench.json")
    let measured = try folder.write(
      Self.bench.dropLast() + ", \"volts\": {\"fullScalePeak\": 4, \"ratedRMS\": 1}}", to: "volts.json")
    for (name, count) in [(file, 1), (measured, 0), ("lra-175", 0), ("none", 0)] {
      for command in [["render", "-o", folder.path("out.wav")], ["play", "-d", "virtual"]] {
        let outcome = try ThrumProcess.run(command + ["-a", name, tap])
        #expect(outcome.status == 0)
        #expect(
          outcome.errors.components(separatedBy: "gives no volts").count - 1 == count, "\(outcome.errors)")
      }
    }
  }

  @Test("A profile is found by its file, and by its name in the user's folder")
  func places() throws {
    let environment = try configuration("")
    let file = try folder.write(Self.bench, to: "bench.json")
    let byFile = try rendered(["-a", file])
    #expect(byFile.contains("\"actuator\":\"bench\""))
    #expect(try rendered(["-a", "mine"], environment) == byFile)
    let list = try ThrumProcess.run(["devices", "--actuators"], environment: environment)
    #expect(
      list.status == 0 && list.output.contains("\nmine       lra, 175 Hz, Q 15, overdrive 1.96 ×, brake"),
      "\(list.output)")
    #expect(list.output.contains("\nlra-175    lra, 175 Hz, Q 15, overdrive 1.96 ×\n"))
  }

  /// The actuators that play tells of.
  private func played(_ options: [String], _ environment: [String: String]) throws -> String? {
    let outcome = try ThrumProcess.run(
      ["play", "--json", "-d", "virtual", tap] + options, environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let line = outcome.output.split(separator: "\n").first { $0.contains("\"event\":\"device\"") }
    return line.flatMap { $0.firstMatch(of: /"channels":(\d+).*"actuator":"([^"]*)"/) }.map {
      "\($0.1) \($0.2)"
    }
  }

  @Test(
    "The command line is before THRUM_ACTUATOR, and that before the configuration file; paths in it are the file's own"
  )
  func precedence() throws {
    let file = try configuration("actuator = actuators/mine.json")
    #expect(try played([], file) == "1 bench")
    let both = file.merging(["THRUM_ACTUATOR": "wideband"]) { $1 }
    #expect(try played([], both) == "1 wideband")
    #expect(try played(["-a", "lra-235"], both) == "1 lra-235")
    #expect(try played([], [:]) == "1 safe")
  }

  @Test("Channels have actuators of their own, and a profile its own channels")
  func channels() throws {
    let environment = try configuration("actuator = speaker\nchannels = haptic=1,2@mine,3")
    #expect(try played([], environment) == "3 speaker, bench")
    // Who names an actuator now means it for all.
    #expect(try played(["-a", "wideband"], environment) == "3 wideband")
    #expect(try played(["-c", "haptic=1@lra-175,2@lra-235"], environment) == "2 lra-175, lra-235")
    #expect(try played(["-a", "dualsense"], [:]) == "4 dualsense")
    for command in ["serve", "latency"] {
      let outcome = try ThrumProcess.run(
        [command, "-d", "virtual", "-c", "haptic=1@lra-175,2@safe"]
          + (command == "latency" ? ["--software"] : []))
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.contains("drives one kind of actuator at a time, and --channels names lra-175, safe"),
        "\(outcome.errors)")
    }
  }

  @Test("Two kinds of actuators on one device each get what a render for them has")
  func signals() throws {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let script = try folder.write("", to: "faults.txt")
    // It plays from a full buffer: with periods of 0.1 s, one holds all there is to feel.
    let card = try folder.write(
      """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.pad {
        type thrum_test_card
        frames "\(folder.path("pad.frames"))" log "\(folder.path("pad.log"))" script "\(script)"
        rates "48000" channels "2" formats "S32_LE" start "full"
      }

      """, to: "asound.conf")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "pad", "-p", "100", "-c", "haptic=1@lra-175,2@safe", tap],
      environment: ["ALSA_CONFIG_PATH": card])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let played = Self.words(try Data(contentsOf: folder.url("pad.frames")))
    for (channel, name) in ["lra-175", "safe"].enumerated() {
      let path = folder.path("\(name).wav")
      let render = try ThrumProcess.run(["render", "-r", "48000", "-f", "s32", "-a", name, "-o", path, tap])
      #expect(render.status == 0)
      let wave = try Data(contentsOf: URL(fileURLWithPath: path))
      let data = try #require(wave.firstRange(of: Data("data".utf8)))
      let expected = Self.words(wave[(data.upperBound + 4)...])
      let own = stride(from: channel, to: played.count, by: 2).map { played[$0] }
      let first = try #require(expected.firstIndex { $0 != 0 })
      let start = try #require(own.firstIndex { $0 != 0 }) - first
      // Both filters ring for as long as that of the longer tail, so that the last samples of the other differ.
      let isEqual = own.dropFirst(start).starts(with: expected.dropLast(100))
      #expect(start >= 0 && isEqual, "\(name)")
    }
  }

  private static func words(_ data: Data) -> [Int32] {
    data.withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
  }

  @Test("Check tells of a profile line by line, and inspect what follows from it")
  func check() throws {
    let good = try folder.write(Self.bench, to: "bench.json")
    #expect(try ThrumProcess.run(["check", good]).status == 0)
    let bad = try folder.write(
      "{\"thrumActuator\": 1,\n \"name\": \"x\", \"kind\": \"wide\", \"gian\": 2}", to: "bad.json")
    let outcome = try ThrumProcess.run(["check", bad, tap])
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        \(bad):2:23: error: kind: takes one of wideband, lra, speaker, not "wide"
        \(bad):2:31: error: has an unknown key "gian"; did you mean gain?

        """)
    let json = try ThrumProcess.run(["check", "--json", bad])
    #expect(
      json.output.contains(
        "\"line\":2,\"column\":23,\"severity\":\"error\",\"code\":null,\"keyPath\":\"kind\""))
    let named = try folder.write(Self.bench.replacingOccurrences(of: "bench", with: "safe"), to: "safe.json")
    #expect(
      try ThrumProcess.run(["check", named]).output.contains("warning: name: a built-in profile has the name")
    )
    let report = try ThrumProcess.run(["inspect", good])
    #expect(report.output.contains("resonance   175 Hz ± 0.2 %, Q 15"), "\(report.output)")
    #expect(report.output.contains("half cycles, overdrive to 1.96 × rated, brake"))
    let machine = try ThrumProcess.run(["inspect", "--json", good])
    #expect(machine.output.contains("\"brakes\":true"))
  }

  @Test("A profile that is wrong, or not there, is told before anything sounds")
  func mistakes() throws {
    let bad = try folder.write("{\"thrumActuator\": 1, \"name\": \"x\", \"kind\": \"lra\"}", to: "bad.json")
    for command in [
      ["play", "-d", "virtual"], ["render", "-o", folder.path("x.wav")], ["inspect"], ["simulate"],
    ] {
      let outcome = try ThrumProcess.run(command + ["-a", bad, tap])
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(
        outcome.errors
          == "\(bad):1:1: error: resonance is missing; a resonant actuator is driven at its resonance\n")
    }
    let environment = try configuration("\nactuator = lra-157")
    let outcome = try ThrumProcess.run(["play", "-d", "virtual", tap], environment: environment)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "\(folder.path("config/thrum/config")):2: error: there is no actuator \"lra-157\"; did you mean lra-175?\n"
    )
  }
}
