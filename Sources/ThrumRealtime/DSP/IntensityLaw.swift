/// How intensity becomes amplitude: a constant of the actuator, not of the pattern (signal model, 3).
///
/// The law acts on what is left of all factors, the event's intensity times its control, held within 0…1. Envelopes and
/// mutes are amplitudes already.
public enum IntensityLaw: Sendable, Equatable {
  /// amplitude = I^γ, γ in 1…3. 1 is what patterns are made for; 1.5 makes equal steps feel equal; 2 is the law of
  /// patterns that were written with the square root of their amplitude.
  case power(Double)
  /// Equal steps of intensity are equal steps of level, over so many dB above the threshold of touch, 10…80:
  /// amplitude = 10^((I − 1)·dB/20), and 0 at I = 0.
  case sensation(Double)

  /// amplitude = I.
  public static let linear = IntensityLaw.power(1)
}

/// A law as the render thread evaluates it.
///
/// A power of a product is the product of powers, so a voice's own is taken once, its player's control's once a frame for
/// all voices, and the kernels multiply as they do without a law. The law of levels has no such form: its voices are
/// rendered group by group.
struct IntensityCurve {
  // γ, or dB in octaves of amplitude.
  private let factor: Double
  private let isPower: Bool
  /// Whether it leaves everything as it is.
  let isLinear: Bool

  /// Control side.
  init(_ law: IntensityLaw) {
    switch law {
    case .power(let gamma):
      factor = gamma
      isPower = true
    case .sensation(let decibels):
      factor = decibels * 0.16609640474436813  // log₂10 / 20
      isPower = false
    }
    isLinear = law == .linear
  }

  /// Whether the law of a product is not the product of laws.
  var isWhole: Bool { @_noLocks @_noAllocation get { !isPower } }

  /// What a voice multiplies by its player's `factor(of:)`: the power of its own intensity, or that intensity itself.
  @_noLocks @_noAllocation
  func own(_ intensity: Double) -> Double { isPower ? amplitude(intensity) : intensity }

  /// Amplitude of an intensity in 0…1, its control included.
  @_noLocks @_noAllocation
  func amplitude(_ intensity: Double) -> Double {
    if isLinear { return intensity }
    // What is fainter than −600 dB is nothing; the logarithm takes normal numbers alone.
    if intensity < 1e-30 { return 0 }
    if isPower { return CoreMath.exp2(factor * CoreMath.log(intensity) * 1.4426950408889634) }
    return CoreMath.exp2((intensity - 1) * factor)
  }

  /// The same of eight.
  @_noLocks @_noAllocation
  func amplitudes(_ intensities: SIMD8<Double>) -> SIMD8<Double> {
    var lanes = intensities
    var lane = 0
    while lane < 8 {
      lanes[lane] = amplitude(intensities[lane])
      lane = lane &+ 1
    }
    return lanes
  }
}
