import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import thrum

/// A bench on a virtual actuator that is turned by hand: its frames are render frames, and nothing is done to them.
final class AuditionBench {
  let bench: Bench
  private let device: VirtualOutput
  private(set) var signal: [Float] = []

  init(periodFrames: Int = 40) throws {
    let device = VirtualOutput(periodFrames: periodFrames, isTurnedByHand: true)
    self.device = device
    var settings = BenchSettings { OpenedDevice(device: device, notice: nil) }
    settings.profile = .none
    // Time does not go on by itself.
    settings.idleSeconds = 1e6
    bench = try Bench(settings)
    bench.open()
    bench.settle()
  }

  deinit { bench.close() }

  /// What is told to the bench and done by its threads.
  func settle() throws {
    bench.settle()
    try output().flushHandlers()
    // Ends of runs that were told are taken.
    bench.settle()
    if bench.rest() == nil { return }
  }

  /// Turns time.
  func advance(_ frames: Int) throws {
    try settle()
    let bytes = device.advance(frames: frames)
    bytes.withUnsafeBytes { signal += $0.bindMemory(to: Float.self) }
    try settle()
  }

  func output() throws -> Output { try #require(bench.state.withLock { $0.open?.output }) }

  /// The frames on which what was started begins, in order.
  var starts: [Int] { bench.state.withLock { $0.runs.map { Int($0.start) } } }

  /// Loads a pattern.
  func load(_ pattern: Pattern, into slot: BenchSlot, entering entry: BenchEntry = .atLoopPoint) throws {
    bench.load(NamedPattern(path: "test.ahap", pattern: pattern), into: slot, entering: entry)
    try settle()
  }

  /// What went wrong so far.
  func problems() -> [String] {
    bench.news().compactMap { if case .problem(let words) = $0 { words } else { nil } }
  }

  /// A pattern by itself, from its beginning.
  static func render(_ pattern: Pattern, frames: Int) -> [Float] {
    var samples: [Float] = []
    OfflineRender.render(
      ScheduleCompiler.compile(pattern), profile: .none, rate: 8000, format: .float
    ) { samples += $0.bindMemory(to: Float.self) }
    return (samples + [Float](repeating: 0, count: frames)).prefix(frames).map { $0 }
  }

  /// The HF level of some frames of what was heard, dB of full scale.
  func highFrequencies(in frames: Range<Int>) -> Double {
    highFrequencyLevel(signal.map(Double.init), in: frames)
  }
}

extension Pattern {
  /// Taps at times in seconds.
  static func taps(_ times: [Double], intensity: Float = 0.8, sharpness: Float = 0.5) -> Pattern {
    Pattern(
      entries: times.map { .event(.tap(at: $0, intensity: intensity, sharpness: sharpness)) })
  }
}
