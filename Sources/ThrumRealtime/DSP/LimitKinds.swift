/// Which limiters turned a frame down by a thousandth of its level (0.009 dB) or more, a bit each. Less is the end of a
/// recovery, which nobody feels or hears.
enum LimitKinds {
  /// The mean square was above its rating.
  static var rms: UInt8 { @_noLocks @_noAllocation get { 1 } }
  /// The estimated excursion was above its limit.
  static var excursion: UInt8 { @_noLocks @_noAllocation get { 2 } }
  /// A peak was above the ceiling.
  static var peak: UInt8 { @_noLocks @_noAllocation get { 4 } }
}

/// Device frames that left while something turned a bus down, by what it was.
struct LimitCounts {
  private(set) var frames = 0
  private(set) var rmsFrames = 0
  private(set) var excursionFrames = 0
  private(set) var peakFrames = 0

  /// Counts a frame.
  /// - Parameter kinds: The ``LimitKinds`` of all buses together; 0 for none.
  @_noLocks @_noAllocation
  mutating func note(_ kinds: UInt8) {
    if kinds == 0 { return }
    frames = frames &+ 1
    if kinds & LimitKinds.rms != 0 { rmsFrames = rmsFrames &+ 1 }
    if kinds & LimitKinds.excursion != 0 { excursionFrames = excursionFrames &+ 1 }
    if kinds & LimitKinds.peak != 0 { peakFrames = peakFrames &+ 1 }
  }
}
