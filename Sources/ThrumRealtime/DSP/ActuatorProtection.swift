/// What keeps an actuator from harm: a limit of its mean square, of its estimated excursion, and of its peaks (signal model,
/// 5). The high-pass before it is ``BusProfile/highPassHz``.
public struct ActuatorProtection: Sendable, Equatable {
  /// How far the moving mass may go, by an estimate from the drive and a model of the actuator.
  public struct Excursion: Sendable, Equatable {
    /// The actuator's resonance, 10…1,000 Hz.
    public var resonanceHz: Double
    /// Its Q, 0.3…200.
    public var q: Double
    /// The most, in excursions of the rated level at resonance, 0.1…10; default 1.3.
    public var ratio: Double

    /// Creates a limit.
    public init(resonanceHz: Double, q: Double, ratio: Double = 1.3) {
      self.resonanceHz = resonanceHz
      self.q = q
      self.ratio = ratio
    }
  }

  /// How peaks are held under the ceiling.
  public enum Peak: Sendable, Equatable {
    /// Turned down in advance: everything of the output is 8 render frames (1 ms) later for it.
    case lookAhead
    /// Bent from four fifths of full scale on: no delay, but distortion of −34 dB at full scale.
    case softCeiling
  }

  /// The mean square that may last for ever, full scale being 1; 1e-6…1, default 0.125, a sine of half of full scale.
  public var ratedSquare: Double
  /// The time over which the mean square is taken, 0.05…60 s; default 1.
  public var thermalSeconds: Double
  /// The excursion limit; nil without.
  public var excursion: Excursion?
  /// How peaks are held; fixed when an output opens.
  public var peak: Peak
  /// What no sample before the kernel passes, 0.05…1; default 0.98.
  public var ceiling: Double

  /// Creates a protection; the default is that of ``BusProfile/safe``.
  public init(
    ratedSquare: Double = 0.125, thermalSeconds: Double = 1, excursion: Excursion? = nil,
    peak: Peak = .lookAhead, ceiling: Double = 0.98
  ) {
    self.ratedSquare = ratedSquare
    self.thermalSeconds = thermalSeconds
    self.excursion = excursion
    self.peak = peak
    self.ceiling = ceiling
  }

  /// What is wrong with its values, nil where nothing is.
  var flaw: String? {
    // Written so that a value that is not a number fails.
    if !(ratedSquare >= 1e-6 && ratedSquare <= 1) { return "ActuatorProtection.ratedSquare is 1e-6…1" }
    if !(thermalSeconds >= 0.05 && thermalSeconds <= 60) {
      return "ActuatorProtection.thermalSeconds is 0.05…60"
    }
    if !(ceiling >= 0.05 && ceiling <= 1) { return "ActuatorProtection.ceiling is 0.05…1" }
    guard let excursion else { return nil }
    if !(excursion.resonanceHz >= 10 && excursion.resonanceHz <= 1000) {
      return "the excursion's resonanceHz is 10…1000"
    }
    if !(excursion.q >= 0.3 && excursion.q <= 200) { return "the excursion's q is 0.3…200" }
    if !(excursion.ratio >= 0.1 && excursion.ratio <= 10) { return "the excursion's ratio is 0.1…10" }
    return nil
  }
}
