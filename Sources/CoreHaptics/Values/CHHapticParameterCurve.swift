/// A dynamic parameter that moves in straight lines through any number of points.
open class CHHapticParameterCurve: NSObject {
  /// What it changes.
  public let parameterID: CHHapticDynamicParameter.ID
  /// Seconds from the start of the pattern at which the curve begins.
  open var relativeTime: TimeInterval
  /// The points it was made with.
  public let controlPoints: [ControlPoint]

  /// Creates a curve.
  /// - Parameters:
  ///   - parameterID: What it changes.
  ///   - controlPoints: Its points; before the first its value holds from the curve's start, after the last
  ///     that one's.
  ///   - relativeTime: Seconds from the start of the pattern.
  public init(
    parameterID: CHHapticDynamicParameter.ID, controlPoints: [ControlPoint], relativeTime: TimeInterval
  ) {
    self.parameterID = parameterID
    self.controlPoints = controlPoints
    self.relativeTime = relativeTime
    super.init()
  }

  /// A point that a curve passes through.
  open class ControlPoint: NSObject {
    /// Seconds from the start of the curve.
    open var relativeTime: TimeInterval
    /// The value there; one outside the parameter's range counts as the nearer end of it.
    open var value: Float

    /// Creates a point.
    public init(relativeTime time: TimeInterval, value: Float) {
      relativeTime = time
      self.value = value
      super.init()
    }
  }
}
