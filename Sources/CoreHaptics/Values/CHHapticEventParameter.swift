/// A parameter of one event and its value.
open class CHHapticEventParameter: NSObject {
  /// What it sets.
  public let parameterID: CHHapticEvent.ParameterID
  /// The value; one outside the parameter's range counts as the nearer end of it.
  open var value: Float

  /// Creates a parameter.
  public init(parameterID: CHHapticEvent.ParameterID, value: Float) {
    self.parameterID = parameterID
    self.value = value
    super.init()
  }
}
