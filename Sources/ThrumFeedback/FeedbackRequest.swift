/// A feedback that somebody asks for.
public struct FeedbackRequest: Sendable, Hashable {
  /// Which.
  public var name: FeedbackName
  /// How strong, 1 being as the preset is; held within 0…1.
  public var intensity: Float
  /// What it is for; nil means what the preset is for.
  public var role: FeedbackRole?
  /// Whether who asks is in transition, such as a view that is being pushed.
  public var isInTransition: Bool
  /// When it was asked for, in nanoseconds of the clock that decides; nil means when it is decided.
  public var nanoseconds: Int64?

  /// Asks for a feedback.
  public init(
    _ name: FeedbackName, intensity: Double = 1, role: FeedbackRole? = nil, isInTransition: Bool = false,
    nanoseconds: Int64? = nil
  ) {
    self.name = name
    // A value that is no number asks for nothing.
    self.intensity = Float(intensity.isNaN ? 0 : min(1, max(0, intensity)))
    self.role = role
    self.isInTransition = isInTransition
    self.nanoseconds = nanoseconds
  }
}
