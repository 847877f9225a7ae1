import Foundation
import TestSupport
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// The output through the real libasound, on the tests' own card in real time and on ALSA's own plug-ins.
///
/// Timing in real time is nobody's promise on a shared machine: these tests assert what was heard and what
/// was counted, and leave exact times to the hand-turned clock.
@Suite(.serialized) struct ALSAOutputTests {
  private func open(
    _ card: TestCard, _ name: String = "card", _ request: ALSARequest = ALSARequest(rate: 8000, format: .s32)
  ) throws -> ALSAOutput {
    try ALSAOutput.open(name: name, request: request, configuration: card.configuration)
  }

  private func source(_ output: ALSAOutput) -> CountingSource {
    CountingSource(
      parameters: NegotiatedParameters(
        rate: output.output.rate, channels: output.output.channels, format: output.output.format,
        access: output.access, periodFrames: output.output.periodFrames,
        bufferFrames: output.output.bufferFrames))
  }

  @Test(arguments: ["mmap", "rw"], [1, 40, 4000])
  func whatIsPlayedIsHeardOnARealCard(access: String, frames: Int64) throws {
    let card = try TestCard("access \"\(access)\"")
    let output = try open(card, "card", ALSARequest(rate: 8000, format: .s32, period: .seconds(0.02)))
    #expect(output.access == (access == "mmap" ? .mmap : .readWrite))
    // The card may be playing on before the drain is asked for, however late that is.
    let source = source(output)
    source.length = frames
    try output.start(source: source)
    #expect(output.drain(through: DeviceFrame(frames - 1), timeoutSeconds: 10) == .drained)
    output.close()
    output.close()
    let heard = try card.sound(rate: 8000).map(\.value)
    if output.counters.xruns == 0 {
      #expect(heard == Array(1...Int32(frames)))
    } else {
      // A machine that came too late for 60 ms of buffer.
      #expect(heard.count + Int(output.counters.skippedFrames) >= Int(frames))
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(try card.log().last?.first == "close")
  }

  @Test func anUnderrunOfARealCardIsRecoveredFrom() throws {
    let card = try TestCard("", script: "xrun at 2000")
    let output = try open(card)
    let source = source(output)
    source.length = 8001
    try output.start(source: source)
    #expect(output.drain(through: DeviceFrame(8000), timeoutSeconds: 30) == .drained)
    output.close()
    #expect(output.counters.xruns >= 1)
    #expect(output.faults.restarts >= 1)
    let streams = try card.streams()
    #expect(streams.count == output.faults.restarts + 1)
    let heard = try card.sound(rate: 8000).map(\.value)
    // A loaded machine may run dry once more at the very end.
    #expect(heard.last == 8001 || output.counters.xruns > 1)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func anUnpluggedCardEndsTheOutputWithAMessageAndIsClosed() throws {
    let card = try TestCard("", script: "unplug at 1000")
    var request = ALSARequest(rate: 8000, format: .s32)
    request.awayLimitSeconds = 0
    let output = try open(card, "card", request)
    try output.start(source: source(output))
    let end = output.drain(through: DeviceFrame(800_000), timeoutSeconds: 30)
    guard case .failed(let message) = end else {
      Issue.record("ended with \(end)")
      return
    }
    #expect(message.contains("\"card\""))
    #expect(message.contains("unplugged"))
    #expect(message.split(separator: "\n").count <= 3)
    // Closed by itself, before anybody asks for it.
    #expect(try card.log().last?.first == "close")
    output.close()
  }

  @Test func aSuspendedCardPlaysOn() throws {
    let card = try TestCard("", script: "suspend at 2000")
    let output = try open(card)
    let source = source(output)
    source.length = 8001
    try output.start(source: source)
    #expect(output.drain(through: DeviceFrame(8000), timeoutSeconds: 30) == .drained)
    output.close()
    #expect(output.counters.suspends == 1)
    #expect(try card.sound(rate: 8000).last?.value == 8001 || output.counters.xruns > 0)
  }

  @Test(arguments: ["silent", "captured"])
  func aPCMWithoutAClockIsPaced(name: String) throws {
    let card = try TestCard()
    let output = try open(card, name)
    let source = source(output)
    source.length = 8000
    let start = MonotonicClock.nanoseconds
    try output.start(source: source)
    #expect(output.drain(through: DeviceFrame(7999), timeoutSeconds: 30) == .drained)
    let seconds = Double(MonotonicClock.nanoseconds - start) * 1e-9
    output.close()
    #expect(output.isPacedByProgram)
    #expect(output.counters.xruns == 0)
    // A second of frames: not faster than that by more than the buffer of 15 ms.
    #expect(seconds > 0.985)
    if name == "captured" {
      let bytes = try card.capture()
      let values = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
      #expect(values.filter { $0 != 0 } == Array(1...8000))
      #expect(values.drop { $0 == 0 }.prefix(8000).elementsEqual(1...8000))
    }
  }

  @Test func theProgramCannotPlayTwiceOnOneOutput() throws {
    let card = try TestCard()
    let output = try open(card, "silent")
    try output.start(source: source(output))
    #expect(throws: OutputError.self) { try output.start(source: source(output)) }
    output.close()
    #expect(throws: OutputError.self) { try output.start(source: source(output)) }
  }

  @Test func closingThrowsAwayWhatTheDeviceHolds() throws {
    let card = try TestCard()
    // A minute of buffer: whatever the machine does meanwhile, most of it is still there at the close.
    let output = try open(
      card, "card", ALSARequest(rate: 8000, format: .s32, period: .seconds(1), periods: 60))
    try output.start(source: source(output))
    while output.counters.writtenFrames < 400_000 {
      try #require(output.end == nil)
      usleep(1000)
    }
    output.close()
    let stream = try #require(try card.streams().last)
    #expect(stream.why == "stop")
    #expect(try #require(stream.endFrame) < 400_000)
    #expect(try card.log().last?.first == "close")
  }

  @Test func aDrainThatTakesTooLongSaysSo() throws {
    let card = try TestCard("", script: "freeze at 20")
    let output = try open(card)
    try output.start(source: source(output))
    #expect(output.drain(through: DeviceFrame(80), timeoutSeconds: 0.05) == .timedOut)
    output.close()
  }
}
