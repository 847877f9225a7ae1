public import ThrumRealtime

/// What is known of an actuator and its amplifier, and how it is to be driven: a profile's file as a value.
///
/// A profile is chosen by its name or its file, becomes a `BusProfile` for the render thread, and is written back as text by
/// ``text``. Values that contradict each other are found by ``problems()``, which reading calls; who builds a profile in code
/// calls it too.
///
/// Threads: a value. Real-time: no.
public struct ActuatorProfile: Sendable, Equatable {
  /// What an actuator is, which settles what sharpness becomes.
  public enum Kind: String, Sendable, CaseIterable {
    /// A voice coil or anything else that moves over a wide band: sharpness is frequency.
    case wideband
    /// A linear resonant actuator: one frequency, and sharpness is how crisp the onset is.
    case lra
    /// A loudspeaker or headphone: sharpness is frequency, moved up by octaves to where it can be heard.
    case speaker
  }

  /// The resonance of an actuator in its mounting.
  public struct Resonance: Sendable, Equatable {
    /// f0, 10…1,000 Hz.
    public var hz: Double
    /// The quality factor, 0.3…200.
    public var q: Double
    /// How far f0 may be off, as a share of it, 0…1; nil where it was not measured but read from a data sheet.
    public var hzUncertainty: Double?
    /// How far Q may be off, as a share of it, 0…1; nil where it was not measured.
    public var qUncertainty: Double?

    /// Creates a resonance.
    public init(hz: Double, q: Double, hzUncertainty: Double? = nil, qUncertainty: Double? = nil) {
      self.hz = hz
      self.q = q
      self.hzUncertainty = hzUncertainty
      self.qUncertainty = qUncertainty
    }

    /// Seconds in which the amplitude rings down by a factor e.
    public var timeConstant: Double { q / (.pi * hz) }

    /// Whether f0 was measured well enough to brake with: to 1 % or better.
    public var canBrake: Bool { hzUncertainty.map { $0 <= ActuatorProfile.brakingUncertainty } ?? false }
  }

  /// What the amplifier gives and the actuator takes.
  public struct Volts: Sendable, Equatable {
    /// Volts at the actuator for digital full scale, as the peak of a sine, 0.01…100.
    public var fullScalePeak: Double
    /// Volts that the actuator takes for ever, rms, 0.01…100.
    public var ratedRMS: Double
    /// Volts that it takes for a moment, as the peak of a sine; nil where the data sheet says nothing.
    public var overdrivePeak: Double?
    /// The longest time at those, 0.005…10 s; nil leaves it to the thermal limit.
    public var overdriveSeconds: Double?

    /// Creates voltages.
    public init(
      fullScalePeak: Double, ratedRMS: Double, overdrivePeak: Double? = nil, overdriveSeconds: Double? = nil
    ) {
      self.fullScalePeak = fullScalePeak
      self.ratedRMS = ratedRMS
      self.overdrivePeak = overdrivePeak
      self.overdriveSeconds = overdriveSeconds
    }
  }

  /// How sharpness 0…1 becomes frequency.
  public struct FrequencyMap: Sendable, Equatable {
    /// Hz at sharpness 0, 20…1,000.
    public var minimumHz: Double
    /// Hz at sharpness 1, from the other to 1,000; equal steps of sharpness are equal ratios between.
    public var maximumHz: Double

    /// Creates a map; the default is that of an unknown wideband actuator.
    public init(minimumHz: Double = 80, maximumHz: Double = 230) {
      self.minimumHz = minimumHz
      self.maximumHz = maximumHz
    }
  }

  /// What is done to the signal so that the actuator follows it.
  public enum Drive: Sendable, Equatable {
    /// Nothing.
    case plain
    /// The resonance is replaced by another: flat for a voice coil, quicker for a resonant actuator. Nil leaves a
    /// target to what suits the kind.
    case equalizer(targetHz: Double?, targetQ: Double?)
    /// The carrier is locked to f0 and the amplitude set anew each half cycle. With `overdrives` the onsets are short, with `brakes`
    /// the ends.
    case halfCycle(overdrives: Bool, brakes: Bool)
  }

  /// What keeps the actuator whole.
  public struct Protection: Sendable, Equatable {
    /// How peaks are held.
    public enum Peak: String, Sendable, CaseIterable {
      /// A limiter that looks 1 ms ahead and does not distort.
      case lookAhead = "look-ahead"
      /// A soft ceiling without delay, which distorts what is loud.
      case softCeiling = "soft-ceiling"
    }

    /// Corner of the high-pass, 5…200 Hz; default 20.
    public var highPassHz: Double
    /// Time constant of the heating that the rms limit follows, 0.05…60 s; default 1.
    public var thermalSeconds: Double
    /// The largest excursion as a multiple of that at rated drive, 1…4; nil without an estimate of it, for which the resonance
    /// is needed. Default nil.
    public var excursionRatio: Double?
    /// How peaks are held; default by the look-ahead limiter.
    public var peak: Peak
    /// The largest sample, a share of full scale, 0.05…0.98; default 0.98.
    public var ceiling: Double

    /// Creates the protection of an actuator of which nothing special is known.
    public init(
      highPassHz: Double = 20, thermalSeconds: Double = 1, excursionRatio: Double? = nil,
      peak: Peak = .lookAhead, ceiling: Double = 0.98
    ) {
      self.highPassHz = highPassHz
      self.thermalSeconds = thermalSeconds
      self.excursionRatio = excursionRatio
      self.peak = peak
      self.ceiling = ceiling
    }
  }

  /// The worst uncertainty of f0, as a share, with which braking helps.
  public static let brakingUncertainty = 0.01

  /// The name a person chooses it by: 1 to 64 lower-case letters, digits, dashes, underscores and points.
  public var name: String
  /// What the actuator is.
  public var kind: Kind
  /// Its resonance; nil where nobody knows it.
  public var resonance: Resonance?
  /// What amplifier and actuator take; nil leaves the levels to ``headroom`` and ``gain``.
  public var volts: Volts?
  /// How many times the rated amplitude an overdrive may have, 1…8; nil derives it from ``volts``, else 2.
  public var headroom: Double?
  /// A linear gain on everything, above 0 to 8; default 1.
  public var gain: Double
  /// How sharpness becomes frequency; an actuator that is driven by half cycles does not use it.
  public var frequency: FrequencyMap
  /// How intensity becomes amplitude; default linear.
  public var law: IntensityLaw
  /// What is done to the signal so that the actuator follows it.
  public var drive: Drive
  /// The lower end of what a loudspeaker gives, its −6 dB corner, 20…400 Hz; nil for others.
  public var speakerCornerHz: Double?
  /// What keeps it whole; nil for the built-in profile `none` alone.
  public var protection: Protection?
  /// The channels it is wired to, 1…64; empty where that is said elsewhere.
  public var channels: [Int]
  /// How it is mounted; resonance changes with it.
  public var mounting: String?
  /// How it was measured.
  public var measurement: String?
  /// Whatever else is worth knowing.
  public var notes: String?

  /// Creates a profile with the values that suit an unknown actuator of the kind.
  public init(
    name: String, kind: Kind, resonance: Resonance? = nil, volts: Volts? = nil, headroom: Double? = nil,
    gain: Double = 1, frequency: FrequencyMap = FrequencyMap(), law: IntensityLaw = .linear,
    drive: Drive = .plain,
    speakerCornerHz: Double? = nil, protection: Protection? = Protection(), channels: [Int] = [],
    mounting: String? = nil, measurement: String? = nil, notes: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.resonance = resonance
    self.volts = volts
    self.headroom = headroom
    self.gain = gain
    self.frequency = frequency
    self.law = law
    self.drive = drive
    self.speakerCornerHz = speakerCornerHz
    self.protection = protection
    self.channels = channels
    self.mounting = mounting
    self.measurement = measurement
    self.notes = notes
  }
}
