package import ThrumEngine

/// Where engines get their outputs from: the machine, or a test.
package protocol OutputProvider: Sendable {
  /// Whether an output is there, found out without opening it.
  /// - Parameter name: The device; nil means the one that the settings choose.
  func support(of name: String?) -> OutputSupport

  /// Opens an output's device.
  /// - Parameter name: The device; nil means the one that the settings choose.
  /// - Throws: ``CHHapticError``; nothing stays open.
  func open(_ name: String?) throws -> OpenedDevice
}

/// Whether an output is there.
package struct OutputSupport: Sendable, Equatable {
  /// Why there is none; nil where there is one.
  package var problem: String?
  /// How many actuators it drives apart from each other.
  package var actuators: Int
  /// Whether sounds are heard on it.
  package var carriesSound: Bool

  /// There is an output, or there is none for a reason.
  package init(problem: String? = nil, actuators: Int = 1, carriesSound: Bool = false) {
    self.problem = problem
    self.actuators = actuators
    self.carriesSound = carriesSound
  }
}

/// A device that is ready to play.
package struct OpenedDevice: Sendable {
  /// The device.
  package var device: any OutputDevice
  /// What goes into its output: the actuators' profiles and the channels they are on.
  package var configuration: OutputConfiguration

  /// The device that plays the sound, where it has one of its own.
  package var soundDevice: (any SoundDevice)?

  /// Puts them together.
  package init(
    device: any OutputDevice, configuration: OutputConfiguration, soundDevice: (any SoundDevice)? = nil
  ) {
    self.device = device
    self.configuration = configuration
    self.soundDevice = soundDevice
  }
}
