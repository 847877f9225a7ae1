/// A picture of how often values occur, with their median, their 99th percentile and their maximum.
///
/// Threads: any. Real-time: no.
public struct Histogram: Sendable {
  /// The name of what is shown.
  public var title: String
  /// Lines below the title.
  public var subtitle: [String]
  /// The values; those that are not finite are left out.
  public var values: [Double]
  /// The name and unit of the values, such as `latency (frames)`.
  public var valueTitle: String

  /// Creates a histogram.
  public init(title: String, subtitle: [String] = [], values: [Double], valueTitle: String) {
    self.title = title
    self.subtitle = subtitle
    self.values = values
    self.valueTitle = valueTitle
  }

  /// Writes the picture to a file, replacing one that is there.
  /// - Parameters:
  ///   - path: A name that ends in `.png` or `.svg`.
  ///   - scale: Pixels for each unit of a PNG, which is 960 units wide; an SVG takes no notice of it.
  /// - Throws: ``PlotError``. An older file is as it was unless writing itself failed.
  public func write(to path: String, scale: Double = 2) throws(PlotError) {
    try writeFile(to: path, scale: scale)
  }

  /// The bytes of the picture's file, for a pipe.
  /// - Throws: ``PlotError``.
  public func bytes(as format: PictureFormat, scale: Double = 2) throws(PlotError) -> [UInt8] {
    try encoded(as: format, scale: scale)
  }
}

extension Histogram: Drawing {
  private static let bins = 60

  var size: (width: Double, height: Double) { frame.size }

  var summary: String {
    let marks = marks.map { "\($0.name) \($0.label)" }
    return sentences(subtitle + ["\(valueTitle) of \(counted(sorted.count, "value"))"] + marks)
  }

  func draw(on canvas: Canvas) {
    frame.draw(on: canvas)
    guard let bins = Bins(values, most: Self.bins) else {
      canvas.fill(frame.panelBox, Style.panel)
      frame.drawEmpty("no values", on: canvas)
      canvas.stroke(frame.panelBox, Style.frame)
      return
    }
    let highest = Double(bins.counts.max() ?? 1)
    let side = max(bins.end - bins.start, bins.width) * 0.02
    // The upper fifth is for the marks' labels.
    let panel = Panel(
      box: frame.panelBox, horizontal: bins.start - side...bins.end + side, vertical: 0...highest * 1.25)
    let across = Ticks.linear(panel.horizontal.range, most: 13)
    panel.drawGround(on: canvas, across: across, up: countTicks(highest), title: "count")
    canvas.clipped(to: panel.box) { draw(bins, in: panel, on: canvas) }
    draw(marks, in: panel, on: canvas)
    panel.drawFrame(on: canvas)
    panel.drawAcrossLabels(across, title: valueTitle, on: canvas)
  }

  private var frame: ChartFrame { ChartFrame(title: title, subtitle: subtitle, legend: []) }

  private var sorted: [Double] { values.filter(\.isFinite).sorted() }

  private func countTicks(_ highest: Double) -> Ticks {
    let step = max(Ticks.niceStep(atLeast: highest / 6).step, 1)
    let marks = stride(from: 0, through: highest, by: step).map {
      Ticks.Mark(value: $0, label: grouped(Int($0)))
    }
    return Ticks(marks: marks, unit: "")
  }

  private func draw(_ bins: Bins, in panel: Panel, on canvas: Canvas) {
    for (bin, count) in bins.counts.enumerated() where count > 0 {
      let left = panel.horizontal.place(of: bins.start + bins.width * Double(bin))
      let right = panel.horizontal.place(of: bins.start + bins.width * Double(bin + 1))
      // One value among a million is the one that matters; it keeps two units of height.
      let height = max(panel.box.bottom - panel.vertical.place(of: Double(count)), 2)
      let gap = min(1, (right - left) * 0.1)
      canvas.fill(
        Box(left: left + gap / 2, top: panel.box.bottom - height, width: right - left - gap, height: height),
        Style.signal.opacity(0.75))
    }
  }

  private struct Mark {
    var name: String
    var value: Double
    var label: String
  }

  private var marks: [Mark] {
    let sorted = sorted
    let places = max(Bins(values, most: Self.bins)?.places ?? 0, 0)
    return [("p50", 0.5), ("p99", 0.99), ("max", 1)].compactMap { name, share in
      percentile(share, ofSorted: sorted).map {
        Mark(name: name, value: $0, label: decimal($0, places: places, typographic: true))
      }
    }
  }

  /// Each mark's label stands on a line of its own, so that marks close together can be read.
  private func draw(_ marks: [Mark], in panel: Panel, on canvas: Canvas) {
    for (index, mark) in marks.enumerated() {
      let x = panel.horizontal.boundedPlace(of: mark.value)
      let baseline = panel.box.top + 17 + Double(index) * 17
      let text = "\(mark.name) \(mark.label)"
      let isLeft = x + canvas.textWidth(text) + 12 > panel.box.right
      canvas.line(
        Point(x: snapped(x), y: baseline - 11), Point(x: snapped(x), y: panel.box.bottom), Style.transient,
        width: 1.2, dashes: [4, 3])
      canvas.text(
        text, at: Point(x: x + (isLeft ? -6 : 6), y: baseline), Style.transient,
        align: isLeft ? .right : .left)
    }
  }
}
