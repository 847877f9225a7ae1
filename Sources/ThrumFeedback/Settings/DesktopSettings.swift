/// What a desktop says of the settings that it has, too; nil where it says nothing.
public struct DesktopSettings: Sendable, Equatable {
  /// Whether the user wants less motion.
  public var reducesMotion: Bool?
  /// Whether the sounds of events are off.
  public var isSilent: Bool?
  /// Whether power is saved.
  public var isLowPower: Bool?
  /// Whether a screen reader runs.
  public var isScreenReaderRunning: Bool?

  /// A desktop that says nothing.
  public init(
    reducesMotion: Bool? = nil, isSilent: Bool? = nil, isLowPower: Bool? = nil,
    isScreenReaderRunning: Bool? = nil
  ) {
    self.reducesMotion = reducesMotion
    self.isSilent = isSilent
    self.isLowPower = isLowPower
    self.isScreenReaderRunning = isScreenReaderRunning
  }

  /// A setting that desktops have, by its key in the configuration file.
  public enum Key: String, Sendable, CaseIterable {
    case reducesMotion = "reduce-motion"
    case isSilent = "silent"
    case isLowPower = "low-power"
    case isScreenReaderRunning = "screen-reader"

    /// Where it is among all settings.
    var path: WritableKeyPath<FeedbackSettings, Bool> {
      switch self {
      case .reducesMotion: \.reducesMotion
      case .isSilent: \.isSilent
      case .isLowPower: \.isLowPower
      case .isScreenReaderRunning: \.isScreenReaderRunning
      }
    }
  }

  /// What is said of a setting.
  public subscript(key: Key) -> Bool? {
    switch key {
    case .reducesMotion: reducesMotion
    case .isSilent: isSilent
    case .isLowPower: isLowPower
    case .isScreenReaderRunning: isScreenReaderRunning
    }
  }
}

extension FeedbackSettings {
  /// Takes what a desktop says, where nothing that counts for more has had its say.
  /// - Parameter settled: The settings of which the program, the environment or the configuration file has
  ///   spoken.
  ///
  /// What the desktop says nothing of is as it is without one.
  public mutating func follow(_ desktop: DesktopSettings, except settled: Set<DesktopSettings.Key>) {
    let usual = FeedbackSettings()
    for key in DesktopSettings.Key.allCases where !settled.contains(key) {
      self[keyPath: key.path] = desktop[key] ?? usual[keyPath: key.path]
    }
  }
}
