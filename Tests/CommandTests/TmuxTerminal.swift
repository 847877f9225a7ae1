import Foundation
import Testing

/// A shell in a terminal of tmux's, which shows what a person would see.
final class TmuxTerminal {
  static let program = "/usr/bin/tmux"

  /// Whether tmux is there; tests that need it say that they are skipped.
  static let isThere: Bool = {
    let isThere = access(program, X_OK) == 0
    if !isThere { print("skipped: the screen in a real terminal; tmux is not installed") }
    return isThere
  }()

  let folder: TemporaryFolder
  private let variables: [String: String]

  /// Opens a terminal and waits for its shell.
  /// - Parameter environment: Beside what every test's process has; the home is a folder of its own.
  init(columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    variables = ["HOME": folder.path(""), "PS1": "$ ", "TERM": "screen", "SHELL": "/bin/sh", "HISTFILE": ""]
      .merging(environment) { $1 }
    try tmux([
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder.path(""),
      "exec bash --norc --noprofile --noediting -i",
    ])
    try wait(for: "$")
  }

  deinit {
    do {
      // The folder goes when nothing writes into it any more.
      let server = pid_t(try tmux(["display-message", "-p", "#{pid}"]).dropLast())
      try tmux(["kill-server"])
      let end = Date(timeIntervalSinceNow: 10)
      while let server, kill(server, 0) == 0, Date() < end { usleep(5000) }
    } catch {
      print("a tmux was left behind in \(folder.path("")): \(error)")
    }
  }

  @discardableResult
  private func tmux(_ words: [String]) throws -> String {
    let outcome = try ThrumProcess(
      ["-S", folder.path("tmux"), "-f", "/dev/null", "-u"] + words, environment: variables,
      program: Self.program
    ).wait()
    guard outcome.status == 0 else { throw ProcessFailure("tmux \(words): \(outcome.errors)") }
    return outcome.output
  }

  /// Types text as it is, without Enter.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Presses keys by tmux's names, such as `Enter`, `Down`, `C-z`.
  func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types a line to the shell.
  func run(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  /// Makes the terminal larger or smaller.
  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What stands on the screen, one blank for several.
  var screen: String {
    get throws {
      try tmux(["capture-pane", "-p"]).replacingOccurrences(of: " +", with: " ", options: .regularExpression)
    }
  }

  /// The same with its colours.
  var colouredScreen: String { get throws { try tmux(["capture-pane", "-p", "-e"]) } }

  /// Whether the second screen is shown, and whether the cursor is.
  var state: (isAlternate: Bool, hasCursor: Bool) {
    get throws {
      let words = try tmux(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]).split(separator: " ")
      return (words.first == "1", words.last?.hasPrefix("1") == true)
    }
  }

  /// Waits until the screen is as wanted.
  @discardableResult
  func wait(_ what: String, until isWanted: (String) throws -> Bool) throws -> String {
    let end = Date(timeIntervalSinceNow: ThrumProcess.patienceSeconds / 5)
    while true {
      let screen = try screen
      if try isWanted(screen) { return screen }
      if Date() > end { throw ProcessFailure("waited in vain for \(what); the screen is\n\(screen)") }
      usleep(20_000)
    }
  }

  /// Waits until a text is on the screen.
  @discardableResult
  func wait(for text: String) throws -> String { try wait("\"\(text)\"") { $0.contains(text) } }

  /// Waits until a text is not on the screen any more.
  @discardableResult
  func wait(without text: String) throws -> String {
    try wait("no \"\(text)\"") { !$0.contains(text) }
  }
}
