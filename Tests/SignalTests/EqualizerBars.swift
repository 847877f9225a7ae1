import Foundation
import TestSupport
import Testing
import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Bar 14, its part about the equalizer: a voice coil of 65 Hz and Q 3 made flat.
@Suite struct EqualizerBars {
  /// Gb: what the boost far below the new resonance may be.
  static let boost = 9.0

  /// The drive of a voice coil: the resonance goes to where the boost below it is at most Gb.
  static func coil(_ hertz: Double, _ q: Double, boost: Double = boost) -> ActuatorDrive {
    .equalizer(resonanceHz: hertz, q: q, targetHz: max(40, hertz * pow(10, -boost / 40)), targetQ: 0.707)
  }

  /// The gain of a chain for a steady sine, in dB.
  private func gain(_ profile: BusProfile, hertz: Double) -> Double {
    var chain = ActuatorChain(profile)
    let count = 16_000
    var samples = (0..<count).map { Float(0.1 * sin(2 * .pi * hertz * Double($0) / 8000)) }
    samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: count) }
    let fit = ToneFit(samples[8000...].map(Double.init), near: hertz)
    return decibels(fit.amplitude / 0.1)
  }

  @Test func bar14VoiceCoilIsFlat() {
    let equalizer = Self.coil(65, 3)
    let profile = BusProfile(name: "coil", drive: equalizer, highPassHz: 20)
    let plain = BusProfile(name: "plain", highPassHz: 20)
    let model = ActuatorModel(resonanceHz: 65, q: 3, rate: 48_000)
    var (flat, raw): ([Double], [Double]) = ([], [])
    var (low, high) = (400.0, -400.0)
    for hertz in [65] + Array(stride(from: 60.0, through: 400, by: isReduced ? 34 : 5)) {
      let moves = decibels(model.magnitude(at: hertz))
      let gain = gain(profile, hertz: hertz)
      flat.append(gain + moves)
      raw.append(self.gain(plain, hertz: hertz) + moves)
      low = min(low, gain)
      high = max(high, gain)
    }
    var boost = -400.0
    let bare = BusProfile(name: "bare", drive: equalizer)
    for hertz in [2, 5, 10, 20, 30, 40, 50, 60.0] { boost = max(boost, gain(bare, hertz: hertz)) }
    let ripple = flat.max()! - flat.min()!
    report(
      14, .thrum,
      "65 Hz, Q 3: raw \(fixed(raw.max()! - raw.min()!, 2)) dB p-p, equalized \(fixed(ripple, 2)) dB [1.0], "
        + "gain \(fixed(low, 1))...\(fixed(high, 1)) dB in the band, boost \(fixed(boost, 1)) dB [\(Self.boost)]"
    )
    #expect(ripple <= 1.0)
    #expect(boost <= Self.boost)
    #expect(raw.max()! - raw.min()! > 9)
  }

  @Test func anLRAsEqualizerIsOneAtItsResonance() {
    let drive = ActuatorDrive.equalizer(resonanceHz: 175, q: 15, targetHz: 175, targetQ: 7.5)
    let level = gain(BusProfile(name: "lra", drive: drive), hertz: 175)
    #expect(abs(level) < 0.01)
    // Far from it, where the resonance did not help, the drive is V times as strong.
    #expect(abs(gain(BusProfile(name: "lra", drive: drive), hertz: 40) - decibels(2.0)) < 0.3)
  }

  @Test func aSpeakerIsOctavesHigherWithAHarmonic() throws {
    let profile = BusProfile(name: "speaker", drive: .speaker(octaves: 2), isHeldAtFullScale: false)
    let pattern = Pattern(.buzz(for: 2, sharpness: 0.5))
    let signal = try WAVFile(
      try OfflineRender.wav(
        ScheduleCompiler.compile(pattern), profile: profile, rate: 8000, format: .float, blockFrames: 1024)
    ).values()
    let hz = hertz(0.5) * 4
    let tone = ToneFit(signal.slice(1000, 8000), near: hz).amplitude
    let harmonic = ToneFit(signal.slice(1000, 8000), near: 2 * hz).amplitude
    #expect(abs(tone - 0.5) < 0.01)
    #expect(abs(decibels(harmonic / tone) - -12) < 0.2)
  }

  @Test(arguments: [1.0, 1.5, 2, 3]) func aPowerIsThePowerOfTheProduct(gamma: Double) throws {
    let profile = BusProfile(name: "law", law: .power(gamma), isHeldAtFullScale: false)
    // Tones and taps; controls that stand, ramp and jump in mid-tone.
    for (intensity, control) in [(Float(0.5), Float(1)), (0.5, 0.6), (1, 0.3), (0.3, 0)] {
      let patterns = [
        Pattern(
          .buzz(for: 0.5, intensity: intensity, sharpness: 0.5), parameters: [.intensity(control, at: 0)]),
        Pattern(.tap(intensity: intensity), parameters: [.intensity(control, at: 0)]),
      ]
      for pattern in patterns {
        let schedule = ScheduleCompiler.compile(pattern)
        let shaped = try WAVFile(
          try OfflineRender.wav(schedule, profile: profile, rate: 8000, format: .float, blockFrames: 1024)
        ).values()
        let plain = try WAVFile(
          try OfflineRender.wav(schedule, profile: .none, rate: 8000, format: .float, blockFrames: 1024)
        ).values()
        let product = Double(intensity) * Double(control)
        let factor = product > 0 ? pow(product, gamma - 1) : 1
        let apart = zip(shaped, plain).map { abs($0 - $1 * factor) }.max() ?? 1
        #expect(apart < 2e-7, "\(intensity) · \(control) to the power of \(gamma)")
      }
    }
  }

  @Test func levelsAboveTheThresholdAreEqualSteps() throws {
    let profile = BusProfile(name: "law", law: .sensation(30), isHeldAtFullScale: false)
    for (intensity, level) in [(Float(1), 0.0), (0.5, -15), (0.1, -27)] {
      let signal = try WAVFile(
        try OfflineRender.wav(
          ScheduleCompiler.compile(Pattern(.buzz(for: 0.5, intensity: intensity, sharpness: 0.5))),
          profile: profile, rate: 8000, format: .float, blockFrames: 1024)
      ).values()
      let amplitude = ToneFit(signal.slice(1000, 2000), near: hertz(0.5)).amplitude
      #expect(abs(decibels(amplitude / 0.5) - level) < 0.001)
    }
  }
}
