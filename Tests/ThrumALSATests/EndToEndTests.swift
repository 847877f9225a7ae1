import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumPattern
import ThrumRealtime

@testable import ThrumALSA

/// Patterns through engine, core and libasound, compared with what a render writes, to the bit.
@Suite struct EndToEndTests {
  /// What `thrum render` writes, without the header.
  static func render(_ schedule: Schedule, like output: OutputDescription) -> [UInt8] {
    var bytes: [UInt8] = []
    OfflineRender.render(
      schedule, profile: .none, rate: output.rate, format: output.format, channels: output.channels
    ) { bytes += $0 }
    return bytes
  }

  /// Plays a schedule as `thrum play --actuator none` does.
  private func play(_ schedule: Schedule, on device: ALSAOutput) throws -> OutputEnd {
    let output = Output(device: device, configuration: OutputConfiguration(profiles: [.none]))
    let player = try output.makeEngine().makePlayer(for: schedule)
    try player.start()
    try output.start()
    let end = output.drain(timeoutSeconds: 60)
    output.close()
    return end
  }

  /// Whether a capture is a render, with nothing but zeros before and after it.
  private func expect(
    _ capture: [UInt8], toBe render: [UInt8], _ format: SampleFormat, _ note: Comment = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let bytes = format.bytesPerSample
    guard let first = render.firstIndex(where: { $0 != 0 }),
      let start = capture.firstIndex(where: { $0 != 0 })
    else {
      Issue.record("nothing was captured", sourceLocation: sourceLocation)
      return
    }
    let sound = render[(first / bytes * bytes)...]
    let begin = start / bytes * bytes
    #expect(capture[begin...].starts(with: sound), note, sourceLocation: sourceLocation)
    let rest = capture[min(capture.count, begin + sound.count)...]
    #expect(rest.allSatisfy { $0 == 0 }, note, sourceLocation: sourceLocation)
  }

  private static let pattern = Pattern(
    .tap(at: 0, sharpness: 1), .buzz(at: 0.05, for: 0.2, intensity: 0.7), .tap(at: 0.2601, intensity: 0.5))

  @Test(arguments: SampleFormat.allCases, [8000, 44100, 48000])
  func whatAFilePCMGetsIsWhatARenderWrites(format: SampleFormat, rate: Int) throws {
    let card = try TestCard()
    let device = try ALSAOutput.open(
      name: "captured", request: ALSARequest(rate: rate, format: format, channels: 1),
      configuration: card.configuration)
    let schedule = ScheduleCompiler.compile(EndToEndTests.pattern)
    #expect(try play(schedule, on: device) == .drained)
    expect(try card.capture(), toBe: EndToEndTests.render(schedule, like: device.output), format)
  }

  @Test(arguments: [ALSARequest.Period.seconds(0.001), .seconds(0.005), .frames(333), .frames(2730)])
  func thePeriodMakesNoDifference(period: ALSARequest.Period) throws {
    let card = try TestCard()
    let device = try ALSAOutput.open(
      name: "captured", request: ALSARequest(rate: 48000, format: .s16, period: period),
      configuration: card.configuration)
    let schedule = ScheduleCompiler.compile(EndToEndTests.pattern)
    #expect(try play(schedule, on: device) == .drained)
    expect(try card.capture(), toBe: EndToEndTests.render(schedule, like: device.output), .s16)
  }

  @Test func silenceBeforeTheFirstFrameIsAtMostABuffer() throws {
    let card = try TestCard()
    let device = try ALSAOutput.open(
      name: "captured", request: ALSARequest(rate: 8000, format: .float), configuration: card.configuration)
    let schedule = ScheduleCompiler.compile(EndToEndTests.pattern)
    #expect(try play(schedule, on: device) == .drained)
    let capture = try card.capture()
    let render = EndToEndTests.render(schedule, like: device.output)
    let lead = try #require(capture.firstIndex { $0 != 0 }) / 4 - #require(render.firstIndex { $0 != 0 }) / 4
    #expect(lead == device.output.periodFrames)
  }

  private static let caseFolder = SharedFiles.locate("cases/alsa-short-and-tail", for: "alsa-short-and-tail")

  @Test(
    .enabled(if: EndToEndTests.caseFolder != nil), arguments: ["tap.ahap", "tail.ahap"],
    [ALSARequest.Period.seconds(0.005), .frames(2730)])
  func shortSoundsAndTailsReachTheDeviceTwentyTimes(name: String, period: ALSARequest.Period) throws {
    let file = try #require(EndToEndTests.caseFolder).appendingPathComponent(name)
    let bytes = try SharedFiles.bytes(of: file)
    let pattern = try bytes.withUnsafeBytes { try AHAPDecoder.decode($0, file: name).pattern }
    let schedule = ScheduleCompiler.compile(pattern)
    var fastest = Double.infinity
    for turn in 1...20 {
      let card = try TestCard()
      let device = try ALSAOutput.open(
        name: "captured", request: ALSARequest(format: .s16, period: period),
        configuration: card.configuration)
      let start = MonotonicClock.nanoseconds
      #expect(try play(schedule, on: device) == .drained)
      let seconds = Double(MonotonicClock.nanoseconds - start) * 1e-9
      let buffer = Double(device.output.bufferFrames) / Double(device.output.rate)
      let length = Double(schedule.durationFrames) / Double(RenderRate.framesPerSecond)
      fastest = min(fastest, seconds - length - buffer)
      let render = EndToEndTests.render(schedule, like: device.output)
      expect(try card.capture(), toBe: render, .s16, "turn \(turn)")
    }
    // One that hangs times out; how soon the others end is the machine's matter, but one of twenty shows what there is
    // to wait for.
    #expect(fastest < 1)
  }

  @Test func aCardWithAClockGetsTheSameBytes() throws {
    // It plays from a full buffer, which holds the whole pattern: no program is late for that.
    let card = try TestCard("rates \"48000\" channels \"1..1\" start \"full\"")
    let device = try ALSAOutput.open(
      name: "card", request: ALSARequest(format: .s32, period: .seconds(0.25)),
      configuration: card.configuration)
    let schedule = ScheduleCompiler.compile(EndToEndTests.pattern)
    #expect(try play(schedule, on: device) == .drained)
    expect(try card.frames(), toBe: EndToEndTests.render(schedule, like: device.output), .s32)
    #expect(device.reportedDelayFrames.map { $0 <= device.output.bufferFrames } ?? true)
    #expect(device.scheduling != nil)
  }
}
