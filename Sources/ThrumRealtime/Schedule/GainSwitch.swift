/// A gain that can be muted: what it goes to, through the 61-frame smoother.
struct GainSwitch {
  private var level = 1.0
  private var isMuted = false
  private var unmutedLevel = 1.0
  private var history: StepHistory

  init(history: StepHistory) { self.history = history }

  /// Forgets jumps that have settled by a frame.
  @_noLocks @_noAllocation
  mutating func settle(before frame: Int64) { history.forget(before: frame) }

  /// Turns it on or off from a frame on: smoothly where something sounds, at once where nothing does.
  @_noLocks @_noAllocation
  mutating func set(_ isMuted: Bool, at frame: Int64, isSounding: Bool) {
    self.isMuted = isMuted
    go(at: frame, isSounding: isSounding)
  }

  /// Changes what it is while it is not muted, in the same way.
  @_noLocks @_noAllocation
  mutating func set(gain: Double, at frame: Int64, isSounding: Bool) {
    unmutedLevel = gain
    go(at: frame, isSounding: isSounding)
  }

  @_noLocks @_noAllocation
  private mutating func go(at frame: Int64, isSounding: Bool) {
    let target = isMuted ? 0 : unmutedLevel
    if isSounding { history.append(frame: frame, jump: target - level) } else { history.clear() }
    level = target
  }

  /// Whether the gain is one number from a frame on.
  var isSettled: Bool { @_noLocks @_noAllocation get { history.isSettled } }

  /// The gain on a frame.
  @_noLocks @_noAllocation
  func gain(at frame: Int64) -> Double { level - history.missing(at: frame, after: .min) }

  /// The gain that it goes to.
  var target: Double { @_noLocks @_noAllocation get { level } }

  /// The gain on a frame of the device's, whose own smoother it then goes through.
  @_noLocks @_noAllocation
  func gain(atDeviceFrame frame: Int64, rate: SoundRate) -> Double {
    level - history.missing(at: .max, deviceFrame: frame, after: .min, rate: rate)
  }

  /// Unmuted at once.
  @_noLocks @_noAllocation
  mutating func reset() {
    level = 1
    isMuted = false
    unmutedLevel = 1
    history.clear()
  }
}
