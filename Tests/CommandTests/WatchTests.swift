import Foundation
import Testing

/// Files and folders that come and go while `play --watch` looks at them.
@Suite("Watch", .serialized)
struct WatchTests {
  private let folder: TemporaryFolder
  private let process: ThrumProcess
  private let path: String

  /// Starts to watch `a/b/f.ahap` in a folder, and waits for its first play.
  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("a/b")
    path = try folder.write(tapText, to: "a/b/f.ahap")
    process = try ThrumProcess(["play", "-d", "virtual", "--json", "--watch", path])
    try wait(plays: 1)
  }

  private func wait(plays count: Int) throws {
    try process.wait(
      until: { process.outputSoFar.components(separatedBy: "\"finished\"").count > count }, "play \(count)")
  }

  private func wait(notices count: Int) throws {
    let notice = "thrum play: \(path) is gone; it plays again when it is back\n"
    try process.wait(
      until: { process.errorsSoFar == String(repeating: notice, count: count) }, "notice \(count)")
  }

  private func end() throws {
    process.send(signal: SIGINT)
    #expect(try process.wait().status == 130)
  }

  @Test("A file that is removed is told of once, and plays when it is written anew")
  func file() throws {
    #expect(unlink(path) == 0)
    try wait(notices: 1)
    try folder.write(tapText, to: "a/b/other.ahap")
    try folder.write(tapText, to: "a/b/f.ahap")
    try wait(plays: 2)
    #expect(rename(path, folder.path("a/b/away")) == 0)
    try wait(notices: 2)
    #expect(rename(folder.path("a/b/away"), path) == 0)
    try wait(plays: 3)
    try end()
  }

  @Test("A folder that is removed and made again is found again", arguments: ["a/b", "a"])
  func folder(name: String) throws {
    for round in 1...2 {
      try FileManager.default.removeItem(at: folder.url(name))
      try wait(notices: round)
      try folder.makeFolder("a/b")
      try folder.write(tapText, to: "a/b/f.ahap")
      try wait(plays: 2 * round)
      try folder.write(tapText + "\n", to: "a/b/f.ahap")
      try wait(plays: 2 * round + 1)
    }
    try end()
  }

  @Test("A folder that is renamed away, and one that is put in its place with the file in it")
  func renamed() throws {
    #expect(rename(folder.path("a"), folder.path("c")) == 0)
    try wait(notices: 1)
    try folder.write(tapText + "\n", to: "c/b/f.ahap")
    #expect(rename(folder.path("c"), folder.path("a")) == 0)
    try wait(plays: 2)
    try end()
  }

  @Test("A folder in the file's place counts as its end")
  func replaced() throws {
    #expect(unlink(path) == 0)
    try folder.makeFolder("a/b/f.ahap")
    try wait(notices: 1)
    #expect(rmdir(path) == 0)
    try folder.write(tapText, to: "a/b/f.ahap")
    try wait(plays: 2)
    try end()
  }

  @Test("A link that comes to point elsewhere plays what it points at, and a save there counts")
  func link() throws {
    try folder.makeFolder("d")
    try folder.write(tapText, to: "d/g.ahap")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("new"), withDestinationPath: "../../d/g.ahap")
    #expect(rename(folder.path("new"), path) == 0)
    try wait(plays: 2)
    try folder.write(tapText + "\n", to: "d/g.ahap")
    try wait(plays: 3)
    try manager.removeItem(at: folder.url("d"))
    try wait(notices: 1)
    try folder.makeFolder("d")
    try folder.write(tapText, to: "d/g.ahap")
    try wait(plays: 4)
    try end()
  }
}
