import Foundation
import TestSupport
import Testing
import ThrumPattern

/// Bars 7 and 8: envelopes and curves, read off the samples by dividing by the known carrier where it is
/// large.
@Suite struct EnvelopeBars {
  @Test(arguments: renderers) func bar7TheAttackIsS5AndReachesItsTop(_ render: PatternRenderer) throws {
    var worst = 0.0
    for (attack, frames) in [(Float(0), 32), (0.25, 127), (0.5, 506), (1, 8000)] {
      let signal = try render(Pattern(.buzz(for: 1.5, sharpness: 1, attack: attack)))
      for (n, level) in levels(signal, sharpness: 1).filter({ $0.frame < 10_000 }) {
        let expected = n < frames ? s5(Double(n) / Double(frames)) : 1
        worst = max(worst, abs(level - expected))
      }
    }
    report(7, render, "attack within \(worst) of S5 [1e-6]", isWhole: true)
    #expect(worst <= 1e-6)
  }

  @Test(arguments: renderers) func bar7TheReleaseEndsOnItsFrame(_ render: PatternRenderer) throws {
    // The pattern goes on so that the frames after the end are there to be looked at.
    for (release, frames) in [(Float(0), 64), (0.25, 214), (0.5, 716)] {
      for stop in [2000, 2017] {
        let signal = try render(
          Pattern(
            .buzz(for: Double(stop) / 8000, sharpness: 1, release: release),
            parameters: [.sharpness(0, at: 1)]))
        let last = signal.lastIndex { $0 != 0 } ?? 0
        report(
          7, render, "last sound of a release of \(frames) at \(last) [\(stop + frames - 1) ± 1]",
          isWhole: true)
        #expect(signal.count == 8000)
        #expect(abs(last - (stop + frames - 1)) <= 1)
        let kappa = min(log(1000), Double(frames) / 8000 * 20)
        for (n, level) in levels(signal, sharpness: 1) where n >= stop && n < stop + frames {
          let u = Double(n - stop) / Double(frames)
          // κ comes from the exact time, here from its frames: half a frame is 0.8 % of it at most.
          #expect(abs(level - (1 - s5(u)) * exp(-kappa * u)) < 2e-3)
        }
      }
    }
  }

  @Test(arguments: renderers) func bar7AnUnsustainedEventEndsByItsDecay(_ render: PatternRenderer) throws {
    let signal = try render(Pattern(.buzz(for: 1, sharpness: 1, sustained: 0)))
    let last = signal.lastIndex { $0 != 0 } ?? 0
    report(7, render, "last sound of attack 32 and decay 128 at \(last) [159 ± 1]", isWhole: true)
    #expect(abs(last - 159) <= 1)
    #expect(signal.count == 8000)

    // Cut in mid-attack and in mid-decay it is released from the level it has reached.
    for (stop, reached) in [(16, 0.5), (32 + 64, 0.5 * exp(-0.16))] {
      let cut = try render(Pattern(.buzz(for: Double(stop) / 8000, sharpness: 1, sustained: 0)))
      #expect(cut.count == stop + 64)
      for (n, level) in levels(cut, sharpness: 1) where n >= stop {
        let u = Double(n - stop) / 64
        #expect(abs(level - reached * (1 - s5(u)) * exp(-0.16 * u)) <= 1e-6)
      }
    }
  }

  @Test(arguments: renderers) func bar8CurvesAreStraightBetweenTheirPoints(_ render: PatternRenderer) throws {
    // Points on frames, a corner on each, the curve begun after the event: its own start is a step.
    let points: [(frame: Int, value: Float)] = [
      (0, 1), (800, 0.25), (1600, 0.75), (1608, 0.5), (3200, 1), (4800, 0.1),
    ]
    let curve = ParameterCurve(
      id: .hapticIntensityControl, time: 0.25,
      points: points.map { .init(time: Double($0.frame) / 8000, value: $0.value) })
    let signal = try render(Pattern(.buzz(for: 1.5, sharpness: 1), curves: [curve]))
    var worst = 0.0
    for (n, level) in levels(signal, sharpness: 1) where n >= 2000 && n < 12_000 {
      worst = max(worst, abs(level - line(points, at: n - 2000)))
    }
    report(8, render, "curve within \(worst) of its lines [1e-6]", isWhole: true)
    #expect(worst <= 1e-6)
  }

  @Test(arguments: renderers) func bar8TheSmootherIsHalfwayAt30AndExactFrom60(
    _ render: PatternRenderer
  ) throws {
    // The step at 24 places of the carrier's cycle, so that every offset is seen where the carrier is large.
    var worstAfter = 0.0
    var halfway: [Int] = []
    for shift in 0..<24 {
      let frame = 2000 + shift
      let signal = try render(
        Pattern(
          .buzz(for: 0.5, sharpness: 1),
          parameters: [.intensity(0.25, at: 0), .intensity(0.75, at: Double(frame) / 8000)]))
      for (n, level) in levels(signal, sharpness: 1) where n < 4000 {
        if n < frame && n > 40 { #expect(abs(level - 0.25) <= 1e-6) }
        if n >= frame + 60 { worstAfter = max(worstAfter, abs(level - 0.75)) }
        if n >= frame && n < frame + 60 && abs(level - 0.5) <= 0.018 { halfway.append(n - frame) }
      }
    }
    let nearest = halfway.filter { abs($0 - 30) <= 1 }
    report(
      8, render, "smoother within \(worstAfter) from offset 60 [1e-6], halfway at \(Set(halfway).sorted())",
      isWhole: true)
    #expect(worstAfter <= 1e-6)
    #expect(!halfway.isEmpty && nearest.count == halfway.count)
  }
}

/// The envelope of an event at frame 0 and of constant sharpness, on the frames where its carrier is over a
/// half.
private func levels(_ signal: [Double], sharpness: Float) -> [(frame: Int, level: Double)] {
  let increment = (4_294_967_296 * hertz(sharpness) / 8000).rounded()
  return signal.enumerated().compactMap { n, sample in
    let carrier = sin(
      2 * .pi * (Double(n) * increment).truncatingRemainder(dividingBy: 4_294_967_296) / 4_294_967_296)
    return abs(carrier) > 0.5 ? (n, sample / (continuousFullScale * carrier)) : nil
  }
}

/// The value of straight lines between points.
private func line(_ points: [(frame: Int, value: Float)], at frame: Int) -> Double {
  for (a, b) in zip(points, points.dropFirst()) where frame < b.frame {
    let u = Double(frame - a.frame) / Double(b.frame - a.frame)
    return Double(a.value) + (Double(b.value) - Double(a.value)) * u
  }
  return Double(points.last?.value ?? 0)
}
