/// What the core does to one haptic bus between its voices and the device.
///
/// The order is intensity law (in the voices), drive, gain, high-pass, RMS limiter, excursion and peak limiter, kernel to the
/// device's rate, saturation.
public struct BusProfile: Sendable, Equatable {
  /// The name a person chooses it by.
  public var name: String
  /// Hz at sharpness 0, 1 or more; default 80. A resonant drive has the one frequency of its carrier instead.
  public var minimumHz: Double
  /// Hz at sharpness 1, from ``minimumHz`` to less than 4,000; default 230.
  public var maximumHz: Double
  /// How intensity becomes amplitude; default linear.
  public var law: IntensityLaw
  /// What is made of the voices for the kind of actuator; default nothing.
  public var drive: ActuatorDrive
  /// Linear gain on what the drive makes, −1,000…1,000.
  public var gain: Float
  /// Corner of the second-order Butterworth high-pass, 1…1,000 Hz; 0 leaves it out.
  public var highPassHz: Double
  /// The limits; nil without any.
  public var protection: ActuatorProtection?
  /// Whether float samples are held at ±1; integers always saturate.
  public var isHeldAtFullScale: Bool

  /// Creates a profile.
  public init(
    name: String, minimumHz: Double = 80, maximumHz: Double = 230, law: IntensityLaw = .linear,
    drive: ActuatorDrive = .none, gain: Float = 1, highPassHz: Double = 0,
    protection: ActuatorProtection? = nil, isHeldAtFullScale: Bool = true
  ) {
    self.name = name
    self.minimumHz = minimumHz
    self.maximumHz = maximumHz
    self.law = law
    self.drive = drive
    self.gain = gain
    self.highPassHz = highPassHz
    self.protection = protection
    self.isHeldAtFullScale = isHeldAtFullScale
  }

  /// The sum of the voices as it is: no filter, no limiter, no delay. Float output may pass 1,
  /// with a gain too.
  public static let none = BusProfile(name: "none", isHeldAtFullScale: false)

  /// For an unknown actuator: half level, 40 Hz high-pass, RMS and peak limiter.
  public static let safe = BusProfile(name: "safe", gain: 0.5, highPassHz: 40, protection: .init())

  /// Whether it has the limiter that delays by 8 frames.
  var looksAhead: Bool { protection?.peak == .lookAhead }

  /// Render frames for which drive and filters are let ring after the last sound: each until it has fallen by 120 dB, 622
  /// for a high-pass at 40 Hz; 0 without any.
  public var tailFrames: Int64 { BusChain.tailFrames(self) }

  /// What is wrong with the values, by the first rule that is broken; nil where an output takes them.
  ///
  /// Threads: any. Real-time: no.
  public var flaw: String? {
    // Written so that a value that is not a number fails.
    if !(gain.magnitude <= 1000) { return "BusProfile.gain is a number in −1000…1000" }
    if !(minimumHz >= 1) { return "BusProfile.minimumHz is 1 or more" }
    if !(maximumHz >= minimumHz && maximumHz < 4000) {
      return "BusProfile.maximumHz is minimumHz or more, and below 4000"
    }
    if !(highPassHz == 0 || highPassHz >= 1 && highPassHz <= 1000) {
      return "BusProfile.highPassHz is 0 or 1…1000"
    }
    switch law {
    case .power(let gamma): if !(gamma >= 1 && gamma <= 3) { return "the power of BusProfile.law is 1…3" }
    case .sensation(let decibels):
      if !(decibels >= 10 && decibels <= 80) { return "the range of BusProfile.law is 10…80 dB" }
    }
    if let flaw = drive.flaw { return flaw }
    if drive.octaves > 0, !(maximumHz * Double(2 << drive.octaves) < 4000) {
      return "the speaker's octaves bring the harmonic of BusProfile.maximumHz to 4000 Hz or more"
    }
    return protection?.flaw
  }

  /// Traps where a value would make a number that is none, or a frequency that 8 kHz cannot carry.
  func check() {
    if let flaw { preconditionFailure(flaw) }
  }
}
