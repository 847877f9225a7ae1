/// What the variant of a haptic data asset is chosen by.
public struct HapticAssetSettings: Sendable, Hashable {
  /// Whether the user wants less motion, and so subtler haptics.
  public var reducesMotion: Bool
  /// The languages that the user reads, the preferred one first, such as `sk` or `pt-BR`.
  public var languages: [String]

  /// Creates settings.
  public init(reducesMotion: Bool = false, languages: [String] = []) {
    self.reducesMotion = reducesMotion
    self.languages = languages
  }

  /// The user's: the settings of feedback say whether less motion is wanted, as a program with `import Feedback` has
  /// set them or its desktop has, else the environment variable `THRUM_REDUCE_MOTION` (1 or 0), else
  /// `reduce-motion = yes` in the configuration file; the languages are the system's.
  public static var current: HapticAssetSettings { HapticSystem.current.assetSettings }
}
