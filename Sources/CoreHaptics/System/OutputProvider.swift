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

  /// There is an output, or there is none for a reason.
  package init(problem: String? = nil, actuators: Int = 1) {
    self.problem = problem
    self.actuators = actuators
  }
}

/// A device that is ready to play.
package struct OpenedDevice: Sendable {
  /// The device.
  package var device: any OutputDevice
  /// What goes into its output: the actuators' profiles and the channels they are on.
  package var configuration: OutputConfiguration

  /// Puts the two together.
  package init(device: any OutputDevice, configuration: OutputConfiguration) {
    self.device = device
    self.configuration = configuration
  }
}
