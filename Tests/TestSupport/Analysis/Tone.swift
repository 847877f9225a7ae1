import Foundation

/// A sine fitted to a stretch of signal by least squares, with what is left over.
public struct ToneFit: Sendable {
  /// Hz.
  public let frequency: Double
  /// Peak value of the sine.
  public let amplitude: Double
  /// Radians at the first sample, of a sine; −π…π.
  public let phase: Double
  /// Constant part.
  public let offset: Double
  /// The signal less the sine; the constant part stays in it.
  public let residual: [Double]

  /// Root mean square of the residual over that of the sine, in dB: THD+N.
  public var distortion: Double { decibels(rms(residual) / (amplitude / 2.0.squareRoot())) }

  /// The root sum of squares of the harmonics below half the rate over the sine, in dB: THD.
  ///
  /// Unlike ``distortion`` it leaves out what is not a multiple of the tone, such as the slow beat of a
  /// tone's sampled peaks. A Kaiser window keeps other lines out of the sums.
  public func harmonicDistortion(rate: Double = 8000) -> Double {
    let middle = Double(residual.count - 1) / 2
    let window = residual.indices.map { index in
      let x = (Double(index) - middle) / (middle + 1)
      return besselI0(14 * (1 - x * x).squareRoot())
    }
    let scale = 2 / window.reduce(0, +)
    var power = 0.0
    for harmonic in stride(from: 2.0, to: rate / 2 / frequency, by: 1) {
      let step = 2 * .pi * harmonic * frequency / rate
      var (sine, cosine) = (0.0, 0.0)
      for (index, y) in residual.enumerated() {
        sine += window[index] * y * sin(step * Double(index))
        cosine += window[index] * y * cos(step * Double(index))
      }
      power += (sine * sine + cosine * cosine) * scale * scale
    }
    return decibels(power.squareRoot() / amplitude)
  }

  /// Fits sine, cosine, constant and (by Gauss-Newton) frequency, from a first guess of it within a fraction
  /// of rate / count.
  public init(_ signal: some Collection<Double>, near guess: Double, rate: Double = 8000) {
    let samples = Array(signal)
    let middle = Double(samples.count - 1) / 2
    var omega = 2 * .pi * guess / rate
    var a = 0.0
    var b = 0.0
    var c = 0.0
    for _ in 0..<8 {
      // Columns: sin, cos, 1, and the derivative by ω, scaled by the half length so that the system is well
      // conditioned; angles are taken from the middle for the same reason.
      var normal = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 4)
      for (index, y) in samples.enumerated() {
        let t = Double(index) - middle
        let sine = sin(omega * t)
        let cosine = cos(omega * t)
        let columns = [sine, cosine, 1, t / middle * (a * cosine - b * sine)]
        for i in 0..<4 {
          for j in 0..<4 { normal[i][j] += columns[i] * columns[j] }
          normal[i][4] += columns[i] * y
        }
      }
      // The first round knows no amplitude yet, so its fourth column is empty.
      let solution = solved(a == 0 && b == 0 ? normal.prefix(3).map { Array($0[0..<3]) + [$0[4]] } : normal)
      (a, b, c) = (solution[0], solution[1], solution[2])
      if solution.count == 4 { omega += solution[3] / middle }
    }
    frequency = omega * rate / (2 * .pi)
    amplitude = (a * a + b * b).squareRoot()
    phase = (atan2(b, a) - omega * middle).remainder(dividingBy: 2 * .pi)
    offset = c
    residual = samples.enumerated().map { index, y in
      let t = Double(index) - middle
      return y - a * sin(omega * t) - b * cos(omega * t)
    }
  }
}

/// The solution of linear equations given as rows of coefficients and right side, by elimination with
/// pivoting.
private func solved(_ equations: [[Double]]) -> [Double] {
  var rows = equations
  let count = rows.count
  for column in 0..<count {
    let pivot = (column..<count).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
    rows.swapAt(column, pivot)
    for row in 0..<count where row != column && rows[row][column] != 0 {
      let factor = rows[row][column] / rows[column][column]
      for index in column...count { rows[row][index] -= factor * rows[column][index] }
    }
  }
  return (0..<count).map { rows[$0][count] / rows[$0][$0] }
}
