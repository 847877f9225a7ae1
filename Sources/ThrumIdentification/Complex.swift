import Glibc

/// A complex number, as much of one as the identification needs.
struct Complex: Sendable, Equatable {
  var re: Double
  var im: Double

  init(_ re: Double, _ im: Double = 0) {
    self.re = re
    self.im = im
  }

  /// The square of the magnitude.
  var power: Double { re * re + im * im }
  var magnitude: Double { power.squareRoot() }
  var conjugate: Complex { Complex(re, -im) }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
  static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }
  static func * (a: Double, b: Complex) -> Complex { Complex(a * b.re, a * b.im) }
  static func / (a: Complex, b: Complex) -> Complex { (1 / b.power) * (a * b.conjugate) }
}

/// Solves a square system of linear equations by elimination with pivots.
enum LinearSystem {
  /// The solution of `matrix · x = right`; nil where there is none, or too many.
  static func solve(_ matrix: [[Complex]], _ right: [Complex]) -> [Complex]? {
    var rows = zip(matrix, right).map { $0 + [$1] }
    let count = right.count
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { rows[$0][column].power < rows[$1][column].power }),
        rows[pivot][column].power > 1e-280
      else { return nil }
      rows.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = rows[row][column] / rows[column][column]
        if factor.power == 0 { continue }
        for index in column...count {
          rows[row][index] = rows[row][index] - factor * rows[column][index]
        }
      }
    }
    let solution = (0..<count).map { rows[$0][count] / rows[$0][$0] }
    return solution.allSatisfy { $0.re.isFinite && $0.im.isFinite } ? solution : nil
  }

  /// The same of real numbers.
  static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    solve(matrix.map { $0.map { Complex($0) } }, right.map { Complex($0) })?.map(\.re)
  }
}
