import Foundation
import TestSupport
import Testing

/// ctrl-C and its relatives, a terminal, and files that are saved while they are watched.
@Suite("Interruption, terminal and watch", .serialized)
struct InterruptionTests {
  static let longText =
    #"{"Pattern": [{"Event": {"EventType": "HapticContinuous", "Time": 0, "EventDuration": 25}}]}"#

  @Test(
    "A signal fades to silence, closes and ends with 128 and its number",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func signal(number: Int32, status: Int32) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.longText, to: "long.ahap")
    let process = try ThrumProcess(["play", "-d", "virtual", "-a", "none", "--json", file])
    try process.wait(until: { process.outputSoFar.contains("started") }, "the first event")
    process.send(signal: number)
    let outcome = try process.wait()
    #expect(outcome.status == status)
    #expect(outcome.errors == "")
    let lines = outcome.output.split(separator: "\n")
    let finished = try #require(lines.first { $0.contains("\"finished\"") })
    #expect(finished.contains("\"stopped\":true"))
    #expect(try #require(lines.last).contains("\"event\":\"end\""))
  }

  @Test("A second signal ends at once, without waiting for what the device holds")
  func second() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.longText, to: "long.ahap")
    // With periods of a second the fade is still in the buffer when the second signal comes.
    let process = try ThrumProcess(["play", "-d", "virtual", "--period", "1000", "--json", file])
    try process.wait(until: { process.outputSoFar.contains("started") }, "the first event")
    process.send(signal: SIGINT)
    // Two at once would be one.
    try process.wait(until: { !process.isPending(signal: SIGINT) }, "the first signal to be taken")
    process.send(signal: SIGINT)
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(!outcome.output.contains("\"event\":\"end\""))
  }

  @Test("ctrl-C while play waits for standard input ends at once, with 130")
  func early() throws {
    let process = try ThrumProcess(["play", "-"], wiring: .terminal)
    // The terminal echoes what is typed as soon as there is somebody to type to.
    process.type("{\n")
    #expect(try process.screen(until: "{").contains("{"))
    process.type("\u{3}")
    #expect(try process.wait().status == 130)
  }

  @Test("What was captured of an interrupted play ends in silence, within the fade")
  func fade() throws {
    guard let folder = SharedFiles.locate("cases/alsa-short-and-tail", for: "the fade at ctrl-C") else {
      return
    }
    let place = try TemporaryFolder()
    let file = try place.write(Self.longText, to: "long.ahap")
    let process = try ThrumProcess(
      ["play", "-d", "thrum_capture", "-a", "none", "-r", "8000", "-f", "float", "--json", file],
      in: place.path(""),
      environment: ["ALSA_CONFIG_PATH": folder.appendingPathComponent("asound.conf").path])
    try process.wait(until: { process.outputSoFar.contains("started") }, "the first event")
    process.send(signal: SIGINT)
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(outcome.errors == "")
    let bytes = try SharedFiles.bytes(of: place.url("capture.raw"))
    let samples = bytes.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count - 3, by: 4).map {
        buffer.loadUnaligned(fromByteOffset: $0, as: Float.self)
      }
    }
    let last = try #require(samples.lastIndex { $0 != 0 })
    // The largest step at 80…230 Hz and half of full scale is 0.09 at 8 kHz; a cut would leave more behind it.
    #expect(abs(samples[last]) < 0.01)
    let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    #expect(steps < 0.1)
  }

  @Test("ctrl-C typed into a terminal ends with 130; the line tells where")
  func terminal() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.longText, to: "long.ahap")
    let process = try ThrumProcess(["play", "-d", "virtual", file], wiring: .terminal)
    let before = try process.screen(until: "/ 25.0 s")
    #expect(before.contains("virtual: 8000 Hz, float, 1 channel, period 5 ms × 3"))
    process.type("\u{3}")
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(outcome.output.contains("long.ahap  stopped at "))
  }

  @Test("Colours are for terminals, and NO_COLOR is obeyed there", arguments: [false, true])
  func colours(isForbidden: Bool) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("{", to: "a.ahap")
    let environment = isForbidden ? ["NO_COLOR": "1"] : [:]
    let process = try ThrumProcess(["check", file], environment: environment, wiring: .terminal)
    let outcome = try process.wait()
    #expect(outcome.output.contains("\u{1B}[1;31merror:") == !isForbidden)
    #expect(outcome.output.contains("\u{1B}[") == !isForbidden)
    #expect(outcome.output.contains("1 file checked: "))
    #expect(outcome.status == 1)
    let piped = try ThrumProcess.run(["check", file])
    #expect(!piped.output.contains("\u{1B}"))
  }

  @Test("Sound is not written to a terminal")
  func soundToTerminal() throws {
    let process = try ThrumProcess(["render", "-o", "-", "x.ahap"], wiring: .terminal)
    let outcome = try process.wait()
    #expect(outcome.output.contains("-o - would write sound to the terminal; send it to a file or a pipe"))
    #expect(outcome.status == 2)
  }

  @Test("The reader of the log going away ends play after silence")
  func readerGoesAway() throws {
    let folder = try TemporaryFolder()
    // Ten minutes: longer than is waited.
    let events = (0..<12000).map {
      "{\"Event\": {\"EventType\": \"HapticTransient\", \"Time\": \(Double($0) / 20)}}"
    }
    try folder.write("{\"Pattern\": [\(events.joined(separator: ","))]}", to: "taps.ahap")
    let line =
      "\(ThrumProcess.path) play -d virtual --json taps.ahap | head -n 3 | wc -l; echo ${PIPESTATUS[0]}"
    let outcome = try ThrumProcess(["-c", line], in: folder.path(""), program: "/bin/bash").wait()
    #expect(outcome.output == "3\n141\n")
    #expect(outcome.errors == "")
  }

  @Test("--watch plays on every save, in place and by rename, and waits where a file is half written")
  func watch() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(tapText, to: "draft.ahap")
    let process = try ThrumProcess(["play", "-d", "virtual", "--json", "--watch", file])
    func plays(_ count: Int) -> Bool {
      process.outputSoFar.components(separatedBy: "\"finished\"").count > count
    }
    try process.wait(until: { plays(1) }, "the first play")
    try folder.write(tapText + "\n", to: "draft.ahap")
    try process.wait(until: { plays(2) }, "the play after a save in place")
    try folder.write(tapText + "\n\n", to: "draft.ahap.tmp")
    #expect(rename(folder.path("draft.ahap.tmp"), file) == 0)
    try process.wait(until: { plays(3) }, "the play after a rename")
    try folder.write(String(tapText.prefix(40)), to: "draft.ahap")
    try process.wait(until: { process.errorsSoFar.contains("error:") }, "the error")
    #expect(process.errorsSoFar.hasPrefix("\(file):1:"))
    try folder.write(tapText, to: "draft.ahap")
    try process.wait(until: { plays(4) }, "the play after the repair")
    process.send(signal: SIGINT)
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(outcome.errorLines.count == 1)
  }

  @Test("A save while it plays fades what plays and begins anew")
  func watchRestarts() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.longText, to: "draft.ahap")
    let process = try ThrumProcess(["play", "-d", "virtual", "--json", "-w", file])
    try process.wait(until: { process.outputSoFar.contains("started") }, "the first play")
    try folder.write(tapText, to: "draft.ahap")
    try process.wait(
      until: { process.outputSoFar.contains("\"stopped\":false") }, "the end of the second play")
    #expect(process.outputSoFar.contains("\"stopped\":true"))
    process.send(signal: SIGTERM)
    #expect(try process.wait().status == 143)
  }
}
