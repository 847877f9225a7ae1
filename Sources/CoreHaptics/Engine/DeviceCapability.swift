package import ThrumPattern

/// What an output can do.
struct DeviceCapability: CHHapticDeviceCapability, Sendable {
  let supportsHaptics: Bool
  let supportsAudio: Bool

  func attributes(
    forEventParameter inParameter: CHHapticEvent.ParameterID, eventType type: CHHapticEvent.EventType
  ) throws -> any CHHapticParameterAttributes {
    guard let eventType = EventType(rawValue: type.rawValue) else {
      throw CHHapticError.unknown(type)
    }
    guard let parameter = EventParameterID(rawValue: inParameter.rawValue) else {
      throw CHHapticError.unknown(inParameter)
    }
    guard eventType.has(parameter) else {
      throw CHHapticError(
        .invalidParameterType, condition: "parameter applies to event type",
        "\(inParameter.rawValue) is not a parameter of \(type.rawValue) events.")
    }
    return ParameterAttributes(
      range: parameter.range, defaultValue: parameter.defaultValue(for: eventType))
  }

  func attributes(
    forDynamicParameter inParameter: CHHapticDynamicParameter.ID
  ) throws -> any CHHapticParameterAttributes {
    guard let parameter = DynamicParameterID(rawValue: inParameter.rawValue) else {
      throw CHHapticError.unknown(inParameter)
    }
    return ParameterAttributes(range: parameter.range, defaultValue: parameter.neutralValue)
  }
}

/// The range and the default of a parameter.
private final class ParameterAttributes: NSObject, CHHapticParameterAttributes, Sendable {
  let minValue: Float
  let maxValue: Float
  let defaultValue: Float

  init(range: ClosedRange<Float>, defaultValue: Float) {
    minValue = range.lowerBound
    maxValue = range.upperBound
    self.defaultValue = defaultValue
    super.init()
  }
}

extension EventType {
  /// Whether events of the type have the parameter.
  package func has(_ parameter: EventParameterID) -> Bool {
    switch parameter {
    case .hapticIntensity, .hapticSharpness: isHaptic
    // A tap is over before an envelope says much: editors do not offer one, although ours listens to it.
    case .attackTime, .decayTime, .releaseTime, .sustained: self != .hapticTransient
    case .audioVolume, .audioPitch, .audioPan, .audioBrightness: !isHaptic
    }
  }
}

extension CHHapticError {
  /// A type of event that there is not.
  static func unknown(_ type: CHHapticEvent.EventType) -> CHHapticError {
    CHHapticError(
      .invalidEventType, condition: "event type is known",
      "\"\(type.rawValue)\" is not an event type; use \(names(of: EventType.self)).")
  }

  /// A parameter of events that there is not.
  static func unknown(_ parameter: CHHapticEvent.ParameterID) -> CHHapticError {
    CHHapticError(
      .invalidParameterType, condition: "parameter is known",
      "\"\(parameter.rawValue)\" is not an event parameter; use \(names(of: EventParameterID.self)).")
  }

  /// A dynamic parameter that there is not.
  static func unknown(_ parameter: CHHapticDynamicParameter.ID) -> CHHapticError {
    CHHapticError(
      .invalidParameterType, condition: "parameter is known",
      "\"\(parameter.rawValue)\" is not a dynamic parameter; use \(names(of: DynamicParameterID.self)).")
  }

  private static func names<ID: CaseIterable & RawRepresentable>(of type: ID.Type) -> String
  where ID.RawValue == String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
