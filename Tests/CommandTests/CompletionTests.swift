import Foundation
import TestSupport
import Testing

@testable import thrum

/// What `thrum completions` writes, in the shells it is for.
@Suite("completions")
struct CompletionTests {
  /// What bash offers for a command line whose last word is unfinished.
  private func offered(_ line: [String], in folder: TemporaryFolder) throws -> [String] {
    let script = try ThrumProcess.run(["completions", "bash"])
    #expect(script.status == 0)
    let words = line.map { "'\($0)'" }.joined(separator: " ")
    let text =
      script.output
      + "\nCOMP_WORDS=(\(words)); COMP_CWORD=\(line.count - 1); _thrum; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    let path = try folder.write(text, to: "complete.sh")
    let outcome = try ThrumProcess([path], in: folder.path(""), program: "/bin/bash").wait()
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map { String($0) }
  }

  @Test(
    "bash offers commands, options, the words that an option takes, and feedbacks",
    arguments: [
      (["thrum", "re"], ["render"]), (["thrum", "--v"], ["--version"]),
      (["thrum", "help", "pl"], ["play", "plot"]),
      (["thrum", "render", "--ga"], ["--gain"]), (["thrum", "render", "--format", "s2"], ["s24_3"]),
      (["thrum", "play", "-f", "fl"], ["float"]), (["thrum", "render", "--gain", "x"], []),
      (["thrum", "feedback", "succ"], ["success"]), (["thrum", "completions", "z"], ["zsh"]),
      (["thrum", "serve", "--profile", "q"], ["quiet"]),
    ])
  func bash(line: [String], words: [String]) throws {
    #expect(try offered(line, in: TemporaryFolder()) == words)
  }

  @Test("bash offers pattern files and folders where patterns go, whatever their names hold")
  func bashFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "a b.ahap")
    try folder.write("", to: "a$(c).ahap")
    try folder.write("", to: "a.wav")
    try folder.makeFolder("apart")
    #expect(try offered(["thrum", "play", "a"], in: folder).sorted() == ["a b.ahap", "a$(c).ahap", "apart"])
    #expect(try offered(["thrum", "serve", "--patterns", "a"], in: folder) == ["apart"])
    #expect(try offered(["thrum", "serve", "--theme", "a.w"], in: folder) == ["a.wav"])
  }

  @Test(
    "zsh, fish and man find nothing wrong",
    arguments: [
      ("zsh", "/usr/bin/zsh", ["-n"]), ("fish", "/usr/bin/fish", ["-n"]),
      ("man", "/usr/bin/man", ["--warnings", "-l"]),
    ])
  func syntax(kind: String, program: String, words: [String]) throws {
    guard access(program, X_OK) == 0 else {
      print("skipped: \(program) is not there")
      return
    }
    let folder = try TemporaryFolder()
    let text = try ThrumProcess.run(["completions", kind])
    let path = try folder.write(text.output, to: "text")
    let outcome = try ThrumProcess(words + [path], program: program).wait()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test("The manual page has every command, option and example")
  func manual() throws {
    let page = try ThrumProcess.run(["completions", "man"]).output
    for outline in commandList.map({ $0.outline() }) {
      #expect(page.contains("\n.SS thrum \(outline.name) "))
      for option in outline.options {
        #expect(page.contains("\\fB\\-\\-\(option.long.split(separator: "-").joined(separator: "\\-"))\\fR"))
      }
      #expect(!outline.examples.isEmpty)
    }
    // A line that begins with a dot by accident would be a request.
    let requests = Set(page.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) })
    #expect(requests == [".TH", ".SH", ".B ", ".I ", ".SS", ".PP", ".TP"])
  }

  @Test("Another shell is bad usage")
  func otherShell() throws {
    let outcome = try ThrumProcess.run(["completions", "tcsh"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("takes bash, zsh, fish or man, not \"tcsh\""))
    #expect(try ThrumProcess.run(["completions"]).status == 2)
  }
}
