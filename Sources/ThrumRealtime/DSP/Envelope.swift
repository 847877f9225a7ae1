/// Attack, decay and release shapes (signal model, 4 and 11.10). All are pure functions of a frame count.
///
/// Threads: any. Real-time: yes.
public enum Envelope {
  /// Seconds for an adjuster p in 0…1: shortest·(longest/shortest)^p; 4 ms…1 s, log₂ 250.
  @_noLocks @_noAllocation
  public static func attackSeconds(_ p: Double) -> Double { 0.004 * CoreMath.exp2(p * 7.965784284662087) }

  /// 16 ms…2 s; log₂ 125.
  @_noLocks @_noAllocation
  public static func decaySeconds(_ p: Double) -> Double { 0.016 * CoreMath.exp2(p * 6.965784284662087) }

  /// 8 ms…1 s; log₂ 125.
  @_noLocks @_noAllocation
  static func releaseSeconds(_ p: Double) -> Double { 0.008 * CoreMath.exp2(p * 6.965784284662087) }

  /// A length in render frames.
  @_noLocks @_noAllocation
  static func frames(_ seconds: Double) -> Int64 {
    CoreMath.roundedHalfAway(seconds * Double(RenderRate.framesPerSecond))
  }

  /// The smoothest step with two zero derivatives at each end: u³(10 − 15u + 6u²), for u in 0…1.
  @_noLocks @_noAllocation
  static func smoothStep(_ u: SIMD8<Double>) -> SIMD8<Double> { u * u * u * (u * (u * 6 - 15) + 10) }
}

/// A decay or release of a given length: ρ = (1 − S5(u))·e^(−κu), u = m/length.
///
/// Threads: any. Real-time: yes.
public struct Fall: Sendable, BitwiseCopyable {
  /// Render frames until it is exactly zero.
  public let length: Int64
  // −κ·log₂e, for exp2.
  let slope: Double

  /// A fall of no length.
  @_noLocks @_noAllocation
  init() {
    length = 0
    slope = 0
  }

  /// A fall over a time; κ = min(ln 1000, 20 s⁻¹·T) keeps even a long one from clicking at its start.
  @_noLocks @_noAllocation
  public init(seconds: Double) {
    length = Envelope.frames(seconds)
    let kappa = min(6.907755278982137, 20 * seconds)
    slope = -kappa * 1.4426950408889634
  }

  /// A fall over a time at another rate than the renderer's.
  /// - Parameter length: The time in frames of that rate.
  @_noLocks @_noAllocation
  init(seconds: Double, length: Int64) {
    self.length = length
    slope = -min(6.907755278982137, 20 * seconds) * 1.4426950408889634
  }

  /// ρ at eight frames m since its start, each in 0…length; 1 at 0, 0 at the end.
  @_noLocks @_noAllocation
  public func level(_ m: SIMD8<Double>) -> SIMD8<Double> {
    // A division, so that the last frame is exactly zero.
    let u = m / Double(length)
    return (1 - Envelope.smoothStep(u)) * CoreMath.quickExp2(u * slope)
  }
}
