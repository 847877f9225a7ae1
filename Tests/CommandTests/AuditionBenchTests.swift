import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import thrum

/// Versions, loops and rates on the bench, to the frame.
@Suite("The bench")
struct AuditionBenchTests {
  private let rig: AuditionBench
  private var bench: Bench { rig.bench }

  init() throws { rig = try AuditionBench() }

  @Test("Two versions are compared at the same place, to the frame, there and back")
  func sameSpot() throws {
    let a = Pattern.taps((0..<20).map { Double($0) * 0.1 })
    let b = Pattern.taps((0..<20).map { Double($0) * 0.1 + 0.05 }, sharpness: 0.9)
    try rig.load(a, into: .a)
    try rig.load(b, into: .b)
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    try rig.advance(4321)
    bench.switchTo(.b)
    try rig.settle()
    let there = try #require(rig.starts.last)
    try rig.advance(4000)
    bench.switchTo(.a)
    try rig.settle()
    let back = try #require(rig.starts.last)
    try rig.advance(5000)
    #expect(rig.problems() == [])
    #expect(there > 4321 && there < 4321 + 200 && back > 8321 && back < 8321 + 200)
    let (wholeA, wholeB) = (
      AuditionBench.render(a, frames: 20_000), AuditionBench.render(b, frames: 20_000)
    )
    #expect(Array(rig.signal[start..<there]) == Array(wholeA[0..<there - start]))
    // What rang from before is left out of what follows: from the first tap behind it on they are the same.
    for (first, end, whole) in [(there, back, wholeB), (back, 13_000, wholeA)] {
      let settled = first + 700
      #expect(Array(rig.signal[settled..<end]) == Array(whole[settled - start..<end - start]))
    }
  }

  @Test("Neither a switch between tones, nor a seek, nor a pause clicks")
  func noClick() throws {
    try rig.load(Pattern(.buzz(for: 3, intensity: 0.6, sharpness: 0.3)), into: .a)
    try rig.load(Pattern(.buzz(for: 3, intensity: 0.5, sharpness: 0.8)), into: .b)
    bench.play()
    try rig.advance(2000)
    bench.switchTo(.b)
    try rig.advance(2000)
    bench.seek(to: 0.25)
    try rig.advance(2000)
    bench.pause()
    try rig.advance(1000)
    #expect(rig.signal.suffix(500).allSatisfy { $0 == 0 })
    bench.play()
    try rig.advance(2000)
    #expect(rig.problems() == [])
    #expect(rig.highFrequencies(in: 0..<rig.signal.count) < -60)
    // No gap either: a whole period of the tone is never silent while it plays.
    for first in stride(from: 800, to: 6000, by: 100) {
      #expect(rig.signal[first..<first + 200].contains { abs($0) > 0.15 }, "\(first)")
    }
  }

  @Test("An event that is under way is heard where playing begins in its middle")
  func underWay() throws {
    let curve = ParameterCurve(
      id: .hapticIntensityControl, time: 0, points: [.init(time: 0, value: 0), .init(time: 2, value: 1)])
    let pattern = Pattern(.buzz(for: 2, intensity: 1, sharpness: 0.2), curves: [curve])
    try rig.load(pattern, into: .a)
    bench.seek(to: 1)
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    try rig.advance(8000)
    let whole = AuditionBench.render(pattern, frames: 16_000)
    func peak(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }
    for place in stride(from: 8200, to: 15_000, by: 400) {
      let heard = peak(rig.signal[start + place - 8000..<start + place - 8000 + 400])
      #expect(abs(heard - peak(whole[place..<place + 400])) < 0.02, "\(place)")
    }
  }

  @Test(
    "A region goes round without a gap, at any rate, on the frames that were foretold",
    arguments: [1, 0.73, 1.9])
  func region(rate: Double) throws {
    try rig.load(Pattern(.buzz(for: 3, intensity: 0.6), .tap(at: 1.5)), into: .a)
    bench.region = 1...1.7
    bench.isLooping = true
    bench.rate = rate
    let loops = Loops()
    try rig.output().observe { loops.note($0) }
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    try rig.advance(24_000)
    #expect(rig.problems() == [])
    let frames = loops.frames
    let pass = 5600 / rate
    #expect(frames.count == Int(Double(24_000 - start) / pass))
    for (index, frame) in frames.enumerated() {
      let exact = Double(start) + Double(index + 1) * 5600 / Double(Float(rate))
      #expect(abs(Double(frame) - exact) <= 1, "pass \(index + 1)")
      let run = try #require(bench.state.withLock { $0.runs.last })
      #expect(run.wrap(notBefore: Int64(frame) - 3) == Int64(frame))
    }
    for first in stride(from: start + 100, to: 23_000, by: 100) {
      #expect(rig.signal[first..<first + 200].contains { abs($0) > 0.2 }, "\(first)")
    }
  }

  @Test("A version that comes while a loop plays begins where the loop does, and the one before ends there")
  func loopPoint() throws {
    let a = Pattern.taps([0, 0.2, 0.4])
    let b = Pattern.taps([0, 0.1, 0.3], sharpness: 0.9)
    try rig.load(a, into: .a)
    bench.isLooping = true
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    let pass = Int(try #require(bench.state.withLock { $0.versions[0] }).length)
    try rig.advance(start + 3 * pass + 700)
    try rig.load(b, into: .a, entering: .atLoopPoint)
    let second = try #require(rig.starts.last)
    #expect(second == start + 4 * pass)
    try rig.advance(3 * pass)
    #expect(rig.problems() == [])
    let (once, twice) = (
      AuditionBench.render(a, frames: pass), AuditionBench.render(b, frames: 20_000)
    )
    for number in 0..<4 {
      let first = start + number * pass
      #expect(Array(rig.signal[first..<first + pass]) == once, "pass \(number)")
    }
    let next = Int(try #require(bench.state.withLock { $0.versions[0] }).length)
    #expect(Array(rig.signal[second..<second + next]) == Array(twice[0..<next]))
    #expect(Array(rig.signal[second + next..<second + next + 500]) == Array(twice[0..<500]))
  }

  @Test(
    "Of versions that come before the loop point the last is heard, and none clicks",
    arguments: [true, false])
  func reload(atLoopPoint: Bool) throws {
    func version(_ sharpness: Float) -> Pattern {
      Pattern(.buzz(for: 0.5, intensity: 0.6, sharpness: sharpness))
    }
    try rig.load(version(0), into: .a)
    bench.isLooping = true
    bench.play()
    try rig.advance(1500)
    let before = rig.starts.count
    for sharpness in [0.3, 0.6, 0.9] as [Float] {
      try rig.load(version(sharpness), into: .a, entering: atLoopPoint ? .atLoopPoint : .atOnce)
      try rig.advance(200)
    }
    try rig.advance(8000)
    #expect(rig.problems() == [])
    #expect(before == 1)
    #expect(rig.highFrequencies(in: 0..<rig.signal.count) < -60)
    let last = rig.signal.suffix(4000).map { $0 }
    // 200 Hz and more at sharpness 0.9: twice as many zero crossings as at 0.
    let crossings = zip(last, last.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    #expect(crossings > 180)
  }

  @Test("A version that comes while a pattern without a loop plays goes on at the same place")
  func continued() throws {
    let a = Pattern.taps((0..<10).map { Double($0) * 0.1 })
    let b = Pattern.taps((0..<10).map { Double($0) * 0.1 + 0.03 })
    try rig.load(a, into: .a)
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    try rig.advance(3000)
    try rig.load(b, into: .a, entering: .atLoopPoint)
    let second = try #require(rig.starts.last)
    try rig.advance(8000)
    let whole = AuditionBench.render(b, frames: 12_000)
    #expect(Array(rig.signal[second + 700..<10_000]) == Array(whole[second + 700 - start..<10_000 - start]))
    #expect(bench.meters.transport == .stopped)
    #expect(bench.news().contains(.finished))
  }
}

/// The frames at which passes ended; from the handler thread.
final class Loops: Sendable {
  private let noted = Locked<[Int]>([])

  func note(_ event: OutputEvent) {
    if case .looped(_, let frame, _, _) = event { noted.withLock { $0.append(Int(frame.value)) } }
  }

  var frames: [Int] { noted.withLock { $0 } }
}
