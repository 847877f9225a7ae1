/// Lines of dots: eight dots a place in braille, or one mark a place where only ASCII can be shown.
struct DotField {
  let columns: Int
  let rows: Int
  private var dots: [UInt8]
  /// The bits of a place's dots, from the top: those of its left half, then of its right half.
  private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    dots = [UInt8](repeating: 0, count: self.columns * self.rows)
  }

  /// Dots from left to right.
  var width: Int { columns * 2 }
  /// Dots from top to bottom.
  var height: Int { rows * 4 }

  /// The row of dots that a share of the height is at, 0 at the bottom and 1 at the top.
  func row(of share: Double) -> Int {
    guard share.isFinite else { return height - 1 }
    return min(max(Int(((1 - share) * Double(height - 1)).rounded()), 0), max(height - 1, 0))
  }

  /// Sets the dots of one column between two rows, ends included.
  mutating func set(column: Int, from top: Int, to bottom: Int) {
    guard column >= 0, column < width, height > 0 else { return }
    for row in max(0, min(top, bottom))...min(height - 1, max(top, bottom, 0)) {
      dots[row / 4 * columns + column / 2] |= Self.bits[column % 2][row % 4]
    }
  }

  /// Draws a line through a value for each column of dots; nil leaves a gap.
  mutating func line(_ value: (Int) -> Double?) {
    var previous: Int?
    for column in 0..<width {
      guard let share = value(column) else {
        previous = nil
        continue
      }
      let row = row(of: share)
      // Neighbours touch, so that a steep flank is a line.
      if let previous, abs(previous - row) > 1 {
        set(column: column, from: previous < row ? previous + 1 : previous - 1, to: row)
      } else {
        set(column: column, from: row, to: row)
      }
      previous = row
    }
  }

  /// What stands at a place, nil where there is no dot.
  func character(column: Int, row: Int, isUnicode: Bool) -> Character? {
    let bits = dots[row * columns + column]
    if bits == 0 { return nil }
    // Every value from 0x2800 to 0x28FF is a scalar.
    if isUnicode { return Unicode.Scalar(0x2800 + UInt32(bits)).map { Character($0) } }
    let levels = (0..<4).filter { bits & (Self.bits[0][$0] | Self.bits[1][$0]) != 0 }
    if levels.count >= 3 { return "|" }
    switch levels.first {
    case 0: return levels.count == 2 ? ":" : "'"
    case 3: return "."
    default: return levels.count == 2 ? ":" : "-"
    }
  }
}
