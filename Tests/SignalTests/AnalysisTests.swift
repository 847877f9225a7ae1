import Foundation
import TestSupport
import Testing

/// The measuring instruments, on signals whose figures are known.
@Suite struct AnalysisTests {
  @Test func deviationNamesTheWorstFrameAndTheFirstAboveTheBar() {
    var actual = [Double](repeating: 0.5, count: 100)
    let expected = actual
    #expect(Deviation(of: actual, from: expected).level == -400)
    actual[40] += 0.5e-5
    let small = Deviation(of: actual, from: expected)
    #expect(small.frame == 40 && abs(small.level + 100) < 1e-6 && small.firstAbove80 == nil)
    actual[60] = 0.51
    actual[70] = 0.55
    let large = Deviation(of: actual + [0], from: expected)
    #expect(large.frame == 70 && large.firstAbove80 == 60 && large.lengthDifference == 1)
    #expect(large.description == "-20.0 dB at frame 70, above -80 dB from frame 60, length +1 frames")
    actual[3] = .nan
    let broken = Deviation(of: actual, from: expected)
    #expect(broken.frame == 3 && broken.level == .infinity && broken.firstAbove80 == 3)
    // What is missing at the end is a difference too.
    #expect(Deviation(of: Array(expected.dropLast()), from: expected).level == 0)
  }

  @Test func toneFitFindsTheToneTheNoiseAndTheHarmonics() {
    let hz = 137.31
    let signal = (0..<8000).map { n in
      let angle = 2 * .pi * hz * Double(n) / 8000 + 0.7
      return 0.25 * sin(angle) + 0.25e-3 * sin(2 * angle) + 0.01
    }
    let fit = ToneFit(signal, near: 137.34)
    #expect(abs(fit.frequency - hz) < 1e-4)
    #expect(abs(fit.amplitude - 0.25) < 1e-6)
    #expect(abs(fit.phase - 0.7) < 1e-3)
    #expect(abs(fit.offset - 0.01) < 1e-5)
    #expect(abs(fit.harmonicDistortion() + 60) < 0.01)
    // The residual holds the constant too, as a meter would: 0.01 and a harmonic, against 0.25 / √2.
    let residual = (1e-4 + 0.25e-3 * 0.25e-3 / 2).squareRoot()
    #expect(abs(fit.distortion - decibels(residual / (0.25 / 2.0.squareRoot()))) < 0.01)
  }

  @Test func spectrumFindsPeaksAndLevels() {
    let signal = (0..<65_536).map { 0.5 * sin(2 * .pi * 135.6421 * Double($0) / 8000) }
    let spectrum = Spectrum(signal, beta: 14)
    #expect(abs(spectrum.peakHz - 135.6421) < 0.001)
    #expect(decibels(spectrum.strongest(awayFrom: 135.6421, by: 5)) < -120)
    #expect(abs(decibels(spectrum.magnitudes.max() ?? 0) - decibels(0.5)) < 0.5)
    #expect(abs(centroid(signal[0..<16_000]) - 135.64) < 0.5)
  }

  @Test func highPassPassesWhatIsAboveAndStopsWhatIsBelow() {
    func level(_ hz: Double) -> Double {
      let tone = (0..<8000).map { sin(2 * .pi * hz * Double($0) / 8000) }
      return decibels(rms(highFrequencies(tone)[4000...]) * 2.0.squareRoot())
    }
    #expect(abs(level(1000) + 3.01) < 0.01)
    #expect(abs(level(2500)) < 0.01)
    // 48 dB in an octave, in the warped frequency of the bilinear transform.
    let warped = decibels(tan(.pi * 500 / 8000) / tan(.pi * 1000 / 8000)) * 8
    #expect(abs(level(500) - warped) < 0.05)
  }

  @Test func onsetsAndAlignment() {
    var signal = [Double](repeating: 0, count: 2000)
    signal[400] = 0.05
    for n in 401..<700 { signal[n] = sin(Double(n)) }
    #expect(onset(in: signal) == 401)
    #expect(onset(in: signal, from: 1000) == nil)
    let late = [Double](repeating: 0, count: 17) + signal
    let (shift, deviation) = bestAlignment(of: late, with: signal, shifts: -30...30)
    #expect(shift == 17 && deviation.level == -400)
    #expect(bestAlignment(of: signal, with: late, shifts: -30...30).shift == -17)
    #expect(zeroCrossings([1.0, -1, 0, -1, 1]) == 2)
  }

  @Test func wavFilesOfEveryFormatAreRead() throws {
    let sixteen = try WAVFile(
      wav(format: 1, bits: 16, channels: 2, [0xFF, 0x7F, 0x00, 0x80, 1, 0, 0xFF, 0xFF]))
    #expect(sixteen.frames == 2 && sixteen.rate == 48_000 && !sixteen.isFloat)
    #expect(sixteen.values(ofChannel: 0) == [32_767, 1])
    #expect(sixteen.values(ofChannel: 1) == [-32_768, -1])
    let packed = try WAVFile(wav(format: 1, bits: 24, channels: 1, [0xFF, 0xFF, 0x7F, 0, 0, 0x80]))
    #expect(packed.values() == [8_388_607, -8_388_608])
    let float = try WAVFile(wav(format: 3, bits: 32, channels: 1, [0, 0, 0, 0xBF]))
    #expect(float.isFloat && float.values() == [-0.5])
    #expect(throws: WAVFile.Failure.unsupported(format: 1, bits: 8)) {
      try WAVFile(wav(format: 1, bits: 8, channels: 1, [1]))
    }
    #expect(throws: WAVFile.Failure.malformed("no RIFF/WAVE header")) { try WAVFile([1, 2, 3]) }
  }

  @Test func seedsGiveTheSameNumbersEverywhere() {
    // The published first outputs of SplitMix64 for the seed 1234567.
    var random = SeededGenerator(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    let a = RandomPatterns.pattern(seed: 7, withLongEvents: true)
    #expect(a == RandomPatterns.pattern(seed: 7, withLongEvents: true))
    #expect(a != RandomPatterns.pattern(seed: 8, withLongEvents: true))
  }
}

/// The bytes of a WAV file of 48 kHz.
private func wav(format: UInt8, bits: UInt8, channels: UInt8, _ samples: [UInt8]) -> [UInt8] {
  let frame = channels * bits / 8
  let size = UInt8(36 + samples.count)
  let rate: [UInt8] = [0x80, 0xBB, 0, 0]
  return Array("RIFF".utf8) + [size, 0, 0, 0] + Array("WAVEfmt ".utf8) + [
    16, 0, 0, 0, format, 0, channels, 0,
  ]
    + rate + rate + [frame, 0, bits, 0] + Array("data".utf8) + [UInt8(samples.count), 0, 0, 0] + samples
}
