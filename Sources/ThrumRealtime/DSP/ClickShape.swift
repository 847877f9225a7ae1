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
