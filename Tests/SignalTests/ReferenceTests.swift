import Foundation
import TestSupport
import Testing

/// The reference renderer against the numbers that the signal model prints beside its formulas.
///
/// What renders are compared with must first be right itself.
@Suite struct ReferenceTests {
  @Test func transientsHaveTheLengthsPeaksAndCentroidsOfSection2() {
    let table: [(s: Double, count: Int, peakAt: Int, peak: Double, centroid: Double)] = [
      (0, 547, 24, 0.434, 80.8), (0.5, 245, 11, 0.648, 180.7), (1, 110, 5, 0.966, 404.1),
    ]
    for row in table {
      let pulse = ReferenceTransient(intensity: 1, sharpness: row.s).samples
      let top = pulse.indices.max { abs(pulse[$0]) < abs(pulse[$1]) } ?? 0
      let middle = centroid(pulse)
      print(
        "reference, transient s = \(row.s): N \(pulse.count) [\(row.count)], peak \(fixed(peak(pulse), 4)) "
          + "[\(row.peak)] at \(top) [\(row.peakAt)], centroid \(fixed(middle, 2)) [\(row.centroid)], "
          + "energy \(fixed(energy(pulse), 6)) [6.4]")
      #expect(pulse.count == row.count)
      #expect(top == row.peakAt)
      #expect(abs(peak(pulse) - row.peak) < 0.0005)
      #expect(abs(middle - row.centroid) < 0.051)
      #expect(abs(energy(pulse) - 6.4) < 1e-9)
      #expect(abs(pulse.reduce(0, +)) < 1e-14 * pulse.reduce(0) { $0 + abs($1) })
    }
  }

  @Test func theFirstSamplesOfATransientAreThoseOfSection2() {
    let expected = [0, -0.01038, 0.00546, 0.06737, 0.16403, 0.27662, 0.38819, 0.48647]
    let pulse = ReferenceTransient(intensity: 1, sharpness: 0.5).samples
    for (sample, value) in zip(pulse, expected) { #expect(abs(sample - value) < 0.6e-5) }
  }

  @Test func transientsFadeAsSection2Says() {
    for (s, to20, to60) in [(0.0, 16.8, 48.5), (0.5, 7.5, 21.8), (1.0, 3.4, 9.8)] {
      let pulse = ReferenceTransient(intensity: 1, sharpness: s).samples
      let at20 = Double(settling(to: -20, of: pulse)) / 8
      let at60 = Double(settling(to: -60, of: pulse)) / 8
      print("reference, transient s = \(s): -20 dB at \(at20) ms [\(to20)], -60 dB at \(at60) ms [\(to60)]")
      // The table has one decimal.
      #expect(abs(at20 - to20) <= 0.0501)
      #expect(abs(at60 - to60) <= 0.0501)
    }
    let ring = ReferenceTransient(intensity: 1, sharpness: 0, decay: 1).samples
    #expect(abs(Double(settling(to: -20, of: ring)) / 8 - 60.8) <= 0.0501)
    let short = ReferenceTransient(intensity: 1, sharpness: 0.5, decay: -1)
    #expect(abs(centroid(short.samples) / short.frequency - 1.24) < 0.01)
  }

  @Test func theSmootherIsHalfwayAt30AndExactFrom60() throws {
    let step = [0.0] + [Double](repeating: 1, count: 80)
    let smooth = Array(movingMean21(movingMean21(movingMean21(step))).dropFirst())
    #expect(abs(smooth[0] - 1 / 9261.0) < 1e-15)
    print(
      "reference, smoother: \(fixed(smooth[29], 4)) at offset 29, \(fixed(smooth[30], 4)) at 30 [0.5 at 30 ± 1]"
    )
    // The 61 taps are symmetric about offset 30, so the sums to 29 and to 30 lie as far from one half.
    #expect(abs(smooth[29] + smooth[30] - 1) < 1e-14)
    #expect(smooth[29] < 0.5 && smooth[30] > 0.5)
    #expect(smooth[59] < 1 - 1e-6 && smooth[60...].allSatisfy { abs($0 - 1) < 1e-14 })
    let start = try #require(smooth.firstIndex { $0 >= 0.1 })
    let end = try #require(smooth.firstIndex { $0 >= 0.9 })
    #expect(abs(end - start - 28) <= 1)
  }

  @Test func hfOfJumpsIsThatOfSection4() {
    for (hz, figure) in [(80.0, -80.0), (155, -79), (230, -76), (400, -59)] {
      let level = highFrequencyOfAJump(carrier: hz)
      print("reference, intensity jump 0 to 1 at \(hz) Hz: HF \(fixed(level, 1)) dBFS [\(figure)]")
      #expect(abs(level - figure) < 1.5)
    }
  }

  @Test func hfOfOnsetsAndReleasesIsThatOfSection4() throws {
    let carriers = [80.0, 155, 230]
    // An attack of 4 ms, and one of 8 ms.
    for (attack, figure) in [(0.0, -62.0), (log(2.0) / log(250), -80)] {
      let level = try #require(carriers.map { worstOnset(attack: attack, carrier: $0) }.max())
      print("reference, onset, attack \(fixed(attack, 3)): HF \(fixed(level, 1)) dBFS [\(figure)]")
      #expect(abs(level - figure) < 1.5)
    }
    let releases = stride(from: 0.0, through: 1, by: 0.125).flatMap { release in
      carriers.map { worstRelease(release, carrier: $0) }
    }
    let worst = try #require(releases.max())
    print("reference, releases 8 ms to 1 s: HF \(fixed(worst, 1)) dBFS [-63.7]")
    #expect(abs(worst - -63.7) < 1)
  }

  @Test func theKernelHasTheRippleAndImagesOfSection6() {
    for rate in [48_000, 44_100] {
      let kernel = ReferenceKernel(rate: rate)
      #expect(kernel.interpolation == (rate == 48_000 ? 6 : 441))
      #expect(kernel.decimation == (rate == 48_000 ? 1 : 80))
      #expect(kernel.prototype.count == (rate == 48_000 ? 72 : 5292))
      for (hz, figure) in [(200.0, -106.0), (1500, -106), (2000, -102), (2300, -65), (2500, -52)] {
        let fit = resampledTone(hz, kernel)
        let gain = decibels(fit.amplitude)
        print(
          "reference, kernel to \(rate), \(hz) Hz: images \(fixed(fit.distortion, 1)) dB [\(figure)], "
            + "gain \(fixed(gain, 4)) dB")
        #expect(fit.distortion <= figure + 1)
        if hz <= 2000 { #expect(abs(gain) <= 0.05) }
        if hz <= 1500 { #expect(abs(gain) <= 0.0015) }
      }
    }
  }

  @Test func theLimiterKeepsItsCeilingItsTransparencyAndItsRate() {
    var random = SeededGenerator(seed: 15)
    let wild = (0..<20_000).map { _ in random.number(in: -3..<3) }
    #expect(peak(ReferenceProfile.peakLimited(wild)) <= 0.98 + 1e-12)

    let quiet = (0..<4000).map { 0.97 * sin(Double($0) / 8) }
    let passed = Array(ReferenceProfile.peakLimited(quiet).dropFirst(8))
    #expect(passed.count == quiet.count)
    #expect(zip(passed, quiet).allSatisfy { abs($0 - $1) < 2.3e-16 })

    for hz in [62.5, 63.7, 101.3, 199.9, 400] {
      let driven = (0..<16_000).map {
        0.98 * amplitude(ofDecibels: 6) * sin(2 * .pi * hz * Double($0) / 8000)
      }
      let limited = ReferenceProfile.peakLimited(driven)
      let distortion = ToneFit(limited[8000..<16_000], near: hz).harmonicDistortion()
      print("reference, limiter THD at +6 dB, \(hz) Hz: \(fixed(distortion, 1)) dB [-95]")
      #expect(distortion <= -93)
    }

    // After eight time constants a full-scale sine stands at the rated RMS.
    let loud = (0..<80_000).map { sin(2 * .pi * 200 * Double($0) / 8000) }
    let limited = ReferenceProfile.rmsLimited(loud)
    #expect(abs(decibels(rms(limited[72_000...]) / 0.125.squareRoot())) < 0.1)
    // Until −ln(1 − 0.125/0.5) s it is let through.
    #expect(abs(decibels(rms(limited[2000..<2240]) / 0.5.squareRoot())) < 0.01)
  }
}

/// The HF level of a smoothed 0→1 jump of the amplitude of a full-scale carrier, the worst of eight phases.
private func highFrequencyOfAJump(carrier: Double) -> Double {
  let jump = [Double](repeating: 0, count: 2000) + [Double](repeating: 1, count: 2000)
  return worstPhase(carrier: carrier, of: movingMean21(movingMean21(movingMean21(jump))), in: 0..<4000)
}

/// The HF level of a full-scale onset with an attack parameter.
private func worstOnset(attack: Double, carrier: Double) -> Double {
  let envelope = ReferenceEnvelope(attack: attack, decay: 0, release: 0, isSustained: true, stop: 4000)
  return worstPhase(
    carrier: carrier, of: [Double](repeating: 0, count: 200) + envelope.levels.prefix(3000), in: 0..<3200)
}

/// The HF level of a full-scale release, with the frames after it.
private func worstRelease(_ release: Double, carrier: Double) -> Double {
  let envelope = ReferenceEnvelope(attack: 0, decay: 0, release: release, isSustained: true, stop: 4000)
  let levels = envelope.levels + [Double](repeating: 0, count: 400)
  return worstPhase(carrier: carrier, of: levels, in: 3000..<levels.count)
}

private func worstPhase(carrier: Double, of envelope: [Double], in frames: Range<Int>) -> Double {
  (0..<8).map { eighth in
    let signal = envelope.enumerated().map { n, level in
      level * sin(2 * .pi * (carrier * Double(n) / 8000 + Double(eighth) / 8))
    }
    return highFrequencyLevel(signal, in: frames)
  }.max() ?? 0
}

/// A tone through a kernel, fitted well inside its length.
private func resampledTone(_ hz: Double, _ kernel: ReferenceKernel) -> ToneFit {
  let tone = (0..<1600).map { sin(2 * .pi * hz * Double($0) / 8000) }
  let output = kernel.apply(to: tone)
  let rate = 8000 * Double(kernel.interpolation) / Double(kernel.decimation)
  return ToneFit(output[(output.count / 4)..<(output.count * 3 / 4)], near: hz, rate: rate)
}
