import Foundation
import Testing
import ThrumPattern

@testable import thrum

/// What a library tells of its files, whatever program writes them.
@Suite("The library")
struct AuditionLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// News in the order in which they came, with a limit that only a failure meets.
  private final class Listener {
    let library: PatternLibrary
    private(set) var news: [LibraryNews] = []

    init(_ paths: [String], settleSeconds: Double = 0.04) throws {
      library = try PatternLibrary(paths.map { FileName($0) }, settleSeconds: settleSeconds)
    }

    deinit { library.end() }

    /// Waits for one that has not been waited for.
    func next<Result>(_ match: (LibraryNews) -> Result?) throws -> Result {
      let deadline = Date(timeIntervalSinceNow: 20)
      while true {
        for (index, item) in news.enumerated() {
          guard let result = match(item) else { continue }
          news.removeFirst(index + 1)
          return result
        }
        let left = Int32(max(0, deadline.timeIntervalSinceNow) * 1000)
        try #require(left > 0, "only \(news)")
        if waitForReading([library.descriptor], milliseconds: left) == [true] { news += library.news() }
      }
    }

    /// Waits until a file was read; the events that it has.
    func read() throws -> Int {
      try next { if case .changed(_, let pattern) = $0 { pattern.pattern.events.count } else { nil } }
    }

    func choose(_ name: String) throws {
      library.choose([try #require(library.items.first { $0.name == name })])
    }
  }

  private func text(taps: Int) -> String {
    let events = (0..<taps).map {
      #"{"Event": {"Time": \#(Double($0) / 10), "EventType": "HapticTransient", "EventParameters": []}}"#
    }
    return #"{"Version": 1.0, "Pattern": ["# + events.joined(separator: ",\n") + "]}"
  }

  private func put(_ text: String, to name: String) throws {
    try text.write(to: folder.url(name), atomically: false, encoding: .utf8)
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder.url("")
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
  }

  @Test("Folders are listed with all that is in them, and no file is read before it is chosen")
  func list() throws {
    try folder.makeFolder("set/inner")
    for number in 0..<2000 { try put("not a pattern", to: "set/\(number).ahap") }
    try put(text(taps: 2), to: "set/inner/good.AHAP")
    try put("", to: "set/inner/other.txt")
    let given = try folder.write(text(taps: 1), to: "given.ahap")
    let listener = try Listener([folder.path("set"), given])
    let items = listener.library.items
    #expect(items.count == 2002)
    #expect(items[0].name == "given.ahap")
    #expect(items.contains { $0.name == "inner/good.AHAP" })
    try listener.choose("inner/good.AHAP")
    #expect(try listener.read() == 2)
    #expect(!listener.news.contains { if case .mistaken = $0 { true } else { false } })
  }

  @Test(
    "Every way of saving is a change of a file that never went",
    arguments: [
      // As vim does by default where it keeps a backup, and emacs: the old file moves aside.
      "mv f.ahap f.ahap~ && cat new > f.ahap && rm f.ahap~",
      // As vim with backupcopy=yes, and cp: in place.
      "cat new > f.ahap", "cp new f.ahap",
      // As sed -i and most others: a new file takes the name.
      "cp new .f.ahap.tmp && mv .f.ahap.tmp f.ahap",
      "sed -i '$r new' old && cp new other && mv other f.ahap",
      // Gone for a moment.
      "rm f.ahap && sleep 0.05 && cp new f.ahap",
    ])
  func saves(command: String) throws {
    let path = try folder.write(text(taps: 1), to: "f.ahap")
    try put("x", to: "old")
    let listener = try Listener([folder.path("")])
    try listener.choose("f.ahap")
    #expect(try listener.read() == 1)
    for taps in 2...4 {
      try put(text(taps: taps), to: "new")
      try shell(command)
      while try listener.read() != taps {}
    }
    #expect(FileManager.default.fileExists(atPath: path))
    // A file of the end comes after all that may have been told of the one that is saved.
    try put("", to: "end.ahap")
    var others: [String] = []
    let isEnd = try listener.next { item -> Bool? in
      switch item {
      case .added(let item) where item.name == "end.ahap": return true
      case .added(let item), .removed(let item): others.append(item.name)
      case .mistaken(let item, _): others.append("mistaken \(item.name)")
      default: break
      }
      return nil
    }
    #expect(isEnd && others.allSatisfy { $0 == ".f.ahap.tmp" }, "\(others)")
  }

  @Test("sed -i itself")
  func sedInPlace() throws {
    try put(text(taps: 3), to: "f.ahap")
    let listener = try Listener([folder.path("f.ahap")])
    try listener.choose("f.ahap")
    #expect(try listener.read() == 3)
    try shell("sed -i 's/HapticTransient/HapticContinuous/' f.ahap")
    let types = try listener.next {
      if case .changed(_, let pattern) = $0 { pattern.pattern.events.map(\.type) } else { nil }
    }
    #expect(types == [.hapticContinuous, .hapticContinuous, .hapticContinuous])
  }

  @Test("A mistake is told once it has come to rest, with its place, and so is its being mended")
  func mistake() throws {
    let path = try folder.write(text(taps: 1), to: "f.ahap")
    let listener = try Listener([path])
    try listener.choose("f.ahap")
    #expect(try listener.read() == 1)
    try put("{\n \"Pattern\": [}", to: "new")
    try shell("mv new f.ahap")
    let diagnostics = try listener.next { if case .mistaken(_, let list) = $0 { list } else { nil } }
    #expect(diagnostics.first?.position?.line == 2)
    try put(text(taps: 5), to: "new")
    try shell("mv new f.ahap")
    #expect(try listener.read() == 5)
  }

  @Test("A file that is half written is no mistake")
  func halfWritten() throws {
    let path = try folder.write(text(taps: 1), to: "f.ahap")
    let listener = try Listener([path], settleSeconds: 30)
    try listener.choose("f.ahap")
    #expect(try listener.read() == 1)
    let whole = text(taps: 6)
    try put(String(whole.dropLast(40)), to: "first")
    try put(String(whole.suffix(40)), to: "rest")
    try shell("cat first > f.ahap; cat first > f.ahap")
    try shell("cat rest >> f.ahap")
    #expect(try listener.read() == 6)
    #expect(!listener.news.contains { if case .mistaken = $0 { true } else { false } })
  }

  @Test("Files and folders that come and go are told of, and a chosen file that is back is read")
  func comeAndGo() throws {
    try folder.makeFolder("set")
    try put(text(taps: 1), to: "set/f.ahap")
    let listener = try Listener([folder.path("set")])
    func added() throws -> String {
      try listener.next { if case .added(let item) = $0 { item.name } else { nil } }
    }
    func removed() throws -> String {
      try listener.next { if case .removed(let item) = $0 { item.name } else { nil } }
    }
    try listener.choose("f.ahap")
    #expect(try listener.read() == 1)
    try shell("rm set/f.ahap")
    #expect(try removed() == "f.ahap")
    #expect(listener.library.items.isEmpty)
    try put(text(taps: 2), to: "set/f.ahap")
    #expect(try added() == "f.ahap")
    try shell("mkdir new && cp set/f.ahap new/a.ahap && mv new set/inner")
    #expect(try added() == "inner/a.ahap")
    try shell("cp set/f.ahap set/inner/b.ahap")
    #expect(try added() == "inner/b.ahap")
    try shell("mv set/inner set/outer")
    #expect(Set([try added(), try added()]) == ["outer/a.ahap", "outer/b.ahap"])
    #expect(Set([try removed(), try removed()]) == ["inner/a.ahap", "inner/b.ahap"])
    try shell("mv set gone")
    #expect(Set([try removed(), try removed(), try removed()]).contains("f.ahap"))
    try shell("mv gone set")
    #expect(Set([try added(), try added(), try added()]).contains("outer/b.ahap"))
    try put(text(taps: 7), to: "new.txt")
    try shell("cp new.txt set/f.ahap")
    while try listener.read() != 7 {}
  }

  @Test("Places of one name are told apart by their folders, others go by their own")
  func namesakes() throws {
    try shell("mkdir -p one/pats two/pats")
    for path in ["one/pats/bell.ahap", "two/pats/bell.ahap", "two/knock.ahap"] {
      try put(text(taps: 1), to: path)
    }
    let (one, two) = (folder.path("one"), folder.path("two"))
    let files = try Listener(["\(one)/pats/bell.ahap", "\(two)/pats/bell.ahap", "\(two)/knock.ahap"])
    #expect(
      files.library.items.map(\.name)
        == ["one/pats/bell.ahap", "two/pats/bell.ahap", "knock.ahap"])
    let folders = try Listener(["\(one)/pats", "\(two)/pats"])
    #expect(
      folders.library.items.map(\.name) == ["one/pats/bell.ahap", "two/pats/bell.ahap"])
    let names = FileShelf.shortNames(of: ["/a/x", "b/x", "x", "/a/y/", "/"])
    #expect(names == ["/a/x": "/a/x", "b/x": "b/x", "x": "x", "/a/y/": "y", "/": "/"])
    let different = try Listener([one, two])
    #expect(
      different.library.items.map(\.name) == ["one/pats/bell.ahap", "two/knock.ahap", "two/pats/bell.ahap"])
  }
}
