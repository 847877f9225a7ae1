import Foundation
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// One fault on the tests' card, and what its log says was heard: the rows of the table in docs/output.md.
struct FaultBench {
  /// A stretch without sound between two frames of it.
  struct Gap: Equatable {
    /// The values of the frames around it; each frame's value is its place on the timeline, counted from 1.
    var last: Int32
    var next: Int32
    /// From the end of the one to the beginning of the other.
    var seconds: Double
  }

  static let rate = 8000
  static let periodFrames = 40

  let card: TestCard
  let run: HandTurnedRun<CountingSource>

  init(
    _ script: String, _ keys: String = "", awayLimitSeconds: Double = 1e9, hiddenLimitSeconds: Double = 2,
    startPatienceSeconds: Double = 1
  ) throws {
    card = try TestCard("clock \"hand\" " + keys, script: script)
    run = try HandTurnedRun(
      card, awayLimitSeconds: awayLimitSeconds, hiddenLimitSeconds: hiddenLimitSeconds,
      startPatienceSeconds: startPatienceSeconds)
  }

  /// Every frame that sounded, silence left out.
  func sound(drift: Int64 = 0) throws -> [FakePCM.HeardFrame] {
    var sound: [FakePCM.HeardFrame] = []
    try card.eachFrame(rate: FaultBench.rate, drift: drift) { value, nanoseconds in
      if value != 0 { sound.append(FakePCM.HeardFrame(value: value, nanoseconds: nanoseconds)) }
    }
    return sound
  }

  /// Where frames of sound do not follow on each other.
  func gaps(in sound: [FakePCM.HeardFrame]) -> [Gap] {
    let frame = 1e9 / Double(FaultBench.rate)
    return zip(sound, sound.dropFirst()).compactMap { last, next in
      let seconds = (Double(next.nanoseconds - last.nanoseconds) - frame) * 1e-9
      return abs(seconds) < frame * 1e-9 && next.value == last.value + 1
        ? nil : Gap(last: last.value, next: next.value, seconds: seconds)
    }
  }

  /// The largest distance of any frame from where the first one says it belongs, in frames.
  func worstLateness(of sound: [FakePCM.HeardFrame]) -> Double {
    guard let first = sound.first else { return .infinity }
    let frame = 1e9 / Double(FaultBench.rate)
    let origin = Double(first.nanoseconds) - Double(first.value - 1) * frame
    return sound.map { abs((Double($0.nanoseconds) - origin) / frame - Double($0.value - 1)) }.max() ?? 0
  }

  /// What the control side was told, in words.
  var told: [String] {
    run.source.changes.map { change in
      switch change.kind {
      case .began: "out: \(change.cause)"
      case .returned: "back: \(change.cause)"
      case .givenUp: "given up: \(change.cause)"
      }
    }
  }

  /// Whether every frame that was made is accounted for: heard, or skipped and counted.
  func expectAllAccounted(
    _ sound: [FakePCM.HeardFrame], of frames: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      sound.count + Int(run.control.counters.skippedFrames) == frames, sourceLocation: sourceLocation)
    #expect(zip(sound, sound.dropFirst()).allSatisfy { $0.value < $1.value }, sourceLocation: sourceLocation)
  }
}
