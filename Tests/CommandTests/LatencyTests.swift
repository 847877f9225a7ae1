import Foundation
import Testing

@testable import ThrumLatency

/// `thrum latency --software` on the virtual actuator, and what all modes share.
@Suite("latency", .serialized)
struct LatencyTests {
  @Test("Each trial lies between the chain's delay and the whole buffer with one period more")
  func bounds() throws {
    let words = ["latency", "--software", "-d", "virtual", "-r", "48000", "-a", "none", "-n", "40", "--json"]
    let outcome = try ThrumProcess.run(words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try outcome.object()
    #expect(object["count"] as? Int == 40 && object["wanted"] as? Int == 40)
    #expect(object["mode"] as? String == "software" && object["thrum"] as? String == "0.1.0")
    #expect(object["device"] as? String == "virtual" && object["periodFrames"] as? Int == 240)
    let buffer = try #require(object["bufferFrames"] as? Int)
    let frames = try #require(object["frames"] as? [Int])
    #expect(frames.count == 40)
    // The kernel's 36 frames are the least there can be. A busy machine may take any command a period later, but not each
    // of forty.
    #expect(frames.allSatisfy { $0 >= 36 })
    #expect(frames.contains { $0 <= buffer + 240 + 48 + 36 }, "\(frames)")
    let times = try #require(object["milliseconds"] as? [Double])
    #expect(zip(times, frames).allSatisfy { abs($0 * 48 - Double($1)) <= 0.5001 })
    let machine = try #require(object["machine"] as? String)
    #expect(machine.contains("core"))
    let scheduling = try #require(object["scheduling"] as? String)
    #expect(scheduling.hasPrefix("render thread: "))
  }

  @Test("A percentile that so many trials cannot tell is null and a dash, the others have their frames")
  func percentiles() throws {
    let words = ["latency", "--software", "-d", "virtual", "-n", "40"]
    let object = try ThrumProcess.run(words + ["--json"]).object()
    let percentiles = try #require(object["percentiles"] as? [String: Any])
    #expect(Set(percentiles.keys) == ["p50", "p90", "p99", "p99.9", "max"])
    #expect(percentiles["p99"] is NSNull && percentiles["p99.9"] is NSNull)
    let frames = try #require(object["frames"] as? [Int])
    let longest = try #require(percentiles["max"] as? [String: Any])
    #expect(longest["frames"] as? Int == frames.max())
    let median = try #require(percentiles["p50"] as? [String: Any])
    let (low, middle, high) = (
      median["lowMs"] as? Double, median["ms"] as? Double, median["highMs"] as? Double
    )
    #expect(try #require(low) <= #require(middle) && #require(middle) <= #require(high))
    let text = try ThrumProcess.run(words).output
    #expect(text.contains("\n  p99           -         -   needs 100 trials\n"))
    #expect(text.contains("\n  p99.9         -         -   needs 1000 trials\n"))
  }

  @Test("--csv is a line a trial")
  func csv() throws {
    let outcome = try ThrumProcess.run(["latency", "--software", "-d", "virtual", "-n", "5", "--csv"])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines[0] == "trial,frames,ms")
    for (index, line) in lines.dropFirst().enumerated() {
      let fields = line.split(separator: ",")
      #expect(fields.count == 3 && fields[0] == "\(index + 1)")
      #expect(Int(fields[1]) != nil && Double(fields[2]) != nil)
    }
  }

  @Test(
    "The report has the percentiles, the device, the machine, a histogram and the thresholds with their sources"
  )
  func report() throws {
    let outcome = try ThrumProcess.run(["latency", "--software", "-d", "virtual", "-n", "10", "-p", "2"])
    #expect(
      outcome.output.hasPrefix(
        "Command to device frame, 10 trials\n  virtual: 8000 Hz, float, 1 channel, period 2 ms × 3\n"))
    for name in ["p50", "p90", "p99", "p99.9", "max"] { #expect(outcome.output.contains("\n  \(name) ")) }
    #expect(outcome.output.contains(" ms │"))
    for threshold in PerceptionThreshold.all { #expect(outcome.output.contains(threshold.source)) }
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.errors == "")
  }

  @Test(
    "On a terminal there is progress and colour, and with NO_COLOR there is none", arguments: [true, false])
  func terminal(isColoured: Bool) throws {
    let process = try ThrumProcess(
      ["latency", "--software", "-d", "virtual", "-n", "60"],
      environment: isColoured ? [:] : ["NO_COLOR": "1"],
      wiring: .terminal)
    let outcome = try process.wait()
    let screen = outcome.output
    #expect(outcome.status == 0, "\(screen)")
    #expect(screen.contains(" of 60 trials"))
    #expect(screen.contains("\u{1B}[36m█") == isColoured)
    #expect(screen.contains("\u{1B}[1m") == isColoured)
  }

  @Test("ctrl-C gives the results so far and ends with 130")
  func interrupted() throws {
    let process = try ThrumProcess(
      ["latency", "--software", "-d", "virtual", "-n", "100000"], wiring: .terminal)
    let before = try process.screen(until: "of 100000 trials")
    #expect(before.contains("latency"))
    process.type("\u{3}")
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(outcome.output.contains("Command to device frame, "))
    #expect(outcome.output.contains(" of 100000"))
    #expect(outcome.output.contains(" ms │"))
  }

  @Test("--histogram draws a PNG or an SVG; another ending is bad usage before anything is measured")
  func histogram() throws {
    let folder = try TemporaryFolder()
    let words = ["latency", "--software", "-d", "virtual", "-n", "20", "--histogram"]
    for (name, start) in [("h.png", [0x89, 0x50, 0x4E, 0x47]), ("h.svg", Array("<?xml".utf8))] {
      let outcome = try ThrumProcess.run(words + [folder.path(name)])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Data(contentsOf: folder.url(name)).starts(with: start))
    }
    let svg = try String(contentsOf: folder.url("h.svg"), encoding: .utf8)
    #expect(svg.contains("p50") && svg.contains("virtual: 8000 Hz"))
    let refused = try ThrumProcess.run(words + ["h.pdf"])
    #expect(refused.status == 2 && refused.errors.contains(".png or .svg"))
  }

  @Test(
    "Mistakes are told with what would be right",
    arguments: [
      (["latency"], "--software needs no wires, --loopback a cable"),
      (["latency", "--software", "--loopback"], "one of --software, --loopback, --sensor and --key"),
      (["latency", "--software", "a.json"], "files with --compare only"),
      (["latency", "--loopback", "-d", "virtual"], "the virtual actuator has no wire"),
      (["latency", "--key", "-d", "virtual"], "--key-device"),
      (["latency", "--loopback", "--level", "3"], "decibels from -100 to 0"),
      (["latency", "--loopback", "--signal", "sweep"], "one of mls, click"),
      (["latency", "--compare", "a.json"], "two files that --json wrote"),
      (["latency", "--compare", "--software", "a.json", "b.json"], "measures nothing"),
      (["latency", "--compare", "--csv", "a.json", "b.json"], "--json"),
    ])
  func mistakes(words: [String], message: String) throws {
    let outcome = try ThrumProcess.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}

extension ThrumProcess.Outcome {
  /// The output as a JSON object.
  func object() throws -> [String: Any] {
    guard let object = try JSONSerialization.jsonObject(with: Data(outputBytes)) as? [String: Any] else {
      throw ProcessFailure("no object: \(output) \(errors)")
    }
    return object
  }
}
