import CKissFFT
import Glibc

/// The levels of a signal over frequency.
public struct Spectrum: Sendable, Equatable {
  /// Hertz between two bins.
  public var binHz: Double
  /// The level of each bin in dB, from 0 Hz up; a sine of amplitude 1 stands at 0 dB, silence at ``floor``.
  public var levels: [Double]

  /// The lowest level given, in dB.
  public static let floor = -200.0

  /// The frequency of a bin in hertz.
  public func frequency(ofBin bin: Int) -> Double { Double(bin) * binHz }

  /// The bin with the highest level, without the one at 0 Hz; nil where all is silent.
  public var peakBin: Int? {
    let bins = levels.indices.dropFirst()
    guard let best = bins.max(by: { levels[$0] < levels[$1] }), levels[best] > Self.floor else { return nil }
    return best
  }

  /// The spectrum of a whole signal, its power averaged over overlapping stretches of a little more than a second.
  ///
  /// A stretch is weighted with a flat-top window, so that the level of a steady tone can be read to 0.01 dB wherever it
  /// falls between the bins. A signal shorter than a stretch is taken whole and unweighted, which suits a tap, and its
  /// level is that of its mean over its own length. Samples that are not finite count as silence.
  /// - Parameters:
  ///   - samples: The signal, 1 being full scale.
  ///   - rate: Samples a second, above 0.
  /// - Returns: Levels up to half the rate, no bins for an empty signal or a rate that is not above 0.
  public static func averaged(samples: [Float], rate: Double) -> Spectrum {
    guard !samples.isEmpty, rate > 0, rate.isFinite else { return Spectrum(binHz: 0, levels: []) }
    let length = stretchLength(for: rate)
    let binHz = rate / Double(length)
    guard let transform = RealTransform(length: length) else { return Spectrum(binHz: binHz, levels: []) }
    let whole = samples.count <= length
    let window = whole ? [Float](repeating: 1, count: length) : flatTop(length)
    // The squares of this window add up to the same at every sample (within 0.01 dB) from an eighth of its length on; at a
    // quarter an event would count for up to 4 dB more or less, by where it falls.
    let hop = whole ? length : length / 8
    // Stretches begin before the signal and end after it, so that its first and last events weigh as much as the others.
    var start = whole ? 0 : hop - length
    var power = [Double](repeating: 0, count: length / 2 + 1)
    var weight = 0.0
    var stretch = [Float](repeating: 0, count: length)
    while start < samples.count {
      var windowSum = 0.0
      for index in 0..<length {
        let position = start + index
        guard position >= 0, position < samples.count else {
          stretch[index] = 0
          continue
        }
        windowSum += Double(window[index])
        stretch[index] = samples[position].isFinite ? samples[position] * window[index] : 0
      }
      transform.addPower(of: stretch, to: &power)
      weight += windowSum * windowSum
      start += hop
    }
    // A sine of amplitude 1 gives half the window's sum in its bin; 0 Hz and half the rate have no mirror image.
    let levels = power.enumerated().map { bin, value -> Double in
      let isEnd = bin == 0 || bin == power.count - 1
      let amplitudeSquared = weight > 0 ? value / weight * (isEnd ? 1 : 4) : 0
      return amplitudeSquared > 1e-20 ? max(floor, 10 * log10(amplitudeSquared)) : floor
    }
    return Spectrum(binHz: binHz, levels: levels)
  }

  /// The power of two at or above one second, kept between 1,024 and 262,144.
  static func stretchLength(for rate: Double) -> Int {
    var length = 1024
    while Double(length) < rate, length < 262_144 { length *= 2 }
    return length
  }

  /// The flat-top window HFT95 of Heinzel, Rüdiger and Schilling (2002): sidelobes at −95 dB, scalloping 0.0044 dB.
  private static func flatTop(_ length: Int) -> [Float] {
    (0..<length).map { index in
      let turn = 2 * Double.pi * Double(index) / Double(length)
      let value =
        1 - 1.9383379 * cos(turn) + 1.3045202 * cos(2 * turn) - 0.4028270 * cos(3 * turn)
        + 0.0350665 * cos(4 * turn)
      return Float(value)
    }
  }
}

/// A plan of KissFFT's for real signals of one length.
private final class RealTransform {
  private let plan: kiss_fftr_cfg
  private var bins: [kiss_fft_cpx]

  /// Makes a plan, or nil where there is no memory for it.
  init?(length: Int) {
    guard let plan = kiss_fftr_alloc(Int32(length), 0, nil, nil) else { return nil }
    self.plan = plan
    bins = [kiss_fft_cpx](repeating: kiss_fft_cpx(r: 0, i: 0), count: length / 2 + 1)
  }

  deinit { thrum_kiss_fftr_free(plan) }

  func addPower(of samples: [Float], to power: inout [Double]) {
    kiss_fftr(plan, samples, &bins)
    for index in bins.indices {
      let real = Double(bins[index].r)
      let imaginary = Double(bins[index].i)
      power[index] += real * real + imaginary * imaginary
    }
  }
}
