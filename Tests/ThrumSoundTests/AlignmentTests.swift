import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Bar 12 of the signal model, and the long case beside it.
@Suite("Sound in step with touch")
struct AlignmentTests {
  @Test("A tap and a click of one time leave together, at 1000 random times", arguments: [48_000, 44_100])
  func thousandPairs(rate: Int) throws {
    let seed: UInt64 = 12
    var random = SeededGenerator(seed: seed)
    let files = try SoundFiles()
    _ = try files.wav([1], named: "click.wav", rate: rate)
    // The pair at 0 gives the stated delays; both of its events are exactly on their grids.
    var times = [0.0]
    for index in 1...1000 { times.append(Double(index) * 0.06 + random.number(in: 0..<0.03)) }
    var pattern = Pattern()
    for time in times {
      pattern.entries.append(.event(.tap(at: time, sharpness: 1)))
      pattern.entries.append(.event(.sound("click.wav", at: time, envelope: false)))
    }
    let output = try render(pattern, sounds: find(pattern, in: files.folder.path), rate: rate)
    let clicks = output.left.indices.filter { output.left[$0] != 0 }
    try #require(clicks.count == times.count, "seed \(seed)")
    #expect(clicks[0] == (rate == 48_000 ? 36 : 33))
    let skew = PairSkew(touch: output.haptic, clicks: clicks, rate: rate)
    print("\(rate) Hz: worst \(skew.worst * 1e6) µs, mean \(skew.mean * 1e6) µs")
    #expect(skew.worst <= 1 / Double(rate) + 62.5e-6, "seed \(seed)")
    #expect(skew.mean <= 10e-6, "seed \(seed)")
  }

  @Test("Sound begins on the device's own nearest frame")
  func ownFrames() throws {
    let files = try SoundFiles()
    _ = try files.wav([1], named: "click.wav")
    var random = SeededGenerator(seed: 5)
    var pattern = Pattern()
    var expected: [Int] = []
    for index in 0..<200 {
      let time = Double(index) * 0.01 + random.number(in: 0..<0.008)
      pattern.entries.append(.event(.sound("click.wav", at: time, envelope: false)))
      expected.append(Int((time * 48_000).rounded()) + 36)
    }
    let output = try render(pattern, sounds: find(pattern, in: files.folder.path))
    #expect(output.left.indices.filter { output.left[$0] != 0 } == expected)
  }

  @Test("600 taps and 600 sounds of a minute stay together")
  func sixHundredPairs() throws {
    let files = try SoundFiles()
    _ = try files.wav([0.5, -0.5], named: "tick.wav", rate: 22_050)
    var pattern = Pattern()
    for index in 0..<600 {
      pattern.entries.append(.event(.tap(at: Double(index) * 0.1, sharpness: 1)))
      pattern.entries.append(.event(.sound("tick.wav", at: Double(index) * 0.1, envelope: false)))
    }
    let output = try render(pattern, sounds: find(pattern, in: files.folder.path))
    let length = 4800
    let firstTap = output.haptic[0..<700]
    let firstTick = output.left[0..<700]
    for index in 1..<600 {
      let start = index * length
      // Equal to the bit, so the distance is the same for every pair.
      #expect(output.haptic[start..<start + 700].elementsEqual(firstTap), "tap \(index)")
      #expect(output.left[start..<start + 700].elementsEqual(firstTick), "tick \(index)")
    }
  }

  @Test("With limiters sound waits as long as touch; an offset moves it", arguments: [0, 0.003, -0.010])
  func limitersAndOffset(offset: Double) throws {
    let files = try SoundFiles()
    _ = try files.wav([0.5], named: "click.wav")
    let pattern = Pattern(.tap(sharpness: 1), .sound("click.wav", envelope: false))
    let sounds = try find(pattern, in: files.folder.path)
    let plain = try render(pattern, sounds: sounds)
    let output = try render(pattern, sounds: sounds, profile: .safe, soundOffset: offset)
    let click = try #require(output.left.indices.first { output.left[$0] != 0 })
    let touch = try #require(output.haptic.indices.first { abs(output.haptic[$0]) > 0.001 })
    let plainTouch = try #require(plain.haptic.indices.first { abs(plain.haptic[$0]) > 0.002 })
    // The high-pass of the profile does not move the first samples; the limiter delays by 48 frames.
    let lead = max(0, -offset) * 48_000
    #expect(abs(touch - plainTouch - 48 - Int(lead)) <= 2)
    #expect(click == 36 + 48 + Int(max(0, offset) * 48_000))
  }
}
