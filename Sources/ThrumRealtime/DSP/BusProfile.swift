/// What the core does to one haptic bus between the sum of its voices and the device.
///
/// The order is gain, high-pass, RMS limiter, peak limiter, kernel to the device's rate, saturation.
public struct BusProfile: Sendable, Equatable {
  /// The name a person chooses it by.
  public var name: String
  /// Hz at sharpness 0, 1 or more; default 80.
  public var minimumHz: Double
  /// Hz at sharpness 1, from ``minimumHz`` to less than 4,000; default 230.
  public var maximumHz: Double
  /// Linear gain on the sum of the voices, −1,000…1,000.
  public var gain: Float
  /// Corner of the second-order Butterworth high-pass, 1…1,000 Hz; 0 leaves it out.
  public var highPassHz: Double
  /// Whether the RMS limiter (1 s, rated u² = 0.125) and the peak limiter (ceiling 0.98, delay 8 frames) are in.
  public var isLimited: Bool
  /// Whether float samples are held at ±1; integers always saturate.
  public var isHeldAtFullScale: Bool

  /// Creates a profile.
  public init(
    name: String, minimumHz: Double = 80, maximumHz: Double = 230, gain: Float = 1, highPassHz: Double = 0,
    isLimited: Bool = false, isHeldAtFullScale: Bool = true
  ) {
    self.name = name
    self.minimumHz = minimumHz
    self.maximumHz = maximumHz
    self.gain = gain
    self.highPassHz = highPassHz
    self.isLimited = isLimited
    self.isHeldAtFullScale = isHeldAtFullScale
  }

  /// The sum of the voices as it is: no filter, no limiter, no delay. Float output may pass 1,
  /// with a gain too.
  public static let none = BusProfile(name: "none", isHeldAtFullScale: false)

  /// For an unknown actuator: half level, 40 Hz high-pass, RMS and peak limiter.
  public static let safe = BusProfile(name: "safe", gain: 0.5, highPassHz: 40, isLimited: true)

  /// Render frames for which the high-pass is let ring after the last sound: until that has fallen by 120 dB, 622 at
  /// 40 Hz; 0 without it.
  public var tailFrames: Int64 { highPassHz > 0 ? HighPass(cornerHz: highPassHz).ringFrames : 0 }

  /// Traps where a value would make a number that is none, or a frequency that 8 kHz cannot carry.
  func check() {
    // Written so that a value that is not a number fails.
    precondition(gain.magnitude <= 1000, "BusProfile.gain is a number in −1000…1000")
    precondition(minimumHz >= 1, "BusProfile.minimumHz is 1 or more")
    precondition(
      maximumHz >= minimumHz && maximumHz < 4000, "BusProfile.maximumHz is minimumHz or more, and below 4000")
    precondition(
      highPassHz == 0 || highPassHz >= 1 && highPassHz <= 1000, "BusProfile.highPassHz is 0 or 1…1000")
  }
}
