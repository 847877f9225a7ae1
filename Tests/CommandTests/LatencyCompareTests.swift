import Foundation
import Testing
import ThrumLatency

/// `thrum latency --compare`.
@Suite("latency of two runs")
struct LatencyCompareTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A run as `--json` writes it, as far as a comparison reads it.
  private func run(_ name: String, shift: Double, count: Int = 200, period: Int = 40, seed: UInt64) throws
    -> String
  {
    var random = SeededRandom(seed: seed)
    let values = (0..<count).map { _ in "\(5 + shift + 2 * random.unit())" }
    return try folder.write(
      "{\"mode\":\"software\",\"rate\":8000,\"periodFrames\":\(period),\"device\":\"x\",\n \"milliseconds\":[\(values.joined(separator: ","))]}",
      to: name)
  }

  @Test("The faster run is named, with the difference and its interval, as text, JSON and picture")
  func faster() throws {
    let (slow, fast) = (
      try run("slow.json", shift: 1, seed: 1), try run("fast.json", shift: 0, period: 16, seed: 2)
    )
    let picture = folder.path("both.svg")
    let outcome = try ThrumProcess.run(["latency", "--compare", slow, fast, "--histogram", picture])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("fast.json (B) is faster, by "))
    #expect(outcome.output.contains("measured with different settings:\n    periodFrames: A 40, B 16\n"))
    #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("fast.json (B) is faster"))
    let object = try ThrumProcess.run(["latency", "--compare", slow, fast, "--json"]).object()
    #expect(object["conclusion"] as? String == "second is faster")
    let difference = try #require(object["differenceMs"] as? Double)
    let (low, high) = (try #require(object["lowMs"] as? Double), try #require(object["highMs"] as? Double))
    #expect(low < difference && difference < high && high < 0)
    #expect(low < -1 && -1 < high, "\(low) to \(high)")
    let turned = try ThrumProcess.run(["latency", "--compare", fast, slow])
    #expect(turned.output.hasPrefix("fast.json (A) is faster, by "))
  }

  @Test("Two runs of one thing are not told apart, and neither is one and itself")
  func equal() throws {
    let (one, other) = (try run("one.json", shift: 0, seed: 3), try run("other.json", shift: 0, seed: 4))
    for (left, right) in [(one, other), (one, one)] {
      let outcome = try ThrumProcess.run(["latency", "--compare", left, right])
      #expect(outcome.output.hasPrefix("no difference can be told from these runs\n"))
      #expect(!outcome.output.contains("different settings"))
    }
  }

  @Test("Runs of two modes count different things, and are not compared")
  func modes() throws {
    let software = try run("software.json", shift: 0, seed: 5)
    let text = try String(contentsOfFile: software, encoding: .utf8)
    let key = try folder.write(text.replacingOccurrences(of: "software", with: "key"), to: "key.json")
    let outcome = try ThrumProcess.run(["latency", "--compare", software, key])
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("was measured with --software"))
    #expect(outcome.errors.contains("compare two runs of one mode"))
  }

  @Test("A real run can be compared")
  func real() throws {
    let outcome = try ThrumProcess.run(["latency", "--software", "-d", "virtual", "-n", "25", "--json"])
    let path = try folder.write(outcome.output, to: "real.json")
    let compared = try ThrumProcess.run(["latency", "--compare", path, path])
    #expect(compared.status == 0 && compared.output.hasPrefix("no difference"), "\(compared.errors)")
  }

  @Test(
    "What is no run is told with file, line, column and key",
    arguments: [
      ("{\"mode\":\"software\",\n \"rate\":8000,}", ":2:14: error: a key in double quotes belongs here"),
      ("{\"mode\":\"software\",\n \"rate\":\"x\"}", ":2:9: error: rate: a number of 1 or more belongs here"),
      ("{\"mode\":3}", ":1:9: error: mode: a text belongs here, not a number"),
      ("{}", ":1:1: error: mode: is missing"),
      ("{\"mode\":\"\\u001b[31m\"}", ":1:9: error: mode: \"\\u{1B}[31m\" is no mode of thrum latency"),
      (
        "{\"mode\":\"key\",\"rate\":1,\"milliseconds\":[1e308]}",
        ":1:40: error: milliseconds.0: no trial takes so many milliseconds"
      ),
      (
        "{\"mode\":\"key\",\"rate\":1,\"milliseconds\":[1,\n\"2\"]}",
        ":2:1: error: milliseconds.1: a number belongs here, not a text"
      ),
      (
        "{\"mode\":\"key\",\"rate\":1,\"milliseconds\":[]}", ":1:39: error: milliseconds: there are no trials"
      ),
      ("{\"mode\":\"key\",\"rate\":1,\"milliseconds\":[1,2]}", "a comparison takes 20 or more"),
      ("", ":1:1: error: the text ends too early"), ("[1,2", ":1:5: error: the text ends too early"),
      ("nul", ":1:1: error: a value belongs here"),
    ])
  func broken(text: String, message: String) throws {
    let good = try run("good.json", shift: 0, seed: 5)
    let bad = try folder.write(text, to: "bad.json")
    let outcome = try ThrumProcess.run(["latency", "--compare", good, bad])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("bad.json"), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  @Test("A file that is not there is told")
  func missing() throws {
    let outcome = try ThrumProcess.run(["latency", "--compare", folder.path("a"), folder.path("b")])
    #expect(outcome.status == 1 && outcome.errors.contains("No such file"))
  }
}
