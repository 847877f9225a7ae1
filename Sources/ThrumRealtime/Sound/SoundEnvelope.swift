/// The envelope of a sound, a pure function of the device frame: the rules of a haptic tone (signal model, 4 and 11.10).
struct SoundEnvelope {
  private(set) var startFrame: Int64
  /// The frame on which the release begins; `Int64.max` for none.
  private(set) var stopFrame: Int64
  private let attackLength: Int64
  private let decay: Fall
  private let isSustained: Bool
  private let releaseAdjuster: Double
  private var release: Fall
  private var releaseLevel: Double
  private(set) var isReleasing: Bool

  /// Begins an envelope.
  /// - Parameters:
  ///   - attackLength: Device frames.
  ///   - decay: The fall behind the attack of one that is not sustained.
  ///   - releaseAdjuster: The event's own.
  @_noLocks @_noAllocation
  init(
    startFrame: Int64, stopFrame: Int64, attackLength: Int64, decay: Fall, isSustained: Bool,
    releaseAdjuster: Double
  ) {
    self.startFrame = startFrame
    self.stopFrame = stopFrame
    self.attackLength = attackLength
    self.decay = decay
    self.isSustained = isSustained
    self.releaseAdjuster = releaseAdjuster
    release = Fall()
    releaseLevel = 0
    isReleasing = false
  }

  /// The frame from which nothing is left, as far as is known.
  var endFrame: Int64 {
    @_noLocks @_noAllocation get {
      let decayEnd = startFrame &+ attackLength &+ decay.length
      if isReleasing, isSustained || stopFrame < decayEnd { return stopFrame &+ release.length }
      return isSustained ? .max : decayEnd
    }
  }

  /// e of eight frames; 0 before the start and after the end.
  @_noLocks @_noAllocation
  func level(at frame: Int64) -> SIMD8<Double> {
    if !isReleasing || stopFrame >= frame &+ 8 { return beforeRelease(at: frame) }
    let m = Lanes.counting(from: frame &- stopFrame)
    let falling = release.level(Lanes.clamp(m, to: Double(release.length))) * releaseLevel
    if stopFrame <= frame { return falling }
    return Lanes.select(Lanes.signMask(m), beforeRelease(at: frame), falling)
  }

  /// Whether it is in its attack.
  @_noLocks @_noAllocation
  func isRising(at frame: Int64) -> Bool {
    frame < startFrame &+ attackLength && (!isReleasing || frame < stopFrame)
  }

  /// Whether it stays at 1 on eight frames.
  @_noLocks @_noAllocation
  func isHolding(at frame: Int64) -> Bool {
    isSustained && frame >= startFrame &+ attackLength && (!isReleasing || frame &+ 8 <= stopFrame)
  }

  @_noLocks @_noAllocation
  private func beforeRelease(at frame: Int64) -> SIMD8<Double> {
    let n = frame &- startFrame
    var level = SIMD8<Double>(repeating: 1)
    if n < attackLength {
      level = Envelope.smoothStep(Lanes.clamp(Lanes.counting(from: n) / Double(attackLength), to: 1))
    }
    if !isSustained, n &+ 7 >= attackLength {
      let m = Lanes.counting(from: n &- attackLength)
      let falling = decay.level(Lanes.clamp(m, to: Double(decay.length)))
      level = Lanes.select(Lanes.signMask(m), level, falling)
    }
    return level
  }

  /// Takes the level at the stop frame and the release control there, and falls from it.
  @_noLocks @_noAllocation
  mutating func beginRelease(control: Double, rate: SoundRate) {
    releaseLevel = beforeRelease(at: stopFrame)[0]
    let seconds = Envelope.releaseSeconds(CoreMath.unitClamp(releaseAdjuster + control))
    release = Fall(seconds: seconds, length: rate.frames(seconds))
    isReleasing = true
  }

  /// Moves the release, after a change of rate; never one that has begun.
  @_noLocks @_noAllocation
  mutating func setStop(_ frame: Int64) {
    if !isReleasing { stopFrame = max(startFrame, frame) }
  }

  /// Puts everything off, after a pause; a release that began while it faded begins again where the pause left it.
  @_noLocks @_noAllocation
  mutating func delay(by frames: Int64, resumedAt frame: Int64) {
    startFrame = startFrame &+ frames
    if stopFrame != .max { stopFrame = stopFrame &+ frames }
    if isReleasing, stopFrame >= frame { isReleasing = false }
  }
}
