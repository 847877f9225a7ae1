import CTestCard
import Foundation
import TestSupport
import Testing

@testable import ThrumALSA

/// A card of the tests' own in a folder of its own: its configuration, and what it wrote when it was closed.
final class TestCard {
  /// What the log says of one stream.
  struct Stream {
    var firstFrame: Int64
    var startNanoseconds: Int64
    var endFrame: Int64?
    var endNanoseconds: Int64?
    var why = ""
  }

  let folder: URL
  let configuration: String

  /// Describes a card; further keys as its header tells them.
  init(_ keys: String = "", script: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-card-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var more = keys
    if let script {
      let file = folder.appendingPathComponent("faults.txt")
      try script.write(to: file, atomically: true, encoding: .utf8)
      more += " script \"\(file.path)\""
    }
    configuration = """
      pcm_type.thrum_test_card { lib "\(TestCard.libraryPath)" }
      pcm.card {
        type thrum_test_card
        frames "\(folder.path)/frames.raw"
        log "\(folder.path)/log.txt"
        \(more)
      }
      pcm.plugged { type plug slave.pcm "card" }
      pcm.silent { type null }
      pcm.captured { type file slave.pcm "silent" file "\(folder.path)/capture.raw" format "raw" }
      """
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("left behind: \(folder.path): \(error)")
    }
  }

  /// The library that ALSA loads, beside the tests' own program.
  static let libraryPath: String = {
    let name = "libThrumTestCard.so"
    var places = [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
    do {
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      places.append(URL(fileURLWithPath: program).deletingLastPathComponent())
    } catch {
      print("no /proc: \(error)")
    }
    places += ["debug", "release"].map {
      SharedFiles.packageFolder.appendingPathComponent(".build").appendingPathComponent($0)
    }
    let found = places.map { $0.appendingPathComponent(name).path }.first(
      where: FileManager.default.fileExists)
    return found ?? name
  }()

  /// The bytes of the frames that it took.
  func frames() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("frames.raw")))
  }

  /// The bytes that ALSA's own file PCM took.
  func capture() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("capture.raw")))
  }

  /// Its log, line by line and word by word.
  func log() throws -> [[String]] {
    try String(contentsOf: folder.appendingPathComponent("log.txt"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  /// Its streams in order.
  func streams() throws -> [Stream] {
    var streams: [Stream] = []
    for words in try log() {
      if words[0] == "play", let frame = Int64(words[1]), let time = Int64(words[2]) {
        streams.append(Stream(firstFrame: frame, startNanoseconds: time))
      }
      if words[0] == "stop", !streams.isEmpty {
        streams[streams.count - 1].endFrame = Int64(words[1])
        streams[streams.count - 1].endNanoseconds = Int64(words[2])
        streams[streams.count - 1].why = words[3]
      }
    }
    return streams
  }

  /// The value and the time of every frame that sounded and was not silence, for one channel of S32.
  func sound(rate: Int) throws -> [FakePCM.HeardFrame] {
    var sound: [FakePCM.HeardFrame] = []
    try eachFrame(rate: rate) { value, nanoseconds in
      if value != 0 { sound.append(FakePCM.HeardFrame(value: value, nanoseconds: nanoseconds)) }
    }
    return sound
  }

  /// Calls with the value and the time of every frame that sounded, silence included, for one channel of S32.
  /// - Parameter drift: How much faster than its rate the card runs, in millionths.
  func eachFrame(rate: Int, drift: Int64 = 0, _ body: (Int32, Int64) -> Void) throws {
    let file = try Data(contentsOf: folder.appendingPathComponent("frames.raw"), options: .alwaysMapped)
    let streams = try streams()
    // A Float64 holds an hour of nanoseconds to the last one.
    let nanosecondsPerFrame = 1e15 / (Double(rate) * Double(1_000_000 + drift))
    file.withUnsafeBytes { bytes in
      for stream in streams {
        let end = min(stream.endFrame ?? .max, Int64(bytes.count / 4))
        var frame = stream.firstFrame
        while frame < end {
          let value = bytes.loadUnaligned(fromByteOffset: Int(frame) * 4, as: Int32.self)
          let time = Int64(Double(frame - stream.firstFrame) * nanosecondsPerFrame)
          body(value, stream.startNanoseconds + time)
          frame += 1
        }
      }
    }
  }
}

/// The clock of the cards that are turned by hand, in the library that ALSA loaded.
struct HandClock: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: functions, which lock.
  let now: thrum_card_now_function
  let advance: thrum_card_advance_function
  let jump: thrum_card_jump_function
  let attend: thrum_card_attend_function
  let rest: thrum_card_rest_function
  let rise: thrum_card_rise_function
  let sleep: thrum_card_sleep_function

  init() throws {
    let library = try #require(dlopen(TestCard.libraryPath, RTLD_NOW))
    func symbol<Function>(_ name: String) throws -> Function {
      unsafeBitCast(try #require(dlsym(library, name)), to: Function.self)
    }
    now = try symbol("thrum_card_now")
    advance = try symbol("thrum_card_advance")
    jump = try symbol("thrum_card_jump")
    attend = try symbol("thrum_card_attend")
    rest = try symbol("thrum_card_rest")
    rise = try symbol("thrum_card_rise")
    sleep = try symbol("thrum_card_sleep")
  }
}
