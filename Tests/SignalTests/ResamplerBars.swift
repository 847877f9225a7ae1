import Foundation
import TestSupport
import Testing
import ThrumPattern

/// Bar 11: what the kernel to the device's rate does to tones up to 2 kHz.
@Suite struct ResamplerBars {
  /// The flat profile with a map up to 2 kHz, so that events are the tones.
  private let wide = ReferenceProfile(minimumHz: 80, maximumHz: 2000)

  @Test(arguments: renderers, [48_000, 44_100, 96_000, 32_000, 16_000])
  func bar11TonesPassAloneAndInTime(_ render: PatternRenderer, rate: Int) throws {
    var worst = -400.0
    var gain = 0.0
    var delay = 0.0
    for s in sharpnesses {
      let hz = wide.frequency(atSharpness: Double(s))
      let pattern = Pattern(.buzz(for: 0.5, sharpness: s))
      let native = try render(pattern, profile: wide)
      let device = try render(pattern, profile: wide, rate: rate)
      #expect(device.count == ((native.count + 11) * rate + 7999) / 8000)
      // Both from 0.1 s on.
      let before = ToneFit(native.slice(800, 2400), near: hz)
      let after = ToneFit(device.slice(rate / 10, rate * 3 / 10), near: hz, rate: Double(rate))
      worst = max(worst, after.distortion)
      gain = max(gain, abs(decibels(after.amplitude / before.amplitude)))
      // The delay is known to a whole period; taken nearest to the stated one.
      let turns = (before.phase - after.phase) / (2 * .pi) - 0.00075 * hz
      delay = max(delay, abs((turns - turns.rounded()) / hz))
    }
    report(
      11, render,
      "to \(rate): all but the tone \(fixed(worst, 1)) dB [-100], gain within \(fixed(gain, 4)) dB [0.05], delay "
        + "off 0.750 ms by \(fixed(delay * 1e6, 4)) µs [1]")
    #expect(worst <= -100)
    #expect(gain <= 0.05)
    #expect(delay <= 1e-6)
  }
}
