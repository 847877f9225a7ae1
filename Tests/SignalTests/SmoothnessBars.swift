import TestSupport
import Testing
import ThrumPattern

/// Bar 6: nothing clicks. Levels are of what is above 1 kHz, in dB of a full-scale continuous event.
@Suite struct SmoothnessBars {
  enum Moved: String, CaseIterable, Sendable {
    case intensity, sharpness, both
  }

  @Test(arguments: renderers, Moved.allCases)
  func bar6JumpsDoNotClick(_ render: PatternRenderer, _ moved: Moved) throws {
    // Jumps 0→1, at eight places of the carrier's cycle; the sharpness moves from 80 to 230 Hz.
    let carriers: [Float] = moved == .intensity ? [0, 0.5, 1] : [0]
    var worst = -400.0
    for sharpness in carriers {
      for eighth in 0..<(isReduced ? 2 : 8) {
        let time = 0.25 + Double(eighth) / 8 / hertz(sharpness)
        var parameters: [DynamicParameter] = []
        if moved != .sharpness { parameters += [.intensity(0, at: 0), .intensity(1, at: time)] }
        if moved != .intensity { parameters += [.sharpness(1, at: time)] }
        let signal = try render(Pattern(.buzz(for: 0.6, sharpness: sharpness), parameters: parameters))
        worst = max(worst, highFrequencyLevel(signal, in: 1600..<4000, fullScale: continuousFullScale))
      }
    }
    report(6, render, "jump 0 to 1 of \(moved.rawValue): HF \(fixed(worst, 1)) dBFS [-70]")
    #expect(worst <= -70)
    #expect(worst > -200, "nothing moved")
  }

  @Test(arguments: renderers, Moved.allCases)
  func bar6RandomJumpsDoNotClick(_ render: PatternRenderer, _ moved: Moved) throws {
    for rate in [60, 250, 1000] {
      var worst = -400.0
      for seed in UInt64(1)...(isReduced ? 1 : 10) {
        var random = SeededGenerator(seed: 1000 * seed + UInt64(rate))
        var parameters: [DynamicParameter] = []
        for update in 1...rate {
          let time = Double(update) / Double(rate)
          if moved != .sharpness {
            parameters.append(.intensity(Float(random.number(in: 0..<1)), at: time))
          }
          if moved != .intensity {
            parameters.append(.sharpness(Float(random.number(in: -0.5..<0.5)), at: time))
          }
        }
        // At the highest carrier, 230 Hz, where only the intensity moves; else about the middle of the map.
        let sharpness: Float = moved == .intensity ? 1 : 0.5
        let signal = try render(Pattern(.buzz(for: 1.5, sharpness: sharpness), parameters: parameters))
        worst = max(worst, highFrequencyLevel(signal, in: 600..<10_000, fullScale: continuousFullScale))
      }
      report(6, render, "random \(moved.rawValue) at \(rate) Hz: HF \(fixed(worst, 1)) dBFS [-70]")
      #expect(worst <= -70, "seeds 1000·k + \(rate)")
      #expect(worst > -200, "nothing moved")
    }
  }

  @Test(arguments: renderers) func bar7OnsetsAndReleasesDoNotClick(_ render: PatternRenderer) throws {
    var worstOnset = -400.0
    var worstRelease = -400.0
    for sharpness: Float in [0, 0.5, 1] {
      for release: Float in isReduced ? [0] : [0, 0.25, 0.5, 0.75, 1] {
        for eighth in 0..<(isReduced ? 2 : 8) {
          let length = 0.25 + Double(eighth) / 8 / hertz(sharpness)
          let event = Event.buzz(at: 0.05, for: length, sharpness: sharpness, release: release)
          // A tenth of a second of zeros lets the filter ring out.
          let signal = try render(Pattern(event)) + [Double](repeating: 0, count: 800)
          let stop = 400 + Int(length * 8000) - 100
          worstOnset = max(
            worstOnset, highFrequencyLevel(signal, in: 0..<stop, fullScale: continuousFullScale))
          worstRelease = max(
            worstRelease, highFrequencyLevel(signal, in: stop..<signal.count, fullScale: continuousFullScale))
        }
      }
    }
    report(
      7, render,
      "onset HF \(fixed(worstOnset, 1)) dBFS [-60], release HF \(fixed(worstRelease, 1)) dBFS [-60]")
    #expect(worstOnset <= -60)
    #expect(worstRelease <= -60)
  }
}
