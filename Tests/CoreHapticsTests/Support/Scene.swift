import CoreHaptics
import CoreHapticsTesting
import Synchronization
import Testing

/// An engine on a machine whose time is turned by hand, and what was felt of it.
final class Scene: Sendable {
  let haptics: VirtualHaptics
  let engine: CHHapticEngine
  private let lines = Mutex<[String]>([])

  init(isStarted: Bool = true, actuators: Int = 1) throws {
    let haptics = VirtualHaptics(actuators: actuators)
    self.haptics = haptics
    engine = try haptics.use { try CHHapticEngine() }
    if isStarted { try engine.start() }
  }

  /// Notes something that happened, with the time.
  func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// What happened, in order.
  var log: [String] { lines.withLock { $0 } }

  /// Notes what the engine's handlers are told.
  func noteHandlers() {
    engine.stoppedHandler = { [weak self] in self?.note("stopped \($0)") }
    engine.resetHandler = { [weak self] in self?.note("reset") }
  }

  func advance(_ seconds: Double) { haptics.advance(seconds: seconds) }

  /// What was felt so far, at 8,000 samples a second.
  func signal(channel: Int = 0) -> [Double] { haptics.signal(channel: channel).map(Double.init) }

  func player(_ events: CHHapticEvent...) throws -> any CHHapticPatternPlayer {
    try engine.makePlayer(with: CHHapticPattern(events: events, parameters: []))
  }

  func advanced(_ events: CHHapticEvent...) throws -> any CHHapticAdvancedPatternPlayer {
    try engine.makeAdvancedPlayer(with: CHHapticPattern(events: events, parameters: []))
  }
}

extension CHHapticEvent {
  static func tap(at time: Double = 0, _ intensity: Float = 1, sharpness: Float = 0.5) -> CHHapticEvent {
    CHHapticEvent(
      eventType: .hapticTransient,
      parameters: [
        CHHapticEventParameter(parameterID: .hapticIntensity, value: intensity),
        CHHapticEventParameter(parameterID: .hapticSharpness, value: sharpness),
      ], relativeTime: time)
  }

  /// A tap with a logical length.
  static func tap(at time: Double, for duration: Double) -> CHHapticEvent {
    CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: time, duration: duration)
  }

  static func buzz(
    at time: Double = 0, for duration: Double, _ intensity: Float = 1, sharpness: Float = 0.5,
    _ others: [CHHapticEvent.ParameterID: Float] = [:]
  ) -> CHHapticEvent {
    CHHapticEvent(
      eventType: .hapticContinuous,
      parameters: [
        CHHapticEventParameter(parameterID: .hapticIntensity, value: intensity),
        CHHapticEventParameter(parameterID: .hapticSharpness, value: sharpness),
      ] + others.map { CHHapticEventParameter(parameterID: $0.key, value: $0.value) }, relativeTime: time,
      duration: duration)
  }
}

extension CHHapticDynamicParameter {
  static func intensity(_ value: Float, at time: Double = 0) -> CHHapticDynamicParameter {
    CHHapticDynamicParameter(parameterID: .hapticIntensityControl, value: value, relativeTime: time)
  }

  static func volume(_ value: Float, at time: Double = 0) -> CHHapticDynamicParameter {
    CHHapticDynamicParameter(parameterID: .audioVolumeControl, value: value, relativeTime: time)
  }

  static func sharpness(_ value: Float, at time: Double = 0) -> CHHapticDynamicParameter {
    CHHapticDynamicParameter(parameterID: .hapticSharpnessControl, value: value, relativeTime: time)
  }
}

/// What a pattern feels like by itself: started on the first frame of an engine's own.
func rendered(_ pattern: CHHapticPattern, seconds: Double) throws -> [Double] {
  let scene = try Scene()
  try scene.engine.makePlayer(with: pattern).start(atTime: 0)
  scene.advance(seconds)
  return scene.signal()
}

/// What events feel like by themselves.
func rendered(_ events: CHHapticEvent..., seconds: Double) throws -> [Double] {
  try rendered(CHHapticPattern(events: events, parameters: []), seconds: seconds)
}

/// The frames at which something begins after silence of 2 ms.
func onsets(_ signal: [Double]) -> [Int] {
  var frames: [Int] = []
  var silent = 16
  for (frame, sample) in signal.enumerated() {
    if abs(sample) > 1e-9 {
      if silent >= 16 { frames.append(frame) }
      silent = 0
    } else {
      silent += 1
    }
  }
  return frames
}

/// The code of the error that a call throws; nil where it throws none or another kind.
func code(_ body: () throws -> Void) -> CHHapticError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? CHHapticError)?.code
  }
}

/// Whether two signals are equal to the bit; where not, an issue tells from which frame on.
func expectEqual(
  _ signal: [Double], _ expected: [Double], location: SourceLocation = #_sourceLocation
) {
  let first = zip(signal, expected).enumerated().first { $1.0 != $1.1 }
  if let first {
    Issue.record(
      "\(first.element.0) instead of \(first.element.1) on frame \(first.offset)", sourceLocation: location)
  }
  let lengths = (signal.count, expected.count)
  if lengths.0 != lengths.1 {
    Issue.record("\(lengths.0) frames instead of \(lengths.1)", sourceLocation: location)
  }
}

/// Zeros for so many frames.
func silence(_ frames: Int) -> [Double] { Array(repeating: 0, count: frames) }
