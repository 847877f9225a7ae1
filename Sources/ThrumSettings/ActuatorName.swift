/// An actuator as a person named it; its profile is looked up when an output is opened.
package struct ActuatorName: Equatable, Sendable {
  /// A profile's name, or the path of its file.
  package var word: String
  /// The line of the configuration file that names it; nil on the command line.
  package private(set) var place: String?
  /// The folder that its path is relative to; nil for the working folder.
  package private(set) var folder: String?

  package init(_ word: String) { self.word = word }

  /// The signal as the pattern says it.
  package static let none = ActuatorName("none")
  /// What a device gets where nobody names an actuator.
  package static let safe = ActuatorName("safe")

  /// Notes that a configuration file names it, to whose folder its path is relative.
  package mutating func isNamed(at place: String, folder: String?) {
    self.place = place
    self.folder = folder
  }
}
