import Foundation
import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import ThrumALSA
@testable import ThrumEngine

extension HandClockTests {
  /// Several buses on the channels of one card, by its own file of frames, against a render of each pattern.
  @Suite struct SeveralActuatorsTests {
    // Of two pitches: a voice takes on the phase of one of its own pitch that sounds already, on any bus.
    private static let patterns = [
      Pattern(.buzz(at: 0, for: 0.4, intensity: 0.6), .tap(at: 0.45, sharpness: 0.2)),
      Pattern(.tap(at: 0.1, sharpness: 1), .buzz(at: 0.2, for: 0.3, intensity: 0.3, sharpness: 1)),
    ]

    private static func render(_ pattern: Pattern) -> [Float] {
      var samples: [Float] = []
      OfflineRender.render(
        ScheduleCompiler.compile(pattern), profile: .none, rate: 8000, format: .float
      ) { samples += $0.bindMemory(to: Float.self) }
      return samples
    }

    /// What each channel of a card of four got, behind the silence on which it started.
    private func play(_ map: ChannelMap, engines: Int, frames: Int = 8000) throws -> [[Float]] {
      let card = try TestCard("clock \"hand\" channels \"4\" rates \"8000\"", script: "")
      let output = Output(
        device: VirtualOutput(channels: 4, isTurnedByHand: true),
        configuration: OutputConfiguration(profiles: [.none, .none], map: map))
      let made = try (0..<engines).map { _ in try output.makeEngine() }
      for (bus, pattern) in SeveralActuatorsTests.patterns.enumerated() {
        let player = try made[bus % engines].makePlayer(for: ScheduleCompiler.compile(pattern), bus: bus)
        try player.start()
      }
      let request = ALSARequest(rate: 8000, format: .float, channels: 4)
      let run = try HandTurnedRun(card, request) { _ in output.feed }
      #expect(run.play(frames: Int64(frames)) == .drained)
      let samples = try card.frames().withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
      let silence = run.parameters.periodFrames
      return (0..<4).map { channel in
        stride(from: channel, to: samples.count, by: 4).map { samples[$0] }.dropFirst(silence).map { $0 }
      }
    }

    private func expect(
      _ channel: [Float], toBe pattern: Int?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let sound = pattern.map { SeveralActuatorsTests.render(SeveralActuatorsTests.patterns[$0]) } ?? []
      let difference = channel.indices.first { channel[$0] != (sound.indices.contains($0) ? sound[$0] : 0) }
      // Named by its place: the samples themselves would fill pages.
      let place =
        difference.map { "frame \($0) is \(channel[$0]), not \($0 < sound.count ? sound[$0] : 0)" }
        ?? "equal"
      #expect(channel.count >= 8000, sourceLocation: sourceLocation)
      #expect(place == "equal", sourceLocation: sourceLocation)
    }

    /// With one engine, a program plays two actuators; with two, two programs' worth of players share a card.
    @Test(arguments: [1, 2])
    func eachChannelCarriesItsBus(engines: Int) throws {
      let channels = try play(
        ChannelMap([.silent, .haptic(1), .silent, .haptic(0)]), engines: engines)
      expect(channels[0], toBe: nil)
      expect(channels[1], toBe: 1)
      expect(channels[2], toBe: nil)
      expect(channels[3], toBe: 0)
    }

    @Test func oneBusDrivesSeveralActuators() throws {
      let channels = try play(
        ChannelMap([.haptic(0), .haptic(1), .haptic(0), .haptic(0)]), engines: 2)
      expect(channels[0], toBe: 0)
      expect(channels[1], toBe: 1)
      expect(channels[2], toBe: 0)
      expect(channels[3], toBe: 0)
    }
  }
}
