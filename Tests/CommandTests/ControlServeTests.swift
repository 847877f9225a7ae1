import Foundation
import Testing
import ThrumOSC

/// `thrum serve --midi` and `--gamepad` on the real binary, the tests' own card and pipes in the place of controllers.
@Suite("serve by controllers", .serialized)
struct ControlServeTests {
  private let card: CardService
  private let pipe: ControllerPipe

  init() throws {
    card = try CardService()
    pipe = try ControllerPipe(in: card.folder)
  }

  /// How many frames the card has taken that are not silent.
  private var heard: Int {
    do { return try card.frames().count { $0 != 0 } } catch { return 0 }
  }

  private func start(_ words: [String], environment: [String: String] = [:]) throws -> ThrumProcess {
    let service = try card.start(words, environment: environment)
    try service.wait(until: { service.errorsSoFar.contains("\(pipe.path) is connected") }, "the controller")
    return service
  }

  @Test("Notes tap as strong as they are struck, the wheel holds their intensity down")
  func taps() throws {
    let service = try start(["--midi", pipe.path, "--midi-flat"])
    func tap(_ bytes: [UInt8]) throws {
      let before = heard
      pipe.write(bytes)
      try service.wait(until: { heard > before }, "the tap")
      // Until it is over: so many frames without anything.
      try service.wait(until: { (try? card.frames().suffix(800).allSatisfy { $0 == 0 }) ?? false }, "its end")
    }
    try tap([0x90, 60, 127])
    try tap([60, 64])
    try tap([0xB0, 1, 64, 0x90, 60, 127])
    let frames = try card.frames(of: service)
    let onsets = CardService.onsets(frames)
    try #require(onsets.count == 3)
    let peaks = onsets.map { Double(frames[$0..<min($0 + 400, frames.count)].map(\.magnitude).max() ?? 0) }
    #expect(abs(peaks[1] / peaks[0] - 64.0 / 127) < 0.005, "\(peaks)")
    #expect(abs(peaks[2] / peaks[0] - 64.0 / 127) < 0.005, "\(peaks)")
  }

  @Test("A key of a held channel sounds until it is up")
  func hold() throws {
    let service = try start(["--midi", pipe.path, "--midi-hold", "all", "-p", "20"])
    pipe.write([0x90, 60, 127])
    try service.wait(until: { heard > 4000 }, "half a second of it")
    pipe.write([0x80, 60, 0])
    try service.wait(until: { (try? card.frames().suffix(800).allSatisfy { $0 == 0 }) ?? false }, "its end")
    #expect(CardService.onsets(try card.frames(of: service)).count == 1)
  }

  @Test("A game pad's buttons tap and hold, beside OSC")
  func pad() throws {
    let port = try OSCClient.freePort()
    let service = try start(["--gamepad", pipe.path, "--osc", "\(port)"])
    let client = try OSCClient(port: port)
    pipe.pad(kind: 1, number: 1, value: 1)
    pipe.pad(kind: 2, number: 0, value: 32767)
    func status() -> [OSCArgument] { client.ask("/thrum/status", for: "/thrum/status")?.arguments ?? [] }
    try service.wait(until: { status().count == 9 && status()[3] == .int(1) }, "the hold")
    try service.wait(until: { status()[7] == .float(1) }, "the sharpness of OSC, too")
    client.send(OSCMessage("/thrum/continuous/stop", [.int(1)]))
    #expect(client.next("/thrum/error")?.arguments[1] == .text("no continuous event 1 sounds"))
    pipe.pad(kind: 1, number: 1, value: 0)
    pipe.pad(kind: 1, number: 0, value: 1)
    try service.wait(until: { client.isSilent }, "the end")
    #expect(CardService.onsets(try card.frames(of: service)).count >= 1)
  }

  @Test("200,000 messages at once do no harm: what comes after them is played, and little is told")
  func flood() throws {
    let service = try start(["--midi", pipe.path])
    // Running status: two bytes a note, then values.
    pipe.write([0x90])
    for _ in 0..<500 {
      pipe.write((0..<200).flatMap { [UInt8($0 % 128), 100] })
      pipe.write([0xB0] + (0..<200).flatMap { [1, UInt8($0 * 37 % 127)] } + [0x90])
    }
    pipe.write([0xB0, 1, 127])
    try service.wait(until: { pipe.isEmpty }, "the flood's end")
    try service.wait(until: { (try? card.frames().suffix(800).allSatisfy { $0 == 0 }) ?? false }, "silence")
    let before = heard
    pipe.write([0x90, 96, 127])
    try service.wait(until: { heard > before }, "the tap after it")
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count < 20, "\(outcome.errors)")
    #expect(outcome.peakBytes < 200 << 20)
  }

  @Test("What was learned is remembered for the next start")
  func learning() throws {
    let state = card.folder.path("state")
    for (words, number) in [(["--learn", "intensity"], UInt8(20)), ([], 1)] {
      let service = try start(["--midi", pipe.path] + words, environment: ["XDG_STATE_HOME": state])
      pipe.write([0xB0, number, 0])
      try service.wait(until: { pipe.isEmpty }, "the control")
      if !words.isEmpty {
        try service.wait(
          until: { service.errorsSoFar.contains("controller 20 of \(pipe.path) is the intensity") }, "it")
      }
      service.send(signal: SIGTERM)
      #expect(try service.wait().status == 0)
    }
    let text = try String(contentsOfFile: state + "/thrum/controls", encoding: .utf8)
    #expect(text == "midi intensity 20 \(pipe.path)\n")
  }

  @Test(
    "A machine without a sequencer tells so in one line, and serves on",
    .enabled(if: access("/dev/snd/seq", F_OK) != 0, "this kernel has a sequencer"))
  func noSequencer() throws {
    let (service, client) = try card.startOSC(["--midi", "all"])
    client.send(OSCMessage("/thrum/transient"))
    try service.wait(until: { heard > 0 }, "a tap by OSC")
    service.send(signal: SIGTERM)
    let outcome = try service.wait()
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count { $0.contains("sequencer") } >= 1, "\(outcome.errors)")
    // Without -v libasound says nothing itself.
    let quiet = try ThrumProcess(["serve", "-d", "virtual", "--midi", "all"])
    try quiet.wait(until: { quiet.errorsSoFar.contains("sequencer") }, "the notice")
    quiet.send(signal: SIGTERM)
    let end = try quiet.wait()
    #expect(end.status == 0)
    #expect(
      end.errors
        == "thrum serve: no MIDI sequencer (this kernel has none, or needs modprobe snd-seq; a cable goes by its path)\n"
    )
  }

  @Test(
    "What the options take is told where it is not right",
    arguments: [
      (["--midi", ""], "all, none, a port such as 20:0"), (["--midi", "300:0"], "a port such as 20:0"),
      (["--midi-hold", "17"], "a channel from 1 to 16, or all"), (["--gamepad", "js0"], "first, or a path"),
      (["--learn", "gain", "--midi", "all"], "one of intensity, sharpness"),
      (["--learn", "intensity"], "--learn is for controllers"),
      (["--theme", "x", "--midi", "all"], "--theme is for what comes over D-Bus"),
      (["--profile", "full", "--osc", "9000"], "--profile is for what comes over D-Bus"),
    ])
  func mistakes(words: [String], message: String) throws {
    let outcome = try ThrumProcess.run(["serve", "-d", "virtual"] + words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
