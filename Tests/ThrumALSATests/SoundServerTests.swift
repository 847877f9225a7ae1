import Testing
import ThrumEngine
import ThrumRealtime

@testable import ThrumALSA

/// Sound servers behind their plug-ins, on a card that calls itself as they do; `.ci/gates/pipewire` plays on a real one.
@Suite struct SoundServerTests {
  private func opened(
    _ name: String, _ request: ALSARequest = ALSARequest(), through pcm: String = "card", keys: String = ""
  ) throws -> (server: SoundServer?, output: OutputDescription) {
    let card = try TestCard("name \"\(name)\" \(keys)")
    let configuration = card.configuration + "\npcm.around { type plug slave.pcm \"plugged\" }"
    let output = try ALSAOutput.open(name: pcm, request: request, configuration: configuration)
    defer { output.close() }
    return (output.server, output.output)
  }

  @Test(
    arguments: [
      ("ALSA <-> PipeWire PCM I/O Plugin", SoundServer.pipeWire),
      ("ALSA <-> PulseAudio PCM I/O Plugin", .pulseAudio), ("ALSA <-> JACK PCM I/O Plugin", .jack),
      ("Thrum test card", nil), ("PipeWire Audio USB", nil),
    ] as [(String, SoundServer?)], ["card", "plugged", "around"])
  func aServerIsKnownByItsPlugInThroughWhateverIsInFront(named: (String, SoundServer?), pcm: String) throws {
    #expect(try opened(named.0, through: pcm).server == named.1)
  }

  @Test(arguments: SoundServer.allCases)
  func aServerIsGivenItsOwnRateAndAPeriodThatItKeeps(server: SoundServer) throws {
    let name = "ALSA <-> \(server.rawValue) PCM I/O Plugin"
    let output = try opened(name).output
    #expect(output.rate == 48000)
    #expect(output.periodFrames == 480)
    #expect(output.bufferFrames == 480 * server.periods)
    // What is asked for is what it gets, each for itself.
    let asked = try opened(name, ALSARequest(rate: 8000, period: .frames(16), periods: 2)).output
    #expect(asked.rate == 8000 && asked.periodFrames == 16 && asked.bufferFrames == 32)
    let short = try opened(name, ALSARequest(period: .seconds(0.001))).output
    #expect(short.periodFrames == 48 && short.bufferFrames == 48 * server.periods)
    // Where it has no 48,000 it has another of ours.
    #expect(try opened(name, keys: "rates \"8000,44100\"").output.rate == 44100)
  }

  @Test func aCardIsAskedForWhatItAlwaysWas() throws {
    let output = try opened("Thrum test card").output
    #expect(output.rate == 8000 && output.periodFrames == 40 && output.bufferFrames == 120)
  }
}
