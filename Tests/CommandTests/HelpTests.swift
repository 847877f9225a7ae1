import Foundation
import TestSupport
import Testing

@testable import thrum

/// Help is compared whole, as text. After a wanted change the texts are written anew by
/// `for c in $(ls Tests/CommandTests/HelpTexts | sed s/.txt//); do .build/debug/thrum help $c > Tests/CommandTests/HelpTexts/$c.txt; done`
/// (`thrum.txt` is that of `thrum help`).
@Suite("Help")
struct HelpTests {
  static let commands = commandList.map(\.name)

  static func text(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "HelpTexts")
    return try String(contentsOf: folder.appendingPathComponent("\(name).txt"), encoding: .utf8)
  }

  @Test("--help, -h and help X agree with the text, on standard output", arguments: commands)
  func command(name: String) throws {
    let expected = try Self.text(name)
    for words in [[name, "--help"], [name, "-h"], ["help", name], [name, "--json", "--help", "x"]] {
      if words.contains("--json"), !expected.contains("--json") { continue }
      let outcome = try ThrumProcess.run(words)
      #expect(outcome.output == expected, "\(words)")
      #expect(outcome.errors == "")
      #expect(outcome.status == 0)
    }
  }

  @Test(
    "The help of thrum itself lists the commands",
    arguments: [["--help"], ["-h"], ["help"], ["help", "help"]])
  func root(words: [String]) throws {
    let outcome = try ThrumProcess.run(words)
    #expect(outcome.output == (try Self.text("thrum")))
    #expect(outcome.status == 0)
    for name in Self.commands { #expect(outcome.output.contains("\n  \(name) ")) }
  }

  @Test("Without a word the help goes to standard error, as bad usage")
  func nothing() throws {
    let outcome = try ThrumProcess.run([])
    #expect(outcome.errors == (try Self.text("thrum")))
    #expect(outcome.output == "")
    #expect(outcome.status == 2)
  }

  @Test(
    "Every help text has an example that begins with its command, and fits 80 columns", arguments: commands)
  func examples(name: String) throws {
    let lines = try Self.text(name).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.contains { $0.hasPrefix("  thrum \(name)") })
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test("help of what does not exist is bad usage")
  func unknown() throws {
    let outcome = try ThrumProcess.run(["help", "rendr"])
    #expect(
      outcome.errors
        == "thrum: unknown command \"rendr\"; did you mean render?\n\"thrum --help\" lists the commands.\n")
    #expect(outcome.status == 2)
  }

  @Test("--version is one line")
  func versionLine() throws {
    let outcome = try ThrumProcess.run(["--version"])
    #expect(outcome.output == "thrum \(version)\n")
    #expect(outcome.status == 0)
  }

  @Test("docs/command-line.md names every command, every option, every placeholder and every exit code")
  func documentation() throws {
    let url = SharedFiles.packageFolder.appendingPathComponent("docs/command-line.md")
    let sections = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n## ")
    for command in commandList {
      #expect(command.formName() == command.name)
      let section = try #require(
        sections.first { $0.hasPrefix("`thrum \(command.name)`") }, "no section on \(command.name)")
      // `--help` is told once, for all.
      for option in command.outline().options.dropLast().map({ "--\($0.long)" }) {
        #expect(section.contains("`\(option)"), "\(option) of \(command.name) is not described")
      }
    }
    let exits = try #require(sections.first { $0.hasPrefix("Exit codes") })
    for code in ["0", "1", "2", "130"] { #expect(exits.contains("| \(code) |")) }
  }
}
