import Glibc

/// A picture of what drives do to an actuator: for each case the drive and the response, one above the other on one axis of
/// time, and below all the levels of the responses in one panel.
///
/// Made for a paper: at 170 mm across, its smallest letters are 2.6 mm high, and lines differ in dashes as well as in
/// colour.
///
/// Threads: any. Real-time: no.
public struct ResponsePicture: Sendable {
  /// A drive and what comes of it.
  public struct Case: Sendable {
    /// What the case is called.
    public var name: String
    /// Its figures, on one line.
    public var figures: String
    /// The drive.
    public var drive: [Float]
    /// The response, as many samples.
    public var response: [Float]
    /// The outline of the response, as many samples, for the panel of levels.
    public var envelope: [Float]

    /// Creates a case.
    public init(name: String, figures: String, drive: [Float], response: [Float], envelope: [Float]) {
      self.name = name
      self.figures = figures
      self.drive = drive
      self.response = response
      self.envelope = envelope
    }
  }

  /// The name of what is shown.
  public var title: String
  /// Lines below the title.
  public var subtitle: [String]
  /// At least one; of more than four the first four are drawn.
  public var cases: [Case]
  /// Samples a second.
  public var rate: Double
  /// The name of what is drawn for each case, drive and response.
  public var driveTitle: String
  /// The name of the response.
  public var responseTitle: String

  /// Creates a picture.
  public init(
    title: String, subtitle: [String] = [], cases: [Case], rate: Double, driveTitle: String,
    responseTitle: String
  ) {
    self.title = title
    self.subtitle = subtitle
    self.cases = Array(cases.prefix(4))
    self.rate = rate
    self.driveTitle = driveTitle
    self.responseTitle = responseTitle
  }

  /// The bytes of the picture's file.
  /// - Parameter scale: Pixels for each of a PNG's 760 units of width; an SVG takes no notice of it.
  /// - Throws: ``PlotError``.
  public func bytes(as format: PictureFormat, scale: Double = 3) throws(PlotError) -> [UInt8] {
    try encoded(as: format, scale: scale)
  }
}

extension ResponsePicture: Drawing {
  private static let width = 760.0
  private static let left = 66.0
  private static let rowHeight = 136.0
  private static let rowGap = 34.0
  private static let levelHeight = 168.0
  private static let lineHeight = 17.0
  /// The lowest level that is drawn, dB below the highest.
  private static let levelRange = 60.0

  var summary: String {
    sentences(subtitle + cases.map { "\($0.name): \($0.figures)" })
  }

  var size: (width: Double, height: Double) { (Self.width, levelBox.bottom + 48) }

  private var headHeight: Double { 40 + Double(subtitle.count) * Self.lineHeight + 24 }
  private func rowBox(_ index: Int) -> Box {
    let top = headHeight + Self.rowGap + Double(index) * (Self.rowHeight + Self.rowGap)
    return Box(left: Self.left, top: top, width: Self.width - Self.left - 22, height: Self.rowHeight)
  }
  private var levelBox: Box {
    let last = rowBox(max(0, cases.count - 1))
    return Box(left: last.left, top: last.bottom + Self.rowGap, width: last.width, height: Self.levelHeight)
  }

  private var seconds: ClosedRange<Double> {
    0...max(1 / rate, Double(cases.map(\.response.count).max() ?? 1) / rate)
  }

  func draw(on canvas: Canvas) {
    let heading = canvas.fitted(title, width: Self.width - 40, size: 18, bold: true)
    canvas.text(heading, at: Point(x: 20, y: 31), size: 18, bold: true)
    for (index, line) in subtitle.enumerated() {
      let text = canvas.fitted(line, width: Self.width - 40, size: Style.textSize)
      let baseline = 36 + Double(index + 1) * Self.lineHeight
      canvas.text(text, at: Point(x: 20, y: baseline), size: Style.textSize, Style.quietInk)
    }
    Legend(entries: [
      .init(shape: .area(Style.quietInk), text: driveTitle),
      .init(shape: .line(Style.ink), text: responseTitle),
    ]).draw(on: canvas, left: Self.left, baseline: headHeight - 2)
    let across = Ticks.time(seconds, most: 11)
    let limit = cases.reduce(Float(0.001)) { limit, each in
      max(limit, largest(each.drive), largest(each.response))
    }
    for (index, each) in cases.enumerated() {
      draw(each, index, in: rowBox(index), limit: Double(limit) * 1.08, across: across, on: canvas)
    }
    drawLevels(across: across, on: canvas)
  }

  private func largest(_ samples: [Float]) -> Float {
    samples.reduce(0) { $1.isFinite ? max($0, $1.magnitude) : $0 }
  }

  private func colour(_ index: Int) -> Colour { Style.series[index % Style.series.count] }

  private func draw(
    _ each: Case, _ index: Int, in box: Box, limit: Double, across: Ticks, on canvas: Canvas
  ) {
    let panel = Panel(box: box, horizontal: seconds, vertical: -limit...limit)
    panel.drawGround(
      on: canvas, across: across, up: Ticks.linear(panel.vertical.range, most: 6), title: "")
    canvas.uprightText("× rated", at: Point(x: 18, y: box.top + box.height / 2), Style.ink)
    let zero = snapped(panel.vertical.place(of: 0))
    canvas.line(Point(x: box.left, y: zero), Point(x: box.right, y: zero), Style.frame)
    canvas.clipped(to: box) {
      let drive = curve(each.drive, in: panel)
      if let first = drive.first, let last = drive.last {
        let ground = [Point(x: last.x, y: zero), Point(x: first.x, y: zero)]
        canvas.fill(drive + ground, Style.quietInk.opacity(0.16))
      }
      canvas.stroke(drive, Style.quietInk.opacity(0.6), width: 0.8)
      canvas.stroke(curve(each.response, in: panel), colour(index), width: 1.5)
    }
    panel.drawFrame(on: canvas)
    // The name at the left, its figures at the right, above the panel.
    let baseline = box.top - 7
    let figures = canvas.fitted(each.figures, width: box.width * 0.7)
    let room = box.width - canvas.textWidth(figures) - 16
    let name = canvas.fitted(each.name, width: room, size: Style.textSize, bold: true)
    canvas.text(name, at: Point(x: box.left, y: baseline), size: Style.textSize, colour(index), bold: true)
    canvas.text(figures, at: Point(x: box.right, y: baseline), Style.ink, align: .right)
  }

  /// The line of a signal; of samples that fall on one half unit across, the first, the extremes and the last.
  private func curve(_ samples: [Float], in panel: Panel) -> [Point] {
    let columns = Int(panel.box.width * 2)
    guard samples.count > 4 * columns else {
      return samples.enumerated().map { panel.point(Double($0) / rate, $1.isFinite ? Double($1) : 0) }
    }
    let share = Double(samples.count) / rate / seconds.upperBound
    let count = max(1, Int(Double(columns) * share))
    return Extremes.columns(of: samples, count: count).enumerated().flatMap { column, pair -> [Point] in
      guard let pair else { return [] }
      let time = (Double(column) + 0.5) / Double(count) * Double(samples.count) / rate
      let ends = [panel.point(time, Double(pair.low)), panel.point(time, Double(pair.high))]
      return column.isMultiple(of: 2) ? ends : ends.reversed()
    }
  }

  private func drawLevels(across: Ticks, on canvas: Canvas) {
    let highest = cases.reduce(Float(0)) { max($0, largest($1.envelope)) }
    // With a little air above the highest.
    let top = highest > 0 ? ((20 * log10(Double(highest)) + 2) / 10).rounded(.up) * 10 : 0
    let panel = Panel(box: levelBox, horizontal: seconds, vertical: (top - Self.levelRange)...top)
    panel.drawGround(
      on: canvas, across: across, up: Ticks.linear(panel.vertical.range, most: 7), title: "")
    canvas.uprightText(
      "level, dB", at: Point(x: 18, y: levelBox.top + levelBox.height / 2), Style.ink)
    canvas.clipped(to: levelBox) {
      for (index, each) in cases.enumerated() {
        let points = each.envelope.enumerated().compactMap { place, value -> Point? in
          // Every fourth is as fine as a picture shows.
          guard place.isMultiple(of: max(1, each.envelope.count / 3000)) else { return nil }
          return panel.point(Double(place) / rate, 20 * log10(max(Double(value), 1e-9)))
        }
        canvas.stroke(points, colour(index), width: 1.7, dashes: Self.dashes[index % Self.dashes.count])
      }
    }
    panel.drawFrame(on: canvas)
    canvas.text(
      "\(responseTitle), its outline", at: Point(x: levelBox.left, y: levelBox.top - 7), size: Style.textSize,
      bold: true)
    panel.drawAcrossLabels(across, title: "time, \(across.unit)", on: canvas)
    guard cases.count > 1 else { return }
    let entries = cases.enumerated().map { index, each -> Legend.Entry in
      let shape: Legend.Entry.Shape =
        switch index % Self.dashes.count {
        case 0: .line(colour(index))
        case 1: .dashes(colour(index))
        case 2: .dots(colour(index))
        default: .line(colour(index))
        }
      return .init(shape: shape, text: each.name)
    }
    Legend(entries: entries).draw(
      on: canvas, left: levelBox.left + 210, baseline: levelBox.top - 7)
  }

  private static let dashes: [[Double]] = [[], [7, 4], [2, 3], [12, 3, 2, 3]]
}
