/// A complex number, for the closed forms of a tap's sums.
struct Complex {
  var re: Double
  var im: Double

  @_noLocks @_noAllocation
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
  }

  /// The number times a real factor.
  @_noLocks @_noAllocation
  func scaled(_ factor: Double) -> Complex { Complex(re: re * factor, im: im * factor) }
}

/// Σw, Σw·sin θn and Σp² of a tap as geometric series (signal model, 2).
///
/// w = Σₖ Cₖρₖⁿ with (C, ρ) = (1, r), (−2, rq), (1, rq²); w² likewise with the binomials of (1 − q)⁴ and r².
struct PulseSums {
  private let r: Double
  private let q: Double
  private let turn: Complex
  private let turns: Complex
  private let rN: Double
  private let qN: Double
  /// c = Σw·sin θn / Σw: subtracting it leaves no DC.
  let offset: Double

  /// Sums over n = 0…count−1 for a rotation and two decays a frame.
  @_noLocks @_noAllocation
  init(r: Double, q: Double, cosine: Double, sine: Double, count: Int64) {
    self.r = r
    self.q = q
    turn = Complex(re: cosine, im: sine)
    turns = PulseSums.power(turn, count)
    rN = PulseSums.power(Complex(re: r, im: 0), count).re
    qN = PulseSums.power(Complex(re: q, im: 0), count).re
    var weight = 0.0
    var rotating = 0.0
    var k = 0
    var rho = r
    var rhoN = rN
    while k < 3 {
      let binomial = k == 1 ? -2.0 : 1.0
      weight = weight + binomial * (1 - rhoN) / (1 - rho)
      rotating = rotating + binomial * PulseSums.series(turn.scaled(rho), turns.scaled(rhoN)).im
      rho = rho * q
      rhoN = rhoN * qN
      k = k &+ 1
    }
    offset = rotating / weight
  }

  /// Σp² = Σw²·(½ − ½cos 2θn − 2c·sin θn + c²).
  @_noLocks @_noAllocation
  func energy(offset c: Double) -> Double {
    let twice = turn * turn
    let twices = turns * turns
    var sum = 0.0
    var k = 0
    var rho = r * r
    var rhoN = rN * rN
    while k < 5 {
      let binomial = k == 0 || k == 4 ? 1.0 : (k == 2 ? 6.0 : -4.0)
      let plain = (1 - rhoN) / (1 - rho)
      let single = PulseSums.series(turn.scaled(rho), turns.scaled(rhoN)).im
      let double = PulseSums.series(twice.scaled(rho), twices.scaled(rhoN)).re
      sum = sum + binomial * ((0.5 + c * c) * plain - 0.5 * double - 2 * c * single)
      rho = rho * q
      rhoN = rhoN * qN
      k = k &+ 1
    }
    return sum
  }

  /// Σ zⁿ for n = 0…N−1, given z and zᴺ.
  @_noLocks @_noAllocation
  private static func series(_ z: Complex, _ zN: Complex) -> Complex {
    let numerator = Complex(re: 1 - zN.re, im: -zN.im)
    let denominator = Complex(re: 1 - z.re, im: -z.im)
    let size = denominator.re * denominator.re + denominator.im * denominator.im
    return (numerator * Complex(re: denominator.re, im: -denominator.im)).scaled(1 / size)
  }

  /// zⁿ by repeated squaring.
  @_noLocks @_noAllocation
  private static func power(_ z: Complex, _ exponent: Int64) -> Complex {
    var result = Complex(re: 1, im: 0)
    var square = z
    var left = exponent
    while left > 0 {
      if left & 1 == 1 { result = result * square }
      square = square * square
      left = left &>> 1
    }
    return result
  }
}
