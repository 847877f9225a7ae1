@testable import CoreHaptics
import TestSupport
import Testing
import ThrumEngine
import ThrumRealtime

/// How soon a live value is in the frames that a card takes, counted in frames: a quantum, the limiter and the
/// kernel. What the card itself holds comes on top.
@Suite struct LiveLatencyTests {
  private static let frames = 12_000

  /// What a card of 48,000 frames a second gets of a long event, haptics and sound by turns.
  /// - Parameter call: The frame after which both are turned off live; nil for never.
  private func run(_ profile: BusProfile, call: Int?) throws -> [Float] {
    let card = HandCard(rate: 48_000, channels: 2, try settings("haptic=1:audio=2", profile))
    let system = HapticSystem(provider: card, clock: card)
    let engine = try HapticSystem.$current.withValue(system) { try CHHapticEngine() }
    try engine.start()
    defer {
      // A player under way would keep its output for good.
      engine.stop()
      system.output(named: nil).session?.output.close()
    }
    let player = try engine.makePlayer(
      with: CHHapticPattern(events: [.buzz(for: 2), .tone(for: 2)], parameters: []))
    try player.start(atTime: 0)
    var bytes = card.device.advance(frames: call ?? Self.frames)
    if let call {
      try player.sendParameters([.intensity(0), .volume(0)], atTime: CHHapticTimeImmediate)
      bytes += card.device.advance(frames: Self.frames - call)
    }
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  // A quantum of 8 render frames, 6 of the kernel and 8 of a limiter, six device frames each.
  @Test(arguments: [("none", 14 * 6), ("safe", 22 * 6)])
  func aLiveValueIsThereWithinAQuantumAndTheDelays(profile: String, limit: Int) throws {
    let seed: UInt64 = 4
    var random = SeededGenerator(seed: seed)
    let profile = profile == "safe" ? BusProfile.safe : .none
    let plain = try run(profile, call: nil)
    var latencies: [[Int]] = [[], []]
    for _ in 0..<12 {
      let call = Int.random(in: 2000..<10_000, using: &random)
      let changed = try run(profile, call: call)
      for channel in 0..<2 {
        let first = (call..<Self.frames).first { plain[$0 * 2 + channel] != changed[$0 * 2 + channel] }
        latencies[channel].append(try #require(first) - call)
      }
    }
    for (channel, name) in ["haptics", "sound"].enumerated() {
      let sorted = latencies[channel].sorted()
      print("live value, \(profile.name), \(name): \(sorted[0]) to \(sorted[11]) frames of 48 kHz")
      #expect(sorted[11] <= limit, "\(name), seed \(seed)")
    }
  }
}
