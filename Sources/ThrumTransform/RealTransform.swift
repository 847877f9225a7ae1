import CKissFFT

/// KissFFT's plans for real signals of one length, in both directions.
///
/// Threads: any, one at a time. Real-time: no.
public final class RealTransform {
  /// Samples of the signals.
  public let length: Int
  // Safety: both plans are made in `init`, freed in `deinit`, and nobody else's.
  private let forwardPlan: kiss_fftr_cfg
  private let inversePlan: kiss_fftr_cfg

  /// Makes the plans, or nil where there is no memory for them.
  /// - Parameter length: Even.
  public init?(length: Int) {
    guard let forwardPlan = kiss_fftr_alloc(Int32(length), 0, nil, nil) else { return nil }
    guard let inversePlan = kiss_fftr_alloc(Int32(length), 1, nil, nil) else {
      thrum_kiss_fftr_free(forwardPlan)
      return nil
    }
    self.length = length
    self.forwardPlan = forwardPlan
    self.inversePlan = inversePlan
  }

  deinit {
    thrum_kiss_fftr_free(forwardPlan)
    thrum_kiss_fftr_free(inversePlan)
  }

  /// The bins of a signal of the length or shorter.
  public func bins(of samples: [Float]) -> [kiss_fft_cpx] {
    let padded = samples + [Float](repeating: 0, count: length - samples.count)
    var bins = [kiss_fft_cpx](repeating: kiss_fft_cpx(r: 0, i: 0), count: length / 2 + 1)
    kiss_fftr(forwardPlan, padded, &bins)
    return bins
  }

  /// The signal of bins.
  public func samples(of bins: [kiss_fft_cpx]) -> [Float] {
    var samples = [Float](repeating: 0, count: length)
    kiss_fftri(inversePlan, bins, &samples)
    let scale = 1 / Float(length)
    for index in samples.indices { samples[index] *= scale }
    return samples
  }
}
