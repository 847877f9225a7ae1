/// The device's frames beside the render frames, for what is made at the device's own rate.
struct SoundRate {
  /// Device frames a second.
  let rate: Int64
  /// Frames of one of the smoother's three means: 21 render frames' worth (signal model, 9).
  let meanFrames: Int64

  @_noLocks @_noAllocation
  init(_ rate: Int64) {
    self.rate = rate
    meanFrames = max(1, (rate &* 21 &+ 4000) / 8000)
  }

  /// The device frame nearest to a render frame, halves up; far frames stay far.
  @_noLocks @_noAllocation
  func nearest(_ frame: Int64) -> Int64 {
    if frame >= 4_503_599_627_370_496 { return .max }
    return (frame &* rate &+ 4000) / 8000
  }

  /// The first device frame at or after a render frame: where the part of a render frame and later begins.
  @_noLocks @_noAllocation
  func first(_ frame: Int64) -> Int64 { (frame &* rate &+ 7999) / 8000 }

  /// The same for a place between two render frames, halves away from zero.
  @_noLocks @_noAllocation
  func nearest(exact frame: Double) -> Int64 {
    // 2⁴⁰ render frames are four years.
    if frame >= 1_099_511_627_776 { return .max }
    return CoreMath.roundedHalfAway(max(0, frame) * Double(rate) / 8000)
  }

  /// The render frame at or after a device frame.
  @_noLocks @_noAllocation
  func renderFrame(_ frame: Int64) -> Int64 {
    frame == .max ? .max : (frame &* 8000 &+ rate &- 1) / rate
  }

  /// A length in device frames, halves away from zero.
  @_noLocks @_noAllocation
  func frames(_ seconds: Double) -> Int64 { CoreMath.roundedHalfAway(seconds * Double(rate)) }

  /// Frames after which a step has settled.
  var settlingFrames: Int64 { @_noLocks @_noAllocation get { 3 &* (meanFrames &- 1) } }

  /// The response of the smoother to a unit step, so many frames after it: 0…1.
  @_noLocks @_noAllocation
  func response(_ offset: Int64) -> Double {
    if offset < 0 { return 0 }
    if offset >= settlingFrames { return 1 }
    // Triples in 0…m−1 whose sum is at most `offset`, by inclusion and exclusion.
    var count = tetrahedral(offset)
    if offset >= meanFrames { count = count &- 3 &* tetrahedral(offset &- meanFrames) }
    if offset >= 2 &* meanFrames { count = count &+ 3 &* tetrahedral(offset &- 2 &* meanFrames) }
    return Double(count) / Double(meanFrames &* meanFrames &* meanFrames)
  }

  @_noLocks @_noAllocation
  private func tetrahedral(_ k: Int64) -> Int64 { (k &+ 1) &* (k &+ 2) &* (k &+ 3) / 6 }
}

/// The gain with which a sound is cut short, held and brought back, on device frames.
struct SoundFade {
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
  func isIdle(from frame: Int64, rate: SoundRate) -> Bool {
    fallFrame == .max && (riseFrame == .min || riseFrame &+ rate.settlingFrames <= frame)
  }

  /// The frame from which nothing is left; `Int64.max` while it does not fall.
  @_noLocks @_noAllocation
  func end(_ rate: SoundRate) -> Int64 { fallFrame == .max ? .max : fallFrame &+ rate.settlingFrames }

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
  func gain(at frame: Int64, rate: SoundRate) -> Double {
    var gain = 1.0
    if riseFrame != .min { gain = rate.response(frame &- riseFrame) }
    if fallFrame != .max { gain = gain * (1 - rate.response(frame &- fallFrame)) }
    return gain
  }
}
