import CKissFFT
import Glibc
import ThrumTransform

/// Where a probe was heard.
public struct Arrival: Sendable, Equatable {
  /// The frame, counted from the start of what was searched, on which the probe's first frame falls.
  public var position: Double
  /// The probe's gain from the samples played to the samples heard, linear; negative where it came back inverted.
  public var gain: Double
  /// The power of the probe over the power of everything else in its stretch, dB. What a path does to the probe besides
  /// delaying and scaling it counts as noise.
  public var signalToNoise: Double
  /// How far the peak stands above the correlation's own noise, in its standard deviations.
  public var prominence: Double
}

/// Why a probe was not found; in words for a person.
public enum Unheard: Error, Sendable, Equatable {
  /// Nothing in the recording resembles the probe.
  case nothing(levelDecibels: Double)
  /// It was heard twice, almost equally loud: an echo, or a second path.
  case ambiguous(first: Double, second: Double)
  /// The recording is too short to hold the probe.
  case tooShort
}

/// Finds a probe in a recording, to a fraction of a frame.
///
/// The recording is correlated with the probe (by way of Fourier transforms). Between its frames the correlation is the
/// band-limited signal through them, read with a windowed sinc; its maximum is where its slope is zero. For a probe in white
/// noise that is the most likely place (Knapp and Carter 1976), with a standard deviation of about
/// 1 / √(N · SNR · β²) frames, where N is the probe's frames and β its effective bandwidth, 1.5 radians a frame.
///
/// Threads: any, one at a time. Real-time: no.
public final class Correlator {
  private let probe: [Float]
  private let energy: Double
  private let transform: RealTransform
  private let bins: [kiss_fft_cpx]
  /// The most frames of a recording.
  public let capacity: Int

  /// A peak must stand so many standard deviations above the rest: of 10,000 lags of Gaussian noise none does.
  public static let leastProminence = 8.0
  /// The highest peak must be so many times as high as the next one.
  public static let leastRatio = 1.5
  /// Lags beside the peak that belong to it.
  private static let lobe = 24
  /// Frames on each side that a value between frames is made from.
  private static let reach = 16

  /// Prepares to look for a probe in recordings of a length; nil where there is no memory for that.
  public init?(probe: Probe, capacity: Int) {
    var length = 64
    while length < capacity + probe.samples.count { length *= 2 }
    guard let transform = RealTransform(length: length) else { return nil }
    self.probe = probe.samples
    self.capacity = capacity
    self.transform = transform
    energy = probe.samples.reduce(0) { $0 + Double($1) * Double($1) }
    bins = transform.bins(of: probe.samples)
  }

  /// Looks for the probe.
  /// - Parameter recording: Not longer than the capacity; its mean is taken off.
  /// - Throws: ``Unheard``.
  public func find(in recording: [Float]) throws(Unheard) -> Arrival {
    let count = recording.count
    let lags = count - probe.count + 1
    guard lags > 2 * Correlator.reach, count <= capacity else { throw .tooShort }
    let mean = recording.reduce(0) { $0 + Double($1) } / Double(count)
    let centred = recording.map { Float(Double($0) - mean) }
    let correlation = correlation(with: centred)
    let magnitudes = correlation[..<lags].map(\.magnitude)
    guard let peak = magnitudes.indices.max(by: { magnitudes[$0] < magnitudes[$1] }), magnitudes[peak] > 0
    else { throw .nothing(levelDecibels: level(of: centred)) }
    var (power, others, second, secondAt) = (0.0, 0, Float(0), 0)
    for (lag, value) in magnitudes.enumerated() where abs(lag - peak) > Correlator.lobe {
      power += Double(value) * Double(value)
      others += 1
      if value > second { (second, secondAt) = (value, lag) }
    }
    let spread = (power / Double(max(others, 1))).squareRoot()
    let prominence = spread > 0 ? Double(magnitudes[peak]) / spread : .infinity
    if prominence < Correlator.leastProminence { throw .nothing(levelDecibels: level(of: centred)) }
    if Double(second) * Correlator.leastRatio > Double(magnitudes[peak]) {
      throw .ambiguous(first: Double(min(peak, secondAt)), second: Double(max(peak, secondAt)))
    }
    let (position, height) = refined(correlation, around: peak, lags: lags)
    let gain = height / energy
    let stretch = centred[peak..<peak + probe.count].reduce(0) { $0 + Double($1) * Double($1) }
    let heard = gain * gain * energy
    let noise = max(stretch - heard, heard * 1e-12)
    return Arrival(
      position: position, gain: gain, signalToNoise: 10 * log10(heard / noise), prominence: prominence)
  }

  private func correlation(with recording: [Float]) -> [Float] {
    var product = transform.bins(of: recording)
    for index in product.indices {
      let (a, b) = (product[index], bins[index])
      product[index] = kiss_fft_cpx(r: a.r * b.r + a.i * b.i, i: a.i * b.r - a.r * b.i)
    }
    return transform.samples(of: product)
  }

  private func level(of samples: [Float]) -> Double {
    let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
    return power > 1e-20 ? 10 * log10(power) : -200
  }

  /// The place and height of the maximum near a lag.
  private func refined(_ values: [Float], around peak: Int, lags: Int) -> (Double, Double) {
    let nearby = (-Correlator.reach...Correlator.reach).map { offset -> Double in
      let lag = peak + offset
      // Lags before the recording stand at the end of a circular correlation.
      return Double(values[lag >= 0 ? lag : values.count + lag])
    }
    let sign = nearby[Correlator.reach] < 0 ? -1.0 : 1.0
    func slope(_ offset: Double) -> Double {
      sign
        * (BandLimited.value(of: nearby, at: offset + 1e-4) - BandLimited.value(of: nearby, at: offset - 1e-4))
    }
    var (low, high) = (-1.0, 1.0)
    if slope(low) > 0 && slope(high) < 0 {
      for _ in 0..<30 {
        let middle = (low + high) / 2
        if slope(middle) > 0 { low = middle } else { high = middle }
      }
    } else {
      (low, high) = (0, 0)
    }
    let offset = (low + high) / 2
    return (Double(peak) + offset, BandLimited.value(of: nearby, at: offset))
  }
}

/// Values between the samples of a signal.
enum BandLimited {
  /// The value so many frames from the middle one of an odd number of samples: a sinc under a Kaiser window (β = 9), which
  /// is right to 10⁻⁴ of full scale for a signal below 0.45 of the rate.
  static func value(of samples: [Double], at offset: Double) -> Double {
    let reach = samples.count / 2
    var sum = 0.0
    for (index, sample) in samples.enumerated() {
      let distance = offset - Double(index - reach)
      let edge = distance / Double(reach + 1)
      if abs(edge) >= 1 { continue }
      let window = bessel(9 * (1 - edge * edge).squareRoot()) / bessel(9)
      let sinc = abs(distance) < 1e-12 ? 1 : sin(Double.pi * distance) / (Double.pi * distance)
      sum += sample * sinc * window
    }
    return sum
  }

  /// The modified Bessel function of the first kind and order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > sum * 1e-16 {
      term *= (x / 2 / index) * (x / 2 / index)
      sum += term
      index += 1
    }
    return sum
  }
}
