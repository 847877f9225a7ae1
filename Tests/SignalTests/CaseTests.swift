import TestSupport
import Testing
import ThrumEngine
import ThrumPattern

/// The checks of the shared cases that are about renders, by the numbers of each expected.md.
@Suite struct CaseTests {
  @Test(arguments: renderers) func continuousWithoutDuration(_ render: PatternRenderer) throws {
    for file in ["duration-key", "no-duration", "zero-duration"] {
      guard let signal = try rendered("continuous-without-duration/\(file)", render) else { return }
      // 1b and 2: it plays, begins to fade by 30 s and not before, and has ended a second later.
      let level = rms(signal, from: 29.4, to: 29.9)
      #expect(level > 0.2 && abs(level / rms(signal, from: 1, to: 1.5) - 1) < 0.001, "\(file)")
      #expect(rms(signal, from: 30, to: 30.004) < level, "\(file)")
      #expect(signal.dropFirst(31 * 8000).allSatisfy { abs($0) <= 0.0001 }, "\(file)")
    }
  }

  @Test(arguments: renderers) func curve200Points(_ render: PatternRenderer) throws {
    guard let input = try rendered("curve-200-points/input", render) else { return }
    let levels = try ["0.9", "0.3", "0.6"].map {
      try #require(try rendered("curve-200-points/ref-\($0)", render))
    }
    var worst = 0.0
    for k in 0..<20 {
      let from = 0.2 * Double(k) + 0.04
      let expected = rms(levels[k % 3], from: from, to: from + 0.12)
      worst = max(worst, abs(rms(input, from: from, to: from + 0.12) / expected - 1))
    }
    print("case curve-200-points, \(render): plateaus within \(fixed(100 * worst, 3)) % [10]")
    #expect(worst <= 0.1)
  }

  @Test(arguments: renderers) func curveRelativeTime(_ render: PatternRenderer) throws {
    guard let input = try rendered("curve-relative-time/input", render) else { return }
    let windows = [("1.0", 0.30, 0.80, 0.03), ("0.2", 1.60, 1.90, 0.10), ("0.6", 1.225, 1.275, 0.15)]
    for (file, from, to, tolerance) in windows {
      let reference = try #require(try rendered("curve-relative-time/ref-\(file)", render))
      let ratio = rms(input, from: from, to: to) / rms(reference, from: from, to: to)
      print("case curve-relative-time, \(render): ref-\(file) ratio \(fixed(ratio, 4)) [1 ± \(tolerance)]")
      #expect(abs(ratio - 1) <= tolerance)
    }
  }

  @Test(arguments: renderers, ["taps", "buzz"])
  func intensitySteps(_ render: PatternRenderer, file: String) throws {
    guard let signal = try rendered("intensity-steps/\(file)", render) else { return }
    let energies = (0..<5).map { energy(signal.slice($0 * 4000, 2800)) }
    let steps = (1..<4).map { decibels(energies[$0 + 1] / energies[$0]) / 2 }
    print("case intensity-steps, \(file), \(render): \(steps.map { fixed($0, 2) }) dB [each 1.5, in all 8]")
    #expect(steps.allSatisfy { $0 >= 1.5 } && steps.reduce(0, +) >= 8)
    #expect(decibels(energies[0] / energies[4]) / 2 <= -40)
    #expect(peak(signal.dropFirst(16_000)) >= 0.499)
  }

  @Test(arguments: renderers) func missingAndOutOfRange(_ render: PatternRenderer) throws {
    guard let defaults = try rendered("missing-and-out-of-range/no-parameters", render) else { return }
    // The tap is over long before 0.3 s.
    #expect(abs(try #require(onset(in: defaults)) - 800) <= 24)
    #expect(abs(try #require(onset(in: defaults, from: 2400)) - 3200) <= 24)
    #expect(peak(defaults.slice(800, 800)) > 0.1 && peak(defaults.slice(3200, 3200)) > 0.1)
    for (actual, limit) in [("too-big", "limit"), ("control-too-big", "control-limit")] {
      try expectIdentical("missing-and-out-of-range/\(actual)", "missing-and-out-of-range/\(limit)", render)
    }
  }

  @Test(arguments: renderers) func overlapMix(_ render: PatternRenderer) throws {
    guard let half = try rendered("overlap-mix/one-half", render) else { return }
    let twice = try #require(try rendered("overlap-mix/two-half", render))
    let ratio = rms(twice, from: 0.1, to: 0.5) / rms(half, from: 0.1, to: 0.5)
    print("case overlap-mix, \(render): two to one \(fixed(ratio, 4)) [1.25]")
    #expect(ratio >= 1.25)

    let six = try #require(try rendered("overlap-mix/six-full", render))
    let one = try #require(try rendered("overlap-mix/one-full", render))
    let safe = try #require(try rendered("overlap-mix/six-full", render, profile: .safe))
    #expect(peak(safe) <= 1)
    let crossings = Double(zeroCrossings(six.slice(800, 1440)))
    #expect(abs(crossings / Double(zeroCrossings(one.slice(800, 1440))) - 1) <= 0.15)
  }

  @Test func overlapMixInIntegers() throws {
    for (file, isClipped) in [("six-full", true), ("one-half", false)] {
      guard let pattern = try sharedPattern("cases/overlap-mix/\(file).ahap", for: "case overlap-mix") else {
        return
      }
      // 3: saturated and rounded, dither included; the largest Float32 rounding of the sum beside it.
      let float = try PatternRenderer.thrum(pattern)
      let integers = try thrumFile(pattern, format: .s16).values()
      #expect(integers.count == float.count)
      let worst = zip(integers, float).reduce(0.0) { worst, pair in
        max(worst, abs(pair.0 - clamped(pair.1 * 32_767, to: -32_767...32_767).rounded()))
      }
      // 5: the report counts what was clipped.
      let result = OfflineRender.render(
        ScheduleCompiler.compile(pattern), profile: .none, rate: 8000, format: .s16
      ) { _ in }
      print(
        "case overlap-mix, \(file): S16 within \(worst) units [1], \(result.saturatedSamples) samples clipped"
      )
      #expect(worst <= 1)
      #expect((result.saturatedSamples > 0) == isClipped)
    }
  }

  @Test(arguments: renderers) func sharpnessAudible(_ render: PatternRenderer) throws {
    guard let buzz = try rendered("sharpness-audible/buzz", render) else { return }
    let centroids = (0..<3).map { centroid(buzz, from: Double($0), to: Double($0) + 0.5) }
    let levels = (0..<3).map { decibels(rms(buzz, from: Double($0), to: Double($0) + 0.5)) }
    print("case sharpness-audible, \(render): centroids \(centroids.map { fixed($0, 1) }) Hz [each 15 % up]")
    #expect(centroids[1] >= 1.15 * centroids[0] && centroids[2] >= 1.15 * centroids[1])
    #expect(try #require(levels.max()) - (try #require(levels.min())) <= 6)

    let taps = try #require(try rendered("sharpness-audible/taps", render))
    #expect(centroid(taps.slice(4000, 800)) >= 1.15 * centroid(taps.slice(0, 800)))

    let up = try #require(try rendered("sharpness-audible/control-up", render))
    let still = try #require(try rendered("sharpness-audible/control-static", render))
    #expect(abs(centroid(up.slice(800, 2400)) / centroid(still.slice(800, 2400)) - 1) <= 0.03)
  }

  @Test(arguments: renderers) func singleCurveContinuous(_ render: PatternRenderer) throws {
    for file in ["intensity-only", "sharpness-only", "one-point", "empty-curve"] {
      try expectIdentical("single-curve-continuous/\(file)", "single-curve-continuous/none", render)
    }
  }

  @Test(arguments: renderers) func spellingsOfOnePatternRenderAlike(_ render: PatternRenderer) throws {
    for file in ["decimals", "exponents"] {
      try expectIdentical("whole-number-values/\(file)", "whole-number-values/integers", render)
    }
    try expectIdentical("bom-and-crlf/bom-crlf", "bom-and-crlf/plain", render)
  }
}

/// The render of a case's file, by its path without `.ahap` below `cases`; nil where the shared folder is
/// absent.
private func rendered(
  _ path: String, _ render: PatternRenderer, profile: ReferenceProfile = .none
) throws -> [Double]? {
  try sharedPattern("cases/\(path).ahap", for: "case \(path)").map { try render($0, profile: profile) }
}

/// The largest difference of two cases' renders is 1e-6.
private func expectIdentical(_ path: String, _ expected: String, _ render: PatternRenderer) throws {
  guard let actual = try rendered(path, render), let expected = try rendered(expected, render) else { return }
  #expect(peak(expected) > 0.1, "\(path): silent")
  let deviation = Deviation(of: actual, from: expected)
  #expect(deviation.difference <= 1e-6 && deviation.lengthDifference == 0, "\(path): \(deviation)")
}
