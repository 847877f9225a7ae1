import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// An offline render and what a device takes, with filters and limiters.
@Suite struct SameBitsTests {
  /// A signal, and how it is played.
  struct Way: Sendable, CustomTestStringConvertible {
    var rate = 8000
    var format = SampleFormat.float
    var gain: Float = 1
    var passes = 1

    var testDescription: String { "\(rate) Hz, \(format), gain \(gain), passes \(passes)" }
  }

  private static let ways: [Way] = [
    Way(), Way(gain: 8), Way(gain: 8, passes: 4), Way(rate: 48_000, format: .s16, gain: 8, passes: 2),
    Way(rate: 44_100, format: .s24in3, gain: 0.5), Way(rate: 44_100, format: .float, gain: 8, passes: 3),
  ]

  private static let pattern = Pattern(entries: [
    .event(Event(type: .hapticTransient, time: 0.01)),
    .event(Event(type: .hapticContinuous, time: 0.1, duration: 0.2)),
  ])

  private static func profile(_ way: Way) -> BusProfile {
    var profile = BusProfile.safe
    profile.gain *= way.gain
    return profile
  }

  @Test(arguments: ways) func aCaptureIsTheRenderAndThenZeros(_ way: Way) throws {
    let schedule = ScheduleCompiler.compile(Self.pattern)
    var offline: [UInt8] = []
    let result = OfflineRender.render(
      schedule, profile: Self.profile(way), rate: way.rate, format: way.format, passes: way.passes
    ) { offline += $0 }
    for period in [48, 480, 8000] {
      let device = VirtualOutput(
        rate: way.rate, format: way.format, periodFrames: period, isTurnedByHand: true,
        recordingFrames: 4 * way.rate)
      let output = Output(
        device: device, configuration: OutputConfiguration(profiles: [Self.profile(way)]))
      let player = try output.makeEngine().makePlayer(for: schedule)
      if way.passes > 1 { try player.play(passes: way.passes) } else { try player.start() }
      try output.start()
      #expect(output.drain(timeoutSeconds: 60) == .drained)
      let recorded = device.recorded
      #expect(recorded.count >= offline.count, "period \(period)")
      let isEqual = Array(recorded.prefix(offline.count)) == offline
      #expect(isEqual, "period \(period)")
      let rest = recorded.dropFirst(offline.count)
      #expect(rest.allSatisfy { $0 == 0 }, "period \(period)")
      #expect(output.status.limitedFrames == result.limitedFrames, "period \(period)")
      output.close()
    }
  }

  @Test(arguments: ways) func blocksNeitherShowNorCount(_ way: Way) {
    let schedule = ScheduleCompiler.compile(Self.pattern)
    func render(_ blockFrames: Int) -> (bytes: [UInt8], result: OfflineRender.Result) {
      var bytes: [UInt8] = []
      let result = OfflineRender.render(
        schedule, profile: Self.profile(way), rate: way.rate, format: way.format, passes: way.passes,
        blockFrames: blockFrames
      ) { bytes += $0 }
      return (bytes, result)
    }
    let expected = render(1024)
    #expect((expected.result.limitedFrames > 0) == (way.gain > 1))
    #expect(Int64(expected.result.limitedFrames) <= expected.result.deviceFrames)
    for blockFrames in [1, 7, 64, 480, 65_536] {
      let other = render(blockFrames)
      let isEqual = other.bytes == expected.bytes
      #expect(isEqual && other.result == expected.result, "blocks of \(blockFrames)")
    }
  }
}
