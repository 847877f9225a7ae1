internal import Synchronization
internal import ThrumEngine
internal import ThrumFeedback
internal import ThrumSound

/// What all engines of a process share: their outputs, the clock and the queue of their handlers.
///
/// There is one for the machine. A test puts another in its place for the engines that it makes.
package final class HapticSystem: Sendable {
  /// The machine's.
  package static let machine = HapticSystem(
    provider: MachineOutputs(), clock: MachineClock(), soundCapacity: OutputSettings.soundCapacity())
  /// The one that engines made here belong to.
  @TaskLocal package static var current = HapticSystem.machine

  let provider: any OutputProvider
  let clock: any HapticClock
  /// Calls the handlers of all engines.
  package let handlers = HandlerQueue()
  /// Where starts run that their caller does not wait for.
  let background = DispatchQueue(label: "thrum-haptics-starts")
  /// The master switch.
  let vibration: VibrationSwitch
  /// Where sounds are brought to an output's rate that nobody waits for.
  let preparations = DispatchQueue(label: "thrum-haptics-sounds")
  /// The sounds of all engines.
  let sounds: SoundLibrary
  private let shares = Locked<[String?: SharedOutput]>([:])

  private let toldMotion = Locked<Bool?>(nil)
  private let ownSettings = Locked<HapticAssetSettings?>(nil)
  private let watcher: (@Sendable (PlayerRequest) -> Void)?
  private let playerCount = Atomic<Int>(0)

  /// Creates a system.
  /// - Parameters:
  ///   - soundCapacity: Bytes that sounds take at most; nil means 64 MB.
  ///   - watcher: Told of everything that players are asked, on the asking thread.
  package init(
    provider: any OutputProvider, clock: any HapticClock, soundCapacity: Int? = nil,
    watcher: (@Sendable (PlayerRequest) -> Void)? = nil
  ) {
    sounds = SoundLibrary(capacity: soundCapacity ?? SoundLibrary.defaultCapacity)
    self.provider = provider
    self.clock = clock
    self.watcher = watcher
    // A test's machine has no settings but its own.
    vibration = VibrationSwitch(
      isOn: !(provider is MachineOutputs) || FeedbackSettings.read().settings.isVibrationOn)
  }

  /// What variants of assets are chosen by; nil means what the machine says.
  package var ownAssetSettings: HapticAssetSettings? {
    get {
      var settings = ownSettings.withLock { $0 }
      if let reducesMotion { settings?.reducesMotion = reducesMotion }
      return settings
    }
    set {
      ownSettings.withLock { $0 = newValue }
      reducesMotion = newValue?.reducesMotion
    }
  }

  /// Whether less motion is wanted, as who keeps to the settings of feedback says; nil while nobody does. What was
  /// said last counts.
  package var reducesMotion: Bool? {
    get { toldMotion.withLock { $0 } }
    set { toldMotion.withLock { $0 = newValue } }
  }

  var assetSettings: HapticAssetSettings {
    if let ownAssetSettings { return ownAssetSettings }
    return HapticAssetSettings(
      reducesMotion: reducesMotion ?? FeedbackSettings.read().settings.reducesMotion,
      languages: Locale.preferredLanguages)
  }

  /// A number for the next player, from 1.
  func makePlayerNumber() -> Int {
    // Ordering: none needed. A number is only unlike the others.
    playerCount.add(1, ordering: .relaxed).newValue
  }

  /// Tells the watcher of a request, where there is one.
  func note(_ request: @autoclosure () -> PlayerRequest) { watcher?(request()) }

  /// The output of a name, shared by all engines that ask for it.
  /// - Parameter name: The device; nil means the one that the settings choose.
  package func output(named name: String?) -> SharedOutput {
    shares.withLock { shares in
      if let share = shares[name] { return share }
      let share = SharedOutput(name: name, provider: provider, clock: clock, handlers: handlers)
      shares[name] = share
      return share
    }
  }

  /// Every output that was asked for.
  var allOutputs: [SharedOutput] { shares.withLock { Array($0.values) } }

  /// Waits until every start that was asked for by now is done, and not for what they call.
  package func settle() {
    background.sync {}
    preparations.sync {}
  }

  /// Bytes that sounds take.
  package var soundBytes: Int { sounds.usedBytes }
}
