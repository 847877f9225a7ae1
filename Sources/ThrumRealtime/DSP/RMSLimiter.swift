/// Holds the mean square of a bus at its rating over about a second, so that a coil does not overheat (signal model, 5).
struct RMSLimiter {
  private let square: Double
  private let averaging: Double
  private let smoothing: Double
  private var meanSquare = 0.0
  private var gain = 1.0

  /// Control side.
  /// - Parameters:
  ///   - ratedSquare: The mean square allowed for ever; 0.125 is a sine of 0.5.
  ///   - thermalSeconds: The averaging time.
  init(ratedSquare: Double, thermalSeconds: Double) {
    let rate = Double(RenderRate.framesPerSecond)
    square = ratedSquare
    averaging = 1 - CoreMath.exp(-1 / (rate * thermalSeconds))
    smoothing = 1 - CoreMath.exp(-1 / (rate * 0.05))
  }

  /// The gain for a sample: it looks at the sample before the gain is applied.
  @_noLocks @_noAllocation
  mutating func next(_ u: Double) -> Double {
    meanSquare = meanSquare + (u * u - meanSquare) * averaging
    let target = meanSquare > square ? VouchedMath.squareRoot(square / meanSquare) : 1
    gain = gain + (target - gain) * smoothing
    return gain
  }
}
