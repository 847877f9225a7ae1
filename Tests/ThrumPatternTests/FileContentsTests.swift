import Foundation
import TestSupport
import Testing

@testable import ThrumPattern

/// Files that change while they are read, and pipes that are long.
@Suite final class FileContentsTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("left over: \(folder.path)") }
  }

  /// A text of about a megabyte with a remark at its beginning, in its middle and at its end.
  private static let text: String = {
    var entries = Array(repeating: tap(parameters(("HapticIntensity", "0.5"))), count: 8000)
    for index in [0, 4000, 7999] { entries[index] = tap(parameters(("HapticIntensity", "7"))) }
    return "{\"Pattern\": [\n\(entries.joined(separator: ",\n"))\n]}"
  }()

  private func write(_ text: String) throws -> FileName {
    let url = folder.appendingPathComponent("a.ahap")
    try Data(text.utf8).write(to: url)
    return FileName(url.path)
  }

  private func expectSame(_ report: AHAPDecoder.Report, sourceLocation: SourceLocation = #_sourceLocation) {
    let whole = check(Self.text)
    #expect(report.pattern == whole.pattern, sourceLocation: sourceLocation)
    #expect(report.diagnostics == whole.diagnostics, sourceLocation: sourceLocation)
    #expect(report.diagnostics.map(\.position?.line) == [2, 4002, 8001], sourceLocation: sourceLocation)
  }

  @Test func readsAFileInParts() throws {
    let contents = try FileContents(try write(Self.text))
    let feed = contents.feed
    #expect(feed.bytes.count < Self.text.utf8.count / 2)
    expectSame(AHAPDecoder.check(feed, file: "t"))
  }

  /// Somebody makes the file shorter when a part of it has been read: it ends there, and nothing worse happens.
  @Test func aFileThatIsTruncatedEndsThere() throws {
    let file = try write(Self.text)
    let feed = try FileContents(file).feed
    #expect(file.withPath { truncate($0, 600_000) } == 0)
    let report = AHAPDecoder.check(feed, file: "t")
    #expect(report.pattern == nil)
    let error = try #require(report.diagnostics.last)
    #expect(error.message.contains("the file ends"), "\(error)")
    #expect(error.position?.line == Self.text.utf8.prefix(600_000).count { $0 == 0x0A } + 1)
  }

  /// It is emptied behind the reader, who has remarks to place in what is gone.
  @Test func aFileThatIsEmptiedAtTheEndIsRead() throws {
    let file = try write(Self.text)
    final class Emptied: TextSource {
      let contents: FileContents
      init(_ contents: FileContents) { self.contents = contents }
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
        try contents.read(into: buffer)
      }
      func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    }
    let report = AHAPDecoder.check(TextFeed(Emptied(try FileContents(file)), capacity: 4096), file: "t")
    #expect(report.pattern == check(Self.text).pattern)
    #expect(report.diagnostics.count == 3)
  }

  @Test func aFileThatGrowsIsReadToItsEnd() throws {
    let file = try write(String(Self.text.prefix(400_000)))
    let feed = try FileContents(file).feed
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.text))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(Self.text.utf8.dropFirst(400_000)))
    try handle.close()
    expectSame(AHAPDecoder.check(feed, file: "t"))
  }

  @Test func aFailureWhileReadingIsTheOnlyError() {
    final class Failing: TextSource {
      private var rest = Array(FileContentsTests.text.utf8)[...]
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
        if rest.count < 500_000 {
          throw Diagnostic(severity: .error, code: .fileNotFound, file: "t", message: "the disk is gone")
        }
        let count = min(buffer.count, rest.count, 4096)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
      }
      func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    }
    let report = AHAPDecoder.check(TextFeed(Failing(), capacity: 4096), file: "t")
    #expect(report.pattern == nil)
    #expect(report.diagnostics.map(\.message) == ["the disk is gone"])
  }

  // MARK: - Pipes

  /// A pipe is kept in memory up to a length, and in a file beyond; either way its lines can be counted.
  @Test(arguments: [1 << 16, 1 << 19, 1 << 21])
  func readsAPipe(inMemory limit: Int) throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let writer = Thread {
      let bytes = Array(Self.text.utf8)
      var rest = bytes[...]
      while !rest.isEmpty {
        let put = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
        if put <= 0 { break }
        rest = rest.dropFirst(put)
      }
      close(writing)
    }
    writer.start()
    let contents = try FileContents(FileName("/proc/self/fd/\(reading)"), largestInMemory: limit)
    expectSame(AHAPDecoder.check(contents.feed, file: "t"))
  }
}
