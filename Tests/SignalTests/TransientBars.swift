import Foundation
import TestSupport
import Testing
import ThrumPattern

/// Bars 3 to 5: transients.
@Suite struct TransientBars {
  @Test(arguments: renderers) func bar3TransientsHaveNoDCAndNoEdges(_ render: PatternRenderer) throws {
    for (s, count) in [(Float(0), 547), (0.5, 245), (1, 110)] {
      // A tap's render is as long as its tail (11.14).
      let pulse = try render(Pattern(.tap(sharpness: s)))
      report(3, render, "N = \(pulse.count) at s = \(s) [\(count)]", isWhole: true)
      #expect(pulse.count == count)
    }
    var worstSum = 0.0
    var worstEnd = -400.0
    var worstDefaultEnd = -400.0
    for shape in Shape.all {
      let pulse = try render(shape.pattern)
      #expect(pulse.first == 0, "\(shape)")
      worstSum = max(worstSum, abs(pulse.reduce(0, +)) / pulse.reduce(0) { $0 + abs($1) })
      let end = decibels((pulse.last ?? 1) / peak(pulse))
      worstEnd = max(worstEnd, end)
      if shape.isDefault { worstDefaultEnd = max(worstDefaultEnd, end) }
    }
    report(
      3, render,
      "sum at most \(worstSum) of the magnitudes [1e-6], last sample at most \(fixed(worstDefaultEnd, 1)) dB "
        + "by default [-85], \(fixed(worstEnd, 1)) dB over \(Shape.all.count) shapes [-72]")
    #expect(worstSum <= 1e-6)
    #expect(worstDefaultEnd <= -85)
    #expect(worstEnd <= -72)
  }

  @Test(arguments: renderers) func bar4TransientsAreEquallyLoud(_ render: PatternRenderer) throws {
    let energies = try sharpnesses.map { decibels(energy(try render(Pattern(.tap(sharpness: $0))))) / 2 }
    let spread = try #require(energies.max()) - (try #require(energies.min()))

    var worstLaw = 0.0
    let full = decibels(rms(try render(Pattern(.tap()))))
    for intensity in stride(from: Float(0.05), through: 0.95, by: 0.1) {
      let level = decibels(rms(try render(Pattern(.tap(intensity: intensity))))) - full
      worstLaw = max(worstLaw, abs(level - decibels(Double(intensity))))
    }
    let highest = try Shape.all.map { peak(try render($0.pattern)) }.max() ?? 0
    report(
      4, render,
      "energy over s within \(fixed(spread, 5)) dB [0.1], over intensity within \(fixed(worstLaw, 5)) dB of "
        + "20 log I [0.05], highest peak \(fixed(highest, 6)) over \(Shape.all.count) shapes [1]")
    #expect(spread <= 0.1)
    #expect(worstLaw <= 0.05)
    #expect(highest <= 1)
  }

  @Test(arguments: renderers) func bar5TransientsKeepTheirShape(_ render: PatternRenderer) throws {
    var last = 0.0
    var worstCentroid = 0.0
    for s in sharpnesses {
      let pulse = try render(Pattern(.tap(sharpness: s)))
      let fT = 80 * pow(5, Double(s))
      let top = pulse.indices.max { abs(pulse[$0]) < abs(pulse[$1]) } ?? 0
      #expect(abs(Double(top) - 0.24 * 8000 / fT) <= 1, "s = \(s)")
      let to20 = Double(settling(to: -20, of: pulse)) / 8000
      #expect(to20 <= 1.36 / fT + 1 / 8000 && to20 <= 0.020, "s = \(s)")
      #expect(Double(settling(to: -60, of: pulse)) / 8000 <= 3.95 / fT + 1 / 8000, "s = \(s)")
      let middle = centroid(pulse)
      worstCentroid = max(worstCentroid, abs(middle / (1.0104 * fT) - 1))
      #expect(middle > last, "s = \(s)")
      last = middle
    }
    report(5, render, "centroid within \(fixed(100 * worstCentroid, 3)) % of 1.0104 fT [1]")
    #expect(worstCentroid <= 0.01)
  }
}

/// A tap at full intensity with an attack parameter and a decay control.
private struct Shape: CustomStringConvertible {
  var sharpness: Float
  var attack: Float
  var decay: Float

  /// 11 sharpnesses, 5 attacks, 5 decays.
  static let all: [Shape] = sharpnesses.flatMap { s in
    [0, 0.25, 0.5, 0.75, 1].flatMap { attack in
      [-1, -0.5, 0, 0.5, 1].map { Shape(sharpness: s, attack: attack, decay: $0) }
    }
  }

  /// Shortening takes the control: the event's own parameter only lengthens.
  var pattern: Pattern {
    Pattern(
      .tap(sharpness: sharpness, attack: attack),
      parameters: [DynamicParameter(id: .hapticDecayTimeControl, value: decay, time: 0)])
  }

  var isDefault: Bool { attack == 0 && decay == 0 }

  var description: String { "sharpness \(sharpness), attack \(attack), decay \(decay)" }
}
