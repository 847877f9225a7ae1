/// Where a player is in its pattern: a straight line from a frame of the timeline and a position, at a rate.
///
/// Positions are pattern frames at rate 1. The line is replaced on start, seek, loop, rate change and resume; nothing else
/// in a player knows about time, so a render does not depend on when it starts.
struct PatternClock {
  /// The frame from which the line holds.
  private(set) var anchorFrame: Int64
  private var anchorPosition: Double
  /// Pattern frames a render frame.
  private(set) var rate: Double

  @_noLocks @_noAllocation
  init(frame: Int64, position: Int64, rate: Double) {
    anchorFrame = frame
    anchorPosition = Double(position)
    self.rate = rate
  }

  /// The frame on which a position is played, halves away from zero. A position behind the line's beginning gives a frame
  /// before it.
  @_noLocks @_noAllocation
  func frame(of position: Int64) -> Int64 {
    // Beyond any timeline: a position that is never reached (2⁵³ frames are 35,000 years).
    if position >= 9_007_199_254_740_992 { return .max }
    let frames = (Double(position) - anchorPosition) / rate
    // Nor one that a very slow rate puts beyond 2⁶² frames.
    if frames >= 4_611_686_018_427_387_904 { return .max }
    return anchorFrame &+ CoreMath.roundedHalfAway(max(frames, -4_611_686_018_427_387_904))
  }

  /// The same without rounding, for what begins between two frames.
  @_noLocks @_noAllocation
  func exactFrame(of position: Double) -> Double {
    Double(anchorFrame) + (position - anchorPosition) / rate
  }

  /// The position that is played on a frame.
  @_noLocks @_noAllocation
  func position(at frame: Int64) -> Double { anchorPosition + Double(frame &- anchorFrame) * rate }

  /// Goes back to position 0 where a position is reached, keeping the fraction of a frame, and returns that frame.
  @_noLocks @_noAllocation
  mutating func wrap(at end: Int64) -> Int64 {
    let frame = max(anchorFrame, frame(of: end))
    let overshoot = position(at: frame) - Double(end)
    anchorFrame = frame
    anchorPosition = overshoot
    return frame
  }

  /// Goes on from a frame at another rate.
  @_noLocks @_noAllocation
  mutating func setRate(_ rate: Double, at frame: Int64) {
    anchorPosition = position(at: frame)
    anchorFrame = frame
    self.rate = rate
  }

  /// Puts everything off by a number of frames.
  @_noLocks @_noAllocation
  mutating func delay(by frames: Int64) { anchorFrame = anchorFrame &+ frames }
}
