internal import CoreHaptics
internal import ThrumEngine
package import ThrumFeedback
package import ThrumPattern

/// Plays feedback on an engine, which is made and started when it is first needed and shuts itself down after
/// two idle minutes.
///
/// Everything happens on a queue of its own: opening a sound card takes milliseconds that no view should wait
/// for.
package final class EnginePlayer: FeedbackPlayer, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: what changes is reached on the queue alone.

  private let queue = DispatchQueue(label: "thrum-feedback", qos: .userInteractive)
  private let system: HapticSystem
  private var engine: CHHapticEngine?
  private var playing: (any CHHapticPatternPlayer)?
  private var ready: [Prepared] = []

  /// A pattern that is compiled.
  private struct Prepared {
    let pattern: Pattern
    let haptics: CHHapticPattern
  }

  /// Creates a player on the outputs of the system that is current here; nothing is opened.
  package init() { system = HapticSystem.current }

  package func play(_ play: FeedbackPolicy.Play, isStale: @escaping @Sendable () -> Bool) {
    queue.async { [self] in
      attempt {
        let engine = try running()
        // Felt later than this it would be taken for something else.
        guard !isStale() else { return }
        let player = try engine.makePlayer(with: haptics(of: play.pattern))
        if play.interrupts { try playing?.stop(atTime: CHHapticTimeImmediate) }
        try player.start(atTime: CHHapticTimeImmediate)
        playing = player
      }
    }
  }

  package func prepare(_ pattern: Pattern) {
    queue.async { [self] in
      attempt {
        let engine = try running()
        // A player that is made and let go of has all of its pattern compiled.
        let player = try engine.makePlayer(with: haptics(of: pattern))
        withExtendedLifetime(player) {}
      }
    }
  }

  package func setVibration(isOn: Bool) { system.isVibrationOn = isOn }

  package func setReducesMotion(_ reduces: Bool) { system.reducesMotion = reduces }

  package func flush() { queue.sync {} }

  /// Does what a machine cannot that has no output, or one that is in use, and what no machine can with a
  /// sound that is none.
  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      // That is no reason for a program to know of it, nor for what plays to end.
    }
  }

  private func running() throws -> CHHapticEngine {
    if let engine {
      do {
        try engine.start()
        return engine
      } catch {
        self.engine = nil
        playing = nil
      }
    }
    let engine = try HapticSystem.$current.withValue(system) { try CHHapticEngine() }
    engine.isAutoShutdownEnabled = true
    try engine.start()
    self.engine = engine
    return engine
  }

  private func haptics(of pattern: Pattern) throws -> CHHapticPattern {
    if let known = ready.last(where: { $0.pattern == pattern }) { return known.haptics }
    let bytes = Data(AHAPEncoder.encode(pattern))
    let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
    let keys = object.map { (CHHapticPattern.Key(rawValue: $0.key), $0.value) }
    let haptics = try CHHapticPattern(dictionary: Dictionary(uniqueKeysWithValues: keys))
    ready.append(Prepared(pattern: pattern, haptics: haptics))
    // Intensities that follow a finger would make one for each of its places.
    if ready.count > 64 { ready.removeFirst() }
    return haptics
  }
}
