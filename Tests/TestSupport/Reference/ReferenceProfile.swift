import Foundation

/// What happens between the sum of the voices and the kernel (signal model 11.2 and section 5).
public struct ReferenceProfile: Sendable, Equatable {
  /// Hz at sharpness 0.
  public var minimumHz: Double
  /// Hz at sharpness 1.
  public var maximumHz: Double
  /// The exponent of the intensity.
  public var gamma: Double
  /// Linear gain on the sum.
  public var gain: Double
  /// Corner of the second-order Butterworth high-pass, 0 for none.
  public var highPassHz: Double
  /// Whether the RMS and the peak limiter are in.
  public var isLimited: Bool

  /// Creates a profile; without arguments, `none`.
  public init(
    minimumHz: Double = 80, maximumHz: Double = 230, gamma: Double = 1, gain: Double = 1,
    highPassHz: Double = 0,
    isLimited: Bool = false
  ) {
    self.minimumHz = minimumHz
    self.maximumHz = maximumHz
    self.gamma = gamma
    self.gain = gain
    self.highPassHz = highPassHz
    self.isLimited = isLimited
  }

  /// The sum of the voices as it is.
  public static let none = ReferenceProfile()
  /// Half level, 40 Hz high-pass, RMS and peak limiter.
  public static let safe = ReferenceProfile(gain: 0.5, highPassHz: 40, isLimited: true)

  /// Whether it leaves the sum as it is.
  public var isTransparent: Bool { gain == 1 && highPassHz == 0 && !isLimited }

  /// Section 1, wideband: f(s) = fmin·(fmax/fmin)^s.
  public func frequency(atSharpness sharpness: Double) -> Double {
    minimumHz * exp2(sharpness * log2(maximumHz / minimumHz))
  }

  /// Gain, high-pass, RMS limiter, peak limiter, those that are in; the limiter adds 8 frames (11.14).
  public func apply(to sum: [Double]) -> [Double] {
    var signal = sum.map { $0 * gain }
    if highPassHz > 0 {
      signal = Biquad.highPass(hz: highPassHz, q: 0.5.squareRoot(), rate: ReferenceRenderer.framesPerSecond)
        .filtered(signal)
    }
    if isLimited { signal = Self.peakLimited(Self.rmsLimited(signal)) }
    return signal
  }

  /// The sum of the voices with silence behind it, in which the high-pass rings down by 120 dB; up to a multiple of 8.
  ///
  /// Reading chosen: the tails of 11.14 are those of the filter too. Its impulse response falls as |pole|ⁿ, and the
  /// poles' product is a2.
  func withRoomToRing(_ sum: [Double]) -> [Double] {
    guard highPassHz > 0 else { return sum }
    let filter = Biquad.highPass(hz: highPassHz, q: 0.5.squareRoot(), rate: ReferenceRenderer.framesPerSecond)
    let ring = Int((-6 / log10(filter.a2.squareRoot())).rounded(.up))
    let length = (sum.count + ring + 7) / 8 * 8
    return sum + [Double](repeating: 0, count: length - sum.count)
  }

  /// e += (u² − e)(1 − e^(−1/(fs·τ))), τ = 1 s; gain target min(1, rated/√e), rated² = 0.125, smoothed 50 ms.
  ///
  /// Readings chosen: u is the limiter's input; "smoothed 50 ms" is one pole of that time constant, from 1;
  /// estimate, target and gain of a frame are updated before the frame is multiplied.
  public static func rmsLimited(_ input: [Double]) -> [Double] {
    let fs = ReferenceRenderer.framesPerSecond
    var meanSquare = 0.0
    var gain = 1.0
    return input.map { u in
      meanSquare += (u * u - meanSquare) * (1 - exp(-1 / (fs * 1.0)))
      let target = meanSquare > 0 ? min(1, (0.125 / meanSquare).squareRoot()) : 1
      gain += (target - gain) * (1 - exp(-1 / (fs * 0.05)))
      return u * gain
    }
  }

  /// Request min(1, 0.98/|u|); minimum over the last 73; instant fall, 80 ms rise; mean of the last 9; delay
  /// 8.
  ///
  /// Reading chosen: everything before the first frame is a gain of 1.
  public static func peakLimited(_ input: [Double]) -> [Double] {
    let padded = input + [Double](repeating: 0, count: 8)
    let requests = padded.map { $0 == 0 ? 1 : min(1, 0.98 / abs($0)) }
    let lowest = padded.indices.map { n in requests[max(0, n - 72)...n].min() ?? 1 }
    let rise = 1 - exp(-1 / (ReferenceRenderer.framesPerSecond * 0.08))
    var held = 1.0
    let falling = lowest.map { low in
      held = low < held ? low : held + (low - held) * rise
      return held
    }
    return padded.indices.map { n in
      guard n >= 8 else { return 0 }
      return padded[n - 8] * falling[(n - 8)...n].reduce(0, +) / 9
    }
  }
}

/// A second-order section, direct form, with b0…b2 and a1, a2 of a normalised denominator.
public struct Biquad {
  var b0, b1, b2, a1, a2: Double

  /// A high-pass of second order by the bilinear transform, its corner exact.
  public static func highPass(hz: Double, q: Double, rate: Double) -> Biquad {
    // (s/ωc)² over (s/ωc)² + (s/ωc)/q + 1, with s/ωc = k·(1 − z⁻¹)/(1 + z⁻¹), k = cot(π fc/fs) (section 5).
    let k = 1 / tan(.pi * hz / rate)
    let a0 = k * k + k / q + 1
    return Biquad(
      b0: k * k / a0, b1: -2 * k * k / a0, b2: k * k / a0,
      a1: (2 - 2 * k * k) / a0, a2: (k * k - k / q + 1) / a0)
  }

  /// The response to a signal, from rest.
  public func filtered(_ input: [Double]) -> [Double] {
    var x1 = 0.0
    var x2 = 0.0
    var y1 = 0.0
    var y2 = 0.0
    return input.map { x in
      let y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
      (x2, x1) = (x1, x)
      (y2, y1) = (y1, y)
      return y
    }
  }
}
