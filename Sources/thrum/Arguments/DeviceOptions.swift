import ThrumRealtime

/// The settings of a command that opens a device: how to open it, where a person has a wish.
protocol DeviceSettings {
  var rate: Int? { get set }
  var format: SampleFormat? { get set }
  var period: Period? { get set }
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
        "Time between two wake-ups of the device: 1 to 1000 ms, or that in frames, such as 48f; default 5."),
    ]
  }
}
