/// The controls of a player's sounds over a span, as they stand on each render frame; voices read them between frames.
struct SoundControls {
  var volume: SpanSignal
  var pan: SpanSignal
  var brightness: SpanSignal
  var pitch: SpanSignal
  /// The release control, not smoothed.
  var release: SpanSignal
  // What each of the first four goes on to at the end of the span, before anything that happens there.
  var next = SIMD4<Double>(repeating: 0)

  /// Begins a span.
  @_noLocks @_noAllocation
  mutating func begin() {
    volume.begin()
    pan.begin()
    brightness.begin()
    pitch.begin()
    release.begin()
  }
}

/// A player's control as one voice follows it, on device frames.
///
/// Between two render frames the value is a straight line; jumps made after the voice began are smoothed at the device's
/// rate, those before are settled for it (signal model, 11.8).
struct SoundLine {
  private let rate: SoundRate
  private let spanStart: Int64
  private let spanFrames: Int
  private let next: Double
  private let history: StepHistory
  private let voiceStart: Int64
  /// Whether it is one value on the whole span.
  let isConstant: Bool
  /// That value.
  let constant: Double

  @_noLocks @_noAllocation
  init(
    _ signal: borrowing SpanSignal, next: Double, history: StepHistory, voiceStart: Int64, spanStart: Int64,
    spanFrames: Int, rate: SoundRate
  ) {
    self.rate = rate
    self.spanStart = spanStart
    self.spanFrames = spanFrames
    self.next = next
    self.history = history
    self.voiceStart = voiceStart
    var isConstant = signal.isConstant
    if isConstant { isConstant = signal.constant == next && !history.hasStep(after: voiceStart) }
    self.isConstant = isConstant
    constant = signal.constant
  }

  /// The value on a device frame of the span.
  @_noLocks @_noAllocation
  func value(at frame: Int64, of signal: borrowing SpanSignal) -> Double {
    if isConstant { return constant }
    let product = frame &* 8000
    var n = product / rate.rate
    var part = Double(product &- n &* rate.rate) / Double(rate.rate)
    // Frames of the voice before the span's first are as that one is.
    if n < spanStart {
      n = spanStart
      part = 0
    }
    let index = min(Int(n &- spanStart), spanFrames &- 1)
    let here = signal[index]
    var value = here
    if part > 0 {
      let there = index &+ 1 < spanFrames ? signal[index &+ 1] - history.jump(at: n &+ 1) : next
      value = here + (there - here) * part
    }
    return value - history.missing(at: n, deviceFrame: frame, after: voiceStart, rate: rate)
  }
}

extension StepHistory {
  /// Whether there is a step behind a frame.
  @_noLocks @_noAllocation
  func hasStep(after frame: Int64) -> Bool { count > 0 && steps[count &- 1].frame > frame }

  /// The jump on a frame.
  @_noLocks @_noAllocation
  func jump(at frame: Int64) -> Double {
    var index = count &- 1
    while index >= 0, steps[index].frame >= frame {
      if steps[index].frame == frame { return Double(steps[index].jump) / StepHistory.unitsPerOne }
      index = index &- 1
    }
    return 0
  }

  /// What is still missing on a device frame of the jumps made after a render frame and not after another, through the
  /// smoother of the device's rate.
  @_noLocks @_noAllocation
  func missing(at last: Int64, deviceFrame: Int64, after start: Int64, rate: SoundRate) -> Double {
    var sum = 0.0
    var index = 0
    while index < count {
      let step = steps[index]
      if step.frame > start, step.frame <= last {
        let offset = max(0, deviceFrame &- rate.nearest(step.frame))
        sum = sum + Double(step.jump) * (1 - rate.response.rise(offset))
      }
      index = index &+ 1
    }
    return sum / StepHistory.unitsPerOne
  }
}
