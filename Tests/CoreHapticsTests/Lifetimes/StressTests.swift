@testable import CoreHaptics
import CoreHapticsTesting
import Synchronization
import TestSupport
import Testing
import ThrumEngine
import ThrumRealtime

/// Eight threads that create, start, change, seek in and cancel players of engines that come and go, on an
/// output in real time. ThreadSanitizer watches it for a minute (`.ci/gates/sanitized thread`).
@Suite struct StressTests {
  static let seconds =
    ProcessInfo.processInfo.environment["THRUM_STRESS_SECONDS"].flatMap(Double.init) ?? 2

  @Test func eightThreadsMayAskForEverythingAtOnce() throws {
    let system = HapticSystem(provider: RealTimeOutputs(), clock: MachineClock())
    let shared = try HapticSystem.$current.withValue(system) { try CHHapticEngine() }
    shared.isAutoShutdownEnabled = true
    let end = MonotonicClock.nanoseconds + Int64(Self.seconds * 1e9)
    let calls = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let faults = Mutex<[String]>([])
    let ended = EndCount()
    // A machine that has little time for this goes on until something has happened.
    let limit = end + 300 * 1_000_000_000
    @Sendable func goesOn() -> Bool {
      let now = MonotonicClock.nanoseconds
      let isEnough =
        calls.load(ordering: .relaxed) > 100 && ended.count.load(ordering: .relaxed) > 10
      return now < end || !isEnough && now < limit
    }
    let pattern = try CHHapticPattern(
      events: [.tap(), .buzz(at: 0.01, for: 0.1, 0.3), .tap(at: 0.15)],
      parameters: [.intensity(0.5, at: 0.05)])
    let sounds = try SoundFolder()
    let file = try sounds.wav(saw(4410), rate: 44_100)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SeededGenerator(seed: UInt64(thread + 1))
      var players: [any CHHapticAdvancedPatternPlayer] = []
      var own: CHHapticEngine?
      while goesOn() {
        do {
          calls.add(1, ordering: .relaxed)
          try step(
            &random, shared: shared, own: &own, players: &players, pattern: pattern, system: system,
            sound: file, ended: ended)
        } catch {
          refused.add(1, ordering: .relaxed)
          // What is refused is what may be: a stopped engine, or a limit.
          let code = (error as? CHHapticError)?.code
          if code != .engineNotRunning && code != .resourceNotAvailable {
            faults.withLock { $0.append("\(error)") }
          }
        }
        usleep(UInt32.random(in: 0..<500, using: &random))
      }
    }
    system.handlers.flush()
    let message = "\(calls.load(ordering: .relaxed)) calls, \(refused.load(ordering: .relaxed)) refused"
    print("stress, seeds 1...8: \(message), \(ended.count.load(ordering: .relaxed)) ended")
    #expect(calls.load(ordering: .relaxed) > 100 && ended.count.load(ordering: .relaxed) > 10)
    #expect(faults.withLock { $0 } == [], "\(message)")
  }

  private func step(
    _ random: inout SeededGenerator, shared: CHHapticEngine, own: inout CHHapticEngine?,
    players: inout [any CHHapticAdvancedPatternPlayer], pattern: CHHapticPattern, system: HapticSystem,
    sound: URL, ended: EndCount
  ) throws {
    let action = Int.random(in: 0..<28, using: &random)
    let player = players.randomElement(using: &random)
    let time =
      Bool.random(using: &random) ? 0 : shared.currentTime + Double.random(in: 0..<0.05, using: &random)
    switch action {
    case 0...5:
      let player = try (own ?? shared).makeAdvancedPlayer(with: pattern)
      player.completionHandler = { _ in ended.count.add(1, ordering: .relaxed) }
      try player.start(atTime: time)
      players.append(player)
    case 6: if !players.isEmpty { players.removeFirst() }
    case 7: try player?.stop(atTime: time)
    case 8: try player?.cancel()
    case 9: try player?.pause(atTime: time)
    case 10: try player?.resume(atTime: time)
    case 11: try player?.seek(toOffset: Double.random(in: 0..<0.2, using: &random))
    case 12, 13: try player?.sendParameters([.intensity(0.3), .sharpness(0.1, at: 0.02)], atTime: time)
    case 14:
      let points = [
        CHHapticParameterCurve.ControlPoint(relativeTime: 0, value: 1), .init(relativeTime: 0.1, value: 0),
      ]
      let curve = CHHapticParameterCurve(
        parameterID: .hapticIntensityControl, controlPoints: points, relativeTime: 0)
      try player?.scheduleParameterCurve(curve, atTime: time)
    case 15: player?.loopEnabled.toggle()
    case 16: player?.playbackRate = Float.random(in: 0.5..<2, using: &random)
    case 17: player?.isMuted.toggle()
    case 18: try player?.start(atTime: time)
    case 19: own = try HapticSystem.$current.withValue(system) { try CHHapticEngine() }
    case 20: try own?.start()
    case 21: own?.stop()
    case 22: shared.isMutedForHaptics = Bool.random(using: &random)
    case 23: shared.isMutedForAudio = Bool.random(using: &random)
    case 24: try player?.sendParameters([.volume(0.5)], atTime: time)
    case 25, 26:
      // Taken back while it plays, as often as not.
      let number = try shared.registerAudioResource(sound)
      let heard = try CHHapticPattern(events: [.sound(number), .tone(for: 0.1)], parameters: [])
      let player = try shared.makeAdvancedPlayer(with: heard)
      player.completionHandler = { _ in ended.count.add(1, ordering: .relaxed) }
      try shared.unregisterAudioResource(number)
      try player.start(atTime: time)
      players.append(player)
    default: own = nil
    }
    while players.count > 20 { players.removeFirst() }
  }
}

/// Runs that ended.
private final class EndCount: Sendable { let count = Atomic<Int>(0) }

/// Virtual actuators and loudspeakers in real time.
private struct RealTimeOutputs: OutputProvider {
  func support(of name: String?) -> OutputSupport { OutputSupport() }

  func open(_ name: String?) throws -> OpenedDevice {
    OpenedDevice(
      device: VirtualOutput(channels: 2),
      configuration: OutputConfiguration(
        settings: OutputLimits.rendererSettings, map: ChannelMap([.haptic(0), .soundBoth])))
  }
}
