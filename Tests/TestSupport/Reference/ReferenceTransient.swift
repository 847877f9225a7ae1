import Foundation

/// The pulse of a transient event (signal model section 2, wideband), by direct sums.
public struct ReferenceTransient {
  /// Its samples, one for each frame from the onset on.
  public let samples: [Double]
  /// The frequency of its sine, Hz.
  public let frequency: Double

  /// Computes a pulse.
  /// - Parameters:
  ///   - intensity: 0…1.
  ///   - sharpness: 0…1.
  ///   - attack: 0…1.
  ///   - decay: −1…1.
  ///   - gamma: The exponent of the intensity.
  public init(intensity: Double, sharpness: Double, attack: Double = 0, decay: Double = 0, gamma: Double = 1)
  {
    let fs = ReferenceRenderer.framesPerSecond
    let fT = 80 * pow(5, sharpness)
    let kd = 0.5 * pow(2, decay * (decay < 0 ? 1 : 2))
    let ka = 0.08 * pow(2, 3 * attack)
    let decaySeconds = kd / fT
    let attackSeconds = ka / fT

    let e = attackSeconds / (attackSeconds + 2 * decaySeconds)
    let highest = (1 - e) * (1 - e) * pow(e, attackSeconds / decaySeconds)
    let count = Int(((4.5 * log(10.0) - log(highest)) * decaySeconds * fs).rounded(.up))

    let window = (0..<count).map { n in
      let rise = 1 - exp(-Double(n) / (fs * attackSeconds))
      return exp(-Double(n) / (fs * decaySeconds)) * rise * rise
    }
    let sine = (0..<count).map { sin(2 * .pi * fT / fs * Double($0)) }

    let c = zip(window, sine).reduce(0) { $0 + $1.0 * $1.1 } / window.reduce(0, +)
    let pulse = zip(window, sine).map { $0 * ($1 - c) }

    let energy = pulse.reduce(0) { $0 + $1 * $1 }
    let peak = pulse.reduce(0) { max($0, abs($1)) }
    let g = min((6.4 / energy).squareRoot(), 1 / peak)
    let level = pow(intensity, gamma) * g
    samples = pulse.map { level * $0 }
    frequency = fT
  }
}
