// The envelope, a pure function of the frame.
extension ContinuousVoice {
  /// e of eight frames; 0 before the start and after the end.
  @_noLocks @_noAllocation
  func envelope(at frame: Int64) -> SIMD8<Double> {
    if !isReleasing || stopFrame >= frame &+ 8 { return beforeRelease(at: frame) }
    let m = Lanes.counting(from: frame &- stopFrame)
    let length = Double(release.length)
    let falling = release.level(Lanes.clamp(m, to: length)) * releaseLevel
    if stopFrame <= frame { return falling }
    return Lanes.select(Lanes.signMask(m), beforeRelease(at: frame), falling)
  }

  /// Attack, then hold or decay.
  @_noLocks @_noAllocation
  private func beforeRelease(at frame: Int64) -> SIMD8<Double> {
    let n = frame &- attackFrame
    var level = SIMD8<Double>(repeating: 1)
    if n < attackLength {
      let u = Lanes.clamp(Lanes.counting(from: n) / Double(attackLength), to: 1)
      level = Envelope.smoothStep(u)
    }
    if !isSustained, n &+ 7 >= attackLength {
      let m = Lanes.counting(from: n &- attackLength)
      let length = Double(decay.length)
      let falling = decay.level(Lanes.clamp(m, to: length))
      level = Lanes.select(Lanes.signMask(m), level, falling)
    }
    return level
  }

  /// Takes the level at the stop frame and the release control there, and falls from it.
  @_noLocks @_noAllocation
  mutating func beginRelease(control: Double) {
    releaseLevel = beforeRelease(at: stopFrame)[0]
    release = Fall(seconds: Envelope.releaseSeconds(CoreMath.unitClamp(releaseAdjuster + control)))
    isReleasing = true
  }
}
