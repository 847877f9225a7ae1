import Testing

@testable import ThrumRealtime

/// Fill sizes that cut groups of eight and blocks of 64 in every way.
private let fillSizes = [1, 8, 64, 97, 480, 4096]

@Suite("The end of sound")
struct EndOfSoundTests {
  /// A tap of 110 frames.
  private func tap(_ intensity: Float = 1) -> TestSchedule {
    TestSchedule(
      events: [ScheduledEvent(startFrame: 0, kind: .transient, intensity: intensity, sharpness: 1)],
      durationFrames: 0)
  }

  private func words(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  @Test(
    "ends the dither in its own group of eight, whatever begins later in the block", arguments: [8000, 48000])
  func ditherByGroup(rate: Int) {
    func render(by size: Int) -> [Int16] {
      let rig = TestRig(rate: rate, format: .s16)
      rig.play(tap(), player: 0)
      // In the block of 64 frames that the first one's end leaves silent.
      rig.play(tap(), player: 1, at: 152)
      return words(rig.bytes(rate / 8, by: size))
    }
    let expected = render(by: 8)
    let factor = rate / 8000
    let isDelayed = rate != 8000
    let silence = (110 + (isDelayed ? 11 : 0)) * factor..<152 * factor
    #expect(expected[silence].allSatisfy { $0 == 0 })
    #expect(
      expected[..<(110 * factor)].contains { $0 != 0 } && expected[(160 * factor)...].contains { $0 != 0 })
    for size in fillSizes {
      let first = zip(render(by: size), expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      #expect(first == nil, "fills of \(size), rate \(rate)")
    }
  }

  @Test("is that of a removed player's fade, too")
  func removedPlayer() {
    func render(by size: Int) -> [Int16] {
      let rig = TestRig(format: .s16)
      let tone = ScheduledEvent(
        startFrame: 0, durationFrames: 8000, kind: .continuous, intensity: 1, sharpness: 0.5)
      rig.play(TestSchedule(events: [tone], durationFrames: 8000))
      rig.send(.removePlayer(player: 0), at: 400)
      return words(rig.bytes(1000, by: size))
    }
    let expected = render(by: 8)
    #expect(expected[440..<460].contains { $0 != 0 } && expected[461...].allSatisfy { $0 == 0 })
    for size in fillSizes { #expect(render(by: size) == expected, "fills of \(size)") }
  }

  @Test(
    "comes with the chain's tail, then true zeros, at any size of fills", arguments: [8000, 44100, 48000])
  func filterTail(rate: Int) {
    func render(by size: Int) -> [Float] {
      let rig = TestRig(profiles: [.safe], rate: rate)
      rig.play(tap())
      return rig.render(rate / 2, by: size)
    }
    let expected = render(by: 8)
    let last = expected.lastIndex { $0 != 0 } ?? 0
    // 110 frames, 60 dB and more of a 40 Hz ring, and no longer than a tenth of a second.
    #expect(last > rate * 110 / 8000 + rate / 20 && last < rate * 110 / 8000 + rate / 10, "ends at \(last)")
    #expect(abs(expected[last]) < 1e-6, "ends on \(expected[last])")
    for size in fillSizes { #expect(firstDifference(render(by: size), expected) == nil, "fills of \(size)") }
  }

  @Test("ends the count of limited frames, which are those of the output", arguments: [8000, 44100, 48000])
  func limitedFrames(rate: Int) {
    var loud = BusProfile.safe
    loud.gain = 2
    func count(by size: Int, frames: Int) -> Int {
      let rig = TestRig(profiles: [loud, loud], map: ChannelMap([.haptic(0), .haptic(1)]), rate: rate)
      rig.play(tap(), player: 0)
      rig.play(tap(), player: 1, bus: 1)
      let samples = rig.render(frames, by: size)
      #expect(samples.contains { $0 != 0 })
      return rig.port.status.pointee.limitedFrames.load(ordering: .relaxed)
    }
    let expected = count(by: 1, frames: rate)
    #expect(expected > 0 && expected < rate / 4)
    for size in fillSizes { #expect(count(by: size, frames: rate) == expected, "fills of \(size)") }
    // Two limiters on one frame are one frame; frames thrown away are none.
    let few = rate / 100
    #expect(count(by: 4096, frames: few) <= few)
  }

  @Test("does not count what is thrown away as limited")
  func skipped() {
    var loud = BusProfile.safe
    loud.gain = 2
    let rig = TestRig(profiles: [loud])
    rig.play(tap())
    rig.skip(8000)
    #expect(rig.port.status.pointee.limitedFrames.load(ordering: .relaxed) == 0)
  }
}
