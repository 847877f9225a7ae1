import Glibc

extension ResonanceFit {
  /// By how much faster than it was asked for the sweep was heard, as a part: a recording with the wrong rate in its header, a
  /// device that plays at another one, or another sweep.
  ///
  /// At another speed all magnitudes keep their shape and f0 is off by as much, so that nothing else shows it. But each
  /// frequency of an exponential sweep comes at its own time, and what is late grows with the logarithm of it: the delay
  /// that H has beyond the resonance's own, in six bands around f0, has a slope. Right sweeps give less than 0.2 %, with
  /// noise at −10 dB, too.
  func speedError(in function: TransferFunction, of sweep: SweepSignal) -> Double {
    let bands = 6
    let low = log(fittedHz.lowerBound)
    let width = max(log(fittedHz.upperBound) - low, 1e-6)
    var turns = [Complex](repeating: Complex(0), count: bands)
    var last: (index: Int, value: Complex)?
    for (index, hertz) in function.frequencies.enumerated() where fittedHz.contains(hertz) {
      let value = function.values[index] * inverseTurn(at: hertz)
      if let last, last.index + 1 == index {
        let band = min(Int((log(hertz) - low) / width * Double(bands)), bands - 1)
        turns[band] = turns[band] + value * last.value.conjugate
      }
      last = (index, value)
    }
    // Weighted by what was heard in each.
    var (weights, places, delays, products, squares) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (band, turn) in turns.enumerated() {
      let weight = turn.magnitude
      let place = (Double(band) + 0.5) / Double(bands) * width
      let delay = -atan2(turn.im, turn.re) / (2 * .pi * function.binHz)
      weights += weight
      places += weight * place
      delays += weight * delay
      products += weight * place * delay
      squares += weight * place * place
    }
    let spread = squares * weights - places * places
    guard spread > 0 else { return 0 }
    let slope = (products * weights - places * delays) / spread
    return -slope * log(sweep.endHz / sweep.startHz) / sweep.seconds
  }

  /// What takes the resonance's own phase away, of magnitude 1.
  private func inverseTurn(at hertz: Double) -> Complex {
    let inverse: Complex =
      switch curve {
      case .motion:
        Complex(resonanceHz * resonanceHz - hertz * hertz, hertz * resonanceHz / q)
      case .current(let coil): coil.impedance(at: hertz, resonanceHz: resonanceHz)
      }
    return (1 / max(inverse.magnitude, 1e-300)) * inverse
  }
}
