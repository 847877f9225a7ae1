/// The gain with which a voice is cut short, held and brought back: steps through the smoother (11.17), on the renderer's
/// frames or on a device's, as the response that is asked with.
struct VoiceFade {
  private var riseFrame: Int64
  private var fallFrame: Int64

  /// No effect.
  @_noLocks @_noAllocation
  init() {
    riseFrame = .min
    fallFrame = .max
  }

  /// Whether it has no effect from a frame on.
  @_noLocks @_noAllocation
  func isIdle(from frame: Int64, _ response: StepResponse = .native) -> Bool {
    fallFrame == .max && (riseFrame == .min || riseFrame &+ response.length <= frame)
  }

  /// The frame from which nothing is left; `Int64.max` while it does not fall.
  @_noLocks @_noAllocation
  func end(_ response: StepResponse = .native) -> Int64 {
    fallFrame == .max ? .max : fallFrame &+ response.length
  }

  /// Whether it is falling.
  var isFalling: Bool { @_noLocks @_noAllocation get { fallFrame != .max } }

  /// Begins to fall on a frame, or does nothing when already falling.
  @_noLocks @_noAllocation
  mutating func fall(from frame: Int64) { if fallFrame == .max { fallFrame = frame } }

  /// Rises from zero on a frame.
  @_noLocks @_noAllocation
  mutating func rise(from frame: Int64) {
    riseFrame = frame
    fallFrame = .max
  }

  /// The gain on a frame.
  @_noLocks @_noAllocation
  func gain(at frame: Int64, _ response: StepResponse = .native) -> Double {
    var gain = 1.0
    if riseFrame != .min { gain = response.rise(frame &- riseFrame) }
    if fallFrame != .max { gain = gain * (1 - response.rise(frame &- fallFrame)) }
    return gain
  }

  /// The gains of eight frames.
  @_noLocks @_noAllocation
  func lanes(at frame: Int64) -> SIMD8<Double> {
    var lanes = SIMD8<Double>(repeating: 0)
    var lane = 0
    while lane < 8 {
      lanes[lane] = gain(at: frame &+ Int64(lane))
      lane = lane &+ 1
    }
    return lanes
  }
}
