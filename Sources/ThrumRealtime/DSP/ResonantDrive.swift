/// Drives a resonance so that its motion follows an envelope: half a cycle at a time, by the level that brings a first-order
/// model of its amplitude to where it is wanted (signal model, 5).
///
/// ```
/// at each zero crossing tₖ:  ŷ ← a·ŷ + (1 − a)·v;   v = clip((e − a·ŷ)/(1 − a), −V, Vₑ)
/// until tₖ₊₁:                u = v·sin(2π·f0·t)
/// ```
/// a = e^(−h/τ) over half a cycle h, τ = Q/(π·f0); e is where the envelope will be at the crossing to come: voices run half a
/// cycle ahead where they know their end, see ``BusVoicing/lead``. From rest the carrier begins at phase 0 on the first
/// frame that has an envelope. Levels are in units of the rated one, which is half of full scale.
struct ResonantDrive {
  private let step: UInt32
  private let decay: Double
  private let headroom: Double
  private let overdrives: Bool
  private let brakes: Bool
  private var phase: UInt32 = 0
  // ŷ and v.
  private var motion = 0.0
  private var level = 0.0
  private(set) var isResting = true

  /// |ŷ| below which it counts as standing still.
  private static var stillness: Double { @_noLocks @_noAllocation get { 1e-4 } }

  /// Control side.
  init(resonanceHz: Double, q: Double, headroom: Double, overdrives: Bool, brakes: Bool) {
    let turns = resonanceHz * 4_294_967_296 / Double(RenderRate.framesPerSecond)
    step = UInt32(CoreMath.roundedHalfAway(turns))
    // h/τ = (1/2f0)·(π·f0/Q).
    decay = CoreMath.exp(-Double.pi / (2 * q))
    self.headroom = headroom
    self.overdrives = overdrives
    self.brakes = brakes
  }

  /// Frames for which it goes on driving when the envelope has ended at its highest. Control side.
  var ringFrames: Int64 {
    let half = Double(2_147_483_648) / Double(step)
    var motion = headroom
    var count = 2
    while brakes, motion > ResonantDrive.stillness, count < 100_000 {
      motion = decay * motion - (1 - decay) * min(headroom, decay * motion / (1 - decay))
      count += 1
    }
    return Int64(Double(count) * half) + 1
  }

  /// Turns the envelopes of eight frames into the drive.
  /// - Parameters:
  ///   - bus: Half of Σ amplitude of each frame; takes the samples.
  ///   - crispness: Half of Σ amplitude·Vₑ of each frame.
  ///   - clicks: What is added to the drive.
  @_noLocks @_noAllocation
  mutating func drive(
    _ bus: UnsafeMutablePointer<Float>, crispness: UnsafePointer<Float>, clicks: UnsafePointer<Float>
  ) {
    var phases = SIMD8<UInt32>(repeating: 0)
    var levels = SIMD8<Float>(repeating: 0)
    var lane = 0
    while lane < 8 {
      let half = Double(bus[lane])
      if isResting {
        if half != 0 { begin(half, crispness: Double(crispness[lane])) }
      } else {
        let next = phase &+ step
        let hasCrossed = (next ^ phase) & 0x8000_0000 != 0
        phase = next
        if hasCrossed { turn(half, crispness: Double(crispness[lane])) }
      }
      phases[lane] = phase
      levels[lane] = Float(level * 0.5)
      lane = lane &+ 1
    }
    let samples = Oscillator.sine(phases) * levels
    lane = 0
    while lane < 8 {
      bus[lane] = samples[lane] + clicks[lane]
      lane = lane &+ 1
    }
  }

  /// Whether it gives zeros for zeros.
  var isClear: Bool { @_noLocks @_noAllocation get { isResting } }

  @_noLocks @_noAllocation
  private mutating func begin(_ half: Double, crispness: Double) {
    isResting = false
    phase = 0
    motion = 0
    decide(half, crispness: crispness)
  }

  /// At a zero crossing: what half a cycle of the present level has done, and the next level.
  @_noLocks @_noAllocation
  private mutating func turn(_ half: Double, crispness: Double) {
    motion = decay * motion + (1 - decay) * level
    let size = motion < 0 ? -motion : motion
    if half == 0, size < ResonantDrive.stillness {
      isResting = true
      phase = 0
      motion = 0
      level = 0
    } else {
      decide(half, crispness: crispness)
    }
  }

  @_noLocks @_noAllocation
  private mutating func decide(_ half: Double, crispness: Double) {
    let wanted = 2 * half
    // The overdrive of the voices' mean crispness, and never less than holding the level takes.
    var upper = overdrives && half > 0 ? crispness / half : 1
    if upper < wanted { upper = wanted }
    if upper > headroom { upper = headroom }
    let lower = brakes ? -headroom : 0
    let ideal = (wanted - decay * motion) / (1 - decay)
    level = ideal < lower ? lower : (ideal > upper ? upper : ideal)
  }
}
