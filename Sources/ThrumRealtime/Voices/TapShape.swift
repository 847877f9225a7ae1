/// What a tap's sharpness, attack and decay make of it: frequency, time constants and length (signal model, 2).
///
/// ```
/// f = 80·5^s,  τd = kd/f,  τa = ka/f,  kd = 0.5·2^(d·(d < 0 ? 1 : 2)),  ka = 0.08·2^(3a)
/// ```
public struct TapShape: Sendable, BitwiseCopyable {
  /// Its frequency in Hz, 80…400.
  let hertz: Double
  /// ka and kd: the time constants of its rise and its fall, in cycles.
  let attackCycles: Double
  let decayCycles: Double
  /// The same in frames.
  let attackFrames: Double
  let decayFrames: Double
  /// The natural logarithm of its envelope's peak.
  let logPeak: Double
  /// Frames until its envelope has fallen 90 dB below its peak: N, the voice's length.
  public let frames: Int64

  /// Computes the shape, with the core's own polynomials: the same on every machine.
  /// - Parameters:
  ///   - sharpness: 0…1.
  ///   - attack: 0…1.
  ///   - decay: −1…1.
  ///   - octaves: By which the frequency is raised, 0…2; more count as 2.
  ///
  /// Threads: any. Real-time: yes.
  @_noLocks @_noAllocation
  public init(sharpness: Double, attack: Double, decay: Double, octaves: Int = 0) {
    let rate = Double(RenderRate.framesPerSecond)
    // 1,600 Hz at most: above it a frame is too long for a rise.
    hertz = 80 * CoreMath.exp2(sharpness * 2.321928094887362 + Double(min(2, octaves)))  // log₂ 5
    decayCycles = 0.5 * CoreMath.exp2(decay * (decay < 0 ? 1 : 2))
    attackCycles = 0.08 * CoreMath.exp2(3 * attack)
    decayFrames = decayCycles / hertz * rate
    attackFrames = attackCycles / hertz * rate
    let e = attackCycles / (attackCycles + 2 * decayCycles)
    logPeak = 2 * CoreMath.log(1 - e) + attackCycles / decayCycles * CoreMath.log(e)
    let length = (10.361632918473207 - logPeak) * decayFrames  // 4.5·ln 10
    let whole = Int64(length)
    frames = Double(whole) < length ? whole &+ 1 : whole
  }
}
