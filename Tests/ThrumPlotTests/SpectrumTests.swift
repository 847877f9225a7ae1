import Foundation
import Testing

@testable import ThrumPlot

@Suite("Spectrum")
struct SpectrumTests {
  private static func tone(_ frequency: Double, amplitude: Double, seconds: Double, rate: Double) -> [Float] {
    (0..<Int(seconds * rate)).map { Float(amplitude * sin(2 * Double.pi * frequency * Double($0) / rate)) }
  }

  @Test(
    "a tone stands in its bin, at its level to 0.1 dB",
    arguments: [
      (80.0, 8000.0), (135.6465, 8000), (230, 8000), (488.28125, 8000), (488.769_531, 8000), (1000.3, 8000),
      (3456.7, 8000),
      (230, 48_000), (137, 44_100),
    ])
  func tone(frequency: Double, rate: Double) throws {
    for amplitude in [0.5, 0.001] {
      let spectrum = Spectrum.averaged(
        samples: Self.tone(frequency, amplitude: amplitude, seconds: 3, rate: rate), rate: rate)
      let peak = try #require(spectrum.peakBin)
      #expect(abs(spectrum.frequency(ofBin: peak) - frequency) <= spectrum.binHz)
      #expect(abs(spectrum.levels[peak] - 20 * log10(amplitude)) < 0.1, "\(spectrum.levels[peak])")
    }
  }

  @Test("away from a tone that begins and ends gently the spectrum falls by 90 dB")
  func leakage() {
    let tone = Self.tone(200.4, amplitude: 1, seconds: 20, rate: 8000)
    let samples = tone.enumerated().map { index, sample -> Float in
      let fromEnd = min(index, tone.count - 1 - index)
      return sample * (fromEnd < 4000 ? Float(0.5 - 0.5 * cos(Double.pi * Double(fromEnd) / 4000)) : 1)
    }
    let spectrum = Spectrum.averaged(samples: samples, rate: 8000)
    let away = spectrum.levels.indices.filter { abs(spectrum.frequency(ofBin: $0) - 200.4) > 30 }
    let highest = away.map { spectrum.levels[$0] }.max() ?? 0
    #expect(highest < -90, "\(highest) dB")
  }

  @Test("a short signal is taken whole, its level that over its own length")
  func short() throws {
    let spectrum = Spectrum.averaged(
      samples: Self.tone(200, amplitude: 0.25, seconds: 0.1, rate: 8000), rate: 8000)
    let peak = try #require(spectrum.peakBin)
    #expect(abs(spectrum.frequency(ofBin: peak) - 200) <= spectrum.binHz)
    #expect(abs(spectrum.levels[peak] - 20 * log10(0.25)) < 0.1)
  }

  @Test(
    "an event weighs the same wherever it falls in a long signal",
    arguments: [0, 500, 36_000, 36_511, 79_900])
  func places(position: Int) throws {
    func level(_ position: Int) -> Double {
      var samples = [Float](repeating: 0, count: 80_000)
      for (index, sample) in Self.tone(200, amplitude: 1, seconds: 0.0125, rate: 8000).enumerated() {
        samples[position + index] = sample
      }
      let spectrum = Spectrum.averaged(samples: samples, rate: 8000)
      return spectrum.levels[Int((200 / spectrum.binHz).rounded())]
    }
    #expect(abs(level(position) - level(40_000)) < 0.1, "\(level(position)) dB, \(level(40_000)) dB")
  }

  @Test("silence, samples that are not finite and an empty signal have no peak")
  func nothing() {
    #expect(Spectrum.averaged(samples: [Float](repeating: 0, count: 9000), rate: 8000).peakBin == nil)
    #expect(Spectrum.averaged(samples: [.nan, .infinity, -.infinity], rate: 8000).peakBin == nil)
    for rate in [0, -1, .nan, .infinity] {
      #expect(Spectrum.averaged(samples: [1], rate: rate).levels.isEmpty)
    }
    #expect(Spectrum.averaged(samples: [], rate: 8000).levels.isEmpty)
  }

  @Test(
    "a stretch is a second or a little more",
    arguments: [(8000.0, 8192), (48_000, 65_536), (1, 1024), (1e9, 262_144)])
  func stretch(rate: Double, length: Int) {
    #expect(Spectrum.stretchLength(for: rate) == length)
  }
}
