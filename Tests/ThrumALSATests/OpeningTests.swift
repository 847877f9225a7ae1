import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// The rows of the table in docs/output.md about a card that cannot be opened, through libasound and the tests' card.
@Suite struct OpeningTests {
  private static let request = ALSARequest(rate: 8000, format: .s32)

  private func refusals(_ card: TestCard) throws -> [String] {
    try card.log().filter { $0[0] == "refuse" }.map { $0[1] }
  }

  @Test(arguments: [
    ("EBUSY", "shares the card"), ("EACCES", "audio group"), ("ENOENT", "thrum devices"),
    ("ENODEV", "not there"), ("ECONNREFUSED", "sound server"), ("ENOMEM", "Try another device"),
  ])
  func aCardThatCannotBeOpenedIsAnErrorWithTheNextStep(name: String, words: String) throws {
    let card = try TestCard(script: "on open 1 return \(name)")
    do throws(OutputError) {
      let output = try ALSAOutput.open(
        name: "card", request: OpeningTests.request, configuration: card.configuration)
      output.close()
      Issue.record("it was opened")
    } catch {
      #expect(error.message.contains(words))
      #expect(error.message.contains("\"card\""))
      #expect(error.message.split(separator: "\n").count <= 3)
    }
    #expect(try refusals(card).count == 1)
  }

  @Test func aBusyCardIsWaitedForAndThenPlays() throws {
    // It plays from a full buffer, which holds all there is to hear: no program is late for that.
    let card = try TestCard("start \"full\"", script: "on open 1..2 return EBUSY\non open 3 return ENODEV")
    var told = 0
    let output = try ALSAOutput.open(
      name: "card", request: ALSARequest(rate: 8000, format: .s32, period: .seconds(0.25)),
      configuration: card.configuration
    ) { _ in
      told += 1
      return true
    }
    #expect(told == 3)
    #expect(try refusals(card) == ["16", "16", "19"])
    let source = CountingSource(
      parameters: NegotiatedParameters(
        rate: 8000, channels: 1, format: .s32, access: output.access,
        periodFrames: output.output.periodFrames, bufferFrames: output.output.bufferFrames))
    source.length = 800
    try output.start(source: source)
    #expect(output.drain(through: DeviceFrame(799), timeoutSeconds: 30) == .drained)
    output.close()
    #expect(try card.sound(rate: 8000).map(\.value) == Array(1...800))
  }

  @Test func waitingEndsWhenTheCallerHasHadEnough() throws {
    let card = try TestCard(script: "on open 1.. return EBUSY")
    var attempts = 0
    #expect(throws: OutputError.self) {
      try ALSAOutput.open(
        name: "card", request: OpeningTests.request, configuration: card.configuration
      ) { _ in
        attempts += 1
        return attempts < 2
      }
    }
    #expect(try refusals(card).count == 2)
  }

  @Test func whatDoesNotPassIsNotWaitedFor() throws {
    let card = try TestCard("rates \"11025\"")
    #expect(throws: OutputError.self) {
      try ALSAOutput.open(
        name: "card", request: ALSARequest(), configuration: card.configuration
      ) { _ in
        Issue.record("a card does not change its rates")
        return false
      }
    }
  }
}
