import Glibc

extension TerminalPlot {
  /// A curve for ``curves(measured:fitted:columns:rows:isColoured:)``.
  public struct Curve: Sendable {
    /// Across, above 0, rising.
    public var x: [Double]
    /// Up, for each of `x`.
    public var y: [Double]

    /// Creates a curve; values without a partner are left out.
    public init(x: [Double], y: [Double]) {
      self.x = x
      self.y = y
    }

    /// The value at a place, on a straight line between its neighbours; nil outside.
    func value(at place: Double) -> Double? {
      let count = min(x.count, y.count)
      guard count > 1, place >= x[0], place <= x[count - 1] else { return nil }
      var (low, high) = (0, count - 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if x[middle] <= place { low = middle } else { high = middle }
      }
      let share = x[high] > x[low] ? (place - x[low]) / (x[high] - x[low]) : 0
      return y[low] + share * (y[high] - y[low])
    }
  }

  /// Draws a measured curve, as a line of dots, and one that was fitted to it, as `o` where it is elsewhere; equal steps
  /// across are equal ratios.
  /// - Parameters:
  ///   - measured: In dB over Hz.
  ///   - fitted: The same; nil for none.
  ///   - columns: The width of each line in characters, 30 or more (fewer count as 30).
  ///   - rows: The lines of the curves themselves, 3 or more (fewer count as 3).
  ///   - mark: A place across that is pointed at below, with a word.
  ///   - isColoured: Whether the measured curve is cyan.
  /// - Returns: The lines from the top, without line ends; none where nothing was measured.
  public static func curves(
    measured: Curve, fitted: Curve?, columns: Int, rows: Int, mark: (place: Double, word: String)? = nil,
    isColoured: Bool = false
  ) -> [String] {
    let levels = measured.y.filter(\.isFinite)
    guard let first = measured.x.first, let last = measured.x.last, first > 0, last > first,
      let top = levels.max(), let least = levels.min(), top > least
    else { return [] }
    let (columns, rows) = (max(columns, 30), max(rows, 3))
    let width = columns - 8
    // A curve that is flat looks flat.
    let bottom = min(max(least, top - 60), top - 6)
    func place(_ column: Double) -> Double { first * pow(last / first, column / Double(width)) }
    func row(_ level: Double) -> Int {
      let share = (top - level) / (top - bottom)
      return min(max(Int((share * Double(rows * 4 - 1)).rounded()), 0), rows * 4 - 1)
    }
    var field = [UInt32](repeating: 0, count: width * rows)
    var previous: Int?
    for half in 0..<width * 2 {
      guard let level = measured.value(at: place((Double(half) + 0.5) / 2)), level.isFinite else {
        previous = nil
        continue
      }
      let now = row(level)
      // Neighbours touch, so that a steep flank is a line.
      let other = previous.map { $0 < now ? min($0 + 1, now) : max($0 - 1, now) } ?? now
      for dot in min(now, other)...max(now, other) {
        field[dot / 4 * width + half / 2] |= dots[half % 2][dot % 4]
      }
      previous = now
    }
    var lines: [String] = []
    for line in 0..<rows {
      var text = ""
      for column in 0..<width {
        let cell = field[line * width + column]
        let expected = fitted?.value(at: place(Double(column) + 0.5)).map { row($0) / 4 }
        let isFitted = expected == line
        if cell == 0 {
          text += isFitted ? "o" : " "
        } else {
          text.unicodeScalars.append(Unicode.Scalar(0x2800 + cell) ?? " ")
        }
      }
      lines.append(label(line, rows, top, bottom) + paint(text, isColoured))
    }
    lines.append(contentsOf: footer(width, first, last, mark))
    return lines
  }

  private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  private static func paint(_ text: String, _ isColoured: Bool) -> String {
    isColoured ? "\u{1B}[36m\(text)\u{1B}[0m" : text
  }

  private static func label(_ line: Int, _ rows: Int, _ top: Double, _ bottom: Double) -> String {
    let value = line == 0 ? top : line == rows - 1 ? bottom : nil
    guard let value else { return "       │" }
    let text = decimal(value, places: 0, typographic: true)
    return String(repeating: " ", count: max(0, 3 - text.count)) + text + " dB ┤"
  }

  /// The frequencies below, and the mark.
  private static func footer(
    _ width: Int, _ first: Double, _ last: Double, _ mark: (place: Double, word: String)?
  ) -> [String] {
    func column(_ place: Double) -> Int { Int(log(place / first) / log(last / first) * Double(width)) }
    func write(_ word: String, at start: Int, into line: inout [Character]) {
      let start = min(max(start, 0), max(line.count - word.count, 0))
      guard start + word.count <= line.count else { return }
      let around = max(start - 1, 0)..<min(start + word.count + 1, line.count)
      guard line[around].allSatisfy({ $0 == " " }) else { return }
      for (index, character) in word.enumerated() { line[start + index] = character }
    }
    let margin = String(repeating: " ", count: 8)
    var scale = [Character](repeating: " ", count: width)
    // First: a number that has no room beside it is left out.
    write("Hz", at: width - 2, into: &scale)
    for hertz in [50.0, 100, 200, 400, 800] where hertz > first && hertz < last {
      let word = decimal(hertz, places: 0)
      write(word, at: column(hertz) - word.count / 2, into: &scale)
    }
    var lines: [String] = []
    if let mark, mark.place > first, mark.place < last {
      var pointer = [Character](repeating: " ", count: width)
      let word = "▲ \(mark.word)"
      let place = column(mark.place)
      if place + word.count <= width {
        write(word, at: place, into: &pointer)
      } else {
        write("\(mark.word) ▲", at: place - mark.word.count - 1, into: &pointer)
      }
      lines.append(margin + String(pointer))
    }
    return lines + [margin + String(scale)]
  }
}
