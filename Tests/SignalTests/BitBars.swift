import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Bar 10, and the part of bar 2 that is about 16-bit integers: what only the renderer itself can show.
@Suite struct BitBars {
  @Test func bar2IntegersAreDitheredWithoutSpurs() throws {
    var worstLevel = 0.0
    var worstSpur = -400.0
    for s in sharpnesses {
      let pattern = Pattern(.buzz(for: 9, sharpness: s))
      let float = try PatternRenderer.thrum(pattern)
      let integers = try thrumFile(pattern, format: .s16).values().map { $0 / 32_767 }
      let noise = zip(integers, float).map { $0 - $1 }[1000..<66_536]
      // Re a full-scale sine.
      let level = decibels(rms(noise) * 2.0.squareRoot())
      worstLevel = max(worstLevel, abs(level - -93.3))
      let spectrum = Spectrum(integers.slice(1000, 65_536), beta: 14)
      worstSpur = max(worstSpur, decibels(spectrum.strongest(awayFrom: hertz(s), by: 2)))
    }
    report(
      2, .thrum,
      "S16 noise within \(fixed(worstLevel, 3)) dB of -93.3 dBFS [0.5], highest spur \(fixed(worstSpur, 1)) dBFS [-110]"
    )
    #expect(worstLevel <= 0.5)
    #expect(worstSpur <= -110)
  }

  @Test(arguments: [(8000, SampleFormat.float), (48_000, .s16), (44_100, .s24in3), (48_000, .s32)])
  func bar10AnyBlockSizeGivesTheSameBytes(rate: Int, format: SampleFormat) throws {
    var count = 0
    for seed in UInt64(1)...(isReduced ? 2 : 30) {
      for profile in [BusProfile.none, .safe] {
        let pattern = RandomPatterns.pattern(seed: seed, withLongEvents: false)
        let schedule = ScheduleCompiler.compile(isReduced ? pattern.trimmed(toSeconds: 0.2) : pattern)
        func bytes(_ blockFrames: Int) throws -> [UInt8] {
          try OfflineRender.wav(
            schedule, profile: profile, rate: rate, format: format, blockFrames: blockFrames)
        }
        let expected = try bytes(1024)
        for blockFrames in [1, 7, 64, 480, 1024] {
          #expect(
            try bytes(blockFrames) == expected, "seed \(seed), \(profile.name), blocks of \(blockFrames)")
          count += 1
        }
      }
    }
    report(
      10, .thrum, "\(count) renders to \(rate), \(format), in blocks of 1, 7, 64, 480, 1024: the same bytes")
  }

  @Test func bar10WhatADeviceTakesIsTheOfflineRender() throws {
    var random = SeededGenerator(seed: 10)
    var count = 0
    for seed in UInt64(1)...(isReduced ? 3 : 30) {
      let schedule = ScheduleCompiler.compile(RandomPatterns.pattern(seed: seed, withLongEvents: false))
      var expected: [UInt8] = []
      OfflineRender.render(schedule, profile: .safe, rate: 48_000, format: .s16) { expected += $0 }

      let device = VirtualOutput(rate: 48_000, format: .s16, isTurnedByHand: true)
      let output = Output(device: device)
      let player = try output.makeEngine().makePlayer(for: schedule)
      try player.start()
      try output.start()
      var taken: [UInt8] = []
      while taken.count < expected.count { taken += device.advance(frames: random.whole(in: 1...2000)) }
      output.close()
      #expect(Array(taken.prefix(expected.count)) == expected, "seed \(seed)")
      count += 1
    }
    report(10, .thrum, "\(count) captures of a device turned by hand: the bytes of the offline render")
  }
}
