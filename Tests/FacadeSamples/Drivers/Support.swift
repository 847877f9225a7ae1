import CoreHaptics
import CoreHapticsTesting

// What every driver needs: a machine whose time is turned, and a way to say what is wrong.

let haptics = VirtualHaptics()
nonisolated(unsafe) var failures = 0

func check(_ condition: Bool, _ words: String) {
  if !condition {
    failures += 1
    print("  wrong: \(words)")
  }
}

/// Ends the driver; one that checks nothing fails too.
func end(checked: Int) -> Never {
  if checked == 0 { print("  wrong: nothing was checked") }
  exit(failures == 0 && checked > 0 ? 0 : 1)
}

/// The frames, to the centisecond, at which something begins after 5 ms of silence.
func onsets(_ signal: [Float]) -> [Int] {
  var centiseconds: [Int] = []
  var silent = 40
  for (frame, sample) in signal.enumerated() {
    if abs(sample) > 1e-6 {
      if silent >= 40 { centiseconds.append((frame + 40) / 80) }
      silent = 0
    } else {
      silent += 1
    }
  }
  return centiseconds
}

func peak(_ signal: ArraySlice<Float>) -> Float { signal.reduce(0) { max($0, abs($1)) } }

/// What a pattern feels like by itself.
func rendered(_ events: [CHHapticEvent], seconds: Double) throws -> [Float] {
  let alone = VirtualHaptics()
  let engine = try alone.use { try CHHapticEngine() }
  try engine.start()
  try engine.makePlayer(with: CHHapticPattern(events: events, parameters: [])).start(atTime: 0)
  alone.advance(seconds: seconds)
  return alone.signal()
}

func rendered(_ pattern: CHHapticPattern, seconds: Double) throws -> [Float] {
  let alone = VirtualHaptics()
  let engine = try alone.use { try CHHapticEngine() }
  try engine.start()
  try engine.makePlayer(with: pattern).start(atTime: 0)
  alone.advance(seconds: seconds)
  return alone.signal()
}

func event(
  _ type: CHHapticEvent.EventType, at time: Double = 0, for duration: Double = 0, _ intensity: Float,
  _ sharpness: Float
) -> CHHapticEvent {
  CHHapticEvent(
    eventType: type,
    parameters: [
      CHHapticEventParameter(parameterID: .hapticIntensity, value: intensity),
      CHHapticEventParameter(parameterID: .hapticSharpness, value: sharpness),
    ], relativeTime: time, duration: duration)
}
