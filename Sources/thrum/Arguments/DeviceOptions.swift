import ThrumALSA
import ThrumRealtime
import ThrumSettings

/// The settings of a command that opens a device: how to open it, where a person has a wish.
protocol DeviceSettings {
  var rate: Int? { get set }
  var format: SampleFormat? { get set }
  var period: ALSARequest.Period? { get set }
}

extension CommandOption where Settings: DeviceSettings {
  /// The options that all such commands share, in the order of their help.
  static var deviceOptions: [CommandOption] {
    [
      .value(
        "rate", short: "r", "HZ", \.rate, .rate, "Frames a second; the device's first of 8000, 48000, …"),
      .value(
        "format", short: "f", "FORMAT", \.format, .deviceFormat,
        "s16, s24, s24_3, s32 or float; the device's first of s32, s24_3, s24, s16, float."),
      .value(
        "period", short: "p", "MS", \.period, .period,
        "Time between two wake-ups of the device: 1 to 1000 ms, or that in frames, such as 48f; default 5, with a sound server 10."
      ),
    ]
  }
}

/// The settings of a command whose device is chosen as for `play`.
protocol ChosenDeviceSettings: DeviceSettings {
  var device: String? { get set }
  var channels: ChannelChoice? { get set }
}

extension CommandOption where Settings: ChosenDeviceSettings {
  /// The options that all such commands share, in the order of their help.
  static var chosenDeviceOptions: [CommandOption] {
    [
      .value(
        "device", short: "d", "NAME", \.device, .text("the name of a device"),
        "An ALSA PCM, such as hw:1 or pipewire, or virtual; chosen as for play.")
    ] + CommandOption.deviceOptions + [
      .value(
        "channels", short: "c", "MAP", \.channels, .channels,
        "Which channels have actuators and which loudspeakers, as for play.")
    ]
  }
}

/// The settings of a command that plays what others named, on a device chosen as for `play`.
protocol ActuatorSettings: ChosenDeviceSettings {
  var gain: Double? { get set }
  var actuator: ActuatorName? { get set }
}

extension CommandOption where Settings: ActuatorSettings {
  /// The options that all such commands share, in the order of their help.
  static var actuatorOptions: [CommandOption] {
    CommandOption.chosenDeviceOptions + [
      .value("gain", short: "g", "DB", \.gain, .gain, "Level, before any limiter; default 0 dB."),
      .value(
        "actuator", short: "a", "NAME", \.actuator, .actuator,
        "The actuator's profile, by its name or its file; default safe."),
    ]
  }
}

extension ActuatorSettings {
  /// The actuators at the level that was asked for, by the configuration where the command line does not say.
  func actuators(_ configuration: Configuration) throws(CommandError) -> ActuatorSetup {
    try ActuatorSetup(
      actuator, channels: channels, configuration: configuration, gain: gain ?? configuration.gain ?? 0)
  }

  /// What the device is asked for.
  func request(_ configuration: Configuration, _ actuators: ActuatorSetup) -> DeviceRequest {
    DeviceRequest(
      rate: rate, format: format, period: period, channels: actuators.channels, configuration: configuration)
  }
}

extension ALSARequest.Period {
  /// Looks whether it is 1 to 1000 ms at a device rate.
  /// - Throws: `CommandError.usage` with the nearest that is.
  func check(at rate: Int) throws(CommandError) {
    let frames = frames(at: rate)
    let least = Self.leastFrames(at: rate)
    if frames < least {
      throw .usage(
        "a period of \(frames) frames at \(rate) Hz is shorter than 1 ms; the smallest is \(least) frames")
    }
    if frames > rate {
      throw .usage(
        "a period of \(frames) frames at \(rate) Hz is longer than 1000 ms; the largest is \(rate) frames")
    }
  }
}
