import Foundation
import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// The row of the table in docs/output.md about a call that does not come back: on the tests' card in real time, since a
/// program that hangs in a call has no time of its own to be turned.
@Suite struct FaultTableHangTests {
  @Test func aServerThatHangs() throws {
    // Ten minutes are for ever: the call comes back when the tests are long over.
    let card = try TestCard("", script: "on write 3 hold 600000")
    let output = try ALSAOutput.open(
      name: "card", request: ALSARequest(rate: 8000, format: .s32), configuration: card.configuration)
    try output.start(
      source: CountingSource(
        parameters: NegotiatedParameters(
          rate: 8000, channels: 1, format: .s32, access: output.access,
          periodFrames: output.output.periodFrames, bufferFrames: output.output.bufferFrames)))
    // The two writes before it are taken.
    while try card.log().filter({ $0[0] == "take" }).count < 2 { usleep(1000) }
    #expect(output.drain(through: DeviceFrame(800), timeoutSeconds: 0.1) == .timedOut)
    #expect(output.end == nil)
    // Comes back although the card's call has not; a second close has nothing left to wait for.
    output.close()
    output.close()
    let log = try card.log()
    #expect(log.filter { $0[0] == "take" }.count == 2)
    #expect(!log.contains { $0[0] == "close" })
  }
}
