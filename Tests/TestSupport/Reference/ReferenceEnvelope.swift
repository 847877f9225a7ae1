import Foundation

/// The envelope of a continuous event (signal model sections 4, 11.10 and 11.12).
public struct ReferenceEnvelope {
  /// The levels, one for each frame from the start on; the frame after the last is exactly 0, and stays so.
  public let levels: [Double]
  /// Frames of the attack.
  public let attackFrames: Int
  /// Frames of the release, 0 where the event ends by its decay.
  public let releaseFrames: Int

  /// Computes an envelope.
  /// - Parameters:
  ///   - attack: 0…1, event and control together at the start frame.
  ///   - decay: 0…1, event and control together at the start frame.
  ///   - release: 0…1, event and control together at the stop frame.
  ///   - isSustained: Whether it holds until the stop frame.
  ///   - stop: Frames from the start to the stop frame, 1 or more.
  public init(attack: Double, decay: Double, release: Double, isSustained: Bool, stop: Int) {
    let attackSeconds = 0.004 * pow(1.0 / 0.004, attack)
    let decaySeconds = 0.016 * pow(2.0 / 0.016, decay)
    let releaseSeconds = 0.008 * pow(1.0 / 0.008, release)
    let attackFrames = referenceFrames(attackSeconds)
    let decayFrames = referenceFrames(decaySeconds)
    let releaseFrames = referenceFrames(releaseSeconds)

    /// The level before the stop frame and on it.
    func level(_ n: Int) -> Double {
      if n < attackFrames { return s5(Double(n) / Double(attackFrames)) }
      if isSustained { return 1 }
      return fall(n - attackFrames, of: decayFrames, seconds: decaySeconds)
    }

    self.attackFrames = attackFrames
    if !isSustained && attackFrames + decayFrames <= stop {
      self.releaseFrames = 0
      levels = (0..<(attackFrames + decayFrames)).map(level)
    } else {
      self.releaseFrames = releaseFrames
      let reached = level(stop)
      levels =
        (0..<stop).map(level)
        + (0..<releaseFrames).map { reached * fall($0, of: releaseFrames, seconds: releaseSeconds) }
    }
  }
}

/// The fifth-order step of section 4: 0 at 0, 1 at 1, first and second derivative 0 at both.
public func s5(_ u: Double) -> Double { u * u * u * (10 - 15 * u + 6 * u * u) }

/// Decay and release: 1 at `m` = 0, 0 at `m` = `count`. κ comes from the time, not from the rounded count
/// (11.10).
private func fall(_ m: Int, of count: Int, seconds: Double) -> Double {
  let u = Double(m) / Double(count)
  let kappa = min(log(1000.0), seconds * 20)
  return (1 - s5(u)) * exp(-kappa * u)
}
