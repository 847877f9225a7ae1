import Foundation
import TestSupport
import Testing
import ThrumOSC

/// `thrum serve --osc` on the real binary and the tests' own card.
@Suite("serve --osc", .serialized)
struct OSCServeTests {
  private let card: CardService
  private var folder: TemporaryFolder { card.folder }

  init() throws { card = try CardService() }

  /// A service on a card of 8 kHz and one channel, and a client of it.
  private func session(
    _ words: [String] = [], device: String = "card", card settings: String = "",
    environment: [String: String] = [:]
  ) throws -> (ThrumProcess, OSCClient) {
    try card.startOSC(words, device: device, card: settings, environment: environment)
  }

  /// Ends a service and gives the frames that its card took.
  private func frames(of service: ThrumProcess) throws -> [Int32] { try card.frames(of: service) }

  /// The frames at which silence of 5 ms or more ends.
  private func onsets(_ frames: [Int32]) -> [Int] { CardService.onsets(frames) }

  @Test("Taps of bundles with times lie on their frames, whatever the order they came in")
  func timeTags() throws {
    // What a busy machine does to the clock's estimate of a second ahead is no fault of the times': three attempts.
    for attempt in 1...3 {
      let (distances, late) = try timedTaps()
      if attempt < 3, distances != [0, 800, 1500, 8000] || abs(late) > 2_000_000 { continue }
      #expect(distances == [0, 800, 1500, 8000])
      // By the card's own log of what sounded when.
      #expect(abs(late) < 2_000_000, "\(late) ns late")
      break
    }
  }

  /// The frames from the first to each tap that was sent with the times 0, 0.1, 0.1875 and 1 s, and by how many nanoseconds the
  /// first was late.
  private func timedTaps() throws -> (distances: [Int], late: Int64) {
    let (service, client) = try session(["-p", "20"])
    let start = OSCClient.wallNanoseconds + 1_500_000_000
    let distances: [Int64] = [0, 100_000_000, 187_500_000, 1_000_000_000]
    for distance in distances.reversed() {
      client.send([OSCMessage("/thrum/transient", [.float(1), .float(1)])], at: start + distance)
    }
    #expect(client.ask("/thrum/status", for: "/thrum/status")?.arguments[5] == .int(4))
    try service.wait(until: { OSCClient.wallNanoseconds > start + 1_500_000_000 }, "the last tap")
    let heard = onsets(try frames(of: service))
    let log = try String(contentsOf: folder.url("log"), encoding: .utf8).split(separator: "\n")
    // Earlier attempts wrote into the same log.
    let opened = try #require(log.lastIndex { $0.hasPrefix("open ") })
    let play = try #require(log[opened...].first { $0.hasPrefix("play ") }).split(separator: " ")
    let began = try #require(Int64(play[2])) - #require(Int64(play[1])) * 125_000
    let meant = start - OSCClient.wallNanoseconds + OSCClient.monotonicNanoseconds
    let first = try #require(heard.first)
    return (heard.map { $0 - first }, began + Int64(first) * 125_000 - meant)
  }

  @Test("What is late plays at once and is told of")
  func late() throws {
    let (service, client) = try session()
    client.send([OSCMessage("/thrum/transient")], at: OSCClient.wallNanoseconds - 50_000_000)
    let told = try #require(client.next("/thrum/error"))
    #expect(told.arguments[0] == .text("/thrum/transient"))
    #expect(told.arguments[1].text?.hasPrefix("its time has passed by ") == true)
    try service.wait(until: { client.isSilent }, "the tap's end")
    #expect(onsets(try frames(of: service)).count == 1)
  }

  @Test("A continuous event follows its values and ends; the last of a flood of values counts")
  func continuous() throws {
    let (service, client) = try session()
    client.send(OSCMessage("/thrum/continuous/start", [.int(7), .float(1), .float(0)]))
    let full = OSCClient.wallNanoseconds + 300_000_000
    try service.wait(until: { OSCClient.wallNanoseconds > full }, "the full intensity")
    for index in 0..<5000 {
      client.send(OSCMessage("/thrum/continuous/intensity", [.int(7), .float(Float(index % 100) / 100)]))
    }
    client.send(OSCMessage("/thrum/continuous/set", [.text("7"), .float(0.25), .float(0)]))
    // Half a second of the last value.
    let settled = OSCClient.wallNanoseconds + 700_000_000
    try service.wait(until: { OSCClient.wallNanoseconds > settled }, "half a second")
    client.send(OSCMessage("/thrum/continuous/stop", [.int(7)]))
    try service.wait(until: { client.isSilent }, "the end")
    let frames = try frames(of: service)
    let end = try #require(frames.lastIndex { $0 != 0 })
    let start = try #require(frames.firstIndex { $0 != 0 })
    func peak(_ range: Range<Int>) -> Double { Double(frames[range].map(\.magnitude).max() ?? 0) }
    // Past the attack, and before the fade.
    let ratio = peak(end - 2400..<end - 400) / peak(start + 400..<start + 1200)
    #expect(abs(ratio - 0.25) < 0.005, "\(ratio) of the full intensity")
  }

  @Test("A pattern plays by its name, from the folder as it is now, and its end is told")
  func play() throws {
    let patterns = try TemporaryFolder()
    try patterns.write(tapText, to: "mine.ahap")
    let (service, client) = try session(["--patterns", patterns.path("")])
    client.send(OSCMessage("/thrum/play", [.text("mine")]))
    #expect(client.next("/thrum/ended")?.arguments == [.text("mine")])
    try patterns.write("{ \"Pattern\": 3 }", to: "mine.ahap")
    client.send(OSCMessage("/thrum/play", [.text("mine.ahap")]))
    #expect(client.next("/thrum/error")?.arguments[1].text?.contains("mine.ahap:1:") == true)
    // A preset needs no folder.
    client.send(OSCMessage("/thrum/play", [.text("success")]))
    #expect(client.next("/thrum/ended")?.arguments == [.text("success")])
    client.send(OSCMessage("/thrum/list"))
    let names = client.all("/thrum/name", until: "/thrum/listed").map { $0.arguments[0] }
    #expect(names.first == .text("mine") && names.contains(.text("success")))
    #expect(onsets(try frames(of: service)).count >= 2)
  }

  @Test("What a message with a time changes holds from that time on, not from when it is sent ahead")
  func timedValues() throws {
    let (service, client) = try session()
    client.send(OSCMessage("/thrum/continuous/start", [.text("hum")]))
    let time = OSCClient.wallNanoseconds + 900_000_000
    client.send([OSCMessage("/thrum/mute", [.flag(true)])], at: time)
    client.send([OSCMessage("/thrum/param/intensity", [.float(0.5)])], at: time)
    client.send([OSCMessage("/thrum/continuous/stop", [.text("hum")])], at: time)
    client.send([OSCMessage("/thrum/ping")], at: time)
    // All of them have been taken, since they came before the first question.
    let before = try (0..<2).map { _ in
      try #require(client.ask("/thrum/status", for: "/thrum/status")).arguments
    }
    client.send(OSCMessage("/thrum/continuous/intensity", [.text("hum"), .float(0.3)]))
    let answer = client.ask("/thrum/status", for: "/thrum/status")
    // Too slow a machine tells nothing.
    if OSCClient.wallNanoseconds < time {
      #expect(before[1][6...8] == [.float(1), .float(0), .flag(false)])
      #expect(answer != nil, "the event can be changed up to its end")
    }
    #expect(client.next("/thrum/pong") != nil)
    #expect(OSCClient.wallNanoseconds >= time)
    try service.wait(until: { client.isSilent }, "the end")
    let after = client.ask("/thrum/status", for: "/thrum/status")?.arguments
    #expect(after?[6...8] == [.float(0.5), .float(0), .flag(true)])
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(!outcome.errors.contains("no continuous event"), "\(outcome.errors)")
  }

  @Test("What played on a device that came back as another one is over, and the next message opens it anew")
  func lostDevice() throws {
    let script = try folder.write("unplug at 24000 for 50 ms\n", to: "faults")
    let (service, client) = try session(card: "script \"\(script)\" rates_again \"16000\"")
    client.send(OSCMessage("/thrum/continuous/start", [.text("hum")]))
    client.send(OSCMessage("/thrum/continuous/start", [.text("buzz")]))
    let log = folder.url("log")
    func count(_ word: String) -> Int {
      let text = FileManager.default.contents(atPath: log.path) ?? Data()
      return String(decoding: text, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix(word) }
    }
    func openings() -> Int { count("open ") }
    func closings() -> Int { count("close ") }
    // Past the third second the device has gone; nothing tells so but its log.
    try service.wait(until: { closings() >= 2 }, "the end of the device")
    let time = OSCClient.wallNanoseconds + 500_000_000
    client.send([OSCMessage("/thrum/transient")], at: time)
    try service.wait(
      until: {
        client.ask("/thrum/status", for: "/thrum/status")?.arguments[2...5].allSatisfy { $0 == .int(0) }
          == true
      },
      "the tap's end")
    #expect(OSCClient.wallNanoseconds >= time, "heard before its time")
    #expect(openings() == 2)
    try service.wait(until: { client.isSilent }, "the tap's end")
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("It came back with another rate"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("does not answer"), "\(outcome.errors)")
  }

  @Test("An id that is started faster than its events fade sounds on")
  func restarts() throws {
    let (service, client) = try session()
    for _ in 0..<3000 { client.send(OSCMessage("/thrum/continuous/start", [.text("hum")])) }
    let status = try #require(client.ask("/thrum/status", for: "/thrum/status"))
    #expect(status.arguments[3] == .int(1))
    client.send(OSCMessage("/thrum/stop"))
    try service.wait(until: { client.isSilent }, "the end")
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(!outcome.errors.contains("players exist"), "\(outcome.errors)")
  }

  @Test("The device of a tap is given back two minutes later though nothing else comes")
  func idle() throws {
    // Without a folder of settings, nothing but the tap's end wakes the service.
    let (service, client) = try session(environment: ["HOME": ""])
    client.send(OSCMessage("/thrum/transient"))
    let taps = client.ask("/thrum/status", for: "/thrum/status")?.arguments[2]
    #expect(taps == .int(1), "it sounded already when it was asked for")
    // The time that the wait of the main thread ends, in milliseconds; -1 is never.
    func limit() -> Int32? {
      let text = try? String(contentsOfFile: "/proc/\(service.pid)/syscall", encoding: .utf8)
      guard let words = text?.split(separator: " "), words.count > 3, words[0] == "7" else { return nil }
      return UInt64(words[3].dropFirst(2), radix: 16).map { Int32(truncatingIfNeeded: $0) }
    }
    try service.wait(until: { limit().map { $0 > 60_000 } ?? false }, "a wait of about two minutes")
  }

  @Test("The list has the names that can be played, and looks into no other folder")
  func list() throws {
    let patterns = try TemporaryFolder()
    for name in ["mine.ahap", ".hidden.ahap", "LOUD.AHAP", "other.txt"] {
      try patterns.write(tapText, to: name)
    }
    #expect(mkfifo(patterns.path("pipe.ahap"), 0o600) == 0)
    let (service, client) = try session(["--patterns", patterns.path("")])
    client.send(OSCMessage("/thrum/list"))
    let names = client.all("/thrum/name", until: "/thrum/listed").map { $0.arguments[0] }
    #expect(names.first == .text("mine"))
    #expect(!names.contains { [.text("pipe"), .text(".hidden"), .text("LOUD")].contains($0) })
    service.send(signal: SIGTERM)
    #expect(try service.wait().status == 0)
  }

  @Test("A stop without a name ends all, and forgets what waits")
  func stop() throws {
    let (service, client) = try session()
    client.send(OSCMessage("/thrum/continuous/start", [.text("hum")]))
    client.send([OSCMessage("/thrum/transient")], at: OSCClient.wallNanoseconds + 3_000_000_000_000)
    #expect(
      client.ask("/thrum/status", for: "/thrum/status")?.arguments[3...5] == [.int(1), .int(0), .int(1)])
    client.send(OSCMessage("/thrum/st[o]p"))
    #expect(client.ask("/thrum/status", for: "/thrum/status")?.arguments[5] == .int(0))
    try service.wait(until: { client.isSilent }, "the end")
  }

  @Test("Mistakes are answered, and nothing of them is done")
  func mistakes() throws {
    let (service, client) = try session()
    let wrong: [(OSCMessage, String)] = [
      (OSCMessage("/thrum/nothing"), "there is no such address"),
      (OSCMessage("/thrum/transient", [.text("loud")]), "intensity is a number from 0 to 1"),
      (OSCMessage("/thrum/transient", [.float(.nan), .float(0)]), "intensity is a number from 0 to 1"),
      (
        OSCMessage("/thrum/transient", [.float(1), .float(0), .float(0)]),
        "takes intensity and sharpness, not 3"
      ),
      (OSCMessage("/thrum/play", [.text("../mine")]), "is no name of a pattern"),
      (OSCMessage("/thrum/play", [.text("")]), "name is text of 1 to 255 bytes"),
      (OSCMessage("/thrum/continuous/stop", [.int(3)]), "no continuous event 3 sounds"),
      (OSCMessage("/thrum/mute", [.text("yes")]), "mute is 1 or 0"),
    ]
    for (message, words) in wrong {
      client.send(message)
      let told = client.next("/thrum/error")
      #expect(told?.arguments[0] == .text(message.address))
      #expect(told?.arguments[1].text?.contains(words) == true, "\(String(describing: told))")
    }
    client.send(bytes: Array("no".utf8))
    #expect(
      client.next("/thrum/error")?.arguments[1].text?.hasPrefix("byte 0: 2 bytes are no message") == true)
    client.send([OSCMessage("/thrum/transient")], at: OSCClient.wallNanoseconds + 7_200_000_000_000)
    #expect(client.next("/thrum/error")?.arguments[1] == .text("its time is more than an hour ahead"))
    #expect(onsets(try frames(of: service)).isEmpty)
  }

  @Test(
    "What --osc takes is told where it is not right",
    arguments: ["0x10", "65536", "-1", "", "::1:9000", ":9000", "9000 "])
  func endpoints(word: String) throws {
    let outcome = try ThrumProcess.run(["serve", "--osc", word])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("[::1]:9000") || outcome.errors.contains("value"), "\(outcome.errors)")
  }

  @Test("A port that is taken, and an address that is not here, are told before anything plays")
  func taken() throws {
    let (service, client) = try session()
    let again = try ThrumProcess.run(["serve", "--osc", "\(client.port)", "-d", "virtual"])
    #expect(again.status == 1)
    #expect(again.errors.contains("another program listens there"))
    let absent = try ThrumProcess.run(["serve", "--osc", "192.0.2.1:9000", "-d", "virtual"])
    #expect(absent.status == 1)
    #expect(absent.errors.contains("does not have that address"))
    let named = try ThrumProcess.run(["serve", "--osc", "localhost:9000", "-d", "virtual"])
    #expect(named.status == 1)
    #expect(named.errors.contains("write it in numbers"))
    #expect(onsets(try frames(of: service)).isEmpty)
  }

  /// liblo is what most programs speak OSC with.
  @Test(
    "oscsend of liblo is understood",
    .enabled(if: access("/usr/bin/oscsend", X_OK) == 0, "liblo-tools is not there"))
  func liblo() throws {
    let (service, client) = try session()
    for words in [
      ["/thrum/transient", "ff", "1", "0.5"], ["/thrum/continuous/start", "sdd", "hum", "0.5", "0.5"],
      ["/thrum/param/intensity", "f", "0.5"], ["/thrum/mute", "F"],
    ] {
      let sent = try ThrumProcess(["127.0.0.1", "\(client.port)"] + words, program: "/usr/bin/oscsend").wait()
      #expect(sent.status == 0, "\(sent.errors)")
    }
    let status = client.ask("/thrum/status", for: "/thrum/status")
    #expect(status?.arguments[3] == .int(1))
    #expect(status?.arguments[6] == .float(0.5))
    #expect(onsets(try frames(of: service)).count >= 1)
  }
}
