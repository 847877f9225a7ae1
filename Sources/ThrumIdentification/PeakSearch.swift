import Glibc

/// Where a transfer function peaks, by what its sensor shows of the velocity.
struct PeakSearch {
  /// A maximum that falls off on both sides.
  struct Peak: Equatable {
    var hertz: Double
    /// dB.
    var height: Double
    /// By how much it stands above the higher of the two valleys beside it, dB.
    var prominence: Double
  }

  /// The peaks, the most prominent first.
  let peaks: [Peak]
  /// The highest minus the lowest level of what was recorded, dB.
  let span: Double
  /// The frequency of the curve's highest level.
  let highestHz: Double
  /// The curve's highest minus its lowest level, dB.
  let curveSpan: Double

  /// A peak of motion stands out by this, dB.
  static let leastProminence = 3.0
  /// One of an impedance by this: a motor that is weak has no more.
  static let leastImpedanceProminence = 0.15

  init(_ function: TransferFunction, sensor: MotionSensor) {
    let hertz = function.frequencies
    let smooth = Self.smoothed(function)
    span = 10 * log10((smooth.max() ?? 1) / max(smooth.min() ?? 1, 1e-300))
    let levels = zip(hertz, smooth).map { hertz, power in
      let level = 10 * log10(max(power, 1e-300))
      switch sensor {
      // Velocity peaks at f0 whatever Q is.
      case .accelerometer: return level - 20 * log10(hertz)
      case .microphone: return level
      case .resistor: return -level
      }
    }
    let top = levels.indices.max { levels[$0] < levels[$1] } ?? 0
    highestHz = hertz.isEmpty ? 0 : hertz[top]
    curveSpan = (levels.max() ?? 0) - (levels.min() ?? 0)
    let least = sensor == .resistor ? Self.leastImpedanceProminence : Self.leastProminence
    var found: [Peak] = []
    for index in levels.indices.dropFirst().dropLast()
    where levels[index] >= levels[index - 1] && levels[index] > levels[index + 1] {
      let prominence = Self.prominence(of: index, in: levels)
      if prominence >= least {
        found.append(Peak(hertz: hertz[index], height: levels[index], prominence: prominence))
      }
    }
    peaks = found.sorted { $0.prominence > $1.prominence }
  }

  private static func prominence(of index: Int, in levels: [Double]) -> Double {
    func valley(_ steps: some Sequence<Int>) -> Double {
      var lowest = levels[index]
      for place in steps {
        if levels[place] > levels[index] { break }
        lowest = min(lowest, levels[place])
      }
      return lowest
    }
    let left = valley((0..<index).reversed())
    let right = valley((index + 1)..<levels.count)
    return levels[index] - max(left, right)
  }

  /// |H|² averaged over 0.8 % of the frequency on either side.
  private static func smoothed(_ function: TransferFunction) -> [Double] {
    let powers = function.values.map(\.power)
    var sums = [0.0]
    for power in powers { sums.append(sums[sums.count - 1] + power) }
    return powers.indices.map { index in
      let half = max(Int(function.frequencies[index] * 0.008 / function.binHz), 1)
      let low = max(index - half, 0)
      let high = min(index + half, powers.count - 1)
      return (sums[high + 1] - sums[low]) / Double(high - low + 1)
    }
  }
}
