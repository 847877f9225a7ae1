import Foundation
import TestSupport
import Testing

/// `thrum simulate` on the real binary.
@Suite("simulate")
struct SimulateTests {
  private let folder: TemporaryFolder
  private let tap: String
  private let buzz: String
  private let bench: String

  init() throws {
    folder = try TemporaryFolder()
    tap = try folder.write(tapText, to: "tap.ahap")
    buzz = try folder.write(
      #"{"Pattern": [{"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 0.3, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}}]}"#,
      to: "buzz.ahap")
    bench = try folder.write(ActuatorTests.bench, to: "bench.json")
  }

  private struct Report: Decodable {
    struct Case: Decodable {
      var actuator: String
      var simulated: String
      var peak: Double
      var drivePeak: Double
      var riseSeconds: Double?
      var lengthSeconds: Double?
      var stopSeconds: Double?
      var pulseToRingDecibels: Double?
    }
    var cases: [Case]
  }

  private func figures(_ words: [String]) throws -> [Report.Case] {
    let outcome = try ThrumProcess.run(["simulate", "--json"] + words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)).cases
  }

  @Test("A measured actuator is clicked and braked; one that is not measured rings")
  func clicks() throws {
    let cases = try figures(["-a", bench, "-a", "lra-175", "-a", "none", tap])
    #expect(cases.map(\.actuator) == ["bench", "lra-175", "none"])
    // A profile without a resonance drives the first actuator that has one.
    #expect(cases.map(\.simulated) == ["bench", "lra-175", "bench"])
    print(
      "simulated clicks:",
      cases.map { "\($0.actuator) \($0.lengthSeconds ?? -1) s, \($0.pulseToRingDecibels ?? -1) dB" })
    #expect(try #require(cases[0].lengthSeconds) < 0.022)
    #expect(try #require(cases[1].lengthSeconds) > 0.05)
    #expect(try #require(cases[0].pulseToRingDecibels) > (try #require(cases[1].pulseToRingDecibels)) + 15)
    // The same tap without the drive for it moves less.
    #expect(cases[2].peak < cases[0].peak / 2)
  }

  @Test("Overdrive shortens the rise, braking the stop, and a resonance that is off undoes it")
  func buzzes() throws {
    let cases = try figures(["-a", bench, "-a", "lra-175", buzz])
    #expect(abs(cases[0].peak - 1) < 0.02 && cases[0].drivePeak < 2)
    let (rise, stop) = (try #require(cases[0].riseSeconds), try #require(cases[0].stopSeconds))
    print("simulated buzz: rise \(rise) s, stop \(stop) s")
    // Bar 13 for V = 2, plain being 59.9 and 62.9 ms.
    #expect(rise < 0.018 && stop < 0.013)
    #expect(try #require(cases[1].stopSeconds) > 0.05)
    let off = try figures(["-a", bench, "--detune", "3%", buzz])
    #expect(try #require(off[0].stopSeconds) > 2 * stop)
  }

  @Test("A picture is written as its name says, and a terminal gets one of characters")
  func pictures() throws {
    for (name, start) in [("a.png", [0x89, 0x50, 0x4E, 0x47]), ("a.svg", Array("<?xm".utf8))] {
      let outcome = try ThrumProcess.run(
        ["simulate", "-a", bench, "-a", "none", "-o", folder.path(name), tap, buzz])
      #expect(outcome.status == 0 && outcome.output == "", "\(outcome.errors)")
      #expect(try Array(Data(contentsOf: folder.url(name)).prefix(4)) == start)
    }
    let svg = try String(contentsOf: folder.url("a.svg"), encoding: .utf8)
    #expect(svg.contains("<title>tap.ahap and buzz.ahap on bench and none</title>"))
    #expect(svg.contains("buzz.ahap, bench: peak 1.0"))
    let text = try ThrumProcess.run(["simulate", "-a", "lra-235", tap], environment: ["LC_ALL": "C.UTF-8"])
    #expect(text.output.hasPrefix("tap.ahap on lra-235\nModel of lra-235: 235 Hz, Q 20;"))
    #expect(text.output.contains("\n  drive\n") && text.output.contains("\n  acceleration\n"))
    #expect(!text.output.contains("\u{1B}"))
  }

  @Test(
    "A mistake is told",
    arguments: [
      (
        ["-a", "wideband"], 2,
        "the profile wideband has no resonance to simulate; name an actuator that has one"
      ),
      (
        ["-a", "safe", "-a", "none", "-a", "lra-175", "-a", "lra-235", "-a", "speaker"], 2,
        "5 cases; 4 are the most"
      ),
      (["--detune", "80"], 2, "--detune takes percent from -50 to 50"),
      (["-o", "x.gif"], 2, "cannot tell the type"),
      (["-a", "lra"], 2, "there is no actuator \"lra\""), (["-o", "-"], 2, "-o - needs --type"),
      (["-o", "-", "-t", "png", "--json"], 2, "choose one"),
      (["/no/such.ahap"], 1, "no such file; check the path"),
    ])
  func mistakes(words: [String], status: Int32, message: String) throws {
    let outcome = try ThrumProcess.run(["simulate"] + words + (words.last == "/no/such.ahap" ? [] : [tap]))
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("Silence is still, and a pattern without an end is cut")
  func edges() throws {
    let silent = try folder.write(#"{"Pattern": []}"#, to: "silent.ahap")
    #expect(try ThrumProcess.run(["simulate", silent]).output.contains("lra-175: still"))
    let cases = try figures(["--gain", "-120", tap])
    #expect(cases[0].peak < 1e-5)
  }
}
