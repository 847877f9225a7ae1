import Foundation
import TestSupport
import Testing
import ThrumPattern

/// Bars 1 and 2: the pitch and the purity of a steady vibration.
@Suite struct ToneBars {
  @Test(arguments: renderers) func bar1PitchIsThatOfTheMap(_ render: PatternRenderer) throws {
    var worst = 0.0
    for s in sharpnesses {
      let signal = try render(Pattern(.buzz(for: 9, sharpness: s)))
      // The attack is over after 32 frames.
      let spectrum = Spectrum(signal.slice(1000, 65_536), beta: 14)
      worst = max(worst, abs(spectrum.peakHz - hertz(s)))
    }
    report(1, render, "pitch off by at most \(fixed(worst, 6)) Hz [0.01]")
    #expect(worst <= 0.01)
  }

  @Test(arguments: renderers) func bar2ToneIsPure(_ render: PatternRenderer) throws {
    var worst = -400.0
    for s in sharpnesses {
      let signal = try render(Pattern(.buzz(for: 4, sharpness: s)))
      let fit = ToneFit(signal.slice(1000, 30_000), near: hertz(s))
      worst = max(worst, fit.distortion)
      #expect(abs(decibels(fit.amplitude / continuousFullScale)) < 1e-4)
    }
    report(2, render, "THD+N at most \(fixed(worst, 1)) dB [-120]")
    #expect(worst <= -120)
  }
}
