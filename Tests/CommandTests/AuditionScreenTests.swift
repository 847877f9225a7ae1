import Foundation
import Testing
import ThrumOSC

/// `thrum audition` in a real terminal, as a person uses it.
@Suite("Audition in a terminal", .serialized, .enabled(if: TmuxTerminal.isThere))
struct AuditionScreenTests {
  /// Two seconds with a tap, and something continuous that can be moved.
  static func text(intensity: String = "0.5", time: String = "0.25") -> String {
    """
    {
      "Version": 1.0,
      "Metadata": { "Project": "kept" },
      "Pattern": [
        { "Event": { "Time": 0.0, "EventType": "HapticTransient", "EventParameters": [
          { "ParameterID": "HapticIntensity", "ParameterValue": 1.0 },
          { "ParameterID": "HapticSharpness", "ParameterValue": 0.5 } ] } },
        { "Event": { "Time": \(time), "EventType": "HapticContinuous", "EventDuration": 1.75,
          "EventParameters": [
          { "ParameterID": "HapticIntensity", "ParameterValue": \(intensity) },
          { "ParameterID": "HapticSharpness", "ParameterValue": 0.3 } ] } }
      ]
    }

    """
  }

  let terminal: TmuxTerminal

  init() throws {
    terminal = try TmuxTerminal()
    try terminal.folder.makeFolder("p")
    for name in ["bell", "knock", "wave"] { try terminal.folder.write(Self.text(), to: "p/\(name).ahap") }
    try terminal.folder.write(tapText, to: "p/only-a-tap.ahap")
    try terminal.run("stty -a > before; clear")
    try terminal.wait("an empty screen") { $0.hasPrefix("$") }
  }

  /// Starts the audition of the folder and waits for its first pattern.
  private func start(_ options: String = "", on terminal: TmuxTerminal? = nil) throws {
    let terminal = terminal ?? self.terminal
    try terminal.run("\(ThrumProcess.path) audition p -d virtual \(options); echo \"status $?\"")
    try terminal.wait(for: "bell 2.00 s")
  }

  /// The process, found by its parent's shell.
  private func pid() throws -> pid_t {
    let outcome = try ThrumProcess(
      ["-n", "-f", "^\(ThrumProcess.path) audition p -d virtual"], program: "/usr/bin/pgrep"
    ).wait()
    return try #require(pid_t(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Waits for the shell, and sees that the terminal is as it was.
  private func expectEnd(status: Int) throws {
    try terminal.wait(for: "status \(status)")
    try expectTerminalAsFound()
  }

  private func expectTerminalAsFound() throws {
    #expect(try terminal.state == (false, true))
    try terminal.run("stty -a > after; cmp before after && echo same settings")
    try terminal.wait("the same settings") { $0.contains("\nsame settings") }
  }

  @Test("A designer's hour: search, play, change, save elsewhere, mistake, compare, edit, undo, save, quit")
  func hour() throws {
    try start()
    #expect(try terminal.state.isAlternate)
    #expect(try terminal.screen.contains("4 patterns"))

    // Search.
    try terminal.type("/wav")
    try terminal.wait("only the one found") { $0.contains("/wav") && !$0.contains("knock") }
    try terminal.wait(for: "wave 2.00 s, 2 events")
    try terminal.press("Enter")
    try terminal.press("Escape")
    try terminal.wait(for: "knock")

    // Play, loop, and move the values.
    try terminal.type(" l")
    try terminal.wait("the loop that plays") { $0.contains("▶ playing") && $0.contains("loop on") }
    try terminal.wait("a level") { !$0.contains("−∞ dB") }
    try terminal.type("iiS>")
    try terminal.wait("values") { $0.contains("0.90") && $0.contains("+0.05") && $0.contains("rate ×1.1") }
    try terminal.type("n=")
    try terminal.wait("neutral") { $0.contains("+0.00") && $0.contains("rate ×1 ") }

    // A save by an editor, in place and by a new file.
    try terminal.folder.write(Self.text(time: "0.5"), to: "p/wave.ahap")
    try terminal.wait(for: "wave 2.25 s")
    try terminal.folder.write(Self.text(time: "0.75"), to: "p/.wave.new")
    #expect(rename(terminal.folder.path("p/.wave.new"), terminal.folder.path("p/wave.ahap")) == 0)
    try terminal.wait(for: "wave 2.50 s")

    // A mistake: the last good version plays on.
    try terminal.folder.write("{ \"Pattern\": [\n  { \"Evnt\": 1 }\n", to: "p/wave.ahap")
    let refused = try terminal.wait(for: "p/wave.ahap:")
    #expect(refused.contains("▶ playing") && refused.contains("wave 2.50 s"))
    #expect(refused.range(of: #"p/wave\.ahap:\d+:\d+: "#, options: .regularExpression) != nil, "\(refused)")
    try terminal.folder.write(Self.text(), to: "p/wave.ahap")
    try terminal.wait(for: "wave 2.00 s")
    try terminal.wait(without: "p/wave.ahap:")

    // The list follows the folder.
    try terminal.folder.write(tapText, to: "p/a-new-one.ahap")
    try terminal.wait(for: "5 patterns")
    #expect(unlink(terminal.folder.path("p/a-new-one.ahap")) == 0)
    try terminal.wait(for: "4 patterns")

    // A, an edit, and back and forth; then blind.
    try terminal.type("A")
    try terminal.wait("A and what is in hand") { $0.contains("A wave") && $0.contains("B wave now") }
    try terminal.type("e")
    try terminal.wait(for: "EDIT")
    try terminal.press("End")
    try terminal.wait(for: "event 2/2 continuous, 0.250 s + 1.750 s, intensity 0.50")
    try terminal.type("II")
    try terminal.wait(for: "intensity 0.60")
    try terminal.type("u")
    try terminal.wait(for: "intensity 0.50")
    try terminal.type("r")
    try terminal.wait(for: "intensity 0.60")
    try terminal.type("T")
    try terminal.wait(for: "0.260 s + 1.750 s")
    try terminal.press("Escape")
    try terminal.wait(for: "wave 2.01 s")
    try terminal.press("Tab")
    try terminal.wait(for: "wave 2.00 s")
    try terminal.press("Tab")
    try terminal.wait(for: "wave 2.01 s")

    // Quitting asks; saving keeps what was not touched.
    try terminal.type("q")
    try terminal.wait(for: "1 pattern not saved")
    try terminal.press("Escape")
    try terminal.type("w")
    try terminal.wait(for: "saved wave.ahap")
    let saved = try String(contentsOfFile: terminal.folder.path("p/wave.ahap"), encoding: .utf8)
    #expect(saved == Self.text(intensity: "0.6", time: "0.26"))
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("A blind comparison shows nothing of either, and ends with a result")
  func blind() throws {
    try start()
    try terminal.type("A")
    try terminal.wait(for: "A bell")
    try terminal.press("Down")
    try terminal.wait(for: "knock 2.00 s")
    try terminal.type("Bx")
    let screen = try terminal.wait(for: "blind 1 of 10")
    #expect(screen.contains("[X]") && !screen.contains("knock 2.00 s") && !screen.contains("A bell"))
    try terminal.type("a")
    try terminal.wait(for: "[A]")
    for trial in 1...9 {
      try terminal.type("1")
      try terminal.wait(for: "blind \(trial + 1) of 10")
    }
    try terminal.type("2")
    try terminal.wait("the result") { $0.contains(" of 10 right; ") }
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("What is tapped and held becomes a pattern of its own")
  func recording() throws {
    try start()
    try terminal.type("R")
    try terminal.wait(for: "REC ")
    try terminal.type("ttH")
    try terminal.wait(for: "3 touches")
    try terminal.wait(for: "held")
    try terminal.type("HR")
    try terminal.wait(for: "take-1.ahap")
    try terminal.press("Tab", "Enter")
    try terminal.wait(for: "take-1.ahap, ")
    try terminal.wait(for: "5 patterns")
    try terminal.type("q")
    try expectEnd(status: 0)
    let check = try ThrumProcess.run(["check", terminal.folder.path("p/take-1.ahap")])
    #expect(check.status == 0, "\(check.output)")
  }

  @Test("A fader of OSC moves the live values of the screen")
  func fader() throws {
    let port = try OSCClient.freePort()
    try start("--osc \(port)")
    let client = try OSCClient(port: port)
    client.send(OSCMessage("/thrum/param/intensity", [.float(0.4)]))
    client.send(OSCMessage("/thrum/param/sharpness", [.float(-0.25)]))
    try terminal.wait("both values") { $0.contains("0.40 sharpness") && $0.contains("-0.25") }
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("A held key ends when its repeats end")
  func hold() throws {
    try start()
    try terminal.type("h")
    try terminal.wait(for: "held")
    try terminal.wait(without: "held")
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("A file that changed on the disk while it was edited is asked about")
  func conflict() throws {
    try start()
    try terminal.type("eI")
    try terminal.wait(for: "EDIT")
    try terminal.press("End")
    try terminal.type("s")
    try terminal.wait(for: "sharpness 0.25")
    try terminal.folder.write(Self.text(time: "0.5"), to: "p/bell.ahap")
    try terminal.wait(for: "has changed on the disk")
    try terminal.press("Escape")
    try terminal.type("w")
    try terminal.wait(for: "has changed on the disk")
    try terminal.type("o")
    try terminal.wait(for: "saved bell.ahap")
    #expect(
      try String(contentsOfFile: terminal.folder.path("p/bell.ahap"), encoding: .utf8).contains(
        "0.25 } ] } }"))
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test(
    "The terminal is as it was after a crash, and after a signal",
    arguments: [SIGSEGV, SIGABRT, SIGTERM, SIGHUP, SIGINT])
  func signals(signal: Int32) throws {
    try start()
    try terminal.type(" l")
    try terminal.wait(for: "▶ playing")
    #expect(try terminal.state == (true, false))
    kill(try pid(), signal)
    try expectEnd(status: 128 + Int(signal))
  }

  @Test("ctrl-C ends with 130, and what was not saved is kept")
  func interrupt() throws {
    try start()
    try terminal.type("eI")
    try terminal.press("End")
    try terminal.type("I")
    try terminal.wait(for: "intensity 0.55")
    try terminal.press("C-c")
    try terminal.wait(for: "were not saved; they are kept in")
    try expectEnd(status: 130)
    let kept = terminal.folder.path(".local/state/thrum/unsaved/bell.ahap")
    #expect(try String(contentsOfFile: kept, encoding: .utf8).contains("0.55"))
  }

  @Test("What was not saved of two patterns of one name is kept twice, and what was kept before stays")
  func keptApart() throws {
    try terminal.folder.makeFolder("q")
    try terminal.folder.write(Self.text(), to: "q/bell.ahap")
    for round in 1...2 {
      try terminal.run(
        "clear; \(ThrumProcess.path) audition p/bell.ahap q/bell.ahap -d virtual; echo \"status $?\"")
      try terminal.wait(for: "bell 2.00 s")
      try terminal.type("ei")
      try terminal.wait(for: "intensity 0.95")
      try terminal.press("Escape")
      try terminal.press("Down")
      // They are told apart by their folders; the mark stands at the second.
      try terminal.wait("the second bell in hand") { $0.contains("▸ q/bell │events") }
      try terminal.type("ei")
      try terminal.wait(for: "intensity 0.95")
      try terminal.press("C-c")
      try terminal.wait(for: "status 130")
      let folder = terminal.folder.path(".local/state/thrum/unsaved")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2 * round)
    }
  }

  @Test("A file that is write-protected is not replaced, and its changes stay")
  func protected() throws {
    try start()
    try terminal.type("ei")
    try terminal.wait(for: "intensity 0.95")
    let path = terminal.folder.path("p/bell.ahap")
    let before = try String(contentsOfFile: path, encoding: .utf8)
    chmod(path, 0o444)
    try terminal.type("w")
    try terminal.wait(for: "bell.ahap is write-protected")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    chmod(path, 0o644)
    try terminal.type("w")
    try terminal.wait(for: "saved bell.ahap")
    try terminal.press("Escape")
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("Save and quit stays where something cannot be saved")
  func quitWithoutRoom() throws {
    try start()
    try terminal.type("eI")
    try terminal.press("End")
    try terminal.type("I")
    try terminal.wait(for: "intensity 0.55")
    try FileManager.default.removeItem(atPath: terminal.folder.path("p"))
    try terminal.wait(for: "is gone")
    try terminal.type("q")
    try terminal.wait(for: "not saved")
    try terminal.type("s")
    try terminal.wait(for: "No such file")
    try terminal.folder.makeFolder("p")
    try terminal.type("qs")
    try expectEnd(status: 0)
    let saved = try String(contentsOfFile: terminal.folder.path("p/bell.ahap"), encoding: .utf8)
    #expect(saved.contains("0.55"))
  }

  @Test("ctrl-Z gives the terminal to the shell, and fg goes on where it was")
  func stopping() throws {
    try start()
    try terminal.type(" l")
    try terminal.wait(for: "▶ playing")
    try terminal.press("C-z")
    try terminal.wait(for: "Stopped")
    try expectTerminalAsFound()
    try terminal.run("clear; fg; echo \"status $?\"")
    try terminal.wait("the screen again") { $0.contains("▶ playing") && $0.contains("bell 2.00 s") }
    #expect(try terminal.state == (true, false))
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("A terminal that changes its size is filled, and one that is too small says so")
  func resizing() throws {
    try start()
    try terminal.resize(columns: 120, rows: 40)
    try terminal.wait("the larger screen") {
      $0.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(39).first?.contains("q quit")
        == true
    }
    try terminal.resize(columns: 40, rows: 10)
    try terminal.wait(for: "at least 80 × 24")
    try terminal.resize(columns: 80, rows: 24)
    try terminal.wait(for: "bell 2.00 s")
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("Without UTF-8 all is ASCII; without colour nothing is coloured")
  func plain() throws {
    let other = try TmuxTerminal(environment: ["LC_ALL": "C", "NO_COLOR": "1"])
    try other.folder.makeFolder("p")
    try other.folder.write(Self.text(), to: "p/bell.ahap")
    try other.folder.write(tapText, to: "p/日本語の鈴.ahap")
    try start(on: other)
    let screen = try other.colouredScreen
    #expect(screen.utf8.allSatisfy { $0 < 0x80 }, "\(screen)")
    #expect(screen.range(of: "\u{1B}\\[[0-9;]*3[0-7]m", options: .regularExpression) == nil, "\(screen)")
    try other.type("q")
    try other.wait(for: "status 0")
  }

  @Test("With colour there is some")
  func colour() throws {
    try start()
    let screen = try terminal.colouredScreen
    #expect(screen.range(of: "\u{1B}\\[[0-9;]*36m", options: .regularExpression) != nil, "\(screen)")
    try terminal.type("q")
    try expectEnd(status: 0)
  }

  @Test("While nothing happens the screen's thread is not woken")
  func idle() throws {
    try start()
    let pid = try pid()
    /// How often the main thread has waited.
    func waits() throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/status", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") })
      return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
    }
    // What a start has to do may take a while on a busy machine: a whole second without a wake-up has to come.
    var seconds = 0
    while true {
      let before = try waits()
      sleep(1)
      if try waits() == before { break }
      seconds += 1
      try #require(seconds < 60, "it is woken again and again")
    }
    try terminal.type("q")
    try expectEnd(status: 0)
  }
}

/// What needs no terminal: the refusals.
@Suite("Audition without a terminal")
struct AuditionRefusalTests {
  @Test("Without a terminal it says so on a line, with code 1")
  func noTerminal() throws {
    let outcome = try ThrumProcess.run(["audition"])
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1 && outcome.errors.contains("needs a terminal"))
    #expect(outcome.output.isEmpty)
  }

  @Test("A terminal that cannot be written all over is refused", arguments: ["dumb", ""])
  func dumb(type: String) throws {
    let outcome = try ThrumProcess(
      ["audition", "-d", "virtual"], environment: ["TERM": type], wiring: .terminal
    ).wait()
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("TERM"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("A type of terminal that is not known is refused")
  func unknown() throws {
    let folder = try TemporaryFolder()
    let outcome = try ThrumProcess(
      ["audition", folder.path(""), "-d", "virtual"], environment: ["TERM": "no-such-terminal"],
      wiring: .terminal
    ).wait()
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("no-such-terminal"))
  }

  @Test("A file that is not there, and standard input, are refused")
  func operands() throws {
    let missing = try ThrumProcess(["audition", "missing.ahap"], wiring: .terminal).wait()
    #expect(missing.status == 1 && missing.output.contains("cannot read missing.ahap"))
    let input = try ThrumProcess(["audition", "-"], wiring: .terminal).wait()
    #expect(input.status == 2)
  }
}
