import Foundation
import Testing

@testable import ThrumPattern

/// Whatever a path names gives a pattern or one clear error.
@Suite(.serialized) final class PatternFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("left over: \(folder.path)") }
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    return path(name)
  }

  /// The one error on a path, without the path.
  private func error(_ path: String) throws -> String {
    let report = PatternFile.check(path: path)
    #expect(report.pattern == nil)
    #expect(report.diagnostics.count == 1)
    let diagnostic = try #require(report.diagnostics.first)
    #expect(throws: diagnostic) { try PatternFile.read(path: path) }
    #expect(diagnostic.file == path)
    return String(diagnostic.description.dropFirst(printable(path).count))
  }

  @Test func readsAFile() throws {
    let path = try write(file(tap()), to: "a b é.ahap")
    #expect(try PatternFile.read(path: path).pattern == (try decode(file(tap())).pattern))
    #expect(PatternFile.check(path: path).pattern == (try decode(file(tap())).pattern))
  }

  @Test func readsALargeFile() throws {
    let taps = Array(repeating: tap(), count: 40_000).joined(separator: ",\n")
    let path = try write("{\"Pattern\": [\(taps)]}", to: "large.ahap")
    #expect(try PatternFile.read(path: path).pattern.entries.count == 40_000)
  }

  @Test func looksForSoundsBesideTheFile() throws {
    let sound = "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioCustom\", \"EventWaveformPath\": \"s.wav\"}}"
    let path = try write(file(sound), to: "a.ahap")
    #expect(
      try PatternFile.read(path: path).diagnostics.last?.message.hasPrefix("no file \"s.wav\" in /") == true)
    #expect(try write("", to: "s.wav") == self.path("s.wav"))
    #expect(try PatternFile.read(path: path).diagnostics.isEmpty)
  }

  @Test func refusesWhatIsNoFile() throws {
    #expect(try error(path("gone.ahap")) == ": error: no such file; check the path (-4851)")
    #expect(try error(folder.path) == ": error: this is a folder; name a file in it (-4851)")
    // With a terminal and without one, where opening it fails as it does for a socket.
    for device in ["/dev/null", "/dev/tty"] {
      #expect(try error(device) == ": error: this is a device; a file, a pipe or `-` is needed (-4851)")
    }
    let file = try write("", to: "empty.ahap")
    #expect(
      try error(file)
        == ":1:1: error: the file is empty; an AHAP file is an object with a `Pattern` list (-4813)")
    #expect(try error(file + "/a") == ": error: no such file; a part of the path is not a folder (-4851)")
    #expect(try error("") == ": error: no such file; check the path (-4851)")
    #expect(try error("a\0b") == ": error: the name holds a zero byte; no file can have it (-4851)")
    #expect(
      try error(String(repeating: "x", count: 300))
        == ": error: the name is too long; no file can have it (-4851)")
    let loop = path("loop.ahap")
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    #expect(try error(loop) == ": error: too many symbolic links; check the path (-4851)")
  }

  @Test func refusesASocket() throws {
    let socket = path("socket")
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socket.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
    #expect(try error(socket) == ": error: this is a socket; a file, a pipe or `-` is needed (-4851)")
  }

  @Test func refusesAFileThatMayNotBeRead() throws {
    let file = try write(file(tap()), to: "secret.ahap")
    #expect(chmod(file, 0) == 0)
    // Root may read everything, so the thread takes another user's file system identity meanwhile.
    let isRoot = geteuid() == 0
    #expect(chmod(folder.path, 0o755) == 0)
    if isRoot { try setFileSystemUser(65534) }
    let found = try error(file)
    if isRoot { try setFileSystemUser(0) }
    #expect(found == ": error: this file may not be read; check its permissions (-4851)")
  }

  /// Linux's `setfsuid`, which the C library's module for Swift does not show.
  private func setFileSystemUser(_ user: uid_t) throws {
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "setfsuid"))
    let setfsuid = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
    // It returns what was set before and never an error, so a second call tells what the first has done.
    #expect(setfsuid(user) != CInt(user))
    #expect(setfsuid(user) == CInt(user))
  }

  @Test func refusesMoreThanAGigabyte() throws {
    let file = try write("", to: "huge.ahap")
    // Sparse: the size is all there is.
    #expect(truncate(file, AHAPDecoder.maximumBytes + 1) == 0)
    #expect(try error(file) == ": error: larger than 1 GiB, the most that is read (-4813)")
  }

  // MARK: - Pipes

  @Test func refusesAPipeThatNobodyWritesTo() throws {
    let pipe = path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try error(pipe) == ": error: this is a pipe that nobody writes to (-4851)")
  }

  @Test func readsAPipe() throws {
    let text = file(tap(), buzz())
    try withPipe(of: text) { descriptor in
      let pattern = try PatternFile.read(path: "/proc/self/fd/\(descriptor)").pattern
      #expect(pattern == (try decode(text).pattern))
    }
  }

  @Test func readsStandardInput() throws {
    let sound = "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioCustom\", \"EventWaveformPath\": \"s.wav\"}}"
    let kept = dup(STDIN_FILENO)
    defer {
      #expect(dup2(kept, STDIN_FILENO) == STDIN_FILENO)
      close(kept)
    }
    try withPipe(of: file(tap(), sound)) { descriptor in
      #expect(dup2(descriptor, STDIN_FILENO) == STDIN_FILENO)
      let result = try PatternFile.read(path: "-")
      #expect(result.pattern.entries.count == 2)
      #expect(
        result.diagnostics.first?.description.contains(" warning: Pattern[1].Event.EventWaveformPath: ")
          == true)
      #expect(
        result.diagnostics.last?.message
          == "\"s.wav\" was not looked up; a pattern that is not a file has no folder to look in")
    }
    try withPipe(of: "") { descriptor in
      #expect(dup2(descriptor, STDIN_FILENO) == STDIN_FILENO)
      let found = try error("-")
      #expect(
        found
          == ":1:1: error: the file is empty; an AHAP file is an object with a `Pattern` list (-4813)")
    }
  }

  /// Lends the reading end of a pipe that holds a text and whose writer is gone.
  private func withPipe(of text: String, _ body: (Int32) throws -> Void) throws {
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    // Short enough for the pipe's own buffer, so nobody waits.
    let written = Array(text.utf8).withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) }
    #expect(written == text.utf8.count)
    close(ends[1])
    defer { close(ends[0]) }
    try body(ends[0])
  }
}
