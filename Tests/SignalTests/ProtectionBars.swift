import Foundation
import TestSupport
import Testing
import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Bar 15: what protection holds, whatever comes.
@Suite struct ProtectionBars {
  private static let excursion = ActuatorProtection.Excursion(resonanceHz: 175, q: 15)

  /// A profile of each drive, and of each kind of protection.
  static let profiles: [BusProfile] = [
    .safe,
    BusProfile(
      name: "coil", drive: EqualizerBars.coil(65, 3), highPassHz: 20,
      protection: .init(excursion: .init(resonanceHz: 65, q: 3))),
    BusProfile(
      name: "lra", drive: .resonant(resonanceHz: 175, q: 15), highPassHz: 20,
      protection: .init(excursion: excursion)),
    BusProfile(
      name: "lra, soft", drive: .resonant(resonanceHz: 175, q: 15, headroom: 4), highPassHz: 20,
      protection: .init(excursion: excursion, peak: .softCeiling)),
    BusProfile(
      name: "biquad", drive: .equalizer(resonanceHz: 175, q: 15, targetHz: 175, targetQ: 3.75),
      highPassHz: 20,
      protection: .init(ratedSquare: 0.05, thermalSeconds: 0.5, excursion: excursion, ceiling: 0.7)),
    BusProfile(name: "speaker", drive: .speaker(octaves: 2), highPassHz: 100, protection: .init()),
  ]

  @Test(arguments: profiles) func bar15NothingPassesTheCeiling(profile: BusProfile) {
    let protection = profile.protection ?? .init()
    let minutes = isReduced ? 0.25 : 30
    var random = SeededGenerator(seed: 15)
    var chain = ActuatorChain(profile)
    var block = [Float](repeating: 0, count: 800)
    var value: Float = 0
    var (peak, hold, isFinite) = (Float(0), 0, true)
    for _ in 0..<Int(minutes * 600) {
      for index in block.indices {
        if hold == 0 {
          // Steps of any length: single frames, DC for seconds, silence.
          hold = random.whole(in: 1...[1, 4, 40, 400, 8000][random.whole(in: 0...4)])
          value = random.whole(in: 0...9) == 0 ? 0 : Float(random.number(in: -3..<3))
        }
        hold -= 1
        block[index] = value
      }
      block.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: 800) }
      for sample in block {
        isFinite = isFinite && sample.isFinite
        peak = max(peak, abs(sample))
      }
    }
    report(
      15, .thrum,
      "\(profile.name): \(fixed(minutes, 2)) minutes of random steps of ±3, peak \(fixed(Double(peak), 4)) "
        + "[\(fixed(protection.ceiling, 2))], \(chain.limitedFrames) frames limited")
    #expect(isFinite)
    // Rounding of the last product to Float32.
    #expect(Double(peak) <= protection.ceiling * (1 + 1e-7))
    #expect(Double(peak) > protection.ceiling * 0.5)
    let limited = chain.limitedFrames
    #expect(limited > 1000)
    // Ten seconds of silence, and nothing is left.
    for index in block.indices { block[index] = 0 }
    for _ in 0..<100 {
      for index in block.indices { block[index] = 0 }
      block.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: 800) }
    }
    let isAtRest = chain.isAtRest
    #expect(isAtRest)
    #expect(block.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [profiles[0], profiles[1], profiles[4]]) func bar15RMSIsHeldAtItsRating(
    profile: BusProfile
  ) {
    let protection = profile.protection ?? .init()
    var worst = 0.0
    for hertz in [80, 175, 300.0] {
      var free = profile
      free.protection?.excursion = nil
      free.protection?.ceiling = 1
      free.gain = 1
      free.drive = .none
      var chain = ActuatorChain(free)
      let count = Int(8000 * (8 * protection.thermalSeconds + 2)) & ~7
      // Twice the rated amplitude, below the ceiling.
      let amplitude = min(0.97, 2 * (2 * protection.ratedSquare).squareRoot())
      var samples = (0..<count).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / 8000)) }
      samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: count) }
      let level = rms(samples[(count - 8000)...].map(Double.init))
      worst = max(worst, abs(decibels(level / protection.ratedSquare.squareRoot())))
    }
    report(15, .thrum, "\(profile.name): RMS within \(fixed(worst, 3)) dB of its rating after 8 tau [0.1]")
    #expect(worst <= 0.1)
  }

  @Test func bar15LimiterIsPureAndTransparent() {
    let profile = BusProfile(
      name: "limiter", protection: .init(ratedSquare: 1, thermalSeconds: 60))
    var worst = -400.0
    for hertz in [62.5, 100, 125, 175, 250, 400] {
      var chain = ActuatorChain(profile)
      let count = 24_000
      var samples = (0..<count).map { Float(0.98 * 2 * sin(2 * .pi * hertz * Double($0) / 8000)) }
      samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: count) }
      worst = max(worst, ToneFit(samples[8000...].map(Double.init), near: hertz).distortion)
    }
    report(15, .thrum, "limiter at +6 dB, 62.5...400 Hz: THD+N \(fixed(worst, 1)) dB [-90]")
    #expect(worst <= -90)
    var chain = ActuatorChain(BusProfile(name: "limiter", protection: .init()))
    var random = SeededGenerator(seed: 151)
    let quiet = (0..<8000).map { _ in Float(random.number(in: -0.3..<0.3)) }
    var samples = quiet
    samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: 8000) }
    #expect(Array(samples[8...]) == Array(quiet[..<7992]))
    let limited = chain.limitedFrames
    #expect(limited == 0)
  }

  @Test func softCeilingHasNoDelay() {
    let profile = BusProfile(name: "soft", protection: .init(ratedSquare: 1, peak: .softCeiling))
    var chain = ActuatorChain(profile)
    let delay = chain.delayFrames
    #expect(delay == 0)
    var samples: [Float] = [0.1, -0.5, 0.8, -0.8, 0.9, 1.5, -3, 0]
    samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: 8) }
    #expect(Array(samples[..<4]) == [0.1, -0.5, 0.8, -0.8])
    #expect(samples[4] > 0.8 && samples[4] < 0.9)
    #expect(samples[5] > samples[4] && samples[5] < 0.98)
    #expect(samples[6] < -samples[5] && samples[6] > -0.98)
  }

  @Test func excursionIsHeld() {
    // A coil whose stiffness rules below its resonance: a tone there moves it Q times as far.
    let excursion = ActuatorProtection.Excursion(resonanceHz: 65, q: 8, ratio: 0.5)
    let profile = BusProfile(
      name: "coil", protection: .init(ratedSquare: 1, thermalSeconds: 60, excursion: excursion))
    func motion(hertz: Double) -> (peak: Double, limited: Int) {
      var chain = ActuatorChain(profile)
      var samples = (0..<16_000).map { Float(0.9 * sin(2 * .pi * hertz * Double($0) / 8000)) }
      samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: 16_000) }
      let model = ActuatorModel(resonanceHz: 65, q: 8, rate: 8000)
      let x = model.response(to: samples, of: .displacement).dropFirst(8000)
      // In excursions of the rated level, which is a sine of √2.
      return (Double(x.map(abs).max() ?? 9) / 2.0.squareRoot(), chain.limitedFrames)
    }
    let at = motion(hertz: 65)
    let above = motion(hertz: 250)
    report(15, .thrum, "excursion at resonance \(fixed(at.peak, 3)) of the rated one [0.5]")
    #expect(at.peak <= 0.51)
    #expect(at.peak > 0.4)
    #expect(at.limited > 1000)
    #expect(above.limited == 0)
  }

  @Test(arguments: profiles) func silenceIsPassedWithoutAChange(profile: BusProfile) {
    // Zeros are passed once everything is at rest; −0, which is the same number, is not.
    func processed(silence: Float) -> [Float] {
      var random = SeededGenerator(seed: 152)
      var chain = ActuatorChain(profile)
      var samples: [Float] = []
      for pause in [5, 40, 400, 8000, 40_000, 3, 16_000] {
        samples += (0..<800).map { _ in Float(random.number(in: -3..<3)) }
        samples += [Float](repeating: silence, count: pause * 8)
      }
      let count = samples.count
      samples.withUnsafeMutableBufferPointer { chain.process($0.baseAddress!, frames: count) }
      return samples
    }
    #expect(processed(silence: 0) == processed(silence: -0.0))
  }

  @Test(arguments: profiles) func bar10AnyBlockSizeGivesTheSameBytesThroughEachProfile(profile: BusProfile)
    throws
  {
    var count = 0
    for seed in UInt64(1)...(isReduced ? 2 : 12) {
      let pattern = RandomPatterns.pattern(seed: seed, withLongEvents: false)
      let schedule = ScheduleCompiler.compile(isReduced ? pattern.trimmed(toSeconds: 0.2) : pattern)
      for rate in [8000, 48_000] {
        func bytes(_ blockFrames: Int) throws -> [UInt8] {
          try OfflineRender.wav(
            schedule, profile: profile, rate: rate, format: .float, blockFrames: blockFrames)
        }
        let expected = try bytes(1024)
        for blockFrames in [1, 7, 64, 480] {
          #expect(
            try bytes(blockFrames) == expected, "seed \(seed), \(profile.name), blocks of \(blockFrames)")
          count += 1
        }
      }
    }
    report(
      10, .thrum, "\(profile.name): \(count) renders in blocks of 1, 7, 64, 480 and 1024: the same bytes")
  }
}
