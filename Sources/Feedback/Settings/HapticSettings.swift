public import CoreHaptics
internal import ThrumFeedback

/// What the user of the machine has settled about feedback, as programs read and set it.
///
/// What a program sets counts for most; then the environment, the configuration file, and the desktop of the
/// session, which is followed (docs/feedback.md). What a program sets holds for its process. Presets follow all of it; an engine of CoreHaptics follows the master switch, and
/// the rest if it is asked to (`follow(_:)`).
///
/// Threads: any.
public struct HapticSettings: Sendable {
  let center: FeedbackCenter

  /// The settings of this process.
  public static var current: HapticSettings { HapticSettings(center: FeedbackCenter.current) }

  init(center: FeedbackCenter) { self.center = center }

  private func value<Value: Sendable>(_ path: KeyPath<FeedbackSettings, Value>) -> Value {
    center.settings[keyPath: path]
  }

  /// What is wrong with settings of the configuration file and the environment, and with the user's files of
  /// feedbacks that were asked for so far: a sentence for each, with its place. What is wrong is passed over.
  ///
  /// Those of settings are on standard error once, too, when the process first gives feedback or asks for settings.
  public var problems: [String] { center.problems }

  /// The master switch: while it is off, nothing vibrates, engines of CoreHaptics included.
  public var isVibrationOn: Bool {
    get { value(\.isVibrationOn) }
    nonmutating set { center.change { $0.isVibrationOn = newValue } }
  }

  /// System Haptics: whether programs may give feedback.
  public var isHapticsOn: Bool {
    get { value(\.isHapticsOn) }
    nonmutating set { center.change { $0.isHapticsOn = newValue } }
  }

  /// The program's own switch.
  public var isApplicationOn: Bool {
    get { value(\.isApplicationOn) }
    nonmutating set { center.change { $0.isApplicationOn = newValue } }
  }

  /// Reduce Motion: decorative feedback is left out, heavy is softened to light, functional stays.
  public var reducesMotion: Bool {
    get { value(\.reducesMotion) }
    nonmutating set { center.change(settling: .reducesMotion) { $0.reducesMotion = newValue } }
  }

  /// Whether cross-fades are preferred to movements.
  public var prefersCrossFade: Bool {
    get { value(\.prefersCrossFade) }
    nonmutating set { center.change { $0.prefersCrossFade = newValue } }
  }

  /// Silent mode: what is heard of feedback is left out, what is felt is not.
  public var isSilent: Bool {
    get { value(\.isSilent) }
    nonmutating set { center.change(settling: .isSilent) { $0.isSilent = newValue } }
  }

  /// Low power: decorative feedback and steps are left out.
  public var isLowPower: Bool {
    get { value(\.isLowPower) }
    nonmutating set { center.change(settling: .isLowPower) { $0.isLowPower = newValue } }
  }

  /// Whether a screen reader runs: steps of a selection are left out.
  public var isScreenReaderRunning: Bool {
    get { value(\.isScreenReaderRunning) }
    nonmutating set {
      center.change(settling: .isScreenReaderRunning) { $0.isScreenReaderRunning = newValue }
    }
  }

  /// What all intensities are multiplied by, linear, 0 or more; what is less, or no number, is 0.
  public var gain: Float {
    get { value(\.gain) }
    nonmutating set { center.change { $0.gain = newValue >= 0 && newValue.isFinite ? newValue : 0 } }
  }

  /// Feedbacks a second at most; held within 1 to 50.
  public var ceiling: Int {
    get { value(\.ceiling) }
    nonmutating set { center.change { $0.ceiling = min(50, max(1, newValue)) } }
  }
}

extension CHHapticEngine {
  /// Keeps the engine silent to the touch while haptics or the program are switched off, and while power is
  /// saved or less motion is wanted; and silent to the ear in silent mode.
  ///
  /// A phone leaves that to the program. `isMutedForHaptics` and `isMutedForAudio` are the settings' from now
  /// on.
  /// - Returns: What ends it when it is let go of.
  public func follow(_ settings: HapticSettings) -> EngineFollower { EngineFollower(self, settings.center) }
}

/// Keeps an engine to the settings for as long as it is kept itself.
public final class EngineFollower: Sendable {
  private let center: FeedbackCenter
  private let observer: Int

  init(_ engine: CHHapticEngine, _ center: FeedbackCenter) {
    self.center = center
    observer = center.onChange { [weak engine] _, settings in
      if let engine { settings.apply(to: engine) }
    }
    center.settings.apply(to: engine)
  }

  deinit { center.removeObserver(observer) }
}

extension FeedbackSettings {
  /// Has an engine that asked for it follow.
  fileprivate func apply(to engine: CHHapticEngine) {
    engine.isMutedForHaptics = !isHapticsOn || !isApplicationOn || reducesMotion || isLowPower
    engine.isMutedForAudio = isSilent
  }
}
