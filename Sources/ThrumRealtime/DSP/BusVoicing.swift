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
