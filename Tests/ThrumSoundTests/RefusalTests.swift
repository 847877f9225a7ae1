import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ThrumSound

@Suite("What is refused, and what only looks odd")
struct RefusalTests {
  @Test("A file with one header of twelve gives plain16's samples, or a reason")
  func oddHeaders() throws {
    guard let folder = SharedFiles.locate("cases/wav-odd-headers", for: "odd headers") else { return }
    let library = SoundLibrary()
    func sound(_ name: String) throws -> Sound {
      try library.sound(named: "\(name).wav", rules: SoundPaths(baseFolder: folder.path))
    }
    let plain = try sound("plain16").original
    #expect(plain.frames == 800)
    let same = [
      "extensible24", "junk-before-fmt", "odd-list-before-data", "data-size-unknown", "float32",
      "trailing-chunk",
    ]
    for name in same {
      let other = try sound(name)
      #expect(other.original.frames == 800, "\(name)")
      #expect(!other.isCutShort, "\(name)")
      for (a, b) in zip(other.original.samples, plain.samples) {
        #expect(abs(a - b) <= 2 / 32_768, "\(name)")
      }
    }
    for (a, b) in zip(try sound("unsigned8").original.samples, plain.samples) { #expect(abs(a - b) <= 0.01) }
    let short = try sound("cut-short")
    #expect(short.original.frames == 500)
    #expect(short.isCutShort)
    for name in ["zero-channels", "no-data"] {
      let refusal = try #require(refusal { _ = try sound(name) })
      #expect(refusal.code == .invalidAudioResource)
      #expect(refusal.message.contains("\(name).wav"))
    }
  }

  @Test("A missing file is told from one that is no sound")
  func missing() throws {
    let files = try SoundFiles()
    let library = SoundLibrary()
    let rules = SoundPaths(baseFolder: files.folder.path)
    try FileManager.default.createDirectory(
      at: files.folder.appendingPathComponent("snd"), withIntermediateDirectories: true)
    _ = try files.wav([0, 0.5, 0], named: "snd/blip.wav")
    _ = try files.write(bytes: [], named: "empty.wav")
    _ = try files.write(bytes: Array("hello there, this is text".utf8), named: "text.wav")
    _ = try files.wav([], named: "silent.wav")
    _ = try files.wav([0, .nan, 0], named: "nan.wav")
    _ = try files.wav([0, 0, .infinity], named: "inf.wav")
    // A sum of such samples is no number any more.
    _ = try files.wav([0, 0, 0, -3e38], named: "far.wav")
    #expect(symlink("nowhere.wav", files.folder.path + "/dangling.wav") == 0)
    let expected: [(String, SoundError.Code, String)] = [
      ("none.wav", .fileNotFound, files.folder.path),
      ("snd/BLIP.wav", .fileNotFound, "snd/blip.wav"),
      ("Snd/Blip.wav", .fileNotFound, "snd/blip.wav"),
      ("snd", .invalidAudioResource, "folder"),
      ("empty.wav", .invalidAudioResource, "empty"),
      ("text.wav", .invalidAudioResource, "text.wav"),
      ("silent.wav", .invalidAudioResource, "length is 0"),
      ("nan.wav", .invalidAudioResource, "frame 1"),
      ("inf.wav", .invalidAudioResource, "frame 2"),
      ("far.wav", .invalidAudioResource, "frame 3"),
      ("dangling.wav", .fileNotFound, "link"),
      ("", .invalidAudioResource, "not the path"),
      ("snd\0/blip.wav", .invalidAudioResource, "not the path"),
    ]
    for (path, code, words) in expected {
      let refusal = try #require(refusal { _ = try library.sound(named: path, rules: rules) }, "\(path)")
      #expect(refusal.code == code, "\(path): \(refusal)")
      #expect(refusal.message.contains(words), "\(path): \(refusal)")
    }
    #expect(library.usedBytes == 0)
    // A pipe would never answer.
    #expect(mkfifo(files.folder.path + "/pipe.wav", 0o600) == 0)
    #expect(refusal { _ = try library.sound(named: "pipe.wav", rules: rules) }?.code == .invalidAudioResource)
  }

  @Test("A file that is refused closes nobody else's", .timeLimit(.minutes(1)))
  func closing() throws {
    let files = try SoundFiles()
    let path = files.folder.path + "/text.wav"
    try Data("RIFF is what it says, and nothing else".utf8).write(to: URL(fileURLWithPath: path))
    let ended = DispatchSemaphore(value: 0)
    let isOver = Atomic<Bool>(false)
    // Another thread's file may get the number of the one that is being closed.
    let stolen = Atomic<Int>(0)
    let bystander = Thread {
      while !isOver.load(ordering: .relaxed) {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        for _ in 0..<20 { sched_yield() }
        if close(descriptor) != 0 { stolen.add(1, ordering: .relaxed) }
      }
      ended.signal()
    }
    bystander.start()
    let memory = SoundMemory(capacity: 1000)
    for _ in 0..<20_000 {
      do throws(SoundError) {
        Issue.record("was read: \(try SoundFile.read(path: path, name: "text", memory: memory))")
      } catch {
        if !error.message.contains("cannot be read: Format") { Issue.record("\(error)") }
      }
    }
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    #expect(stolen.load(ordering: .relaxed) == 0)
  }

  @Test("A path starts from the pattern's folder, and stays within what is allowed")
  func paths() throws {
    let files = try SoundFiles()
    let library = SoundLibrary()
    for folder in ["pack/snd", "elsewhere"] {
      try FileManager.default.createDirectory(
        at: files.folder.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    let inside = try files.wav([0, 0.5], named: "pack/snd/in.wav")
    let outside = try files.wav([0, 0.25], named: "elsewhere/out.wav")
    #expect(symlink(outside, files.folder.path + "/pack/link.wav") == 0)
    let pack = files.folder.path + "/pack"
    let free = SoundPaths.besides(pack + "/input.ahap")
    #expect(try library.sound(named: "snd/in.wav", rules: free).original.samples[1] == 0.5)
    #expect(try library.sound(named: outside, rules: free).original.samples[1] == 0.25)
    #expect(try library.sound(named: "../elsewhere/out.wav", rules: free).original.samples[1] == 0.25)
    // Data without a file has no folder, and is not looked for in the current one.
    let bytes = SoundPaths(baseFolder: nil)
    #expect(
      refusal { _ = try library.sound(named: "snd/in.wav", rules: bytes) }?.message.contains("base folder")
        == true)
    #expect(try library.sound(named: inside, rules: bytes).original.frames == 2)
    let held = SoundPaths.besides(pack + "/input.ahap", allowed: [pack])
    #expect(try library.sound(named: "snd/in.wav", rules: held).original.frames == 2)
    for path in [outside, "../elsewhere/out.wav", "link.wav", "snd/../../elsewhere/out.wav"] {
      let refusal = try #require(refusal { _ = try library.sound(named: path, rules: held) }, "\(path)")
      #expect(refusal.code == .operationNotPermitted)
      #expect(refusal.message.contains(pack))
    }
  }
  @Test("Folders are told apart by their bytes, as the file system does")
  func spelling() throws {
    let files = try SoundFiles()
    let library = SoundLibrary()
    // One letter in two spellings, which are two folders and one Swift string.
    let (composed, decomposed) = ("pack\u{E9}", "packe\u{301}")
    for folder in [composed, decomposed] {
      try FileManager.default.createDirectory(
        at: files.folder.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    // A name that begins with a combining accent.
    for name in ["in.wav", "\u{301}in.wav"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: files.wav([0, 0.5], named: "made.wav")))
      for folder in [composed, decomposed] {
        let path = files.folder.path + "/" + folder + "/" + name
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) } == bytes.count)
      }
    }
    let base = files.folder.path
    let rules = SoundPaths(baseFolder: base, allowed: [base + "/" + composed])
    #expect(try library.sound(named: composed + "/in.wav", rules: rules).original.frames == 2)
    #expect(try library.sound(named: composed + "/\u{301}in.wav", rules: rules).original.frames == 2)
    #expect(
      refusal { _ = try library.sound(named: decomposed + "/in.wav", rules: rules) }?.code
        == .operationNotPermitted)
  }
}
