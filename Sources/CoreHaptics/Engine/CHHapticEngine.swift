/// Plays patterns on an output.
///
/// Engines are independent of each other; those on one output are mixed. An engine that is let go of falls
/// silent. Everything may be called on any thread, from within handlers too; handlers are called on a thread
/// of their own, one at a time and in order.
open class CHHapticEngine: Hashable, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: all there is lies behind a constant reference to a core with locks. A
  // subclass answers for what it adds.
  //
  // Not an `NSObject`: its `init()` does not throw, and would be the one that `try CHHapticEngine()` calls.

  let core: EngineCore

  /// What is called when an engine was stopped by something else than ``stop(completionHandler:)``.
  public typealias StoppedHandler = (StoppedReason) -> Void
  /// What is called when an output that was lost is back.
  public typealias ResetHandler = () -> Void
  /// What is called when no player plays any more; it says what becomes of the engine.
  public typealias FinishedHandler = ((any Error)?) -> FinishedAction
  /// What is called when a start or a stop is done, with the error of a start that failed.
  public typealias CompletionHandler = ((any Error)?) -> Void

  /// What becomes of an engine whose players have finished.
  @nonexhaustive(warn)
  public enum FinishedAction: Int, Sendable {
    /// It stops.
    case stopEngine = 1
    /// It goes on.
    case leaveEngineRunning = 2
  }

  /// Why an engine was stopped.
  @nonexhaustive(warn)
  public enum StoppedReason: Int, Sendable {
    /// The audio session was interrupted.
    case audioSessionInterrupt = 1
    /// The system was suspended.
    case applicationSuspended = 2
    /// Nothing had played for two minutes, and the engine may shut itself down.
    case idleTimeout = 3
    /// The handler of ``notifyWhenPlayersFinished(finishedHandler:)`` said so.
    case notifyWhenFinished = 4
    /// The engine was let go of.
    case engineDestroyed = 5
    /// The game controller was disconnected.
    case gameControllerDisconnect = 6
    /// The output was unplugged or failed.
    case systemError = -1
  }

  /// Creates an engine on the output that the settings choose: the environment variable `THRUM_DEVICE`, the
  /// configuration file, or ALSA's `default`. Nothing is opened yet.
  /// - Throws: ``CHHapticError`` `notSupported` where there is no output.
  public init() throws { core = try EngineCore.make(output: nil, locality: .all) }

  /// Creates an engine on the output that the settings choose.
  /// - Parameter audioSession: Has no effect; sessions are how a phone shares its one output.
  /// - Throws: ``CHHapticError`` `notSupported` where there is no output.
  public init(audioSession: AVAudioSession?) throws {
    let route = audioSession as? RoutedSession
    core = try EngineCore.make(output: route?.output, locality: route?.locality ?? .all)
  }

  /// Creates an engine on the output that the settings choose, as ``init()`` does.
  /// - Throws: ``CHHapticError`` `notSupported` where there is no output.
  public convenience init(andReturnError: Void) throws { try self.init() }

  /// Creates an engine on an output by its name, such as an ALSA PCM's; engines on different outputs play
  /// apart. Here only: a phone has one output.
  /// - Throws: ``CHHapticError`` `notSupported` where there is no such output.
  public convenience init(outputNamed name: String) throws {
    try self.init(output: name, locality: .all)
  }

  /// Creates an engine on an output of its own choice, or on some of its actuators.
  convenience init(output: String?, locality: HapticLocality) throws {
    try self.init(audioSession: RoutedSession(output: output, locality: locality))
  }

  deinit { core.destroy() }

  /// What the output that the settings choose can do. It is not opened for the answer.
  open class func capabilitiesForHardware() -> any CHHapticDeviceCapability {
    let support = HapticSystem.current.output(named: nil).support
    let isThere = support.problem == nil
    return DeviceCapability(
      supportsHaptics: isThere && support.actuators > 0, supportsAudio: isThere && support.carriesSound)
  }

  /// Seconds on the scale of all times that players are given: above 0, never going back, and going on while
  /// the engine is stopped. It is what is heard at this moment.
  open var currentTime: TimeInterval { core.currentTime }

  /// Called when the engine was stopped by something else than a call of ``stop(completionHandler:)``.
  open var stoppedHandler: StoppedHandler {
    get { core.stoppedHandler }
    set { core.stoppedHandler = newValue }
  }

  /// Called when an output that was lost is back. The engine is stopped; start it.
  open var resetHandler: ResetHandler {
    get { core.resetHandler }
    set { core.resetHandler = newValue }
  }

  /// Whether sounds are left out; false at first. Setting it on a running engine takes effect at the next
  /// start, and setting it takes ``playsAudioOnly`` back.
  open var playsHapticsOnly: Bool {
    get { core.settings.playsHapticsOnly }
    set {
      core.change {
        $0.playsHapticsOnly = newValue
        if newValue { $0.playsAudioOnly = false }
      }
    }
  }

  /// Whether all but sounds is left out; false at first. Setting it on a running engine takes effect at the
  /// next start, and setting it takes ``playsHapticsOnly`` back.
  open var playsAudioOnly: Bool {
    get { core.settings.playsAudioOnly }
    set {
      core.change {
        $0.playsAudioOnly = newValue
        if newValue { $0.playsHapticsOnly = false }
      }
    }
  }

  /// Whether sounds are silent while their time goes on; false at first.
  open var isMutedForAudio: Bool {
    get { core.settings.isMutedForAudio }
    set { core.change { $0.isMutedForAudio = newValue } }
  }

  /// Whether haptics are silent while their time goes on; false at first.
  open var isMutedForHaptics: Bool {
    get { core.settings.isMutedForHaptics }
    set { core.change { $0.isMutedForHaptics = newValue } }
  }

  /// The folder from which the paths of sounds start in patterns that are no files, such as dictionaries and
  /// bytes; nil, as at first, means the program's resources. Here only: a phone's programs have one bundle.
  public var soundFolder: URL? {
    get { core.sounds.folders.base }
    set { core.sounds.changeFolders { $0.base = newValue } }
  }

  /// Folders, or files, in which the sounds must be that patterns name by path, links followed; nil, as at
  /// first, allows any place. For patterns that come from strangers. Here only: a phone has its sandbox.
  public var allowedSoundFolders: [URL]? {
    get { core.sounds.folders.allowed }
    set { core.sounds.changeFolders { $0.allowed = newValue } }
  }

  /// The actuator that this process drives: the name of a profile, such as `lra-175`, or the path of a profile's file; nil, as
  /// at first, leaves it to the environment variable `THRUM_ACTUATOR` and the configuration file, and without them to
  /// `safe`. Outputs that are opened from then on go by it; a profile that is not there, or is refused, fails the
  /// engine's start with ``CHHapticError`` `invalidEngineParameter`. Here only: a phone knows its actuator.
  public static var actuator: String? {
    get { OutputSettings.chosenActuator.withLock { $0 } }
    set { OutputSettings.chosenActuator.withLock { $0 = newValue } }
  }

  /// Whether the engine stops when nothing has played for two minutes, and players start it; false at first.
  open var isAutoShutdownEnabled: Bool {
    get { core.settings.isAutoShutdownEnabled }
    set { core.change { $0.isAutoShutdownEnabled = newValue } }
  }

  /// Whether two references are to the same engine.
  public static func == (left: CHHapticEngine, right: CHHapticEngine) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // Start and stop.

  /// Starts, and calls a handler when that is done.
  /// - Parameter completionHandler: Called on the handler queue, with the error where it failed.
  open func start(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
    let core = core
    core.startLater { failure in completionHandler?(failure) }
  }

  /// Starts, and returns when it runs; does nothing on a running engine.
  /// - Throws: ``CHHapticError`` `serverInitFailed` where the output cannot be opened, `serverInterrupted`
  ///   while it is lost; the engine is stopped.
  open func start() throws { try core.start() }

  /// Starts, and returns when it runs.
  /// - Throws: As ``start()-swift.method``.
  open func start() async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      start { failure in
        if let failure { done.resume(throwing: failure) } else { done.resume() }
      }
    }
  }

  /// Stops: everything falls silent without a click, and what was scheduled is dropped. The stopped handler
  /// is not called.
  /// - Parameter completionHandler: Called on the handler queue when the silence is heard, with nil.
  open func stop(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
    let core = core
    core.afterStarts {
      let silence = core.stop()
      guard silence > 0 else {
        core.system.handlers.call { completionHandler?(nil) }
        return
      }
      let clock = core.system.clock
      clock.call(atNanoseconds: clock.nanoseconds + silence) {
        core.system.handlers.call { completionHandler?(nil) }
      }
    }
  }

  /// Stops, and returns when the silence is heard.
  open func stop() async throws {
    await withCheckedContinuation { done in stop { _ in done.resume() } }
  }

  /// Calls a handler when no player plays: soon where that is so already, later where players are started
  /// meanwhile. A paused player plays.
  /// - Parameter finishedHandler: Says what becomes of the engine.
  open func notifyWhenPlayersFinished(finishedHandler: @escaping FinishedHandler) {
    core.notifyWhenPlayersFinished(finishedHandler)
  }

  // Patterns.

  /// Makes a player.
  /// - Throws: ``CHHapticError`` for a sound that cannot be played, unless the engine plays haptics only:
  ///   `fileNotFound`, `invalidAudioResource`, `resourceNotAvailable` where the memory for sounds is used up,
  ///   `operationNotPermitted` outside ``allowedSoundFolders``.
  open func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer {
    PatternPlayer(try core.makePlayer(with: pattern.compiled))
  }

  /// Makes a player that can be paused, sought in, looped and played at another rate.
  /// - Throws: As ``makePlayer(with:)``.
  open func makeAdvancedPlayer(with pattern: CHHapticPattern) throws -> any CHHapticAdvancedPatternPlayer {
    AdvancedPatternPlayer(try core.makePlayer(with: pattern.compiled))
  }

  /// Plays a file once, or the variant of a haptic data asset that suits the settings. The engine is started
  /// if need be.
  /// - Throws: What ``CHHapticPattern/init(contentsOf:)``, a start and a player throw; nothing is played.
  open func playPattern(from fileURL: URL) throws {
    try core.play(PatternContents(file: fileURL, settings: core.system.assetSettings))
  }

  /// Plays the bytes of a pattern file once. The engine is started if need be.
  /// - Throws: As ``playPattern(from:)-(URL)``.
  open func playPattern(from data: Data) throws { try core.play(PatternContents(data: data)) }

  /// Reads a sound for events; on a running engine it is brought to the output's rate as well.
  ///
  /// All sounds of a process, decoded and converted, take 64 MB at most unless the configuration file says
  /// `sound-memory` otherwise.
  /// - Parameters:
  ///   - resourceURL: The file: WAV, AIFF, FLAC, Ogg, MP3, CAF and more, of any rate and number of channels.
  ///   - options: ``CHHapticAudioResourceKeyUseVolumeEnvelope`` and ``CHHapticAudioResourceKeyLoopEnabled``.
  /// - Returns: Its number, above 0.
  /// - Throws: ``CHHapticError`` `fileNotFound`, `invalidAudioResource` for what cannot be played, or
  ///   `resourceNotAvailable` where the memory for sounds is used up.
  open func registerAudioResource(
    _ resourceURL: URL, options: [AnyHashable: Any] = [:]
  ) throws -> CHHapticAudioResourceID {
    try core.sounds.register(resourceURL, options: options, atRate: core.soundRate)
  }

  /// Takes a sound back: players that have it play on, and patterns that play it get no players any more.
  /// - Throws: ``CHHapticError`` `invalidAudioResource` for a number that is not registered.
  open func unregisterAudioResource(_ resourceID: CHHapticAudioResourceID) throws {
    try core.sounds.unregister(resourceID)
  }
}

extension EngineCore {
  /// Makes what stands behind an engine.
  /// - Throws: ``CHHapticError`` `notSupported` where there is no output.
  static func make(output name: String?, locality: HapticLocality) throws -> EngineCore {
    let system = HapticSystem.current
    let output = system.output(named: name)
    if let problem = output.support.problem {
      throw CHHapticError(.notSupported, condition: "output exists", problem)
    }
    return EngineCore(system: system, output: output, locality: locality)
  }
}
