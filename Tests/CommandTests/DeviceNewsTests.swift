import Foundation
import Testing
import ThrumRealtime

@testable import thrum

/// What `play` tells of a device that goes and comes back, and of being held up.
@Suite("News of the device")
struct DeviceNewsTests {
  private let folder: TemporaryFolder
  private static let sustained = Array(
    "{\"Pattern\": [{\"Event\": {\"EventType\": \"HapticContinuous\", \"Time\": 0, \"EventDuration\": 8}}]}"
      .utf8)

  init() throws { folder = try TemporaryFolder() }

  private func environment(_ pcm: String) throws -> [String: String] {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let text = """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.nowhere { type null }
      pcm.card { \(pcm) }

      """
    return ["ALSA_CONFIG_PATH": try folder.write(text, to: "asound.conf")]
  }

  @Test("A device that flaps is told of three times in full, then in sum; the counts stay exact")
  func flapping() throws {
    let flaps = (0..<16).map { "unplug at \(2000 + 3200 * $0) for 100 ms" }.joined(separator: "\n")
    let script = try folder.write(flaps, to: "faults.txt")
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "--json", "-"], input: Self.sustained,
      environment: try environment(
        "type thrum_test_card rates \"8000\" script \"\(script)\" log \"\(folder.path("log"))\""))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let log = try String(contentsOf: folder.url("log"), encoding: .utf8).split(separator: "\n")
    let unplugged = log.count { $0.hasPrefix("stop ") && $0.hasSuffix(" unplug") }
    #expect(unplugged == 16)
    #expect(outcome.errorLines.count { $0.contains("was unplugged") } == 3, "\(outcome.errors)")
    #expect(outcome.errorLines.count { $0.contains("sounds again, after ") } == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("16 outages"), "\(outcome.errors)")
    #expect(outcome.output.contains("\"outages\":16,"))
    #expect(outcome.output.split(separator: "\n").count { $0.contains("\"event\":\"outage\"") } == 16)
    #expect(outcome.output.split(separator: "\n").count { $0.contains("\"event\":\"return\"") } == 16)
  }

  @Test("A program that was held up says what was not played, when it goes on and at the end")
  func heldUp() throws {
    // Held up once its clock is known: before that nobody can tell what was due.
    let text = """
      {"Pattern": [{"Event": {"EventType": "HapticTransient", "Time": 0}},
        {"Event": {"EventType": "HapticTransient", "Time": 1}},
        {"Event": {"EventType": "HapticTransient", "Time": 3}}]}
      """
    let process = try ThrumProcess(
      ["play", "-d", "card", "--json", "-"], input: Array(text.utf8),
      environment: try environment("type thrum_test_card rates \"8000\" log \"\(folder.path("log"))\""))
    try process.wait(until: { process.outputSoFar.contains("\"entry\":1,") }, "the second event")
    process.send(signal: SIGSTOP)
    usleep(400_000)
    process.send(signal: SIGCONT)
    let outcome = try process.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.errorLines.filter {
      $0.contains("s were not played: the program or the device was held up")
    }
    #expect((1...3).contains(lines.count), "\(outcome.errors)")
    #expect(outcome.errorLines.last?.contains(" s not played") == true, "\(outcome.errors)")
  }

  @Test("In a terminal the lines are their own, not behind the progress line")
  func terminal() throws {
    let script = try folder.write("unplug at 4000 for 300 ms", to: "faults.txt")
    let pattern = try folder.write(String(decoding: Self.sustained, as: UTF8.self), to: "sustained.ahap")
    let process = try ThrumProcess(
      ["play", "-d", "card", pattern],
      environment: try environment(
        "type thrum_test_card rates \"8000\" script \"\(script)\" log \"\(folder.path("log"))\""),
      wiring: .terminal)
    let screen = try process.screen(until: "sounds again")
    process.send(signal: SIGTERM)
    let outcome = try process.wait()
    #expect(outcome.status == 143)
    let parts = screen.components(separatedBy: "thrum play: ")
    #expect(parts.count == 3, "\(screen)")
    for part in parts.dropLast() { #expect(part.hasSuffix("\r\u{1B}[K"), "\(part.suffix(80))") }
    #expect(parts[0].contains("sustained.ahap"))
  }

  @Test(
    "What fails each time it is opened is told of once, and ends with its error",
    arguments: ["| exit 1", "/dev/full"])
  func failing(file: String) throws {
    let outcome = try ThrumProcess.run(
      ["play", "-d", "card", "-l", "20", "-"], input: Array(tapText.utf8),
      environment: try environment("type file slave.pcm \"nowhere\" file \"\(file)\" format \"raw\""))
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errorLines.count { $0.contains("does not answer: ") } == 1, "\(outcome.errors)")
    #expect(!outcome.errors.contains("sounds again"), "\(outcome.errors)")
    #expect(outcome.errors.contains("lost sound device \"card\""), "\(outcome.errors)")
    #expect(outcome.errorLines.count <= 6, "\(outcome.errors)")
  }

  @Test("The sums come at growing intervals, and one when the device has held")
  func sums() {
    var (news, told) = (DeviceNews(), [Int: [String]]())
    // Two cycles a second for three minutes, looked at four times a second; then it holds.
    for quarter in 0..<1000 {
      let now = Int64(quarter) * 250_000_000
      let frame = RenderFrame(Int64(quarter) * 2000)
      var lines: [String?] = []
      if quarter < 720 {
        lines.append(
          quarter % 2 == 0
            ? news.began("gone", frame: frame, at: now) : news.returned(frame: frame, skipped: 0, at: now))
      }
      lines += news.look(skipped: 0, rate: 8000, at: now) as [String?]
      let all = lines.compactMap { $0 }
      if !all.isEmpty { told[quarter] = all }
    }
    #expect(news.outages == 360)
    #expect(told.filter { $0.key < 6 }.values.joined().count == 6)
    let sums = told.filter { $0.key >= 6 }.sorted { $0.key < $1.key }
    // 5, 10, 20, 40 and 80 s after the one before, and 10 s after the last cycle.
    #expect(sums.map(\.key) == [26, 66, 146, 306, 626, 759], "\(sums)")
    #expect(sums.dropLast().allSatisfy { $0.value[0].contains("keeps going and coming back") }, "\(sums)")
    #expect(sums.first?.value == ["the device keeps going and coming back: 14 times in 7 s"], "\(sums)")
    #expect(
      sums.last?.value == ["the device has held for 10 s, after it went and came back 360 times"], "\(sums)")
    // Afterwards it is told in full again.
    #expect(news.began("gone", frame: RenderFrame(0), at: 300_000_000_000) == "gone")
  }

  @Test("A device that flapped and then stays away is told of after a second")
  func staysAway() {
    var news = DeviceNews()
    for cycle in 0..<5 {
      let now = Int64(cycle) * 500_000_000
      #expect((news.began("gone", frame: RenderFrame(0), at: now) != nil) == (cycle < 3))
      let back = news.returned(frame: RenderFrame(0), skipped: 0, at: now + 250_000_000)
      #expect((back != nil) == (cycle < 3))
    }
    #expect(news.began("gone", frame: RenderFrame(0), at: 2_500_000_000) == nil)
    #expect(news.look(skipped: 4000, rate: 8000, at: 3_400_000_000).isEmpty)
    #expect(news.look(skipped: 8000, rate: 8000, at: 3_500_000_000) == ["gone"])
    #expect(news.look(skipped: 12000, rate: 8000, at: 4_000_000_000).isEmpty)
    // It is away, so it has not held; when it is back, that is told, since its going was.
    #expect(news.returned(frame: RenderFrame(16000), skipped: 16000, at: 20_000_000_000) != nil)
    #expect(
      news.look(skipped: 16000, rate: 8000, at: 20_100_000_000).allSatisfy { !$0.contains("not played") })
  }

  @Test("Frames that are skipped in an outage are no hang, and short dropouts are not told one by one")
  func hangs() {
    var news = DeviceNews()
    #expect(news.look(skipped: 399, rate: 8000, at: 0).isEmpty)
    #expect(news.look(skipped: 799, rate: 8000, at: 1).count == 1)
    #expect(news.began("gone", frame: RenderFrame(0), at: 2) != nil)
    #expect(news.look(skipped: 5000, rate: 8000, at: 3).isEmpty)
    #expect(news.returned(frame: RenderFrame(8000), skipped: 9000, at: 4) != nil)
    #expect(news.look(skipped: 9000, rate: 8000, at: 5).isEmpty)
    let line = news.look(skipped: 11000, rate: 8000, at: 6)
    #expect(line == ["0.25 s were not played: the program or the device was held up"])
  }
}
