import Foundation

/// The part of a signal above 1 kHz, where a click shows: an 8th-order Butterworth high-pass (signal model,
/// symbols).
public func highFrequencies(_ signal: [Double], rate: Double = 8000, corner: Double = 1000) -> [Double] {
  (0..<4).reduce(signal) { signal, section in
    // The pole pairs of an 8th-order Butterworth lie at π(2k + 1)/16 from the imaginary axis.
    let q = 1 / (2 * sin(Double(2 * section + 1) * .pi / 16))
    return Biquad.highPass(hz: corner, q: q, rate: rate).filtered(signal)
  }
}

/// The HF level of some frames of a signal: the peak of what is above 1 kHz, in dB of `fullScale`.
public func highFrequencyLevel(
  _ signal: [Double], in frames: Range<Int>, fullScale: Double = 1, rate: Double = 8000
) -> Double {
  let above = highFrequencies(signal, rate: rate)
  return decibels(peak(above.slice(frames.lowerBound, frames.count)) / fullScale)
}
