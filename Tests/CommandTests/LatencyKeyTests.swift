import Foundation
import Testing

@testable import thrum

/// `thrum latency --key`, with keys typed into a terminal.
@Suite("latency by key", .serialized)
struct LatencyKeyTests {
  /// Tells whether a terminal's lines are edited, by the tests' end of it.
  private struct Terminal {
    let descriptor: Int32

    var isEdited: Bool {
      var settings = termios()
      let both = tcflag_t(ICANON | ECHO)
      return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & both == both
    }
  }

  private func start(trials: String) throws -> (process: ThrumProcess, terminal: Terminal) {
    let process = try ThrumProcess(
      ["latency", "--key", "-d", "virtual", "-n", trials], environment: ["NO_COLOR": "1"], wiring: .terminal)
    let terminal = Terminal(descriptor: process.terminal)
    #expect(try process.screen(until: "press keys").contains("one for each trial"))
    #expect(!terminal.isEdited)
    return (process, terminal)
  }

  /// Types a key until a text stands on the screen, as a person does: of a tap that a busy machine did not play within a
  /// second there is no trial.
  private func type(_ key: String, until text: String, _ process: ThrumProcess) throws -> String {
    var screen = ""
    for _ in 0..<20 {
      process.type(key)
      screen += process.screen(seconds: 5, until: text)
      if screen.contains(text) { break }
    }
    return screen
  }

  @Test("Each key is a trial, its letter is not shown, and the terminal is as before")
  func keys() throws {
    let (process, terminal) = try start(trials: "3")
    let first = try type("q", until: "1 of 3 trials", process)
    #expect(first.contains("1 of 3 trials") && !first.contains("q"))
    #expect(try type("\u{1B}[A", until: "2 of 3 trials", process).contains("2 of 3 trials"))
    #expect(
      try type("x", until: "device frame, 3 trials", process).contains("Key press to device frame, 3 trials"))
    let outcome = try process.wait()
    #expect(outcome.status == 0)
    #expect(terminal.isEdited)
  }

  @Test("ctrl-C gives the trials so far; ctrl-Z where nothing can stop it changes nothing")
  func interrupted() throws {
    let (process, terminal) = try start(trials: "100")
    #expect(try type("a", until: "1 of 100 trials", process).contains("1 of 100 trials"))
    process.type("\u{1A}")
    // A key that comes while the terminal is given back for a moment is kept by it as the beginning of a line.
    usleep(500_000)
    #expect(try type("b", until: "2 of 100 trials", process).contains("2 of 100 trials"))
    #expect(!terminal.isEdited)
    process.type("\u{3}")
    let outcome = try process.wait()
    #expect(outcome.status == 130)
    #expect(outcome.output.contains("2 trials of 100"))
    #expect(terminal.isEdited)
  }

  @Test(
    "The terminal is as before whatever ends the process",
    arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGILL])
  func ends(signal: Int32) throws {
    let (process, terminal) = try start(trials: "100")
    process.send(signal: signal)
    let outcome = try process.wait()
    #expect(outcome.status == 128 + signal)
    #expect(terminal.isEdited)
  }

  @Test("An event node tells presses with the kernel's time; repeats, releases and other events are none")
  func events() {
    func event(_ seconds: Int64, _ microseconds: Int64, _ type: UInt16, _ value: Int32) -> [UInt8] {
      var bytes: [UInt8] = []
      withUnsafeBytes(of: seconds) { bytes += $0 }
      withUnsafeBytes(of: microseconds) { bytes += $0 }
      withUnsafeBytes(of: type) { bytes += $0 }
      withUnsafeBytes(of: UInt16(30)) { bytes += $0 }
      withUnsafeBytes(of: value) { bytes += $0 }
      return bytes
    }
    let bytes =
      event(7, 1, 4, 30) + event(7, 2, 1, 1) + event(7, 2, 0, 0) + event(7, 3, 1, 2) + event(8, 4, 1, 0)
    let events = KeySource.events(in: bytes + [1, 2, 3])
    #expect(events.map(\.value) == [1, 2, 0])
    #expect(events.first == KeySource.Event(nanoseconds: 7_000_002_000, code: 30, value: 1))
  }

  @Test("What is no event node is refused with what to try", arguments: ["/dev/null", "/nowhere"])
  func node(path: String) throws {
    let outcome = try ThrumProcess.run(["latency", "--key-device", path, "-d", "virtual"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("/dev/input/by-id"), "\(outcome.errors)")
  }
}
