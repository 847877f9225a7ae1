import CKissFFT
import Foundation

/// The magnitudes of a windowed real spectrum (KissFFT, Float32).
public struct Spectrum: Sendable {
  /// Magnitudes from 0 Hz to half the rate; 1 is a sine of amplitude 1 on a bin.
  public let magnitudes: [Double]
  /// Hz between two of them.
  public let binHz: Double

  /// Transforms a signal of even length under a Kaiser window; β = 0 is no window.
  public init(_ signal: some Collection<Double>, beta: Double, rate: Double = 8000) {
    let count = signal.count - signal.count % 2
    let middle = Double(count) / 2
    let window = (0..<count).map { index in
      let x = (Double(index) - middle) / middle
      return besselI0(beta * max(0, 1 - x * x).squareRoot()) / besselI0(beta)
    }
    let scale = 2 / window.reduce(0, +)
    let input = zip(signal, window).map { Float($0 * $1) }
    var output = [kiss_fft_cpx](repeating: kiss_fft_cpx(r: 0, i: 0), count: count / 2 + 1)
    if count > 0, let plan = kiss_fftr_alloc(Int32(count), 0, nil, nil) {
      kiss_fftr(plan, input, &output)
      free(UnsafeMutableRawPointer(plan))
    }
    magnitudes = output.map {
      (Double($0.r) * Double($0.r) + Double($0.i) * Double($0.i)).squareRoot() * scale
    }
    binHz = rate / Double(max(count, 1))
  }

  /// The frequency of the strongest line, by a parabola through the levels of its bin and the two beside it.
  public var peakHz: Double {
    guard magnitudes.count > 2 else { return 0 }
    let bin = (1..<(magnitudes.count - 1)).max { magnitudes[$0] < magnitudes[$1] } ?? 1
    let (left, top, right) = (
      decibels(magnitudes[bin - 1]), decibels(magnitudes[bin]), decibels(magnitudes[bin + 1])
    )
    let bend = left - 2 * top + right
    return binHz * (Double(bin) + (bend == 0 ? 0 : (left - right) / (2 * bend)))
  }

  /// The strongest magnitude further than `width` Hz from a frequency, above `lowest` Hz.
  public func strongest(awayFrom hz: Double, by width: Double, above lowest: Double = 0) -> Double {
    magnitudes.enumerated().reduce(0) { strongest, line in
      let frequency = Double(line.offset) * binHz
      return abs(frequency - hz) > width && frequency > lowest ? max(strongest, line.element) : strongest
    }
  }
}

/// The mean frequency of a signal weighted by power, Hz: its spectrum without a window, filled up with zeros.
public func centroid(_ signal: some Collection<Double>, rate: Double = 8000) -> Double {
  var size = 1024
  while size < 4 * signal.count { size *= 2 }
  let padded = Array(signal) + [Double](repeating: 0, count: size - signal.count)
  let spectrum = Spectrum(padded, beta: 0, rate: rate)
  var weighted = 0.0
  var power = 0.0
  for (bin, magnitude) in spectrum.magnitudes.enumerated() {
    weighted += Double(bin) * spectrum.binHz * magnitude * magnitude
    power += magnitude * magnitude
  }
  return power == 0 ? 0 : weighted / power
}

/// The centroid over the middle 80 % of an event, as the cases measure it.
public func centroid(_ signal: [Double], from start: Double, to end: Double, rate: Double = 8000) -> Double {
  let length = end - start
  let first = Int(((start + 0.1 * length) * rate).rounded())
  return centroid(signal.slice(first, Int((0.8 * length * rate).rounded())), rate: rate)
}
