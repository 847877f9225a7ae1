import Foundation
import Testing

@testable import ThrumPlot

@Suite("Picture files")
struct PictureFileTests {
  private let picture = PatternPicture(title: "x", samples: [0, 0.5, 0], rate: 8000)

  /// A folder of the test's own, removed afterwards.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "thrum-plot-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    try body(folder.path)
  }

  @Test("the ending chooses the format, in capitals or not", arguments: ["a.png", "b.SVG", "c.d.Png"])
  func formats(name: String) throws {
    try inFolder { folder in
      let path = folder + "/" + name
      try picture.write(to: path, scale: 1)
      let format = try #require(PictureFormat(path: path))
      let written = try #require(FileManager.default.contents(atPath: path))
      #expect(try Array(written) == picture.bytes(as: format, scale: 1))
    }
  }

  @Test("an older, longer file is replaced")
  func replaces() throws {
    try inFolder { folder in
      let path = folder + "/x.svg"
      #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 65, count: 1_000_000)))
      try picture.write(to: path)
      #expect(try #require(FileManager.default.contents(atPath: path)).count == picture.bytes(as: .svg).count)
    }
  }

  @Test(
    "a name with another ending is refused with both that are right",
    arguments: ["picture", "picture.pdf", "picture.png.gz", ".png/picture", ""])
  func unknown(path: String) throws {
    let error = try #require(throws: PlotError.self) { try picture.write(to: path) }
    #expect(error == .unknownFormat(path: path))
    #expect(
      error.description == "cannot tell the format of \"\(path)\": use a name that ends in .png or .svg")
  }

  @Test("a folder that is not there")
  func noFolder() throws {
    try inFolder { folder in
      let path = folder + "/none/x.png"
      let error = try #require(throws: PlotError.self) { try picture.write(to: path) }
      #expect(
        error.description
          == "cannot write \"\(path)\": No such file or directory; "
          + "make the folder \"\(folder)/none\" first, or name one that exists")
    }
  }

  @Test("a folder in the file's place, a file in the folder's place, and a full disk")
  func otherRefusals() throws {
    try inFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/x.png", withIntermediateDirectories: false)
      var error = try #require(throws: PlotError.self) { try picture.write(to: folder + "/x.png") }
      #expect(error == .unwritable(path: folder + "/x.png", errno: EISDIR))
      #expect(
        error.description.hasSuffix(
          "that is a folder; add a file name, such as \"\(folder)/x.png/picture.png\""))

      #expect(FileManager.default.createFile(atPath: folder + "/file", contents: nil))
      error = try #require(throws: PlotError.self) { try picture.write(to: folder + "/file/x.svg") }
      #expect(error == .unwritable(path: folder + "/file/x.svg", errno: ENOTDIR))

      try FileManager.default.createSymbolicLink(
        atPath: folder + "/full.png", withDestinationPath: "/dev/full")
      error = try #require(throws: PlotError.self) { try picture.write(to: folder + "/full.png") }
      #expect(error == .unwritable(path: folder + "/full.png", errno: ENOSPC))
      #expect(error.description.hasSuffix("free some space, or write to another disk"))
    }
  }

  @Test(
    "each refusal says what to try",
    arguments: [
      (
        EACCES, "/a/x.png",
        "Permission denied; choose a folder you may write to, or change the rights of \"/a\""
      ),
      (
        EROFS, "/x.png",
        "Read-only file system; choose a folder you may write to, or change the rights of \"/\""
      ),
      (ENAMETOOLONG, "x.png", "File name too long; use a shorter name"),
      (EIO, "x.png", "Input/output error; try another path"),
    ])
  func advice(code: Int32, path: String, advice: String) {
    #expect(
      PlotError.unwritable(path: path, errno: code).description == "cannot write \"\(path)\": " + advice)
  }

  @Test("what cannot be drawn leaves an older file as it was")
  func keepsOlderFile() throws {
    try inFolder { folder in
      let path = folder + "/x.png"
      #expect(FileManager.default.createFile(atPath: path, contents: Data([1, 2, 3])))
      #expect(throws: PlotError.self) { try picture.write(to: path, scale: 1000) }
      #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    }
  }
}
