/// What a bus asks of its voices: the intensity law, and the form that its drive takes them in.
///
/// On a resonant bus a tone renders its amplitude: its oscillator stands still at the crest of the sine, see
/// ``FrequencyMap``. Its block is three blocks behind one another: Σ amplitude, Σ amplitude·Vₑ with Vₑ the overdrive that
/// each tone's sharpness asks for, and the taps' clicks, which are drive already.
struct BusVoicing {
  let curve: IntensityCurve
  /// Whether tones give amplitudes and taps clicks.
  let isResonant: Bool
  /// Frames by which the envelope of a tone runs ahead: half a cycle of a resonant bus's carrier, as the drive decides at a
  /// zero crossing what there will be at the next; 0 elsewhere.
  let lead: Int64
  /// Octaves by which frequencies are raised.
  let octaves: Int
  /// The map of a tone's second harmonic, where ``octaves`` is above 0.
  let overtone: FrequencyMap
  let click: ClickShape

  /// The harmonic's level: −12 dB.
  static var overtoneLevel: Float { @_noLocks @_noAllocation get { 0.25118864 } }
  /// Where the second and the third of a resonant bus's blocks begin.
  static var crispness: Int { @_noLocks @_noAllocation get { Renderer.blockFrames } }
  static var clicks: Int { @_noLocks @_noAllocation get { 2 &* Renderer.blockFrames } }

  /// Control side.
  init(_ profile: BusProfile) {
    curve = IntensityCurve(profile.law)
    isResonant = profile.drive.isResonant
    octaves = profile.drive.octaves
    overtone = FrequencyMap(profile, octavesAbove: 1)
    click = ClickShape(profile.drive)
    if case .resonant(let hertz, _, _, _, _) = profile.drive {
      let half = CoreMath.roundedHalfAway(Double(RenderRate.framesPerSecond) / (2 * hertz))
      // Never longer than the shortest release, which would be over before it was heard.
      lead = min(64, half)
    } else {
      lead = 0
    }
  }

  /// Blocks behind one another that the bus needs.
  var blockCount: Int { isResonant ? 3 : 1 }
}

/// What a tap becomes on an LRA: whole or half cycles at the resonance, and as many against the motion, at the level that
/// leaves it standing still (signal model, 2).
///
/// ```
/// n = ⌊2(2 − s) + ½⌋/2,  T = n/f0
/// u = V·I·sin 2πf0·t for t < T,  −V·I·e^(−T/τ)·sin 2πf0·t for T ≤ t < 2T
/// ```
struct ClickShape {
  /// cos and sin of the carrier's turn in a frame.
  let cosine: Double
  let sine: Double
  /// The level of full intensity, full scale being 1.
  let level: Double
  private let cycleFrames: Double
  // ln of the motion's decay in a frame.
  private let damping: Double
  private let brakes: Bool

  /// Control side.
  init(_ drive: ActuatorDrive) {
    var (f0, sharp, room, braking) = (100.0, 1.0, 1.0, false)
    if case .resonant(let hertz, let q, let headroom, let overdrives, let brakes) = drive {
      (f0, sharp, room, braking) = (hertz, q, overdrives ? headroom : 1, brakes)
    }
    let rate = Double(RenderRate.framesPerSecond)
    let turn = 2 * Double.pi * f0 / rate
    cosine = CoreMath.smallCosine(turn)
    sine = CoreMath.smallSine(turn)
    level = 0.5 * room
    cycleFrames = rate / f0
    damping = -Double.pi * f0 / (sharp * rate)
    brakes = braking
  }

  /// Frames until the brake of a tap.
  @_noLocks @_noAllocation
  func turn(sharpness: Double) -> Int64 { ceiling(driven(sharpness)) }

  /// Frames of drive and brake.
  @_noLocks @_noAllocation
  func frames(sharpness: Double) -> Int64 { ceiling(driven(sharpness) * (brakes ? 2 : 1)) }

  /// The level of the brake, in levels of the drive.
  @_noLocks @_noAllocation
  func brake(sharpness: Double) -> Double { -CoreMath.exp(driven(sharpness) * damping) }

  @_noLocks @_noAllocation
  private func driven(_ sharpness: Double) -> Double {
    let halves = Int64(2 * (2 - sharpness) + 0.5)
    return 0.5 * Double(halves) * cycleFrames
  }

  @_noLocks @_noAllocation
  private func ceiling(_ x: Double) -> Int64 {
    let whole = Int64(x)
    return Double(whole) < x ? whole &+ 1 : whole
  }
}
