import Glibc

/// Which device a command plays on, and why that one.
struct DeviceChoice: Equatable {
  /// Who named the device.
  enum Source: Equatable {
    case option
    case environment
    /// The configuration, with its path and line.
    case configuration(String)
    /// Nobody; ALSA's `default` is tried, and the virtual actuator after it.
    case nobody
  }

  /// The name of the virtual actuator, which is always there.
  static let virtualName = "virtual"

  /// An ALSA PCM's name, or ``virtualName``.
  var name: String
  /// Who named it.
  var source: Source

  /// Decides: `--device`, then `THRUM_DEVICE`, then the configuration, then ALSA's `default`.
  static func choose(option: String?, configuration: Configuration) -> DeviceChoice {
    if let option { return DeviceChoice(name: option, source: .option) }
    if let name = environment("THRUM_DEVICE") { return DeviceChoice(name: name, source: .environment) }
    if let name = configuration.device {
      let place = "\(configuration.path ?? ""):\(configuration.deviceLine)"
      return DeviceChoice(name: name, source: .configuration(place))
    }
    return DeviceChoice(name: "default", source: .nobody)
  }

  /// Why it is this one, to follow the name.
  var reason: String {
    switch source {
    case .option: "named by --device"
    case .environment: "named by THRUM_DEVICE"
    case .configuration(let place): "named by \(place)"
    case .nobody: "ALSA's default, because no device is named"
    }
  }
}
