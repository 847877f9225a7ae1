import Synchronization
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// An output on a virtual actuator that a test turns by hand, and what its handlers heard.
struct Rig {
  let device: VirtualOutput
  let output: Output
  let engine: Engine
  let log = EventLog()

  /// Makes a native Float32 output without a profile, unless told otherwise.
  init(
    rate: Int = 8000, format: SampleFormat = .float, profile: BusProfile = .none,
    settings: RendererSettings = RendererSettings(), recordingFrames: Int = 0
  ) throws {
    device = VirtualOutput(
      rate: rate, format: format, isTurnedByHand: true, recordingFrames: recordingFrames)
    output = Output(
      device: device, configuration: OutputConfiguration(settings: settings, profiles: [profile]))
    engine = try output.makeEngine()
    output.observe { [log] in log.append($0) }
  }

  /// Turns the device and waits for the handlers; returns the Float32 samples.
  @discardableResult
  func turn(_ frames: Int) -> [Float] {
    let samples = floats(device.advance(frames: frames))
    output.flushHandlers()
    return samples
  }
}

/// Float32 samples out of a device's bytes.
func floats(_ bytes: [UInt8]) -> [Float] {
  bytes.withUnsafeBytes { memory in
    (0..<memory.count / 4).map { memory.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
  }
}

/// Values that handlers of any thread append to.
final class Log<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])

  var values: [Value] { storage.withLock { $0 } }

  func append(_ value: Value) { storage.withLock { $0.append(value) } }
}

typealias EventLog = Log<OutputEvent>

extension Log where Value == OutputEvent {
  /// The onsets, as pairs of entry and render frame.
  var onsets: [[Int]] {
    values.compactMap { event in
      guard case .eventStarted(_, let entry, _, let frame, _, _) = event else { return nil }
      return [entry, Int(frame.value)]
    }
  }

  /// The frames at which runs ended.
  var finishes: [Int64] {
    values.compactMap { event in
      guard case .finished(_, let frame, _, _, _) = event else { return nil }
      return frame.value
    }
  }

  /// The frames at which players went back to their start.
  var loops: [Int64] {
    values.compactMap { event in
      guard case .looped(_, let frame, _, _) = event else { return nil }
      return frame.value
    }
  }
}

/// A tap at a time.
func tap(_ time: Double, sharpness: Float = 1, intensity: Float = 1) -> Pattern.Entry {
  var parameters = EventParameters()
  parameters[.hapticSharpness] = sharpness
  parameters[.hapticIntensity] = intensity
  return .event(Event(type: .hapticTransient, time: time, parameters: parameters))
}

/// A tone from a time on.
func tone(_ time: Double, duration: Double?) -> Pattern.Entry {
  .event(Event(type: .hapticContinuous, time: time, duration: duration))
}

/// Compiles entries.
func schedule(_ entries: Pattern.Entry...) -> Schedule { ScheduleCompiler.compile(Pattern(entries: entries)) }

/// Frames of a tap at sharpness 1 (signal model, section 2).
let sharpTapFrames: Int64 = 110
