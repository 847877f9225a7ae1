/// The low-pass between the haptic rate and the device's: 12 taps a phase, Kaiser-windowed (signal model, 6).
///
/// Output k is the sum of the 12 latest inputs up to ⌊kM/L⌋, weighted by phase kM mod L. Integer counters only.
struct PolyphaseKernel {
  /// Inputs that one output needs.
  static var taps: Int { @_noLocks @_noAllocation get { 12 } }

  /// Phases, L: the device's rate over the common divisor.
  let phases: Int64
  /// Inputs for L outputs, M.
  let stride: Int64
  // Safety: `phases` × `taps`, the latest input's weight first; owned by the stage.
  private let weights: UnsafeMutablePointer<Float>

  /// Computes the weights. Control side.
  init(deviceRate: Int) {
    var (a, b) = (deviceRate, RenderRate.framesPerSecond)
    while b != 0 { (a, b) = (b, a % b) }
    phases = Int64(deviceRate / a)
    stride = Int64(RenderRate.framesPerSecond / a)
    let count = Int(phases)
    weights = .allocate(capacity: count * PolyphaseKernel.taps)
    for phase in 0..<count {
      var taps = [Double]()
      var sum = 0.0
      for tap in 0..<PolyphaseKernel.taps {
        let weight = PolyphaseKernel.prototype(tap * count + phase, phases: count)
        taps.append(weight)
        sum += weight
      }
      for tap in 0..<PolyphaseKernel.taps {
        (weights + phase * PolyphaseKernel.taps + tap).initialize(to: Float(taps[tap] / sum))
      }
    }
  }

  func deallocate() { weights.deallocate() }

  /// h[i] = 2fc·sinc(2fc(i − PL/2)/L)·Kaiser(i), fc = 0.46, β = 11, without the factor that the phases' normalisation drops.
  private static func prototype(_ index: Int, phases: Int) -> Double {
    let half = Double(taps * phases) / 2
    let distance = Double(index) - half
    let x = 2 * 0.46 * distance / Double(phases)
    let sinc = x == 0 ? 1 : sine(ofHalfTurns: x) / (Double.pi * x)
    let ratio = distance / half
    let inside = 1 - ratio * ratio
    return sinc * bessel(11 * (inside > 0 ? inside.squareRoot() : 0)) / bessel(11)
  }

  /// sin πx by reduction to an eighth of a turn and our own polynomials.
  private static func sine(ofHalfTurns x: Double) -> Double {
    let turns = x - 2 * (x / 2).rounded()
    let magnitude = turns.magnitude > 0.5 ? 1 - turns.magnitude : turns.magnitude
    // smallSine and smallCosine hold to 0.5 rad: sin 3a = 3 sin a − 4 sin³ a brings a quarter turn down to 0.52 rad.
    let third = CoreMath.smallSine(magnitude * Double.pi / 3)
    let value = 3 * third - 4 * third * third * third
    return turns < 0 ? -value : value
  }

  /// The modified Bessel function of order 0 by its series.
  static func bessel(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var k = 1.0
    while term > sum * 1e-17 {
      term *= (x / 2 / k) * (x / 2 / k)
      sum += term
      k += 1
    }
    return sum
  }

  /// The newest input that output k needs.
  @_noLocks @_noAllocation
  func input(of output: Int64) -> Int64 { output &* stride / phases }

  /// The first output that needs an input, from 0 up.
  @_noLocks @_noAllocation
  func firstOutput(of input: Int64) -> Int64 { (input &* phases &+ stride &- 1) / stride }

  /// A run of outputs from k on.
  ///
  /// Each is the sum of its twelve products in the order of the taps, whatever the length of the run.
  /// - Parameters:
  ///   - newest: The newest input that output k needs, the earlier ones before it and the later ones behind it.
  ///   - outputs: Room for `count` numbers.
  @_noLocks @_noAllocation
  func run(
    from k: Int64, count: Int, newest: UnsafePointer<Float>, into outputs: UnsafeMutablePointer<Float>
  ) {
    // Counted on from output to output: a division costs as much as the sum.
    var phase = k &* stride % phases
    var input = newest
    var index = 0
    while index < count {
      let row = weights + Int(phase) &* PolyphaseKernel.taps
      var sum: Float = 0
      var tap = 0
      while tap < PolyphaseKernel.taps {
        sum = sum + row[tap] * input[-tap]
        tap = tap &+ 1
      }
      outputs[index] = sum
      // The device is never slower than the renderer, so an output goes one input on at most.
      phase = phase &+ stride
      if phase >= phases {
        phase = phase &- phases
        input = input + 1
      }
      index = index &+ 1
    }
  }
}
