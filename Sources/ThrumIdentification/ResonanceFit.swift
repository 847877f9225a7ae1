import Glibc
import ThrumActuator

/// One resonance, as it was fitted to a transfer function.
///
/// Threads: a value. Real-time: no.
public struct ResonanceFit: Sendable, Equatable {
  /// f0 in Hz.
  public var resonanceHz: Double
  /// Q of the actuator as it is driven by an amplifier.
  public var q: Double
  /// The standard error of f0, Hz, by what the fit leaves over.
  public var resonanceError: Double
  /// The standard error of Q.
  public var qError: Double
  /// The frequencies that were fitted, Hz.
  public var fittedHz: ClosedRange<Double>
  /// By how much the measured magnitudes differ from the curve, root of the mean square, relative.
  public var deviation: Double
  /// By how much they would for the noise alone; nil where that is not known.
  public var noiseDeviation: Double?

  var curve: Curve

  /// What the curve is made of.
  enum Curve: Sendable, Equatable {
    case motion(ActuatorQuantity, gain: Double)
    case current(BlockedCoil)
  }

  /// The magnitude of the fitted curve at a frequency, in the units of the recording's samples per drive sample.
  public func magnitude(at hertz: Double) -> Double {
    switch curve {
    case .motion(let quantity, let gain):
      ActuatorModel(resonanceHz: resonanceHz, q: q, gain: gain, rate: 48000).magnitude(
        at: hertz, of: quantity)
    case .current(let coil):
      1 / coil.impedance(at: hertz, resonanceHz: resonanceHz).magnitude
    }
  }

  /// Fits the resonance around a frequency.
  /// - Parameters:
  ///   - function: What was measured.
  ///   - sensor: With what.
  ///   - hertz: Where the peak is.
  ///   - resistorShare: The series resistor's share of the coil's resistance, for that sensor; 0 where it is not known.
  /// - Returns: Nil where no resonance can be laid through it.
  public static func fit(
    _ function: TransferFunction, sensor: MotionSensor, around hertz: Double, resistorShare: Double = 0
  ) -> ResonanceFit? {
    guard let quantity = sensor.quantity else {
      return ElectricalFit.fit(function, around: hertz, resistorShare: resistorShare)
    }
    guard let rough = motion(function, quantity, over: range(around: hertz, q: 10, function)) else {
      return nil
    }
    // Once more about what was found: a low resonance needs more than ±25 % to be seen whole.
    guard
      let fine = motion(function, quantity, over: range(around: rough.resonanceHz, q: rough.q, function)),
      fine.fittedHz.contains(fine.resonanceHz)
    else { return rough.fittedHz.contains(rough.resonanceHz) ? rough : nil }
    return fine
  }

  /// ±22 % of a frequency, more for a wide resonance, within what was measured.
  private static func range(
    around hertz: Double, q: Double, _ function: TransferFunction
  ) -> ClosedRange<Double> {
    let half = min(max(0.22, 0.75 / q), 0.5)
    let first = function.frequencies.first ?? 0
    let last = max(function.frequencies.last ?? 0, first)
    let low = min(max(hertz * (1 - half), first), last)
    return low...max(min(hertz * (1 + half), last), low)
  }

  /// u^n/|H|² = c0 + c1·u² + c2·u⁴ is linear in c for a frequency u and n = 4, 2 or 0: weighted least squares, the
  /// weights first by what was measured, then by the curve.
  private static func motion(
    _ function: TransferFunction, _ quantity: ActuatorQuantity, over range: ClosedRange<Double>
  ) -> ResonanceFit? {
    let indices = function.frequencies.indices.filter { range.contains(function.frequencies[$0]) }
    guard Double(indices.count) > 6 * function.binsPerFigure else { return nil }
    let centre = (range.lowerBound * range.upperBound).squareRoot()
    let order: Double =
      switch quantity {
      case .acceleration: 4
      case .velocity: 2
      case .displacement: 0
      }
    let largest = indices.map { function.values[$0].power }.max() ?? 0
    let points = indices.compactMap { index -> Point? in
      let u = function.frequencies[index] / centre
      let noise = function.noisePowers.isEmpty ? 0 : function.noisePowers[index]
      let power = function.values[index].power - noise
      // What the noise swallows would only say so.
      guard power > 0.25 * noise, power > 1e-12 * largest else { return nil }
      return Point(u2: u * u, form: pow(u, order), power: power, noise: noise)
    }
    guard points.count * 2 > indices.count else { return nil }
    var c: [Double]?
    var covariance: [[Double]] = []
    var chi = 0.0
    for _ in 0..<6 {
      guard let (solution, matrix) = solve(points, by: c) else { return nil }
      c = solution
      covariance = matrix
    }
    guard let c, let found = Resonance(c, centre: centre, order: order) else { return nil }
    var deviation = 0.0
    var noiseDeviation = 0.0
    for point in points {
      let y = point.value(c)
      let weight = point.weight(y)
      let difference = point.form / point.power - y
      chi += weight * difference * difference
      let relative = (point.power * y / point.form).squareRoot() - 1
      deviation += relative * relative
      noiseDeviation += point.noise * y / point.form / 2
    }
    chi /= Double(points.count)
    let scale = (function.noisePowers.isEmpty ? chi : max(chi, 1)) * function.binsPerFigure
    let (hertzError, qError) = found.errors(c, covariance, scale: scale)
    return ResonanceFit(
      resonanceHz: found.resonanceHz, q: found.q, resonanceError: hertzError, qError: qError, fittedHz: range,
      deviation: (deviation / Double(points.count)).squareRoot(),
      noiseDeviation: function.noisePowers.isEmpty
        ? nil : (noiseDeviation / Double(points.count)).squareRoot(),
      curve: .motion(quantity, gain: found.gain))
  }

  /// One bin of the fit.
  private struct Point {
    let u2, form, power, noise: Double

    func value(_ c: [Double]) -> Double { c[0] + u2 * (c[1] + u2 * c[2]) }

    /// One over the variance of form/power, at a value of it: noise, and a thousandth for what is not noise.
    func weight(_ y: Double) -> Double {
      let power = form / y
      return 1 / (4 * y * y * ((noise / 2) / power + 1e-6))
    }
  }

  /// One round of least squares.
  /// - Returns: c, and the inverse of the normal matrix.
  private static func solve(_ points: [Point], by last: [Double]?) -> ([Double], [[Double]])? {
    var normal = [[Double]](repeating: [0, 0, 0], count: 3)
    var right = [0.0, 0, 0]
    for point in points {
      let measured = point.form / point.power
      let modelled = last.map { point.value($0) } ?? measured
      let weight = point.weight(modelled > 0 ? modelled : measured)
      let basis = [1, point.u2, point.u2 * point.u2]
      for row in 0..<3 {
        right[row] += weight * basis[row] * measured
        for column in 0..<3 { normal[row][column] += weight * basis[row] * basis[column] }
      }
    }
    guard let c = LinearSystem.solve(normal, right) else { return nil }
    let columns = (0..<3).compactMap { unit in
      LinearSystem.solve(normal, (0..<3).map { $0 == unit ? 1 : 0 })
    }
    return columns.count == 3 ? (c, columns) : nil
  }
}

/// f0, Q and gain of the three coefficients.
private struct Resonance {
  let resonanceHz, q, gain: Double
  private let centre, order: Double

  init?(_ c: [Double], centre: Double, order: Double) {
    guard c[2] > 0, c[0] > 0 else { return nil }
    let u2 = (c[0] / c[2]).squareRoot()
    let width = c[1] / c[2] + 2 * u2
    guard width > 0 else { return nil }
    let u = u2.squareRoot()
    let y = c[0] + u2 * (c[1] + u2 * c[2])
    guard y > 0 else { return nil }
    self.centre = centre
    self.order = order
    resonanceHz = centre * u
    q = u / width.squareRoot()
    gain = (pow(u, order) / y).squareRoot()
  }

  /// The standard errors of f0 and Q, by the slopes of both.
  func errors(_ c: [Double], _ covariance: [[Double]], scale: Double) -> (Double, Double) {
    var slopes: [(Double, Double)] = []
    for index in 0..<3 {
      var moved = c
      let step = max((covariance[index][index]).squareRoot() * 0.01, c[index].magnitude * 1e-9)
      moved[index] += step
      guard let other = Resonance(moved, centre: centre, order: order) else { return (.infinity, .infinity) }
      slopes.append(((other.resonanceHz - resonanceHz) / step, (other.q - q) / step))
    }
    var (first, second) = (0.0, 0.0)
    for row in 0..<3 {
      for column in 0..<3 {
        first += slopes[row].0 * covariance[row][column] * slopes[column].0
        second += slopes[row].1 * covariance[row][column] * slopes[column].1
      }
    }
    return (max(first * scale, 0).squareRoot(), max(second * scale, 0).squareRoot())
  }
}
