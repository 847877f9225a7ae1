import Foundation
import TestSupport
import Testing
import ThrumFeedback
import ThrumPattern

@Suite struct PresetLibraryTests {
  private static let folder = SharedFiles.packageFolder.appendingPathComponent("patterns/feedback")

  @Test func thePresetsInTheProgramAreThoseInTheFolder() throws {
    let files = Set(SharedFiles.patterns(in: Self.folder))
    #expect(files == Set(PresetLibrary.presetNames.map { "\($0).ahap" }))
    for name in PresetLibrary.presetNames {
      let decoded = try PatternFile.read(path: Self.folder.path + "/\(name).ahap")
      #expect(decoded.diagnostics == [], "\(name)")
      #expect(decoded.pattern == PresetLibrary.preset(named: name), "run patterns/feedback/embed.py: \(name)")
    }
  }

  @Test func theUsersFolderReplacesAndAdds() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let text =
      #"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": []}}]}"#
    for name in ["success", "my-own"] {
      try text.write(to: folder.appendingPathComponent("\(name).ahap"), atomically: true, encoding: .utf8)
    }
    try "{".write(to: folder.appendingPathComponent("error.ahap"), atomically: true, encoding: .utf8)
    var library = PresetLibrary(folder: FileName(folder.path))
    #expect(library.pattern(named: .success)?.entries.count == 1)
    #expect(library.pattern(named: try #require(FeedbackName("my-own")))?.entries.count == 1)
    #expect(library.pattern(named: try #require(FeedbackName("nobody"))) == nil)
    #expect(library.pattern(named: .warning) == PresetLibrary.preset(named: .warning))
    #expect(library.problems == [])
    #expect(library.pattern(named: .error) == PresetLibrary.preset(named: .error))
    #expect(library.problems.map(\.file) == [folder.path + "/error.ahap"])

    try FileManager.default.removeItem(at: folder.appendingPathComponent("success.ahap"))
    #expect(library.pattern(named: .success)?.entries.count == 1)
    library.reload()
    #expect(library.pattern(named: .success) == PresetLibrary.preset(named: .success))
  }

  @Test func whatIsNoPatternFileLeavesThePresetWhereItIs() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID())")
    let path = folder.path
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    try manager.createSymbolicLink(atPath: path + "/success.ahap", withDestinationPath: "/dev/zero")
    try manager.createSymbolicLink(atPath: path + "/warning.ahap", withDestinationPath: "warning.ahap")
    try manager.createSymbolicLink(atPath: path + "/error.ahap", withDestinationPath: "nowhere.ahap")
    try manager.createDirectory(atPath: path + "/start.ahap", withIntermediateDirectories: false)
    #expect(manager.createFile(atPath: path + "/stop.ahap", contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: path + "/stop.ahap"))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    #expect(mkfifo(path + "/selection.ahap", 0o600) == 0)
    let sound = """
      {"Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "none.wav",
      "EventParameters": []}}]}
      """
    try sound.write(toFile: path + "/increase.ahap", atomically: true, encoding: .utf8)
    var library = PresetLibrary(folder: FileName(path))
    for name: FeedbackName in [.success, .warning, .error, .start, .stop, .selection, .increase] {
      #expect(library.pattern(named: name) == PresetLibrary.preset(named: name), "\(name)")
    }
    #expect(library.problems.count == 7)
  }

  @Test func namesThatAreMadeUpAreNotRememberedWithoutBound() throws {
    var library = PresetLibrary()
    let own = try #require(FeedbackName("own"))
    library.set(Pattern(), named: own)
    for index in 0..<3 * PresetLibrary.maximumCount {
      #expect(library.pattern(named: try #require(FeedbackName("x-\(index)"))) == nil)
    }
    let first = try #require(FeedbackName("x-0"))
    let last = try #require(FeedbackName("x-\(3 * PresetLibrary.maximumCount - 1)"))
    #expect(!library.knows(first) && library.knows(last) && library.knows(own))
    #expect(library.pattern(named: .success) == PresetLibrary.preset(named: .success))
  }

  @Test func aFileThatIsTooLargeForAFeedbackIsNotRead() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let space = String(repeating: " ", count: PresetLibrary.maximumFileBytes)
    try "{\"Pattern\": []}\(space)".write(
      to: folder.appendingPathComponent("success.ahap"), atomically: true, encoding: .utf8)
    var library = PresetLibrary(folder: FileName(folder.path))
    #expect(library.pattern(named: .success) == PresetLibrary.preset(named: .success))
    #expect(library.problems.map(\.message) == ["larger than 4 MiB, which is no feedback"])
  }

  @Test func whatIsFoundInAnotherFolderIsNotTaken() {
    var library = PresetLibrary(folder: "/nowhere")
    library.take(PresetLibrary.find(.success, in: "/elsewhere"))
    #expect(!library.knows(.success))
    library.take(PresetLibrary.find(.success, in: "/nowhere"))
    #expect(library.knows(.success) && library.problems == [])
  }

  @Test(arguments: ["", "-a", "../success", "a/b", "A", "é", "a.b", String(repeating: "a", count: 65)])
  func namesThatLeadElsewhereAreNone(text: String) { #expect(FeedbackName(text) == nil) }

  @Test func strengthIsAFactorHeldWithinOne() throws {
    let pattern = try #require(PresetLibrary.preset(named: .error))
    #expect(pattern.scaled(by: 1) == pattern)
    let half = pattern.scaled(by: 0.5).events.map { $0.value(of: .hapticIntensity) }
    #expect(half == [0.45, 0.45, 0.5])
    #expect(pattern.scaled(by: 9).events.allSatisfy { $0.value(of: .hapticIntensity) == 1 })
    #expect(pattern.scaled(by: .nan).events.allSatisfy { $0.value(of: .hapticIntensity) == 0 })
  }
}
