import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import ThrumALSA
@testable import thrum

/// The tests' own card under a bench: what it took, and when that sounded.
final class AuditionCard {
  static let rate = 48_000
  let folder: TemporaryFolder
  private let configuration: String

  init(script: String = "") throws {
    folder = try TemporaryFolder()
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let faults = try folder.write(script, to: "faults.txt")
    configuration = """
      pcm_type.thrum_test_card { lib "\(library)" }
      pcm.card {
        type thrum_test_card rates "48000" channels "1" formats "FLOAT_LE" script "\(faults)"
        frames "\(folder.path("frames"))" log "\(folder.path("log"))"
      }
      """
  }

  /// A bench on the card.
  func bench(periodFrames: Int = 240, idleSeconds: Double = 20) throws -> Bench {
    var request = ALSARequest(rate: Self.rate, format: .float, channels: 1)
    request.period = .frames(periodFrames)
    var settings = BenchSettings { [configuration, request] () throws(CommandError) in
      do throws(OutputError) {
        let device = try ALSAOutput.open(name: "card", request: request, configuration: configuration)
        return OpenedDevice(device: device, notice: nil)
      } catch {
        throw .failed(error.message)
      }
    }
    settings.profile = .none
    settings.idleSeconds = idleSeconds
    return try Bench(settings)
  }

  /// What sounded: from a frame on, as of a time, until a frame.
  struct Stretch {
    var first: Int
    var end: Int
    var nanoseconds: Double
  }

  /// The stretches that sounded without a break.
  func stretches() throws -> [Stretch] {
    var stretches: [Stretch] = []
    let text = try String(contentsOf: folder.url("log"), encoding: .utf8)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 3, let frame = Int(words[1]), let time = Double(words[2]) else { continue }
      if words[0] == "play" { stretches.append(Stretch(first: frame, end: .max, nanoseconds: time)) }
      if words[0] == "stop", !stretches.isEmpty { stretches[stretches.count - 1].end = frame }
    }
    return stretches
  }

  /// All frames that it took.
  func frames() throws -> [Float] {
    try Data(contentsOf: folder.url("frames")).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// When a frame sounded, nanoseconds of CLOCK_MONOTONIC; nil for one that did not.
  static func time(of frame: Int, in stretches: [Stretch]) -> Double? {
    guard let stretch = stretches.last(where: { $0.first <= frame && frame < $0.end }) else { return nil }
    return stretch.nanoseconds + Double(frame - stretch.first) * 1e9 / Double(rate)
  }

  /// The first frame that sounded at a time or later.
  static func frame(at nanoseconds: Double, in stretches: [Stretch]) -> Int {
    guard let stretch = stretches.last(where: { $0.nanoseconds <= nanoseconds }) else { return 0 }
    return stretch.first + Int(((nanoseconds - stretch.nanoseconds) * Double(rate) / 1e9).rounded(.up))
  }
}
