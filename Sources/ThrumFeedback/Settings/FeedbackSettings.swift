public import ThrumPattern

/// What the user of the machine has settled about feedback. All of it can be set in code, too.
public struct FeedbackSettings: Sendable, Equatable {
  /// Whether anything may vibrate at all; false silences every engine of a process, not presets alone.
  public var isVibrationOn = true
  /// Whether programs may give feedback (System Haptics).
  public var isHapticsOn = true
  /// Whether this program may.
  public var isApplicationOn = true
  /// Whether the user wants less motion.
  public var reducesMotion = false
  /// Whether the user prefers cross-fades to movements.
  public var prefersCrossFade = false
  /// Whether sounds are to be silent; what is felt is not.
  public var isSilent = false
  /// Whether power is to be saved.
  public var isLowPower = false
  /// Whether a screen reader runs, which marks steps from one thing to the next itself.
  public var isScreenReaderRunning = false
  /// What all intensities are multiplied by, linear, 0 or more; results are held within 0…1.
  public var gain: Float = 1
  /// Feedbacks a second at most, 1 to 50.
  public var ceiling = 10
  /// The folder whose files take the place of presets; nil where there is none.
  public var folder: FileName?

  /// The settings of a machine of which nothing is known.
  public init() {}
}

/// Why a feedback is not played.
public enum FeedbackSilence: String, Sendable, CaseIterable {
  /// The name has neither a preset nor a file.
  case unknownName = "there is no feedback of this name"
  /// The master switch is off.
  case vibrationOff = "vibration is switched off"
  /// System Haptics is off.
  case hapticsOff = "haptics are switched off"
  /// The program's own switch is off.
  case applicationOff = "haptics are switched off for this program"
  /// There would be nothing to feel.
  case noStrength = "it has no strength"
  /// The host of the view is in transition.
  case inTransition = "the view is in transition"
  /// A screen reader marks steps itself.
  case screenReader = "a screen reader marks steps itself"
  /// Power is saved.
  case lowPower = "power is saved"
  /// The user wants less motion.
  case reducedMotion = "less motion is wanted"
  /// It would come too late to be felt as an answer.
  case stale = "it comes too late"
  /// Another one of the same turn matters more, or is the same.
  case coalesced = "another one of the same turn plays"
  /// The same kind has just played.
  case sameKind = "the same has just played"
  /// Steps come too fast.
  case tooManySteps = "steps come too fast"
  /// One that matters more is playing.
  case masked = "a more important one is playing"
  /// There were too many in the last second.
  case ceiling = "there were too many in the last second"

  /// Whether it is for what else is felt just now, so that the same may play a little later.
  public var isOfTheMoment: Bool {
    switch self {
    case .stale, .coalesced, .sameKind, .tooManySteps, .masked, .ceiling: true
    default: false
    }
  }
}

extension FeedbackSettings {
  /// What becomes of a feedback.
  public enum Effect: Sendable, Equatable {
    /// It plays, as the preset of this name.
    case play(FeedbackName)
    /// It does not.
    case silence(FeedbackSilence)
  }

  /// What these settings make of a feedback.
  public func effect(on request: FeedbackRequest) -> Effect {
    let traits = FeedbackTraits.of(request.name)
    let role = request.role ?? traits.role
    let isFunctional = role == .functional
    if !isVibrationOn { return .silence(.vibrationOff) }
    if !isHapticsOn { return .silence(.hapticsOff) }
    if !isApplicationOn { return .silence(.applicationOff) }
    if !(request.intensity > 0 && gain > 0) { return .silence(.noStrength) }
    if request.isInTransition { return .silence(.inTransition) }
    if isScreenReaderRunning, traits.priority == .step { return .silence(.screenReader) }
    if isLowPower, role == .decorative || (traits.priority == .step && !isFunctional) {
      return .silence(.lowPower)
    }
    if reducesMotion {
      if role == .decorative { return .silence(.reducedMotion) }
      if !isFunctional, let softened = traits.softened { return .play(softened) }
    }
    return .play(request.name)
  }
}
