import Foundation
import Testing

/// `thrum latency --software` on the virtual actuator.
@Suite("latency", .serialized)
struct LatencyTests {
  @Test("Each trial lies between the chain's delay and the whole buffer with one period more")
  func bounds() throws {
    let words = ["latency", "--software", "-d", "virtual", "-r", "48000", "-a", "none", "-n", "40", "--json"]
    let outcome = try ThrumProcess.run(words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.outputBytes)) as? [String: Any])
    #expect(object["count"] as? Int == 40)
    #expect(object["periodFrames"] as? Int == 240)
    let buffer = try #require(object["bufferFrames"] as? Int)
    let frames = try #require(object["frames"] as? [Int])
    #expect(frames.count == 40)
    // The kernel's 36 frames are the least there can be. A busy machine may take any command a period later, but not each
    // of forty.
    #expect(frames.allSatisfy { $0 >= 36 })
    #expect(frames.contains { $0 <= buffer + 240 + 48 + 36 }, "\(frames)")
    let percentiles = try #require(object["percentiles"] as? [String: [String: Any]])
    #expect(Set(percentiles.keys) == ["p50", "p90", "p99", "p99.9", "max"])
    #expect(percentiles["max"]?["frames"] as? Int == frames.max())
    let machine = try #require(object["machine"] as? String)
    #expect(machine.contains("core"))
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

  @Test("The report has the percentiles, the device, the machine and a histogram")
  func report() throws {
    let outcome = try ThrumProcess.run(["latency", "--software", "-d", "virtual", "-n", "10", "-p", "2"])
    #expect(
      outcome.output.hasPrefix(
        "Command to device frame, 10 trials\n  virtual: 8000 Hz, float, 1 channel, period 2 ms × 3\n"))
    for name in ["p50", "p90", "p99", "p99.9", "max"] { #expect(outcome.output.contains("\n  \(name) ")) }
    #expect(outcome.output.contains(" ms │"))
    #expect(outcome.errors == "")
  }
}
