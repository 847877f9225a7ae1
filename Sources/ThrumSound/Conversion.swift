import CSoxr
import ThrumEngine

/// Brings a sound to an output's rate, in one channel or two.
enum Conversion {
  /// Frames converted at a time.
  private static let blockFrames = 4096

  /// Bytes of the result.
  static func bytes(of source: SoundSamples, atRate rate: Int) -> Int {
    frames(of: source, atRate: rate) * min(2, source.channels) * 4
  }

  /// Converts a sound with soxr at very high quality; its delay is taken out.
  /// - Returns: nil where soxr has no memory.
  static func convert(_ source: SoundSamples, toRate rate: Int, account: any Sendable) -> SoundSamples? {
    let channels = min(2, source.channels)
    let count = frames(of: source, atRate: rate)
    let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: count * channels)
    output.initialize(repeating: 0)
    let isConverted = source.withSamples { samples in
      if source.rate != rate { return resample(source, samples, toRate: rate, into: output) }
      mix(samples, channels: source.channels, from: 0, frames: count, into: output)
      return true
    }
    guard isConverted else {
      output.deallocate()
      return nil
    }
    return SoundSamples(takingOver: output, rate: rate, channels: channels, account: account)
  }

  private static func frames(of source: SoundSamples, atRate rate: Int) -> Int {
    max(1, (source.frames * rate + source.rate - 1) / source.rate)
  }

  private static func resample(
    _ source: SoundSamples, _ samples: UnsafeBufferPointer<Float>, toRate rate: Int,
    into output: UnsafeMutableBufferPointer<Float>
  ) -> Bool {
    let channels = min(2, source.channels)
    guard let converter = thrum_soxr_open(Double(source.rate), Double(rate), UInt32(channels)),
      let target = output.baseAddress
    else { return false }
    defer { soxr_delete(converter) }
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: blockFrames * channels)
    defer { block.deallocate() }
    let capacity = output.count / channels
    var read = 0
    var written = 0
    while written < capacity {
      let wanted = min(blockFrames, source.frames - read)
      var taken = 0
      var made = 0
      if wanted > 0 { mix(samples, channels: source.channels, from: read, frames: wanted, into: block) }
      // No input tells soxr that the signal has ended, and it gives the rest.
      let code = thrum_soxr_process(
        converter, wanted > 0 ? block.baseAddress : nil, wanted, &taken, target + written * channels,
        capacity - written, &made)
      if code != 0 { return false }
      read += taken
      written += made
      if wanted <= 0, made == 0 { break }
    }
    return true
  }

  /// Copies frames, in one channel or two: channels beyond the second go to both sides at −3 dB.
  private static func mix(
    _ samples: UnsafeBufferPointer<Float>, channels: Int, from first: Int, frames: Int,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    for frame in 0..<frames {
      let place = (first + frame) * channels
      if channels == 1 {
        output[frame] = samples[place]
        continue
      }
      var left = samples[place]
      var right = samples[place + 1]
      for channel in 2..<max(2, channels) {
        left += samples[place + channel] * 0.70710678
        right += samples[place + channel] * 0.70710678
      }
      output[frame * 2] = left
      output[frame * 2 + 1] = right
    }
  }
}
