import Glibc

/// The electrical side of an actuator: a blocked coil, which only resists, and what its motion adds.
///
/// Over the drive, the voltage of a series resistor is proportional to 1/Z, with
///
///     Z = A + B·(f/fc − 1) + C·M(f),  M = (s·ω0/Qm) / (s² + s·ω0/Qm + ω0²)
///
/// A and B are the blocked coil with the resistor, R + jωL, up to the unknown gain and what is left of the delay, which is
/// why both are complex; C is the motion's part at resonance. Qm is that of the actuator with its terminals open.
/// Driven by an amplifier the back-EMF brakes it: Q = Qm / (1 + C/A).
struct BlockedCoil: Sendable, Equatable {
  var centreHz: Double
  var a, b, c: Complex
  var openQ: Double

  func impedance(at hertz: Double, resonanceHz: Double) -> Complex {
    a + (hertz / centreHz - 1) * b + c * Self.motion(hertz, resonanceHz, openQ)
  }

  static func motion(_ hertz: Double, _ resonanceHz: Double, _ q: Double) -> Complex {
    let u = hertz / resonanceHz
    return Complex(0, u / q) / Complex(1 - u * u, u / q)
  }

  /// What the back-EMF makes of Qm when the coil is driven: 1 + C/A at resonance.
  func damping(at resonanceHz: Double) -> Double {
    let blocked = a + (resonanceHz / centreHz - 1) * b
    return 1 + (c / blocked).re
  }
}

/// Fits f0 and Q to a current: A, B and C follow from f0, Qm and the delay by linear least squares; these three by Gauss
/// and Newton. The delay comes first from the slope of the phase, which the little that moves hardly bends.
enum ElectricalFit {
  static func fit(
    _ function: TransferFunction, around hertz: Double, resistorShare: Double
  ) -> ResonanceFit? {
    let range =
      max(
        hertz / 1.5, function.frequencies.first ?? 0)...min(
        hertz * 1.5, max(function.frequencies.last ?? 0, hertz))
    var all = Bins(function, range: range)
    guard Double(all.hertz.count) > 10 * function.binsPerFigure else { return nil }
    all.removeDelay()
    let few = all.every(max(all.hertz.count / 100, 1))
    // Which of some places and widths is the nearest.
    var best: (cost: Double, place: Place)?
    for step in -6...6 {
      for q in [1.5, 3, 6, 12, 24, 48] {
        let place = Place(hertz: hertz * exp(Double(step) * 0.02), q: q, delay: 0)
        guard let residual = few.residual(place)?.values else { continue }
        let cost = residual.reduce(0) { $0 + $1.power }
        if best.map({ cost < $0.cost }) ?? true { best = (cost, place) }
      }
    }
    guard let best, let end = refine(all, best.place), range.contains(end.place.hertz),
      let fitted = all.residual(end.place)
    else { return nil }
    let coil = fitted.coil
    // A motion that feeds the drive instead of braking is none.
    let damping = coil.damping(at: end.place.hertz)
    guard damping > 1 else { return nil }
    // Without the resistor, the coil's own resistance is all that the motion is set against.
    let driven = 1 + (damping - 1) * (1 + resistorShare)
    let scale = (end.cost / Double(max(all.hertz.count, 1))) * function.binsPerFigure
    let relative = all.relativeDeviation(coil, end.place.hertz)
    return ResonanceFit(
      resonanceHz: end.place.hertz, q: end.place.q / driven,
      resonanceError: end.place.hertz * (end.variances.0 * scale).squareRoot(),
      qError: end.place.q / driven * (end.variances.1 * scale).squareRoot(), fittedHz: range,
      deviation: relative,
      noiseDeviation: function.noisePowers.isEmpty ? nil : all.noiseDeviation, curve: .current(coil))
  }

  /// What does not follow by linear least squares.
  private struct Place {
    var hertz, q: Double
    /// Seconds.
    var delay: Double

    /// Moved by parts of f0 and Q and by a delay in turns at f0.
    func moved(_ step: [Double]) -> Place {
      Place(hertz: hertz * exp(step[0]), q: q * exp(step[1]), delay: delay + step[2] / (2 * .pi * hertz))
    }
  }

  private struct End {
    var place: Place
    var cost: Double
    /// The variances of ln f0 and ln Qm for residuals of variance 1.
    var variances: (Double, Double)
  }

  private static func refine(_ bins: Bins, _ start: Place) -> End? {
    func cost(_ values: [Complex]) -> Double { values.reduce(0) { $0 + $1.power } }
    var place = start
    guard var now = bins.residual(place)?.values else { return nil }
    var variances = (0.0, 0.0)
    for _ in 0..<30 {
      let step = 1e-5
      var slopes: [[Complex]] = []
      for index in 0..<3 {
        let other = bins.residual(place.moved((0..<3).map { $0 == index ? step : 0 }))?.values
        guard let other else { return nil }
        slopes.append(zip(other, now).map { (1 / step) * ($0 - $1) })
      }
      func product(_ a: [Complex], _ b: [Complex]) -> Double {
        a.indices.reduce(0) { $0 + a[$1].re * b[$1].re + a[$1].im * b[$1].im }
      }
      let normal = slopes.map { row in slopes.map { product(row, $0) } }
      guard let move = LinearSystem.solve(normal, slopes.map { -product($0, now) }),
        let first = LinearSystem.solve(normal, [1, 0, 0]), let second = LinearSystem.solve(normal, [0, 1, 0])
      else { return nil }
      variances = (max(first[0], 0), max(second[1], 0))
      // No step leaves the neighbourhood in which a straight line means something.
      var share = min(1, 0.1 / max(move[0].magnitude, 1e-12), 0.7 / max(move[1].magnitude, 1e-12))
      var isBetter = false
      while share > 1e-3, !isBetter {
        let next = place.moved(move.map { share * $0 })
        if let values = bins.residual(next)?.values, cost(values) < cost(now) {
          (place, now, isBetter) = (next, values, true)
        }
        share /= 2
      }
      if !isBetter || move[0].magnitude < 1e-8 && move[1].magnitude < 1e-7 { break }
    }
    // Of complex residuals each part has half the variance.
    return End(place: place, cost: cost(now) / 2, variances: variances)
  }

  /// 1/H over some frequencies, with weights.
  private struct Bins {
    var hertz: [Double] = []
    var impedance: [Complex] = []
    var weights: [Double] = []
    var noiseDeviation = 0.0
    let centre: Double

    init(_ function: TransferFunction, range: ClosedRange<Double>) {
      centre = (range.lowerBound * range.upperBound).squareRoot()
      let indices = function.frequencies.indices.filter { range.contains(function.frequencies[$0]) }
      for index in indices where function.values[index].power > 0 {
        hertz.append(function.frequencies[index])
        impedance.append(Complex(1) / function.values[index])
        // The noise of 1/H is that of H over |H|².
        let noise = function.noisePowers.isEmpty ? 1 : function.noisePowers[index]
        weights.append(function.values[index].power / noise.squareRoot())
        if !function.noisePowers.isEmpty { noiseDeviation += noise / function.values[index].power / 2 }
      }
      noiseDeviation = (noiseDeviation / Double(max(hertz.count, 1))).squareRoot()
    }

    /// One bin of so many.
    func every(_ step: Int) -> Bins {
      var few = self
      let kept = hertz.indices.filter { $0 % step == 0 }
      few.hertz = kept.map { hertz[$0] }
      few.impedance = kept.map { impedance[$0] }
      few.weights = kept.map { weights[$0] }
      return few
    }

    /// Turns the phase back by its mean slope.
    mutating func removeDelay() {
      var sum = Complex(0)
      for index in hertz.indices.dropLast() {
        // The turn from one bin to the next, weighted by the power of H.
        let turn = impedance[index + 1] * impedance[index].conjugate
        sum = sum + (1 / (turn.magnitude * impedance[index].power)) * turn
      }
      let turn = atan2(sum.im, sum.re)
      for index in hertz.indices {
        let angle = -turn * Double(index)
        impedance[index] = impedance[index] * Complex(cos(angle), sin(angle))
      }
    }

    /// What is left over with the best A, B and C, weighted; and those.
    func residual(_ place: Place) -> (values: [Complex], coil: BlockedCoil)? {
      var normal = [[Complex]](repeating: [Complex](repeating: Complex(0), count: 3), count: 3)
      var right = [Complex](repeating: Complex(0), count: 3)
      var rows: [(Double, Double, Complex)] = []
      var turned: [Complex] = []
      rows.reserveCapacity(hertz.count)
      turned.reserveCapacity(hertz.count)
      var (aa, ab, bb) = (0.0, 0.0, 0.0)
      for index in hertz.indices {
        let weight = weights[index]
        let angle = 2 * .pi * (hertz[index] - centre) * place.delay
        let value = weight * (impedance[index] * Complex(cos(angle), sin(angle)))
        let tilt = weight * (hertz[index] / centre - 1)
        let motion = weight * BlockedCoil.motion(hertz[index], place.hertz, place.q)
        rows.append((weight, tilt, motion))
        turned.append(value)
        aa += weight * weight
        ab += weight * tilt
        bb += tilt * tilt
        normal[0][2] = normal[0][2] + weight * motion
        normal[1][2] = normal[1][2] + tilt * motion
        normal[2][2].re += motion.power
        right[0] = right[0] + weight * value
        right[1] = right[1] + tilt * value
        right[2] = right[2] + motion.conjugate * value
      }
      normal[0][0] = Complex(aa)
      normal[0][1] = Complex(ab)
      normal[1][0] = Complex(ab)
      normal[1][1] = Complex(bb)
      normal[2][0] = normal[0][2].conjugate
      normal[2][1] = normal[1][2].conjugate
      guard let c = LinearSystem.solve(normal, right) else { return nil }
      let values = hertz.indices.map { index in
        turned[index] - (rows[index].0 * c[0] + rows[index].1 * c[1] + c[2] * rows[index].2)
      }
      return (values, BlockedCoil(centreHz: centre, a: c[0], b: c[1], c: c[2], openQ: place.q))
    }

    func relativeDeviation(_ coil: BlockedCoil, _ resonance: Double) -> Double {
      var sum = 0.0
      for index in hertz.indices {
        let fitted = coil.impedance(at: hertz[index], resonanceHz: resonance).magnitude
        let relative = fitted / impedance[index].magnitude - 1
        sum += relative * relative
      }
      return (sum / Double(max(hertz.count, 1))).squareRoot()
    }
  }
}
