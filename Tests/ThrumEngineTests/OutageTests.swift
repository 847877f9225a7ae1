import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumEngine

/// What a client is told when a device stops sounding and when it sounds again.
@Suite struct OutageTests {
  /// What handlers were told, in order.
  private final class Told: Sendable {
    let lines = Locked<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func output(_ told: Told) throws -> (Output, VirtualOutput) {
    let device = VirtualOutput(isTurnedByHand: true)
    let output = Output(device: device, configuration: OutputConfiguration(profiles: [.none]))
    output.onOutage { told.add("out \($0.cause) \($0.frame.value) \($0.isFinal)") }
    output.onReturn { told.add("back \($0.cause) \($0.frame.value)") }
    try output.start()
    return (output, device)
  }

  @Test(arguments: OutageCause.allCases)
  func anOutageAndItsReturnAreToldInOrderWithTheirFrames(cause: OutageCause) throws {
    let told = Told()
    let (output, device) = try output(told)
    device.discard(frames: 80)
    device.beginOutage(cause)
    device.discard(frames: 40)
    output.flushHandlers()
    #expect(told.all == ["out \(cause) 80 false"])
    #expect(output.outage?.cause == cause)
    #expect(output.outage?.message.contains("virtual") == true)
    device.endOutage()
    device.discard(frames: 40)
    output.flushHandlers()
    #expect(told.all == ["out \(cause) 80 false", "back \(cause) 120"])
    #expect(output.outage == nil)
    output.close()
  }

  @Test func whatComesDueInAnOutageIsSilentAndWhatFollowsIsOnItsFrame() throws {
    let schedule = ScheduleCompiler.compile(Pattern(.buzz(at: 0, for: 1)))
    func play(outage: Bool) throws -> [Float] {
      let (output, device) = try output(Told())
      defer { output.close() }
      try output.makeEngine().makePlayer(for: schedule).start()
      var bytes = device.advance(frames: 800)
      if outage { device.beginOutage(.unplugged) }
      bytes += device.advance(frames: 1600)
      device.endOutage()
      bytes += device.advance(frames: 1600)
      return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
    let whole = try play(outage: false)
    let broken = try play(outage: true)
    #expect(broken[800..<2400].allSatisfy { $0 == 0 })
    #expect(whole[800..<2400].contains { $0 != 0 })
    // The ramp takes 64 frames.
    #expect(Array(broken[2464...]) == Array(whole[2464...]))
  }

  @Test func aSuspendIsToldAsOverWhenItIsFound() throws {
    let told = Told()
    let (output, device) = try output(told)
    device.injectSuspend()
    device.discard(frames: 40)
    output.flushHandlers()
    #expect(told.all == ["out suspended 0 false", "back suspended 0"])
    output.close()
  }

  @Test func aReaderFarBehindHearsOfThePresentState() throws {
    let board = OutageBoard()
    for turn in 0..<100 {
      board.write(OutageChange(kind: .began, cause: .error, code: -5, frame: DeviceFrame(Int64(turn))))
      board.write(OutageChange(kind: .returned, cause: .error, frame: DeviceFrame(Int64(turn))))
    }
    board.write(OutageChange(kind: .givenUp, cause: .unplugged, code: -19, frame: DeviceFrame(1 << 40)))
    let last = try #require(board.latest)
    #expect(last == OutageChange(kind: .givenUp, cause: .unplugged, code: -19, frame: DeviceFrame(1 << 40)))
    #expect(board.count == 201)
  }
}
