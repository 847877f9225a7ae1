import ThrumActuator

/// What an actuator's motion is measured with, and so what the recording tells of.
public enum MotionSensor: String, Sendable, CaseIterable {
  /// An accelerometer on the actuator, its axis along the motion: acceleration.
  case accelerometer
  /// A contact microphone, taken to answer to velocity; so does a back-EMF.
  case microphone
  /// The voltage over a small resistor in series with the coil: the current, which dips where the back-EMF peaks.
  case resistor

  /// The quantity that the sensor tells of; nil for a current, which is fitted in another way.
  public var quantity: ActuatorQuantity? {
    switch self {
    case .accelerometer: .acceleration
    case .microphone: .velocity
    case .resistor: nil
    }
  }
}
