internal import ThrumEngine
internal import ThrumRealtime

/// An output by its name: opened for the first engine that starts, shared by mixing, closed after the last.
///
/// It keeps the time of its engines, which goes on while it is closed and never jumps back.
package final class SharedOutput: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: everything that changes is behind a lock.

  /// How long an output stays open after its last engine has stopped, so that a restart costs nothing and
  /// what fades is heard.
  static let lingerNanoseconds: Int64 = 250_000_000
  /// How long a closing output may take to fade.
  static let drainSeconds = 0.5

  /// The device; nil means the one that the settings choose.
  let name: String?
  private let provider: any OutputProvider
  private let clock: any HapticClock
  private let handlers: HandlerQueue
  private let state: Locked<State>
  /// Held while a device is opened or closed: an exclusive card is one thing or the other.
  private let door = Locked(Turn())

  private struct State {
    var session: OutputSession?
    /// Engines that run on it.
    var runners: [ObjectIdentifier: EngineCore] = [:]
    /// Engines that were stopped by an outage and want to know of its end.
    var waiting: [ObjectIdentifier: WeakEngine] = [:]
    /// What is added to the clock's frames to give those of `currentTime` while nothing is open.
    var offset: Int64
    /// The largest frame given out.
    var latest: Int64
    /// Counts the last engines to leave, so that an old request to close does nothing.
    var departures = 0
  }

  private struct WeakEngine: Sendable { weak var core: EngineCore? }

  init(name: String?, provider: any OutputProvider, clock: any HapticClock, handlers: HandlerQueue) {
    self.name = name
    self.provider = provider
    self.clock = clock
    self.handlers = handlers
    // 0 means immediately, so the time of an engine never is: a clock that begins at 0 is a second ahead.
    let offset: Int64 = clock.nanoseconds < Self.second ? Int64(RenderRate.framesPerSecond) : 0
    state = Locked(State(offset: offset, latest: 0))
  }

  private static let second: Int64 = 1_000_000_000

  /// The present time of the engines on it, in frames; above 0 and never going back.
  package var currentFrame: Int64 {
    state.withLock { state in
      let frame =
        if let session = state.session {
          session.origin + session.output.currentFrame.value
        } else {
          clockFrame + state.offset
        }
      state.latest = max(state.latest, frame)
      return state.latest
    }
  }

  /// The open output; nil while there is none.
  package var session: OutputSession? { state.withLock { $0.session } }

  /// Whether an output is there.
  var support: OutputSupport { provider.support(of: name) }

  /// Lets every engine on it look at the master switch anew.
  func refreshEngines() {
    for core in state.withLock({ Array($0.runners.values) }) { core.change { _ in } }
  }

  private var clockFrame: Int64 {
    let nanosecondsPerFrame = Self.second / Int64(RenderRate.framesPerSecond)
    return clock.nanoseconds / nanosecondsPerFrame
  }
}

// Coming and going.
extension SharedOutput {
  /// Lets an engine run on the output, which is opened if need be.
  /// - Throws: ``CHHapticError`` of an output that cannot be opened, or that is lost at present.
  func enter(_ core: EngineCore) throws -> OutputSession {
    try door.withLock { _ in
      let open = state.withLock { state in
        guard let session = state.session else { return OutputSession?.none }
        if session.isLost {
          // Who wanted to start meanwhile is told too when the output is back.
          state.waiting[ObjectIdentifier(core)] = WeakEngine(core: core)
        } else {
          state.runners[ObjectIdentifier(core)] = core
        }
        return session
      }
      if let open {
        guard !open.isLost else { throw CHHapticError.lost(open) }
        return open
      }
      let session = try openSession()
      state.withLock { state in
        state.session = session
        state.runners[ObjectIdentifier(core)] = core
      }
      return session
    }
  }

  /// Takes an engine off the output; the last one leaves it to be closed a little later.
  /// - Parameter waits: Whether it wants to know when a lost output is back.
  func leave(_ core: EngineCore, waits: Bool = false) {
    let departure = state.withLock { state -> Int? in
      state.runners[ObjectIdentifier(core)] = nil
      state.waiting[ObjectIdentifier(core)] = waits ? WeakEngine(core: core) : nil
      guard state.session != nil, state.runners.isEmpty else { return nil }
      state.departures += 1
      return state.departures
    }
    guard let departure else { return }
    clock.call(atNanoseconds: clock.nanoseconds + Self.lingerNanoseconds) { [weak self] in
      self?.closeUnlessUsed(departure)
    }
  }

  private func closeUnlessUsed(_ departure: Int) {
    door.withLock { _ in
      let session = state.withLock { state -> OutputSession? in
        let isWaitedFor = state.waiting.contains { $0.value.core != nil }
        guard state.departures == departure, state.runners.isEmpty, !isWaitedFor else { return nil }
        return state.session
      }
      if let session { close(session) }
    }
  }

  /// Ends an output; time goes on by the clock from where it is.
  private func close(_ session: OutputSession) {
    // A device that is turned by hand would be turned by the draining.
    if !clock.isTurnedByHand { session.endQuietly(seconds: Self.drainSeconds) }
    let now = currentFrame
    state.withLock { state in
      guard state.session === session else { return }
      state.session = nil
      state.offset = now - clockFrame
    }
    session.output.close()
  }

  private func openSession() throws -> OutputSession {
    let opened = try provider.open(name)
    let output = Output(
      device: opened.device, configuration: opened.configuration, soundDevice: opened.soundDevice)
    let origin = currentFrame
    let session = OutputSession(
      output: output, origin: origin, busCount: opened.configuration.profiles.count)
    output.onOutage { [weak self, weak session] outage in
      if let session { self?.lose(session, outage) }
    }
    output.onReturn { [weak self, weak session] _ in
      if let session { self?.find(session) }
    }
    do throws(OutputError) {
      try output.start()
    } catch {
      output.close()
      throw CHHapticError(error)
    }
    return session
  }
}

// Outages.
extension SharedOutput {
  /// Stops the engines of an output that went silent, each of which is told so.
  private func lose(_ session: OutputSession, _ outage: OutputOutage) {
    session.isLost = true
    let runners = state.withLock { Array($0.runners.values) }
    for core in runners {
      core.stop(
        session, because: .reason(of: outage, for: core.locality), error: CHHapticError.lost(session),
        waits: !outage.isFinal)
    }
    guard outage.isFinal else { return }
    state.withLock { $0.waiting = [:] }
    // Not here: this is the output's own handler thread, which closing waits for.
    clock.call(atNanoseconds: clock.nanoseconds) { [weak self] in
      self?.door.withLock { _ in self?.close(session) }
    }
  }

  /// Tells the engines that were stopped that they can be started again.
  private func find(_ session: OutputSession) {
    session.isLost = false
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values.compactMap(\.core)
    }
    for core in waiting { core.reset() }
    let departure = state.withLock { state -> Int? in
      guard state.runners.isEmpty else { return nil }
      state.departures += 1
      return state.departures
    }
    guard let departure else { return }
    // Nobody may want it any more.
    clock.call(atNanoseconds: clock.nanoseconds + Self.lingerNanoseconds) { [weak self] in
      self?.closeUnlessUsed(departure)
    }
  }
}

extension OutputSession {
  /// Lets what fades be heard, and ends the device.
  fileprivate func endQuietly(seconds: Double) {
    if isLost { return }
    // Whatever the end is, the output is closed next.
    switch output.drain(timeoutSeconds: seconds) {
    case .drained, .timedOut, .failed: return
    }
  }
}

extension CHHapticError {
  /// An output that does not sound at present.
  static func lost(_ session: OutputSession) -> CHHapticError {
    CHHapticError(
      .serverInterrupted, condition: "output is connected",
      session.output.outage?.message ?? Code.serverInterrupted.meaning)
  }
}

extension CHHapticEngine.StoppedReason {
  /// What an engine's program is told of an outage.
  fileprivate static func reason(
    of outage: OutputOutage, for locality: HapticLocality
  ) -> CHHapticEngine.StoppedReason {
    switch outage.cause {
    case .suspended: .applicationSuspended
    case .unplugged where locality.isOfController: .gameControllerDisconnect
    case .unplugged, .error: .systemError
    }
  }
}
