/// Reads a sound between its samples: a windowed sinc of 32 taps whose window comes from a table of 256 phases, linear
/// between them (signal model, 9).
///
/// The window is Kaiser's with β = 8. The sinc itself is computed for the cutoff asked for, so that a sound that is read
/// faster than it was made does not fold.
struct SoundKernel {
  /// Samples that one output needs.
  static var taps: Int { @_noLocks @_noAllocation get { 32 } }
  /// The sample at which a position without fraction stands among them, from 0.
  static var centre: Int { @_noLocks @_noAllocation get { 15 } }

  private static var phases: Int { @_noLocks @_noAllocation get { 256 } }
  // Safety: (`phases` + 1) × `taps`; owned by the renderer, or by whoever made the kernel.
  private let window: UnsafeMutablePointer<Float>

  /// Computes the window. Control side.
  init() {
    let count = (SoundKernel.phases + 1) * SoundKernel.taps
    window = .allocate(capacity: count)
    let peak = PolyphaseKernel.bessel(8)
    for phase in 0...SoundKernel.phases {
      for tap in 0...SoundKernel.centre {
        let x = Double(tap - SoundKernel.centre) - Double(phase) / Double(SoundKernel.phases)
        let inside = max(0, 1 - x * x / 256)
        let value = Float(PolyphaseKernel.bessel(8 * inside.squareRoot()) / peak)
        (window + phase * SoundKernel.taps + tap).initialize(to: value)
        // The window is even, and places in it are exact: the other half has the same bits.
        (window + count - 1 - phase * SoundKernel.taps - tap).initialize(to: value)
      }
    }
  }

  func deallocate() { window.deallocate() }

  /// The 32 weights for a place between two samples, with a sum of 1.
  /// - Parameters:
  ///   - fraction: 0…1 of the way from the sample at `centre` to the next.
  ///   - cutoff: In units of the sound's rate, at most 0.5.
  ///   - weights: Room for 32.
  @_noLocks @_noAllocation
  func weights(fraction: Double, cutoff: Double, into weights: UnsafeMutablePointer<Float>) {
    let place = fraction * 256
    let phase = Int(place)
    let between = Float(place - Double(phase))
    let row = UnsafeRawPointer(window + phase &* SoundKernel.taps)
    let next = row + SoundKernel.taps &* 4
    // sin 2π·fc·x, turns as 32-bit phases: a step a tap.
    let step = SoundKernel.turns(cutoff)
    let first = SoundKernel.turns((-15 - fraction) * cutoff)
    var turns = SIMD8<UInt32>(repeating: first) &+ SIMD8(repeating: step) &* SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
    var x = SIMD8<Float>(-15, -14, -13, -12, -11, -10, -9, -8) - Float(fraction)
    let scale = Float(1 / (2 * Double.pi * cutoff))
    var sums = SIMD8<Float>(repeating: 0)
    let target = UnsafeMutableRawPointer(weights)
    // The tap nearest to the place, where sine over angle is a quotient of small numbers.
    let nearest = fraction < 0.5 ? 15 : 16
    var block = 0
    while block < 4 {
      let here = (row + block &* 32).loadUnaligned(as: SIMD8<Float>.self)
      let there = (next + block &* 32).loadUnaligned(as: SIMD8<Float>.self)
      var values = Oscillator.sine(turns) * scale / x * (here + (there - here) * between)
      if block == nearest &>> 3 {
        let lane = nearest & 7
        values[lane] =
          SoundKernel.sinc((Double(nearest &- 15) - fraction) * cutoff)
          * (here[lane] + (there[lane] - here[lane]) * between)
      }
      (target + block &* 32).storeBytes(of: values, as: SIMD8<Float>.self)
      sums = sums + values
      turns = turns &+ SIMD8(repeating: step &* 8)
      x = x + 8
      block = block &+ 1
    }
    let pairs = (sums[0] + sums[4]) + (sums[1] + sums[5])
    let norm = 1 / (pairs + ((sums[2] + sums[6]) + (sums[3] + sums[7])))
    block = 0
    while block < 4 {
      let values = (target + block &* 32).loadUnaligned(as: SIMD8<Float>.self)
      (target + block &* 32).storeBytes(of: values * norm, as: SIMD8<Float>.self)
      block = block &+ 1
    }
  }

  /// sin(2πu)/(2πu) for |u| ≤ ¼, by Taylor's series.
  @_noLocks @_noAllocation
  private static func sinc(_ u: Double) -> Float {
    let z = 4 * Double.pi * Double.pi * u * u
    var sum = 1.0 / 6_227_020_800
    sum = 1.0 / 39_916_800 - sum * z
    sum = 1.0 / 362_880 - sum * z
    sum = 1.0 / 5040 - sum * z
    sum = 1.0 / 120 - sum * z
    sum = 1.0 / 6 - sum * z
    return Float(1 - sum * z)
  }

  /// A number of turns as a phase of 32 bits.
  @_noLocks @_noAllocation
  private static func turns(_ count: Double) -> UInt32 {
    UInt32(truncatingIfNeeded: CoreMath.roundedHalfAway(count * 4_294_967_296))
  }
}
