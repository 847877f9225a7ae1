/// A picture of one distribution or of two, small enough to stand in a column of a paper: at 85 mm across, its smallest
/// letters are 2 mm high.
///
/// Threads: any. Real-time: no.
public struct DistributionPicture: Sendable {
  /// Values, and what they are called.
  public struct Series: Sendable {
    /// The name, for the legend.
    public var name: String
    /// The values; those that are not finite are left out.
    public var values: [Double]
    /// Values to be marked, such as percentiles, in rising order.
    public var marks: [Mark]

    /// Creates a series.
    public init(name: String, values: [Double], marks: [Mark]) {
      (self.name, self.values, self.marks) = (name, values, marks)
    }
  }

  /// A value with a name.
  public struct Mark: Sendable {
    /// The name, such as `p99`.
    public var name: String
    /// The value.
    public var value: Double

    /// Creates a mark.
    public init(name: String, value: Double) { (self.name, self.value) = (name, value) }
  }

  /// A difference and where it may lie.
  public struct Difference: Sendable {
    /// What it is.
    public var name: String
    /// The estimate.
    public var value: Double
    /// Its interval.
    public var interval: ClosedRange<Double>

    /// Creates a difference.
    public init(name: String, value: Double, interval: ClosedRange<Double>) {
      (self.name, self.value, self.interval) = (name, value, interval)
    }
  }

  /// The name of what is shown.
  public var title: String
  /// One or two; of more the first two are drawn.
  public var series: [Series]
  /// The name and unit of the values.
  public var valueTitle: String
  /// Values by which the others are judged; those off scale are named at the edge.
  public var thresholds: [Mark]
  /// Below the second panel's difference, where there is one.
  public var difference: Difference?
  /// What was measured and how, below the picture; wrapped to its width.
  public var caption: [String]

  /// Creates a picture.
  public init(
    title: String, series: [Series], valueTitle: String, thresholds: [Mark] = [],
    difference: Difference? = nil, caption: [String] = []
  ) {
    self.title = title
    self.series = Array(series.prefix(2))
    self.valueTitle = valueTitle
    self.thresholds = thresholds
    self.difference = difference
    self.caption = caption
  }

  /// The bytes of the picture's file.
  /// - Parameter scale: Pixels for each of a PNG's 420 units of width; an SVG takes no notice of it.
  /// - Throws: ``PlotError``.
  public func bytes(as format: PictureFormat, scale: Double = 4) throws(PlotError) -> [UInt8] {
    try encoded(as: format, scale: scale)
  }
}

extension DistributionPicture: Drawing {
  private static let width = 420.0
  private static let left = 54.0
  private static let panelHeight = 190.0
  private static let captionSize = 10.5
  private static let captionLine = 14.0
  private static let rowHeight = 14.0
  private static let bins = 40

  var summary: String {
    let marks = series.flatMap { series in
      ["\(series.name): \(counted(series.values.count, "value"))"]
        + series.marks.map { "\($0.name) \(label($0.value))" }
    }
    return sentences([valueTitle] + marks + caption)
  }

  var size: (width: Double, height: Double) {
    (Self.width, captionTop + Double(wrappedCaption.count) * Self.captionLine + 6)
  }

  private var legendHeight: Double { series.count > 1 ? 18 : 0 }
  private var panelBox: Box {
    Box(
      left: Self.left, top: 32 + legendHeight, width: Self.width - Self.left - 14, height: Self.panelHeight)
  }
  private var differenceBox: Box {
    Box(left: Self.left, top: panelBox.bottom + 66, width: panelBox.width, height: 30)
  }
  private var captionTop: Double {
    (difference == nil ? panelBox.bottom : differenceBox.bottom) + (caption.isEmpty ? 40 : 58)
  }

  /// By the count of letters, since the height has to be known before there is a canvas to measure them on: a letter is
  /// about 0.58 of its size wide, and lines that come out too long are made to fit.
  private var wrappedCaption: [String] {
    let most = Int((Self.width - 24) / (Self.captionSize * 0.58))
    return caption.flatMap { text -> [String] in
      var lines: [String] = []
      var line = ""
      for word in text.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > most {
          lines.append(line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
      }
      return lines + [line]
    }
  }

  func draw(on canvas: Canvas) {
    let heading = canvas.fitted(title, width: Self.width - 24, size: 13, bold: true)
    canvas.text(heading, at: Point(x: 12, y: 20), size: 13, bold: true)
    if series.count > 1 { drawLegend(on: canvas) }
    if let bins = Bins(series.flatMap(\.values), most: Self.bins) {
      draw(bins, on: canvas)
    } else {
      canvas.fill(panelBox, Style.panel)
      canvas.stroke(panelBox, Style.frame)
    }
    if let difference { draw(difference, on: canvas) }
    for (index, line) in wrappedCaption.enumerated() {
      let text = canvas.fitted(line, width: Self.width - 16, size: Self.captionSize)
      canvas.text(
        text, at: Point(x: 12, y: captionTop + Double(index) * Self.captionLine), size: Self.captionSize,
        Style.quietInk)
    }
  }

  private func colour(_ index: Int) -> Colour { Style.series[index] }

  private func drawLegend(on canvas: Canvas) {
    var x = Self.left
    for (index, series) in series.enumerated() {
      let swatch = Box(left: x, top: 32, width: 16, height: 9)
      if index == 0 { canvas.fill(swatch, colour(0).opacity(0.45)) }
      canvas.stroke(swatch, colour(index), width: 1.4)
      let text = canvas.fitted(series.name, width: panelBox.width / 2 - 30)
      canvas.text(text, at: Point(x: x + 21, y: 41), Style.ink)
      x += panelBox.width / 2
    }
  }

  // MARK: The distribution

  private func label(_ value: Double) -> String {
    let span = (series.flatMap(\.values).max() ?? 0) - (series.flatMap(\.values).min() ?? 0)
    return decimal(value, places: span < 0.05 ? 4 : span < 5 ? 3 : span < 50 ? 2 : 1, typographic: true)
  }

  private func draw(_ bins: Bins, on canvas: Canvas) {
    let counts = series.map { count(of: $0.values, in: bins) }
    let highest = Double(counts.flatMap { $0 }.max() ?? 1)
    let side = max(bins.end - bins.start, bins.width) * 0.02
    let range = bins.start - side...bins.end + side
    let inRange = thresholds.filter { range.contains($0.value) }
    let offScale = thresholds.filter { $0.value > range.upperBound }
    let rows = series.reduce(0) { $0 + $1.marks.count } + inRange.count + (offScale.isEmpty ? 0 : 1)
    let head = min(Double(rows) * Self.rowHeight + 8, Self.panelHeight * 0.6)
    let panel = Panel(
      box: panelBox, horizontal: range,
      vertical: 0...highest * Self.panelHeight / (Self.panelHeight - head))
    let across = Ticks.linear(range, most: 8)
    let step = max(Ticks.niceStep(atLeast: highest / 4).step, 1)
    let up = Ticks(
      marks: stride(from: 0, through: highest, by: step).map {
        Ticks.Mark(value: $0, label: grouped(Int($0)))
      },
      unit: "")
    panel.drawGround(on: canvas, across: across, up: up, title: "")
    canvas.uprightText("trials", at: Point(x: 14, y: panelBox.top + panelBox.height / 2), Style.ink)
    canvas.clipped(to: panel.box) {
      for (index, counts) in counts.enumerated() { draw(counts, of: bins, index, in: panel, on: canvas) }
    }
    drawMarks(inRange: inRange, offScale: offScale, in: panel, on: canvas)
    panel.drawFrame(on: canvas)
    panel.drawAcrossLabels(across, title: valueTitle, on: canvas)
  }

  private func count(of values: [Double], in bins: Bins) -> [Int] {
    var counts = [Int](repeating: 0, count: bins.counts.count)
    for value in values where value.isFinite {
      let bin = ((value - bins.start) / bins.width).rounded(.down)
      counts[Int(min(max(bin, 0), Double(counts.count - 1)))] += 1
    }
    return counts
  }

  /// The first is filled, the second an outline: they can be told apart without colour, and where they overlap.
  private func draw(_ counts: [Int], of bins: Bins, _ index: Int, in panel: Panel, on canvas: Canvas) {
    var outline = [Point(x: panel.horizontal.place(of: bins.start), y: panel.box.bottom)]
    for (bin, count) in counts.enumerated() {
      let left = panel.horizontal.place(of: bins.start + bins.width * Double(bin))
      let right = panel.horizontal.place(of: bins.start + bins.width * Double(bin + 1))
      // One value among a million is the one that matters; it keeps two units of height.
      let height = count == 0 ? 0 : max(panel.box.bottom - panel.vertical.place(of: Double(count)), 2)
      outline.append(Point(x: left, y: panel.box.bottom - height))
      outline.append(Point(x: right, y: panel.box.bottom - height))
    }
    outline.append(Point(x: panel.horizontal.place(of: bins.end), y: panel.box.bottom))
    if index == 0 { canvas.fill(outline, colour(0).opacity(0.45)) }
    canvas.stroke(outline, colour(index), width: 1.3)
  }

  /// A mark's line and its text, a row each.
  private struct Row {
    var text: String
    var value: Double
    var colour: Colour
    var dashes: [Double]
  }

  /// Marks that would be written with the same figure share a row.
  private func rows(of series: Series, _ colour: Colour) -> [Row] {
    var rows: [(names: [String], label: String, value: Double)] = []
    for mark in series.marks {
      let text = label(mark.value)
      if rows.last?.label == text {
        rows[rows.count - 1].names.append(mark.name)
      } else {
        rows.append(([mark.name], text, mark.value))
      }
    }
    return rows.map { row in
      Row(
        text: "\(row.names.joined(separator: ", ")) \(row.label)", value: row.value, colour: colour,
        dashes: [4, 3])
    }
  }

  private func drawMarks(inRange: [Mark], offScale: [Mark], in panel: Panel, on canvas: Canvas) {
    var rows: [Row] = []
    for (index, series) in series.enumerated() {
      let ink = self.series.count > 1 ? (index == 0 ? Style.signal : Style.transient) : Style.ink
      rows += self.rows(of: series, ink)
    }
    rows += inRange.map {
      Row(
        text: "\($0.name) \(short($0.value))", value: $0.value, colour: Style.warning, dashes: [1.5, 2.5])
    }
    func baseline(_ row: Int) -> Double { panel.box.top + 13 + Double(row) * Self.rowHeight }
    // All lines first: the text of one mark covers the line of another, never the reverse.
    for (index, row) in rows.enumerated() {
      let x = snapped(panel.horizontal.boundedPlace(of: row.value))
      canvas.line(
        Point(x: x, y: baseline(index) - 9), Point(x: x, y: panel.box.bottom), row.colour, width: 1.2,
        dashes: row.dashes)
    }
    for (index, row) in rows.enumerated() {
      let x = panel.horizontal.boundedPlace(of: row.value)
      let isLeft = x + canvas.textWidth(row.text) + 9 > panel.box.right
      write(row.text, x: x, isLeft: isLeft, baseline: baseline(index), row.colour, on: canvas)
    }
    guard let first = offScale.first else { return }
    write(
      "\(first.name) \(short(first.value)) \u{2192}", x: panel.box.right - 1, isLeft: true,
      baseline: baseline(rows.count), Style.warning, on: canvas)
  }

  private func write(
    _ text: String, x: Double, isLeft: Bool, baseline: Double, _ colour: Colour, on canvas: Canvas
  ) {
    let width = canvas.textWidth(text)
    let left = isLeft ? x - 4 - width : x + 4
    canvas.fill(Box(left: left - 1.5, top: baseline - 10, width: width + 3, height: 13), Style.panel)
    canvas.text(text, at: Point(x: left, y: baseline), colour)
  }

  /// A threshold, which is a whole number of milliseconds or nearly.
  private func short(_ value: Double) -> String {
    decimal(value, places: value == value.rounded() ? 0 : 2, typographic: true)
  }

  // MARK: The difference

  private func draw(_ difference: Difference, on canvas: Canvas) {
    let reach = max(difference.interval.upperBound, 0) - min(difference.interval.lowerBound, 0)
    let side = max(reach * 0.15, 1e-9)
    let range =
      min(difference.interval.lowerBound, 0) - side...max(difference.interval.upperBound, 0) + side
    let panel = Panel(box: differenceBox, horizontal: range, vertical: 0...1)
    let across = Ticks.linear(range, most: 7)
    panel.drawGround(on: canvas, across: across, up: Ticks(marks: [], unit: ""), title: "")
    let middle = differenceBox.top + differenceBox.height / 2
    let zero = snapped(panel.horizontal.place(of: 0))
    canvas.line(
      Point(x: zero, y: differenceBox.top), Point(x: zero, y: differenceBox.bottom), Style.ink, width: 1.2)
    let low = panel.horizontal.place(of: difference.interval.lowerBound)
    let high = panel.horizontal.place(of: difference.interval.upperBound)
    canvas.line(Point(x: low, y: middle), Point(x: high, y: middle), Style.warning, width: 2)
    for x in [low, high] {
      canvas.line(Point(x: x, y: middle - 5), Point(x: x, y: middle + 5), Style.warning, width: 2)
    }
    canvas.disc(Point(x: panel.horizontal.place(of: difference.value), y: middle), radius: 3.5, Style.warning)
    panel.drawFrame(on: canvas)
    panel.drawAcrossLabels(across, title: difference.name, on: canvas)
  }
}
