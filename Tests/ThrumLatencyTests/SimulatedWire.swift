import Glibc
import ThrumLatency

/// A wire in arithmetic: a probe, delayed by any number of frames, in Gaussian noise.
struct SimulatedWire {
  var delay: Double
  var gain = 1.0
  /// The probe's power over the noise's, dB; infinite for none.
  var signalToNoise = Double.infinity

  /// What is heard at the far end.
  func recording(of probe: Probe, frames: Int, _ random: inout SeededRandom) -> [Float] {
    let energy = probe.samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(probe.samples.count)
    let noise = (energy * gain * gain * pow(10, -signalToNoise / 10)).squareRoot()
    let whole = Int(delay.rounded(.down))
    let fraction = delay - Double(whole)
    // Another interpolation than the correlator's own: a sinc under a Hann window of 129 frames.
    let kernel = (-64...64).map { index -> Double in
      let place = Double(index) - fraction
      let sinc = abs(place) < 1e-12 ? 1 : sin(Double.pi * place) / (Double.pi * place)
      return sinc * (0.5 + 0.5 * cos(Double.pi * place / 65))
    }
    var result = [Double](repeating: 0, count: frames)
    for (index, sample) in probe.samples.enumerated() {
      for (tap, weight) in kernel.enumerated() {
        let place = index + whole + tap - 64
        if result.indices.contains(place) { result[place] += gain * Double(sample) * weight }
      }
    }
    return result.map { Float($0 + noise * gaussian(&random)) }
  }

  private func gaussian(_ random: inout SeededRandom) -> Double {
    (-2 * log(1 - random.unit())).squareRoot() * cos(2 * Double.pi * random.unit())
  }
}
