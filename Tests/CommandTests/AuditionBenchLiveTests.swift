import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

@testable import thrum

/// What is moved and played by hand on the bench.
@Suite("The bench by hand")
struct AuditionBenchLiveTests {
  private let rig: AuditionBench
  private var bench: Bench { rig.bench }

  init() throws { rig = try AuditionBench() }

  // A continuous event of intensity 1 peaks at one half.
  private func peak(_ frames: Range<Int>) -> Float { rig.signal[frames].reduce(0) { max($0, 2 * abs($1)) } }

  @Test("Rates change at once and positions stay true, with a loop to come as well")
  func rate() throws {
    try rig.load(Pattern.taps((0..<10).map { Double($0) * 0.1 }), into: .a)
    bench.isLooping = true
    bench.seek(to: 0.45)
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    try rig.advance(800)
    bench.rate = 2
    try rig.settle()
    let changed = try #require(bench.state.withLock { $0.runs.first })
    let length = Int(try #require(bench.state.withLock { $0.versions[0] }).length)
    // 3,600 frames in; the rate changes within 200 frames, and the rest of the way takes half as long.
    let loopStart = try #require(rig.starts.last)
    let slow = (0...400).first {
      changed.position(at: Int64(800 + $0 + 1)) - changed.position(at: Int64(800 + $0)) > 1.5
    }
    let turn = 800 + (try #require(slow))
    #expect(abs(loopStart - (turn + (length - 3600 - (turn - start)) / 2)) <= 1)
    let loops = Loops()
    try rig.output().observe { loops.note($0) }
    try rig.advance(12_000)
    #expect(rig.problems() == [])
    let first = try #require(loops.frames.first)
    #expect(abs(first - (loopStart + length / 2)) <= 1)
  }

  @Test("The loop turned off in the middle ends with its pass; turned on again it goes round")
  func loopSwitch() throws {
    try rig.load(Pattern.taps([0, 0.25, 0.5]), into: .a)
    let length = Int(try #require(bench.state.withLock { $0.versions[0] }).length)
    bench.play()
    try rig.advance(1000)
    bench.isLooping = true
    try rig.settle()
    #expect(rig.starts.count == 2 && rig.starts[1] == rig.starts[0] + length)
    try rig.advance(2 * length)
    #expect(bench.meters.transport == .playing)
    bench.isLooping = false
    try rig.advance(3 * length)
    #expect(bench.meters.transport == .stopped)
    #expect(rig.problems() == [])
    let heard = Onsets.count(in: rig.signal)
    #expect(heard == 9)
  }

  @Test("Live values shape what plays, what begins later and what is held, and a tap takes them")
  func liveValues() throws {
    try rig.load(Pattern(.buzz(for: 2, intensity: 1, sharpness: 0.5)), into: .a)
    bench.intensityControl = 0.25
    bench.play()
    try rig.advance(2000)
    #expect(abs(peak(1000..<2000) - 0.25) < 0.01)
    bench.intensityControl = 0.5
    try rig.advance(2000)
    #expect(abs(peak(3000..<4000) - 0.5) < 0.01)
    bench.stop()
    try rig.advance(1000)
    #expect(peak(4500..<5000) == 0)
    bench.hold(intensity: 0.8)
    try rig.advance(2000)
    #expect(abs(peak(6000..<7000) - 0.4) < 0.01)
    bench.intensityControl = 1
    bench.release(3)
    try rig.advance(2000)
    #expect(abs(peak(8000..<9000) - 0.8) < 0.01)
    bench.release()
    try rig.advance(1000)
    #expect(peak(9500..<10_000) == 0)
    bench.sharpnessControl = 1
    bench.tap(intensity: 0.5, sharpness: 0.2)
    try rig.advance(2000)
    #expect(rig.problems() == [])
    let alone = AuditionBench.render(Pattern(.tap(intensity: 0.5, sharpness: 1)), frames: 1000)
    let first = try #require(rig.signal.indices.dropFirst(9999).first { rig.signal[$0] != 0 })
    let begun = try #require(alone.firstIndex { $0 != 0 })
    #expect(first < 10_000 + 100)
    #expect(Array(rig.signal[first..<first + 900]) == Array(alone[begun..<begun + 900]))
  }

  @Test("Gain and mutes act on what sounds, without a click")
  func gain() throws {
    try rig.load(Pattern(.buzz(for: 3, intensity: 0.5)), into: .a)
    bench.play()
    try rig.advance(2000)
    bench.gainDecibels = -12
    try rig.advance(2000)
    bench.isMutedForHaptics = true
    try rig.advance(2000)
    bench.gainDecibels = 3
    try rig.advance(2000)
    bench.isMutedForHaptics = false
    try rig.advance(2000)
    #expect(abs(peak(3000..<4000) - 0.5 * 0.2512) < 0.005)
    #expect(peak(4200..<8000) == 0)
    #expect(abs(peak(9000..<10_000) - 0.5 * 1.4125) < 0.01)
    #expect(rig.highFrequencies(in: 0..<rig.signal.count) < -60)
  }

  @Test("Stopping ends all that was asked for before, and meters tell what is heard")
  func meters() throws {
    #expect(bench.meters.transport == .stopped)
    bench.play()
    try rig.settle()
    #expect(rig.problems() == ["there is nothing to play"])
    try rig.load(Pattern(.buzz(for: 1, intensity: 0.5)), into: .a)
    bench.play()
    try rig.settle()
    let start = try #require(rig.starts.first)
    try rig.advance(start + 4000)
    let meters = bench.meters
    #expect(meters.transport == .playing && meters.slot == .a && meters.isVirtual)
    #expect(abs(meters.seconds - 0.5) < 0.001 && meters.durationSeconds == 1)
    #expect(abs(meters.peak - 0.25) < 0.005)
    #expect(meters.rms > 0.15 && meters.rms < 0.18)
    #expect(meters.xruns == 0 && meters.voices == 1 && meters.outage == nil)
    bench.pause()
    try rig.advance(500)
    let paused = bench.meters
    #expect(paused.transport == .paused && paused.seconds > 0.5 && paused.seconds < 0.52)
    bench.play()
    bench.stop()
    try rig.advance(500)
    #expect(bench.meters.transport == .stopped && bench.meters.seconds == 0)
  }

  @Test("A sound that is missing is told, and the version before stays")
  func missingSound() throws {
    let folder = try TemporaryFolder()
    let device = VirtualOutput(channels: 2, isTurnedByHand: true)
    var settings = BenchSettings { OpenedDevice(device: device, notice: nil) }
    settings.channels = ChannelChoice(haptic: [1], audio: [2])
    settings.sounds = SoundSettings(isWanted: true)
    let bench = try Bench(settings)
    defer { bench.close() }
    let path = FileName(folder.path("a.ahap"))
    bench.load(NamedPattern(path: path, pattern: Pattern.taps([0])), into: .a)
    let event = Event(type: .audioCustom, time: 0, waveformPath: "none.wav")
    bench.load(NamedPattern(path: path, pattern: Pattern(event)), into: .a)
    bench.settle()
    let news = bench.news()
    #expect(news.contains(.loaded(.a)))
    #expect(news.contains { if case .problem(let words) = $0 { words.contains("none.wav") } else { false } })
    #expect(bench.state.withLock { $0.versions[0]?.schedule.hasSounds } == false)
  }
}

/// Taps in a signal of taps that are apart.
private enum Onsets {
  static func count(in signal: [Float]) -> Int {
    var (count, silent) = (0, 100)
    for sample in signal {
      if abs(sample) > 0.1 {
        if silent >= 100 { count += 1 }
        silent = 0
      } else {
        silent += 1
      }
    }
    return count
  }
}
