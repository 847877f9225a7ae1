/// What the core makes of haptic voices so that a particular kind of actuator moves as the pattern says (signal model, 1, 2
/// and 5).
public enum ActuatorDrive: Sendable, Equatable {
  /// The sum of the voices as it is.
  case none

  /// A pole-zero filter that takes a resonance away and puts another in its place: for a voice coil one so low and broad
  /// that acceleration is flat above it; for an LRA one of the same frequency and a lower Q, which overdrives and brakes
  /// whatever the waveform.
  ///
  /// Where both frequencies are the same, the gain at it is 1 in steady state; otherwise it is 1 far above both, and
  /// (resonance / target)² far below.
  /// - Parameters:
  ///   - resonanceHz: The actuator's, 10…1,000 Hz.
  ///   - q: The actuator's, 0.3…200.
  ///   - targetHz: What it is to be, 10…1,000 Hz.
  ///   - targetQ: What it is to be, 0.3…200.
  case equalizer(resonanceHz: Double, q: Double, targetHz: Double, targetQ: Double)

  /// An LRA: all tones of the bus share one carrier at the resonance, which is driven and braked half a cycle at a time so
  /// that its motion follows their summed envelopes; taps are one to two cycles of drive and as many of brake. Sharpness is
  /// how crisp an onset is, as an LRA cannot tell it by frequency.
  /// - Parameters:
  ///   - resonanceHz: 20…500 Hz; measured, or braking does harm.
  ///   - q: 1…200.
  ///   - headroom: V, the overdrive over the rated level that voltage and amplifier have room for, 1…8.
  ///   - overdrives: Whether onsets use the headroom.
  ///   - brakes: Whether ends do. Only with a resonance that is known within 1 %.
  case resonant(
    resonanceHz: Double, q: Double, headroom: Double = 2, overdrives: Bool = true, brakes: Bool = true)

  /// A loudspeaker that a person hears rather than feels: all frequencies so many octaves higher, 0…3, taps two at most,
  /// and tones with their second harmonic 12 dB below.
  case speaker(octaves: Int)

  /// Whether the envelopes of voices go into the chain rather than their sines.
  var isResonant: Bool {
    switch self {
    case .resonant: true
    default: false
    }
  }

  /// Octaves by which frequencies are raised.
  var octaves: Int {
    switch self {
    case .speaker(let octaves): octaves
    default: 0
    }
  }

  /// What is wrong with its values, nil where nothing is.
  var flaw: String? {
    // Written so that a value that is not a number fails.
    switch self {
    case .none: return nil
    case .equalizer(let hertz, let q, let targetHz, let targetQ):
      if !(hertz >= 10 && hertz <= 1000) { return "the equalizer's resonanceHz is 10…1000" }
      if !(targetHz >= 10 && targetHz <= 1000) { return "the equalizer's targetHz is 10…1000" }
      if !(q >= 0.3 && q <= 200) { return "the equalizer's q is 0.3…200" }
      if !(targetQ >= 0.3 && targetQ <= 200) { return "the equalizer's targetQ is 0.3…200" }
    case .resonant(let hertz, let q, let headroom, _, _):
      if !(hertz >= 20 && hertz <= 500) { return "the resonant drive's resonanceHz is 20…500" }
      if !(q >= 1 && q <= 200) { return "the resonant drive's q is 1…200" }
      if !(headroom >= 1 && headroom <= 8) { return "the resonant drive's headroom is 1…8" }
    case .speaker(let octaves):
      if !(octaves >= 0 && octaves <= 3) { return "the speaker's octaves are 0…3" }
    }
    return nil
  }
}
