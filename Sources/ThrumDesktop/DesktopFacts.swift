internal import ThrumFeedback

/// What was heard of a desktop, by who said it.
struct DesktopFacts: Equatable {
  /// What the portal says of settings.
  var settings: [SettingName: DesktopMessage.Value] = [:]
  /// What the portal says of power.
  var savesPower: Bool?
  /// What the bus of accessibility says: it is what screen readers themselves set.
  var isScreenReaderEnabled: Bool?

  static let animations = SettingName(namespace: "org.gnome.desktop.interface", key: "enable-animations")
  static let reducedMotion = SettingName(namespace: "org.freedesktop.appearance", key: "reduced-motion")
  static let eventSounds = SettingName(namespace: "org.gnome.desktop.sound", key: "event-sounds")
  static let screenReader = SettingName(
    namespace: "org.gnome.desktop.a11y.applications", key: "screen-reader-enabled")
  /// The settings of interest.
  static let names = [animations, reducedMotion, eventSounds, screenReader]

  /// What it comes to.
  var meaning: DesktopSettings {
    var desktop = DesktopSettings()
    // Of two that speak of one thing, the one that asks for less wins.
    let wishes = [
      settings[Self.animations].flatMap(truth).map(!),
      settings[Self.reducedMotion].flatMap(number).map { $0 == 1 },
    ].compactMap { $0 }
    desktop.reducesMotion = wishes.isEmpty ? nil : wishes.contains(true)
    desktop.isSilent = settings[Self.eventSounds].flatMap(truth).map(!)
    desktop.isLowPower = savesPower
    let readers = [settings[Self.screenReader].flatMap(truth), isScreenReaderEnabled].compactMap { $0 }
    desktop.isScreenReaderRunning = readers.isEmpty ? nil : readers.contains(true)
    return desktop
  }

  private func truth(_ value: DesktopMessage.Value) -> Bool? {
    if case .truth(let isTrue) = value { isTrue } else { nil }
  }

  private func number(_ value: DesktopMessage.Value) -> UInt32? {
    if case .number(let number) = value { number } else { nil }
  }
}
