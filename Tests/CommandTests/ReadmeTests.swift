import Foundation
import Testing
import ThrumEngine
import ThrumPattern

/// What README shows is what happens.
@Suite("README")
struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let readme: String

  init() throws {
    readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
  }

  /// The fenced blocks of a language: their lines.
  private func blocks(_ language: String) -> [[String]] {
    var blocks = [[String]]()
    var current: [String]?
    for line in readme.components(separatedBy: "\n") {
      if line == "```", let lines = current {
        blocks.append(lines)
        current = nil
      } else if current != nil {
        current?.append(line)
      } else if line == "```" + language {
        current = []
      }
    }
    return blocks
  }

  @Test("shows what each of its commands prints")
  func transcripts() throws {
    let typo =
      "{ \"Version\": 1.0, \"Pattern\": [\n  { \"Event\": { \"Time\": 0.0, \"EventType\": \"HapticTransiant\" } }\n] }\n"
    let folder = try TemporaryFolder()
    try Data(typo.utf8).write(to: folder.url("typo.ahap"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("patterns"), withDestinationPath: Self.root.appendingPathComponent("patterns").path)
    var commands = [String]()
    for block in blocks("console") {
      let command = try #require(block.first).dropFirst("$ thrum ".count)
      commands.append(String(command))
      let outcome = try ThrumProcess.run(command.split(separator: " ").map(String.init), in: folder.path(""))
      let shown = block.dropFirst().joined(separator: "\n")
      let printed = (outcome.output + outcome.errors).trimmingCharacters(in: .newlines)
      if command.hasPrefix("play"), !printed.contains("virtual actuator") {
        print("README's play is not compared: this machine has a sound card")
        continue
      }
      #expect(printed == shown, "thrum \(command)")
    }
    #expect(commands == ["play patterns/heartbeat.ahap", "inspect patterns/tap.ahap", "check typo.ahap"])
  }

  @Test("names only files that are there")
  func links() {
    let pieces = readme.components(separatedBy: "](").dropFirst()
    #expect(pieces.count > 8)
    for piece in pieces {
      guard let target = piece.components(separatedBy: ")").first, !target.hasPrefix("http") else { continue }
      #expect(
        FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(target).path), "\(target)")
    }
  }

  @Test("has a Swift sample that plays")
  func sample() throws {
    let lines = try #require(blocks("swift").first { $0.contains("import ThrumEngine") })
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    // The sample below, line by line; only the path is made to work from anywhere.
    for line in lines where !line.isEmpty && !line.hasPrefix("import") && !line.contains("PatternFile") {
      #expect(source.contains("    " + line + "\n"), "\(line)")
    }
    let result = try PatternFile.read(path: Self.root.appendingPathComponent("patterns/heartbeat.ahap").path)
    let output = Output(device: VirtualOutput())
    let player = try output.makeEngine().makePlayer(for: ScheduleCompiler.compile(result.pattern))
    try player.start()
    try output.start()
    print(output.drain(timeoutSeconds: 10))
    #expect(output.status.playhead.value > 2 * 8000)
    output.close()
  }

  @Test("gives its two commands where the checks look for them")
  func commands() {
    let shell = blocks("sh")
    #expect(shell.count == 2)
    #expect(shell[0].joined().contains("swift run -c release thrum play patterns/heartbeat.ahap"))
    #expect(shell[1] == ["swift test"])
    #expect(
      readme.contains("<!-- first-command -->\n```sh") && readme.contains("<!-- second-command -->\n```sh"))
  }
}
