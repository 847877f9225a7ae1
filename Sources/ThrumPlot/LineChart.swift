/// A picture of one or more lines over a common axis.
///
/// Threads: any. Real-time: no.
public struct LineChart: Sendable {
  /// A line of the chart.
  public struct Series: Sendable, Equatable {
    /// What the legend calls it.
    public var name: String
    /// Across.
    public var x: [Double]
    /// Up, for each of `x`; a value that is not finite is a gap in the line.
    public var y: [Double]

    /// Creates a line; values without a partner are left out.
    public init(name: String, x: [Double], y: [Double]) {
      self.name = name
      self.x = x
      self.y = y
    }
  }

  /// The name of what is shown.
  public var title: String
  /// Lines below the title.
  public var subtitle: [String]
  /// The name and unit of the axis across.
  public var acrossTitle: String
  /// The name and unit of the axis up.
  public var upTitle: String
  /// The lines, told apart by colour and by dashes; of more than six, the colours come again.
  public var series: [Series]
  /// Whether equal steps across are equal ratios; values of 0 or less are then left out.
  public var isLogarithmic: Bool
  /// The ends of the axis up, nil for those of the values.
  public var upRange: ClosedRange<Double>?

  /// Creates a chart.
  public init(
    title: String, subtitle: [String] = [], acrossTitle: String, upTitle: String, series: [Series],
    isLogarithmic: Bool = false, upRange: ClosedRange<Double>? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.acrossTitle = acrossTitle
    self.upTitle = upTitle
    self.series = series
    self.isLogarithmic = isLogarithmic
    self.upRange = upRange
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

extension LineChart: Drawing {
  var size: (width: Double, height: Double) { frame.size }

  var summary: String {
    sentences(subtitle + ["\(upTitle) over \(acrossTitle): \(series.map(\.name).joined(separator: ", "))"])
  }

  func draw(on canvas: Canvas) {
    frame.draw(on: canvas)
    guard let across = range(of: shown.flatMap { $0.map(\.x) }),
      let values = range(of: shown.flatMap { $0.map(\.y) })
    else {
      canvas.fill(frame.panelBox, Style.panel)
      frame.drawEmpty("nothing to show", on: canvas)
      canvas.stroke(frame.panelBox, Style.frame)
      return
    }
    let air = (values.upperBound - values.lowerBound) * 0.06
    let panel = Panel(
      box: frame.panelBox, horizontal: across,
      vertical: upRange ?? values.lowerBound - air...values.upperBound + air, isLogarithmic: isLogarithmic)
    let acrossTicks = isLogarithmic ? Ticks.frequency(across) : Ticks.linear(across, most: 11)
    panel.drawGround(
      on: canvas, across: acrossTicks, up: Ticks.linear(panel.vertical.range, most: 9), title: upTitle)
    // A little wider than the panel, so that a dot at its edge is whole.
    let box = panel.box
    canvas.clipped(to: Box(left: box.left - 3, top: box.top, width: box.width + 6, height: box.height)) {
      for (index, points) in shown.enumerated() { draw(points, index: index, in: panel, on: canvas) }
    }
    panel.drawFrame(on: canvas)
    panel.drawAcrossLabels(acrossTicks, title: acrossTitle, on: canvas)
  }

  private var frame: ChartFrame {
    let entries = series.enumerated().map { index, line -> Legend.Entry in
      let colour = Self.colour(index)
      return Legend.Entry(shape: index.isMultiple(of: 2) ? .line(colour) : .dashes(colour), text: line.name)
    }
    return ChartFrame(title: title, subtitle: subtitle, legend: series.count > 1 ? entries : [])
  }

  private static func colour(_ index: Int) -> Colour { Style.series[index % Style.series.count] }

  /// The points of each series that have a place across; a gap keeps its place, with a NaN.
  private var shown: [[(x: Double, y: Double)]] {
    series.map { line in
      zip(line.x, line.y).compactMap { x, y in
        guard x.isFinite, !isLogarithmic || x > 0 else { return nil }
        return (x, y.isFinite ? y : .nan)
      }
    }
  }

  /// The range of the finite ones of the values, never empty; nil where there are none.
  private func range(of values: [Double]) -> ClosedRange<Double>? {
    let finite = values.filter(\.isFinite)
    guard let low = finite.min(), let high = finite.max() else { return nil }
    if low < high { return low...high }
    if isLogarithmic, low > 0 { return low / 2...low * 2 }
    let half = max(low.magnitude * 0.1, 0.5)
    return low - half...high + half
  }

  private func draw(_ points: [(x: Double, y: Double)], index: Int, in panel: Panel, on canvas: Canvas) {
    let dashes = index.isMultiple(of: 2) ? [] : [7.0, 4]
    var run: [Point] = []
    func end() {
      canvas.stroke(thinned(run), Self.colour(index), width: 1.8, dashes: dashes)
      run = []
    }
    for point in points {
      if point.y.isNaN {
        end()
      } else {
        run.append(panel.point(point.x, point.y))
        if points.count <= 40, dashes.isEmpty {
          canvas.disc(run[run.count - 1], radius: 2.6, Self.colour(index))
        }
      }
    }
    end()
  }

  /// Of the points on one unit across, the first, the lowest, the highest and the last, in their order.
  private func thinned(_ run: [Point]) -> [Point] {
    guard run.count > 4 * Int(ChartFrame.width) else { return run }
    var result: [Point] = []
    var first = 0
    while first < run.count {
      var end = first
      var low = first
      var high = first
      while end < run.count, run[end].x.rounded(.down) == run[first].x.rounded(.down) {
        if run[end].y < run[low].y { low = end }
        if run[end].y > run[high].y { high = end }
        end += 1
      }
      for index in [first, min(low, high), max(low, high), end - 1] { result.append(run[index]) }
      first = end
    }
    return result
  }
}
