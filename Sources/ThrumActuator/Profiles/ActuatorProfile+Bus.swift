import Glibc
public import ThrumRealtime

extension ActuatorProfile {
  /// The continuous amplitude of full intensity before any gain, which is what rated drive comes to.
  private static let patternAmplitude = 0.5

  /// The amplitude of rated drive, a share of full scale, ``gain`` not counted.
  public var ratedAmplitude: Double {
    guard let volts else { return Self.patternAmplitude }
    return min(1, volts.ratedRMS * 2.0.squareRoot() / volts.fullScalePeak)
  }

  /// How many times the rated amplitude an overdrive has: what the actuator takes, the amplifier gives and full scale holds.
  public var overdriveRatio: Double {
    let wanted: Double
    if let volts, let overdrive = volts.overdrivePeak {
      wanted = overdrive / (volts.ratedRMS * 2.0.squareRoot())
    } else {
      wanted = headroom ?? 2
    }
    // What passes the ceiling would be turned down, and the brake would not fit its click any more.
    return max(1, min(wanted, (protection?.ceiling ?? 1) / ratedAmplitude, 8))
  }

  /// Octaves by which a loudspeaker's frequencies are raised, so that the lowest is above its corner.
  public var octaves: Int {
    guard let corner = speakerCornerHz else { return 0 }
    var octaves = 0
    while octaves < 3, frequency.minimumHz * Double(1 << octaves) < corner { octaves += 1 }
    return octaves
  }

  /// What the render thread does for this actuator; `none` and `safe` are those of the core, to the bit.
  ///
  /// Rated volts become an amplitude of full scale, and what intensity 1 comes to; overdrive becomes headroom and ceiling, its
  /// longest time the time constant of the thermal limit.
  public var busProfile: BusProfile {
    if self == .none { return .none }
    if self == .safe { return .safe }
    return BusProfile(
      name: name, minimumHz: frequency.minimumHz, maximumHz: frequency.maximumHz, law: law,
      drive: busDrive, gain: Float(gain * ratedAmplitude / Self.patternAmplitude),
      highPassHz: protection?.highPassHz ?? 0, protection: busProtection)
  }

  private var busDrive: ActuatorDrive {
    if kind == .speaker { return .speaker(octaves: octaves) }
    guard let resonance else { return .none }
    switch drive {
    case .plain: return .none
    case .equalizer(let hz, let q):
      let target = equalizerTarget(of: resonance)
      return .equalizer(
        resonanceHz: resonance.hz, q: resonance.q, targetHz: hz ?? target.hz, targetQ: q ?? target.q)
    case .halfCycle(let overdrives, let brakes):
      return .resonant(
        resonanceHz: resonance.hz, q: resonance.q, headroom: overdriveRatio, overdrives: overdrives,
        brakes: brakes)
    }
  }

  /// What suits a kind: a resonant actuator keeps its frequency and becomes as much quicker as there is headroom, a coil becomes
  /// flat from as low on as a boost of 9 dB allows.
  private func equalizerTarget(of resonance: Resonance) -> (hz: Double, q: Double) {
    if kind == .lra { return (resonance.hz, max(0.3, resonance.q / overdriveRatio)) }
    // 10^(−9 / 40)
    return (max(40, resonance.hz * 0.5956621435290105), 0.707)
  }

  private var busProtection: ActuatorProtection? {
    guard let protection else { return nil }
    var seconds = protection.thermalSeconds
    var ceiling = protection.ceiling
    if let volts, let overdrive = volts.overdrivePeak {
      ceiling = max(0.05, min(ceiling, overdrive / volts.fullScalePeak))
      if let longest = volts.overdriveSeconds {
        // From rest, the mean square of a sine at `ratio` times the rated amplitude passes the rated one after
        // −τ·ln(1 − 1/ratio²) seconds.
        let ratio = overdrive / (volts.ratedRMS * 2.0.squareRoot())
        if ratio > 1.01 { seconds = min(seconds, longest / -log(1 - 1 / (ratio * ratio))) }
      }
    }
    // A gain above 1 makes patterns louder; what the actuator takes for ever is what it was.
    let rated = ratedAmplitude * min(1, gain)
    return ActuatorProtection(
      ratedSquare: min(1, max(1e-6, rated * rated / 2)), thermalSeconds: min(60, max(0.05, seconds)),
      excursion: excursion(protection.excursionRatio),
      peak: protection.peak == .lookAhead ? .lookAhead : .softCeiling,
      ceiling: ceiling)
  }

  private func excursion(_ ratio: Double?) -> ActuatorProtection.Excursion? {
    guard let ratio, let resonance else { return nil }
    return .init(resonanceHz: resonance.hz, q: resonance.q, ratio: ratio)
  }
}
