/// How much a feedback matters against others at the same moment.
public enum FeedbackPriority: Int, Comparable, Sendable, CaseIterable {
  /// One of many small steps, such as a choice that passes by.
  case step
  /// A contact or a change.
  case ordinary
  /// How something went, or a call for attention.
  case outcome
  /// A failure or a danger, which is never lost behind others.
  case critical

  /// Whether one matters less than the other.
  public static func < (left: FeedbackPriority, right: FeedbackPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What a feedback is for; it decides what becomes of it where the user wants less.
public enum FeedbackRole: Sendable, CaseIterable {
  /// A confirmation that somebody relies on: kept as it is under Reduce Motion and low power.
  case functional
  /// Neither: softened under Reduce Motion.
  case ordinary
  /// It goes with a movement on the screen: left out under Reduce Motion and low power.
  case decorative
}

/// What is known of a feedback beside how it feels.
public struct FeedbackTraits: Sendable, Equatable {
  /// How much it matters.
  public var priority: FeedbackPriority
  /// What it is for, unless a call says otherwise.
  public var role: FeedbackRole
  /// What takes its place under Reduce Motion; nil where it stays.
  public var softened: FeedbackName?

  /// Puts them together; a name without a preset is an ordinary contact.
  public init(
    priority: FeedbackPriority = .ordinary, role: FeedbackRole = .ordinary, softened: FeedbackName? = nil
  ) {
    self.priority = priority
    self.role = role
    self.softened = softened
  }

  static let outcome = FeedbackTraits(priority: .outcome, role: .functional)
  static let critical = FeedbackTraits(priority: .critical, role: .functional)
  static let step = FeedbackTraits(priority: .step)

  /// The traits of a preset; those of an ordinary contact for other names.
  public static func of(_ name: FeedbackName) -> FeedbackTraits { table[name] ?? FeedbackTraits() }

  private static let table: [FeedbackName: FeedbackTraits] = [
    .success: outcome, .warning: outcome, .error: critical,
    .start: outcome, .stop: outcome, .notification: outcome,
    .selection: step, .navigationLinkTap: step,
    .navigationLeftTurn: outcome, .navigationRightTurn: outcome, .navigationGenericManeuver: outcome,
    .underwaterDepthPrompt: outcome, .underwaterDepthCriticalPrompt: critical,
    .impactHeavy: FeedbackTraits(softened: .impactLight),
    .impactMedium: FeedbackTraits(softened: .impactLight),
    .impactSolid: FeedbackTraits(softened: .impactLight),
    .impactRigid: FeedbackTraits(softened: .impactSoft),
  ]
}
