/// What the output can do, and within which limits.
public protocol CHHapticDeviceCapability {
  /// Whether there is an output for haptics. The built-in virtual actuator counts only where it was asked
  /// for by name.
  var supportsHaptics: Bool { get }
  /// Whether there is an output for sounds.
  var supportsAudio: Bool { get }

  /// The range and the default of a parameter of one type of event.
  /// - Throws: ``CHHapticError`` `invalidEventType` for an unknown type, `invalidParameterType` for a
  ///   parameter that is unknown or that the type does not have.
  func attributes(
    forEventParameter inParameter: CHHapticEvent.ParameterID, eventType type: CHHapticEvent.EventType
  ) throws -> any CHHapticParameterAttributes

  /// The range and the neutral value of a dynamic parameter.
  /// - Throws: ``CHHapticError`` `invalidParameterType` for an unknown one.
  func attributes(
    forDynamicParameter inParameter: CHHapticDynamicParameter.ID
  ) throws -> any CHHapticParameterAttributes
}

/// The range and the default of a parameter.
public protocol CHHapticParameterAttributes: NSObjectProtocol {
  /// The smallest value; smaller ones count as it.
  var minValue: Float { get }
  /// The largest value; larger ones count as it.
  var maxValue: Float { get }
  /// The value where none is given.
  var defaultValue: Float { get }
}
