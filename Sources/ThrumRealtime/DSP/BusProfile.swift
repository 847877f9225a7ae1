/// What the core does to one haptic bus between the sum of its voices and the device.
///
/// The order is gain, high-pass, RMS limiter, peak limiter, kernel to the device's rate, saturation.
public struct BusProfile: Sendable, Equatable {
  /// The name a person chooses it by.
  public var name: String
  /// Hz at sharpness 0; default 80.
  public var minimumHz: Double
  /// Hz at sharpness 1; default 230.
  public var maximumHz: Double
  /// Linear gain on the sum of the voices.
  public var gain: Float
  /// Corner of the second-order Butterworth high-pass, Hz; 0 leaves it out.
  public var highPassHz: Double
  /// Whether the RMS limiter (1 s, rated u² = 0.125) and the peak limiter (ceiling 0.98, delay 8 frames) are in.
  public var isLimited: Bool

  /// Creates a profile.
  public init(
    name: String, minimumHz: Double = 80, maximumHz: Double = 230, gain: Float = 1, highPassHz: Double = 0,
    isLimited: Bool = false
  ) {
    self.name = name
    self.minimumHz = minimumHz
    self.maximumHz = maximumHz
    self.gain = gain
    self.highPassHz = highPassHz
    self.isLimited = isLimited
  }

  /// The sum of the voices as it is: no filter, no limiter, no delay. Float output may pass 1.
  public static let none = BusProfile(name: "none")

  /// For an unknown actuator: half level, 40 Hz high-pass, RMS and peak limiter.
  public static let safe = BusProfile(name: "safe", gain: 0.5, highPassHz: 40, isLimited: true)
}
