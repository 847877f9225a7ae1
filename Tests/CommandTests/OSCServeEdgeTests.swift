import Foundation
import Testing
import ThrumOSC

/// What `thrum serve --osc` does at its edges: ids that are taken over, names, idling, outages.
@Suite("serve --osc at its edges", .serialized)
struct OSCServeEdgeTests {
  private let card: CardService

  init() throws { card = try CardService() }

  @Test("Until an id's next event begins, the id means the one that sounds")
  func takenOver() throws {
    let (service, client) = try card.startOSC()
    client.send(OSCMessage("/thrum/continuous/start", [.text("hum"), .float(1), .float(0)]))
    try service.wait(until: { (try? card.frames().count { $0 != 0 }) ?? 0 > 2400 }, "0.3 s of the first")
    let time = OSCClient.wallNanoseconds + 900_000_000
    client.send(
      [OSCMessage("/thrum/continuous/start", [.text("hum"), .float(0.25), .float(0)])], at: time)
    // Once the device tells its time, what is less than a second ahead is handed on.
    func status() -> [OSCArgument] { client.ask("/thrum/status", for: "/thrum/status")?.arguments ?? [] }
    try service.wait(until: { status().count == 9 && status()[5] == .int(0) }, "its being handed on")
    #expect(status().dropFirst(3).first == .int(1))
    client.send(OSCMessage("/thrum/continuous/intensity", [.text("hum"), .float(0.5)]))
    let isInTime =
      client.ask("/thrum/status", for: "/thrum/status") != nil
      && OSCClient.wallNanoseconds < time - 500_000_000
    try service.wait(until: { OSCClient.wallNanoseconds > time + 500_000_000 }, "half a second of the next")
    client.send(OSCMessage("/thrum/continuous/stop", [.text("hum")]))
    try service.wait(until: { client.isSilent }, "the end")
    let frames = try card.frames(of: service)
    let (start, end) = (
      try #require(frames.firstIndex { $0 != 0 }), try #require(frames.lastIndex { $0 != 0 })
    )
    func peak(_ range: Range<Int>) -> Double { Double(frames[range].map(\.magnitude).max() ?? 0) }
    // Past the attack of the first, and before the fade of the next, which began half a second before.
    let full = peak(start + 400..<start + 2000)
    let last = peak(end - 2400..<end - 400)
    #expect(abs(last / full - 0.25) < 0.01, "\(last / full)")
    // Too slow a machine tells nothing of the first.
    if isInTime {
      let change = try #require((start..<end).last { frames[$0].magnitude > Int32(0.4 * full).magnitude })
      let before = peak(change - 1600..<change - 400)
      #expect(abs(before / full - 0.5) < 0.01, "\(before / full) of the full intensity")
    }
  }

  @Test("A stop without a name also ends what begins later, an id's own stop only what sounds")
  func stops() throws {
    let (service, client) = try card.startOSC()
    let time = OSCClient.wallNanoseconds + 900_000_000
    client.send([OSCMessage("/thrum/continuous/start", [.text("hum")])], at: time)
    client.send(OSCMessage("/thrum/continuous/stop", [.text("hum")]))
    let told = client.next("/thrum/error")?.arguments[1]
    if OSCClient.wallNanoseconds < time { #expect(told == .text("no continuous event hum sounds")) }
    client.send(OSCMessage("/thrum/stop"))
    let isInTime =
      client.ask("/thrum/status", for: "/thrum/status") != nil && OSCClient.wallNanoseconds < time
    try service.wait(until: { OSCClient.wallNanoseconds > time + 200_000_000 }, "its time")
    try service.wait(until: { client.isSilent }, "silence")
    let frames = try card.frames(of: service)
    if isInTime { #expect(!frames.contains { $0 != 0 }) }
  }

  @Test("Names are answered as they are, not as they are printed")
  func names() throws {
    let patterns = try TemporaryFolder()
    for name in ["a\tb", "tür"] { try patterns.write(tapText, to: name + ".ahap") }
    let (service, client) = try card.startOSC(["--patterns", patterns.path("")])
    for name in ["a\tb", "tür"] {
      client.send(OSCMessage("/thrum/play", [.text(name)]))
      #expect(client.next("/thrum/ended")?.arguments == [.text(name)])
    }
    service.send(signal: SIGTERM)
    #expect(try service.wait().status == 0)
  }

  @Test("Questions are no use of the device: it is given back two minutes after the last tap")
  func questions() throws {
    let (service, client) = try card.startOSC(environment: ["HOME": ""])
    client.send(OSCMessage("/thrum/transient"))
    try service.wait(until: { client.isSilent }, "the tap's end")
    // The time that the wait of the main thread ends, in milliseconds.
    func limit() -> Int32? {
      let text = try? String(contentsOfFile: "/proc/\(service.pid)/syscall", encoding: .utf8)
      guard let words = text?.split(separator: " "), words.count > 3, words[0] == "7" else { return nil }
      return UInt64(words[3].dropFirst(2), radix: 16).map { Int32(truncatingIfNeeded: $0) }
    }
    // Were each a use, the rest of the two minutes would begin anew with it.
    try service.wait(
      until: {
        for question in ["/thrum/ping", "/thrum/status", "/thrum/list", "/thrum/help"] {
          client.send(OSCMessage(question))
        }
        let isAnswered = !client.all(nil, until: "/thrum/usage", milliseconds: 500).isEmpty
        return isAnswered && limit().map { (60_000..<119_000).contains($0) } ?? false
      }, "a wait of less than two minutes")
  }

  @Test("A time of 0 is told of as none, and done at once")
  func noTime() throws {
    let (service, client) = try card.startOSC()
    var bytes = Array("#bundle\0".utf8) + [UInt8](repeating: 0, count: 8)
    let message = OSCMessage("/thrum/transient").bytes
    withUnsafeBytes(of: UInt32(message.count).bigEndian) { bytes += $0 }
    client.send(bytes: bytes + message)
    #expect(
      client.next("/thrum/error")?.arguments
        == [.text("/thrum/transient"), .text("its time is 0, which is none; done at once, as with 1")])
    try service.wait(until: { client.isSilent }, "the end")
    #expect(CardService.onsets(try card.frames(of: service)).count == 1)
  }

  @Test("A theme that makes no sense is in nobody's way where nobody asks for feedbacks")
  func theme() throws {
    let home = try TemporaryFolder()
    try home.makeFolder("thrum")
    try home.write("{", to: "thrum/theme.json")
    let (service, client) = try card.startOSC(environment: ["XDG_CONFIG_HOME": home.path("")])
    #expect(client.ask("/thrum/ping", for: "/thrum/pong") != nil)
    service.send(signal: SIGHUP)
    #expect(client.ask("/thrum/ping", for: "/thrum/pong") != nil)
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(outcome.status == 0)
    #expect(!outcome.errors.contains("theme"), "\(outcome.errors)")
  }

  @Test("A device that flaps is told of three times in full, then in sum")
  func flapping() throws {
    let flaps = (0..<16).map { "unplug at \(2000 + 3200 * $0) for 100 ms" }.joined(separator: "\n")
    let script = try card.folder.write(flaps, to: "faults.txt")
    let (service, _) = try card.startOSC(card: "script \"\(script)\"")
    func unplugged() -> Int {
      let text = FileManager.default.contents(atPath: card.folder.path("log")) ?? Data()
      return String(decoding: text, as: UTF8.self).split(separator: "\n")
        .count { $0.hasPrefix("stop ") && $0.hasSuffix(" unplug") }
    }
    try service.wait(until: { unplugged() == 16 }, "16 outages")
    try service.wait(
      until: { service.errorsSoFar.contains("the device has held for 10 s, after it went and came back") },
      "the sum")
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count { $0.contains("was unplugged") } == 3, "\(outcome.errors)")
    #expect(outcome.errorLines.count { $0.contains("sounds again, after ") } == 3, "\(outcome.errors)")
    #expect(outcome.errorLines.count < 14, "\(outcome.errors)")
  }
}
