import Foundation
import Testing

/// What `play` and `devices` tell of the render thread, for a person and for a script.
@Suite("Statistics")
struct StatisticsTests {
  private let text = """
    {"Pattern": [{"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 0.2}}]}
    """

  @Test("--json has the figures of the render thread, class by class")
  func json() throws {
    let outcome = try ThrumProcess.run(
      ["play", "-d", "virtual", "-a", "none", "--json", "-"], input: Array(text.utf8))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let line = try #require(outcome.output.split(separator: "\n").first { $0.contains("\"statistics\"") })
    let figures = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(figures["xruns"] as? Int == 0 && figures["stolenVoices"] as? Int == 0)
    #expect(figures["lateCommands"] as? Int == 0)
    #expect((figures["worstRenderSeconds"] as? Double ?? 0) > 0)
    #expect((figures["worstRenderShare"] as? Double ?? 0) > 0)
    let peaks = try #require(figures["peaks"] as? [Double])
    #expect(peaks.count == 1 && (0.1...1).contains(peaks[0]))
    // 200 ms are forty periods of 5 ms, three of which fill the buffer; each other one is a wake-up in one of the classes.
    let classes = try #require(figures["wakeUps"] as? [[String: Any]])
    #expect(classes.compactMap { $0["count"] as? Int }.reduce(0, +) >= 37)
    #expect(classes.first?["underSeconds"] as? Double == 50e-6)
    #expect(classes.last?["underSeconds"] is NSNull)
  }

  @Test("--stats tells a person the same on four lines")
  func lines() throws {
    let outcome = try ThrumProcess.run(["play", "-d", "virtual", "--stats", "-"], input: Array(text.utf8))
    #expect(outcome.status == 0)
    let lines = outcome.errorLines.suffix(4).map(String.init)
    #expect(lines.count == 4, "\(outcome.errors)")
    for (line, start) in zip(
      lines, ["xruns 0, ", "longest render ", "wake-ups late: 50 % under ", "peaks: "])
    {
      #expect(line.hasPrefix(start))
    }
  }

  @Test("A processor that the render thread could not be kept on is told of", arguments: ["null", "virtual"])
  func processor(device: String) throws {
    let outcome = try ThrumProcess.run(
      ["play", "-d", device, "--cpu", "1023", "-"], input: Array(text.utf8))
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("not kept on processor 1023"), "\(outcome.errors)")
  }

  @Test(
    "devices --scheduling tells what a render thread obtains, and where it is not real-time, how to grant it")
  func scheduling() throws {
    let outcome = try ThrumProcess.run(["devices", "--scheduling"])
    #expect(outcome.status == 0)
    let isRealTime = outcome.output.hasPrefix("a render thread has SCHED_")
    #expect(outcome.output.hasPrefix("a render thread has "))
    #expect(outcome.output.contains("to grant it: ") == !isRealTime)
    let json = try ThrumProcess.run(["devices", "--scheduling", "--json"])
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
    #expect(answer["isRealTime"] as? Bool == isRealTime)
    #expect((answer["scheduling"] as? String)?.isEmpty == false)
  }
}
