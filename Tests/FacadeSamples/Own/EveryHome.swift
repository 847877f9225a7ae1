import CoreHaptics

// The places where programs keep an engine: an actor, an observed class, the main actor, a global.

actor HapticActor {
  private var engine: CHHapticEngine?
  private var players: [String: any CHHapticAdvancedPatternPlayer] = [:]

  func prepare() async throws {
    let engine = try CHHapticEngine()
    engine.stoppedHandler = { reason in print("stopped: \(reason)") }
    engine.resetHandler = { [weak self] in
      Task { [weak self] in await self?.restart() }
    }
    try await engine.start()
    self.engine = engine
  }

  func restart() {
    do {
      try engine?.start()
    } catch CHHapticError.serverInterrupted {
      engine = nil
    } catch {
      print(error.localizedDescription)
    }
  }

  func loop(_ name: String, _ pattern: CHHapticPattern) throws {
    guard let engine else { return }
    let player = try engine.makeAdvancedPlayer(with: pattern)
    player.loopEnabled = true
    player.completionHandler = { error in print("ended: \(String(describing: error))") }
    try player.start(atTime: engine.currentTime + 0.1)
    players[name] = player
  }

  func stop() async throws { try await engine?.stop() }
}

@Observable
final class HapticModel {
  private var engine: CHHapticEngine?
  private(set) var isRunning = false

  init() {
    guard CHHapticEngine.capabilitiesForHardware().supportsHaptics else { return }
    do {
      engine = try CHHapticEngine()
      engine?.isAutoShutdownEnabled = true
      engine?.playsHapticsOnly = true
      engine?.stoppedHandler = { [weak self] reason in
        switch reason {
        case .audioSessionInterrupt, .applicationSuspended, .idleTimeout: self?.isRunning = false
        case .notifyWhenFinished, .engineDestroyed, .gameControllerDisconnect: break
        case .systemError: self?.engine = nil
        @unknown default: break
        }
      }
      engine?.resetHandler = { [weak self] in
        do {
          try self?.engine?.start()
        } catch {
          self?.engine = nil
        }
      }
      try engine?.start()
      isRunning = true
    } catch {
      engine = nil
    }
  }

  func slide(_ player: any CHHapticPatternPlayer, to value: Float) throws {
    let parameter = CHHapticDynamicParameter(
      parameterID: .hapticIntensityControl, value: value, relativeTime: 0)
    try player.sendParameters([parameter], atTime: CHHapticTimeImmediate)
  }

  func playOnce() {
    engine?.start { [weak engine] error in
      guard error == nil, let engine else { return }
      do {
        try engine.playPattern(from: Data())
      } catch let error as CHHapticError {
        print(error.code, error.userInfo)
      } catch {
        print(error)
      }
    }
    engine?.notifyWhenPlayersFinished { _ in .stopEngine }
  }
}

@MainActor
final class HapticScreen {
  private let engine: CHHapticEngine
  private var count = 0

  init() throws {
    engine = try CHHapticEngine(audioSession: .sharedInstance())
    engine.stoppedHandler = { _ in }
  }

  func appear() throws {
    try engine.start()
    engine.stop { error in
      if let error { print(error) }
    }
  }

  func play() async throws {
    try await engine.start()
    let url = Bundle.main.url(forResource: "Tap", withExtension: "ahap")
    if let url { try engine.playPattern(from: url) }
    count += 1
  }
}

nonisolated final class MutedEngine: CHHapticEngine, @unchecked Sendable {
  override func start() throws {}
  override func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer {
    SilentPlayer()
  }
}

nonisolated final class SilentPlayer: NSObject, CHHapticPatternPlayer {
  var isMuted = false
  private(set) var starts: [TimeInterval] = []
  func start(atTime time: TimeInterval) throws { starts.append(time) }
  func stop(atTime time: TimeInterval) throws {}
  func sendParameters(_ parameters: [CHHapticDynamicParameter], atTime time: TimeInterval) throws {}
  func scheduleParameterCurve(_ parameterCurve: CHHapticParameterCurve, atTime time: TimeInterval) throws {}
  func cancel() throws {}
}
