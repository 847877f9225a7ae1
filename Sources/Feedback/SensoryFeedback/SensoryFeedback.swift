internal import ThrumFeedback

/// What is to be felt when something happens, by its meaning.
///
/// How each feels is a pattern of its own, which the user of the machine can replace.
public struct SensoryFeedback: Equatable, Sendable {
  /// The name of its preset, such as `success`; what a file that replaces it is called.
  public let name: String
  /// How strong, 0…1; 1 is as the preset is.
  public let intensity: Double
  /// What it is for, where the program says so.
  var role: Role?

  let preset: FeedbackName

  init(_ preset: FeedbackName, intensity: Double = 1) {
    self.preset = preset
    name = preset.text
    self.intensity = intensity.isNaN ? 0 : min(1, max(0, intensity))
  }

  /// Takes a feedback by the name of its preset, or of a file in the user's folder of feedbacks. Here only: a
  /// phone has none but its own.
  /// - Parameters:
  ///   - name: 1 to 64 lower-case letters, digits and hyphens; nil results for others.
  ///   - intensity: 0…1, held within it; default 1.
  public init?(named name: String, intensity: Double = 1) {
    guard let preset = FeedbackName(name) else { return nil }
    self.init(preset, intensity: intensity)
  }
}

// What has a meaning.
extension SensoryFeedback {
  /// Something succeeded: two light pulses, the second rising.
  public static let success = SensoryFeedback(.success)
  /// Something wants a second look: two medium pulses.
  public static let warning = SensoryFeedback(.warning)
  /// Something failed: three strong pulses.
  public static let error = SensoryFeedback(.error)
  /// The choice moves on: one light click.
  public static let selection = SensoryFeedback(.selection)
  /// A value passed a step upwards.
  public static let increase = SensoryFeedback(.increase)
  /// A value passed a step downwards.
  public static let decrease = SensoryFeedback(.decrease)
  /// Something long begins.
  public static let start = SensoryFeedback(.start)
  /// Something long ends.
  public static let stop = SensoryFeedback(.stop)
  /// What is dragged is aligned.
  public static let alignment = SensoryFeedback(.alignment)
  /// A level is crossed.
  public static let levelChange = SensoryFeedback(.levelChange)
  /// What is drawn is complete.
  public static let pathComplete = SensoryFeedback(.pathComplete)
  /// Something small lands.
  public static let impact = SensoryFeedback(.impactLight)
}

// What lands, is pressed, let go of or chosen.
extension SensoryFeedback {
  /// Something of a weight lands.
  /// - Parameters:
  ///   - weight: How heavy it is.
  ///   - intensity: 0…1, held within it.
  public static func impact(weight: Weight = .medium, intensity: Double = 1.0) -> SensoryFeedback {
    SensoryFeedback(weight.preset, intensity: intensity)
  }

  /// Something that gives way, more or less, lands.
  /// - Parameters:
  ///   - flexibility: How far it gives way.
  ///   - intensity: 0…1, held within it.
  public static func impact(flexibility: Flexibility, intensity: Double = 1.0) -> SensoryFeedback {
    SensoryFeedback(flexibility.preset, intensity: intensity)
  }

  /// Something goes down under the finger.
  public static func press(_ feedback: PressFeedback) -> SensoryFeedback { SensoryFeedback(feedback.preset) }

  /// Something is let go of.
  public static func release(_ feedback: ReleaseFeedback) -> SensoryFeedback {
    SensoryFeedback(feedback.preset)
  }

  /// A choice changes.
  public static func selection(_ feedback: SelectionFeedback) -> SensoryFeedback {
    SensoryFeedback(feedback.preset)
  }

  /// How heavy what lands is.
  public struct Weight: Equatable, Sendable {
    let preset: FeedbackName

    /// Small and light.
    public static let light = Weight(preset: .impactLight)
    /// Between the two.
    public static let medium = Weight(preset: .impactMedium)
    /// Large and heavy.
    public static let heavy = Weight(preset: .impactHeavy)
    /// Yielding. A phone has it among its flexibilities.
    public static let soft = Weight(preset: .impactSoft)
    /// Unyielding. A phone has it among its flexibilities.
    public static let rigid = Weight(preset: .impactRigid)
  }

  /// How far what lands gives way.
  public struct Flexibility: Equatable, Sendable {
    let preset: FeedbackName

    /// Not at all.
    public static let rigid = Flexibility(preset: .impactRigid)
    /// Hardly.
    public static let solid = Flexibility(preset: .impactSolid)
    /// Visibly.
    public static let soft = Flexibility(preset: .impactSoft)
  }

  /// What goes down under the finger.
  public struct PressFeedback: Hashable, Sendable {
    let preset: FeedbackName

    /// A button.
    public static let button = PressFeedback(preset: .pressButton)
    /// A button without a text.
    public static let buttonIconOnly = PressFeedback(preset: .pressButtonIconOnly)
    /// The knob of a slider.
    public static let slider = PressFeedback(preset: .pressSlider)
    /// A tab.
    public static let tab = PressFeedback(preset: .pressTab)
    /// A switch.
    public static let toggle = PressFeedback(preset: .pressToggle)
  }

  /// What is let go of.
  public struct ReleaseFeedback: Hashable, Sendable {
    let preset: FeedbackName

    /// The knob of a slider.
    public static let slider = ReleaseFeedback(preset: .releaseSlider)
  }

  /// How a choice changes.
  public struct SelectionFeedback: Hashable, Sendable {
    let preset: FeedbackName

    /// Something is chosen.
    public static let on = SelectionFeedback(preset: .selectionOn)
    /// Something is no longer chosen.
    public static let off = SelectionFeedback(preset: .selectionOff)
    /// The lower end of a range is reached.
    public static let minimum = SelectionFeedback(preset: .selectionMinimum)
    /// The upper end of a range is reached.
    public static let maximum = SelectionFeedback(preset: .selectionMaximum)
  }
}

// What it is for. Here only.
extension SensoryFeedback {
  /// What a feedback is for; it decides what becomes of it where the user wants less.
  public enum Role: Sendable, CaseIterable {
    /// Somebody relies on it, such as the confirmation of a payment: it stays under Reduce Motion and low
    /// power.
    case functional
    /// Neither: softened under Reduce Motion.
    case ordinary
    /// It goes with a movement on the screen: left out under Reduce Motion and low power.
    case decorative
  }

  /// The same feedback, with what it is for. Outcomes are functional and all others ordinary unless said
  /// otherwise.
  public func role(_ role: Role) -> SensoryFeedback {
    var feedback = self
    feedback.role = role
    return feedback
  }
}

extension FeedbackRequest {
  init(_ feedback: SensoryFeedback, isInTransition: Bool = false, nanoseconds: Int64?) {
    let role: FeedbackRole? =
      switch feedback.role {
      case .functional: .functional
      case .ordinary: .ordinary
      case .decorative: .decorative
      case nil: nil
      }
    self.init(
      feedback.preset, intensity: feedback.intensity, role: role, isInTransition: isInTransition,
      nanoseconds: nanoseconds)
  }
}
