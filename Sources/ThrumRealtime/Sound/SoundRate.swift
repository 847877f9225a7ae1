/// The device's frames beside the render frames, for what is made at the device's own rate.
struct SoundRate {
  /// Device frames a second.
  let rate: Int64
  /// The smoother's, whose means are of 21 render frames' worth (signal model, 9).
  let response: StepResponse

  @_noLocks @_noAllocation
  init(_ rate: Int64) {
    self.rate = rate
    response = StepResponse(meanFrames: max(1, (rate &* 21 &+ 4000) / 8000))
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
}
