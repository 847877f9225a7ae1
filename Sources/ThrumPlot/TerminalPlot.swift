/// Plots of characters, for a terminal.
///
/// The lines hold no control codes unless colour is asked for, and are never wider than asked.
///
/// Threads: any. Real-time: no.
public enum TerminalPlot {
  /// The characters a plot is made of.
  public enum Characters: Sendable {
    /// Eight dots a character: the finest, where the font has them.
    case braille
    /// Bars of the signal's magnitude, in eighths of a character.
    case blocks
  }

  /// Draws a signal over time, as high as its peak.
  /// - Parameters:
  ///   - samples: The signal; samples that are not finite are gaps.
  ///   - columns: The width of each line in characters, labels included; below 20 there are no labels.
  ///   - rows: The lines of the signal itself, 1 or more.
  ///   - rate: Samples a second; with it, a line below says how long the signal is.
  ///   - characters: What to draw with.
  ///   - isColoured: Whether the signal is cyan.
  /// - Returns: The lines from the top, without line ends; none for no columns or rows.
  public static func waveform(
    samples: [Float], columns: Int, rows: Int, rate: Double? = nil, characters: Characters = .braille,
    isColoured: Bool = false
  ) -> [String] {
    guard columns > 0, rows > 0 else { return [] }
    let hasLabels = columns >= 20
    let width = hasLabels ? columns - labelWidth - 1 : columns
    var peak: Float = 0
    for sample in samples where sample.isFinite { peak = max(peak, sample.magnitude) }
    let plot: [String]
    switch characters {
    case .braille: plot = BrailleGrid(samples: samples, peak: peak, columns: width, rows: rows).lines
    case .blocks: plot = blockLines(samples: samples, peak: peak, columns: width, rows: rows)
    }
    var lines = plot.enumerated().map { row, text in
      let label = hasLabels ? self.label(row: row, rows: rows, peak: peak, characters: characters) : ""
      return label + (isColoured ? cyan + text + plain : text)
    }
    if let rate, rate > 0, rate.isFinite, hasLabels {
      let end = duration(Double(samples.count) / rate)
      let space = max(width - end.count - 1, 1)
      lines.append(
        String(repeating: " ", count: labelWidth + 1) + "0" + String(repeating: " ", count: space) + end)
    }
    return lines
  }

  /// Draws how often values occur: a line for each bin, with its count.
  /// - Parameters:
  ///   - values: The values; those that are not finite are left out.
  ///   - columns: The width of each line in characters, 24 or more (fewer count as 24).
  ///   - bins: About how many lines are wanted; there are at most two more.
  ///   - unit: Written after each label.
  ///   - isColoured: Whether the bars are cyan.
  /// - Returns: The lines from the lowest bin to the highest; one that says so where there are no values.
  public static func histogram(
    values: [Double], columns: Int, bins most: Int = 16, unit: String = "", isColoured: Bool = false
  ) -> [String] {
    guard let bins = Bins(values, most: most) else { return ["no values"] }
    let suffix = unit.isEmpty ? "" : " " + unit
    let columns = max(columns, 24)
    let counts = bins.counts.map(grouped)
    let countWidth = counts.map(\.count).max() ?? 0
    let labels = bins.counts.indices.map { bins.label(of: $0) + suffix }
    let labelWidth = min(labels.map(\.count).max() ?? 0, columns - countWidth - 6)
    let room = max(columns - labelWidth - countWidth - 3, 1)
    let highest = Double(bins.counts.max() ?? 1)
    return bins.counts.indices.map { bin in
      let bar = self.bar(share: Double(bins.counts[bin]) / highest, width: room)
      let label = String(labels[bin].prefix(labelWidth))
      let left = String(repeating: " ", count: labelWidth - label.count) + label
      let right =
        String(repeating: " ", count: room - bar.count + 1 + countWidth - counts[bin].count) + counts[bin]
      return left + " │" + (isColoured ? cyan + bar + plain : bar) + right
    }
  }

  private static let cyan = "\u{1B}[36m"
  private static let plain = "\u{1B}[0m"
  private static let labelWidth = 7

  private static func label(row: Int, rows: Int, peak: Float, characters: Characters) -> String {
    let value: Double?
    switch (characters, row) {
    case (_, 0): value = Double(peak)
    case (.braille, rows - 1): value = -Double(peak)
    case (.blocks, rows - 1): value = 0
    case (.braille, (rows - 1) / 2) where rows > 2 && rows % 2 == 1: value = 0
    default: value = nil
    }
    guard let value else { return String(repeating: " ", count: labelWidth) + "│" }
    let text = String(
      decimal(value, places: abs(value) < 100 ? 3 : 0, typographic: true).prefix(labelWidth - 1))
    return String(repeating: " ", count: labelWidth - 1 - text.count) + text + " ┤"
  }

  private static func duration(_ seconds: Double) -> String {
    if seconds < 1 { return decimal(seconds * 1000, places: 0) + " ms" }
    return decimal(seconds, places: 2) + " s"
  }

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// A bar of eighths; anything above nothing has at least one.
  private static func bar(share: Double, width: Int) -> String {
    let length = share > 0 ? max(Int((share * Double(width) * 8).rounded()), 1) : 0
    return String(repeating: "█", count: length / 8) + eighths[length % 8]
  }

  private static let rising = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  private static func blockLines(samples: [Float], peak: Float, columns: Int, rows: Int) -> [String] {
    let heights = stretched(samples, over: columns).map { pair -> Int in
      guard let pair, peak > 0 else { return 0 }
      let magnitude = Double(max(pair.high.magnitude, pair.low.magnitude)) / Double(peak)
      return Int((magnitude * Double(rows * 8)).rounded())
    }
    return (0..<rows).map { row in
      let floor = (rows - 1 - row) * 8
      return heights.map { rising[min(max($0 - floor, 0), 8)] }.joined()
    }
  }

  /// The extremes of each column; where there are fewer samples than columns, a column takes the sample it stands in.
  static func stretched(_ samples: [Float], over columns: Int) -> [Extremes?] {
    guard !samples.isEmpty, samples.count < columns else {
      return Extremes.columns(of: samples, count: columns)
    }
    return (0..<columns).map { column in
      let sample = samples[column * samples.count / columns]
      return sample.isFinite ? Extremes(low: sample, high: sample) : nil
    }
  }
}

/// A field of dots, two across and four down in each character.
private struct BrailleGrid {
  private static let blank: UInt32 = 0x2800
  /// The bits of a character's dots, from the top: those of its left half, then of its right half.
  private static let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  private let columns: Int
  private let rows: Int
  private var cells: [UInt32]

  init(samples: [Float], peak: Float, columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = [UInt32](repeating: 0, count: columns * rows)
    let height = rows * 4
    /// The dot row of a value, from the top; the whole height is the peak on either side of zero.
    func row(_ value: Float) -> Int {
      let fraction = peak > 0 ? Double(value) / Double(peak) : 0
      return min(max(Int(((1 - fraction) / 2 * Double(height - 1)).rounded()), 0), height - 1)
    }
    var previous: Extremes?
    for (column, pair) in TerminalPlot.stretched(samples, over: columns * 2).enumerated() {
      guard let pair else {
        previous = nil
        continue
      }
      // Neighbours touch, so that a steep flank is a line.
      let low = min(pair.low, previous?.high ?? pair.low)
      let high = max(pair.high, previous?.low ?? pair.high)
      for dot in row(high)...row(low) {
        cells[dot / 4 * columns + column / 2] |= Self.bits[column % 2][dot % 4]
      }
      previous = pair
    }
  }

  var lines: [String] {
    (0..<rows).map { row in
      var line = String.UnicodeScalarView()
      for cell in cells[row * columns..<(row + 1) * columns] {
        // Every value from 0x2800 to 0x28FF is a scalar.
        line.append(Unicode.Scalar(Self.blank + cell) ?? " ")
      }
      return String(line)
    }
  }
}
