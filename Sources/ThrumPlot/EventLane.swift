/// The events over time, standing as high as their intensity or their sharpness.
struct EventLane {
  /// Which value of the events a lane shows.
  enum Value: CaseIterable {
    case intensity
    case sharpness

    /// The upward axis: 0 to 1, with air for the heads of the stems.
    var axisRange: ClosedRange<Double> { -0.06...1.1 }
  }

  let picture: PatternPicture
  let value: Value
  let panel: Panel

  /// More continuous events than this are drawn as one shape.
  private static let separateLimit = 400
  private var columns: Int { Int(panel.box.width) }

  func draw(on canvas: Canvas, across: Ticks) {
    let up = Ticks(
      marks: [0, 0.5, 1].map { Ticks.Mark(value: $0, label: decimal($0, places: 1)) }, unit: "")
    panel.drawGround(
      on: canvas, across: across, up: up, title: value == .intensity ? "intensity" : "sharpness")
    drawControl(on: canvas)
    let drawable = picture.events.filter(\.isDrawable)
    drawContinuous(drawable.filter { $0.kind == .continuous }, on: canvas)
    drawTransients(drawable.filter { $0.kind == .transient }, on: canvas)
    panel.drawFrame(on: canvas)
  }

  private var control: Track? {
    value == .intensity ? picture.intensityControl : picture.sharpnessControl
  }

  private func own(_ event: EventMark) -> Double {
    let own = value == .intensity ? event.intensity : event.sharpness
    return min(max(own, 0), 1)
  }

  /// An event's value under a control: intensity is multiplied, sharpness added to, both kept in range.
  private func effective(_ own: Double, under control: Double) -> Double {
    min(max(value == .intensity ? own * control : own + control, 0), 1)
  }

  private func effective(_ event: EventMark, at time: Double) -> Double {
    guard let control else { return own(event) }
    return effective(own(event), under: control.value(at: time))
  }

  // MARK: Continuous events

  private func drawContinuous(_ events: [EventMark], on canvas: Canvas) {
    if events.count > Self.separateLimit {
      drawMerged(events, on: canvas)
      return
    }
    for event in events {
      let start = event.time
      let end = min(start + max(event.duration ?? .infinity, 0), panel.horizontal.range.upperBound)
      guard start < panel.horizontal.range.upperBound else { continue }
      let line = effectiveLine(of: event, from: start, to: max(end, start))
      let goesOn = event.time + (event.duration ?? .infinity) > panel.horizontal.range.upperBound
      drawArea(line, goesOn: goesOn, on: canvas)
    }
  }

  private func effectiveLine(of event: EventMark, from start: Double, to end: Double) -> [Point] {
    guard let control, end > start else {
      return [panel.point(start, effective(event, at: start)), panel.point(end, effective(event, at: start))]
    }
    return control.line(from: start, to: end, limit: columns).map {
      panel.point($0.time, effective(own(event), under: $0.value))
    }
  }

  private func drawArea(_ line: [Point], goesOn: Bool, on canvas: Canvas) {
    guard let first = line.first, let last = line.last else { return }
    let floor = panel.vertical.place(of: 0)
    // An event of no length is still there.
    let right = max(last.x, first.x + 1.5)
    var area = line
    area[area.count - 1].x = right
    canvas.fill(
      [Point(x: first.x, y: floor)] + area + [Point(x: right, y: floor)], Style.continuous.opacity(0.2))
    // Where an event goes on beyond the picture, it has no edge there.
    let edges = [Point(x: first.x, y: floor)] + area + (goesOn ? [] : [Point(x: right, y: floor)])
    canvas.stroke(edges, Style.continuous, width: 1.6)
  }

  /// Many events: for each column the highest and the lowest value of those that sound in it.
  private func drawMerged(_ events: [EventMark], on canvas: Canvas) {
    let highest = painted(events.sorted { own($0) > own($1) })
    let lowest = painted(events.sorted { own($0) < own($1) })
    var upper: [Point] = []
    var lower: [Point] = []
    func close() {
      let floor = panel.vertical.place(of: 0)
      if let first = upper.first, let last = upper.last {
        let foot = [Point(x: last.x + 1, y: floor), Point(x: first.x, y: floor)]
        canvas.fill(upper + [Point(x: last.x + 1, y: last.y)] + foot, Style.continuous.opacity(0.2))
        canvas.fill(upper + lower.reversed(), Style.continuous.opacity(0.25))
        canvas.stroke(upper, Style.continuous, width: 1.4)
        canvas.stroke(lower, Style.continuous, width: 1.0)
      }
      upper = []
      lower = []
    }
    for column in 0..<columns {
      guard let high = highest[column], let low = lowest[column] else {
        close()
        continue
      }
      let x = panel.box.left + Double(column)
      let factor = control?.value(at: panel.horizontal.value(at: x + 0.5))
      let neutral = value == .intensity ? 1.0 : 0
      upper.append(Point(x: x, y: panel.vertical.place(of: effective(high, under: factor ?? neutral))))
      lower.append(Point(x: x, y: panel.vertical.place(of: effective(low, under: factor ?? neutral))))
    }
    close()
  }

  /// The value of the first event of the list that covers each column.
  ///
  /// A column that has its value is skipped from then on, so that the cost is that of the events and the columns, not of
  /// their product.
  private func painted(_ events: [EventMark]) -> [Double?] {
    var values = [Double?](repeating: nil, count: columns)
    var nextFree = Array(0...columns)
    func free(from column: Int) -> Int {
      var root = column
      while nextFree[root] != root { root = nextFree[root] }
      var step = column
      while nextFree[step] != root { (nextFree[step], step) = (root, nextFree[step]) }
      return root
    }
    for event in events {
      let start = panel.horizontal.boundedPlace(of: event.time) - panel.box.left
      let end =
        panel.horizontal.boundedPlace(of: event.time + max(event.duration ?? .infinity, 0)) - panel.box.left
      var column = free(from: min(Int(start), columns))
      while column < columns, Double(column) <= end {
        values[column] = own(event)
        nextFree[column] = column + 1
        column = free(from: column + 1)
      }
    }
    return values
  }

  // MARK: Transients

  private func drawTransients(_ events: [EventMark], on canvas: Canvas) {
    let floor = panel.vertical.place(of: 0)
    if events.count > columns / 2 {
      drawCrowded(events, on: canvas)
      return
    }
    let spacing = panel.box.width / Double(max(events.count, 1))
    let radius = min(max(spacing * 0.3, 1.4), 3.4)
    let width = min(max(spacing * 0.2, 0.8), 1.7)
    for event in events {
      let point = panel.point(event.time, effective(event, at: event.time))
      canvas.line(Point(x: point.x, y: floor), point, Style.transient, width: width)
      canvas.disc(point, radius: radius, Style.transient)
    }
  }

  /// Many events: for each column a bar from the lowest to the highest, on a pale stem.
  private func drawCrowded(_ events: [EventMark], on canvas: Canvas) {
    let floor = panel.vertical.place(of: 0)
    var bars = [(low: Double, high: Double)?](repeating: nil, count: columns + 1)
    for event in events {
      let place = panel.horizontal.boundedPlace(of: event.time) - panel.box.left
      let column = min(max(Int(place), 0), columns)
      let value = effective(event, at: event.time)
      let bar = bars[column] ?? (value, value)
      bars[column] = (min(bar.low, value), max(bar.high, value))
    }
    for (column, bar) in bars.enumerated() {
      guard let bar else { continue }
      let x = panel.box.left + Double(column) + 0.5
      let high = panel.vertical.place(of: bar.high)
      let low = panel.vertical.place(of: bar.low)
      canvas.line(Point(x: x, y: floor), Point(x: x, y: high), Style.transient.opacity(0.22))
      canvas.line(Point(x: x, y: low + 1), Point(x: x, y: high - 1), Style.transient.opacity(0.6))
    }
  }

  // MARK: The control

  private func drawControl(on canvas: Canvas) {
    guard let control else { return }
    let range = panel.horizontal.range
    let line = control.line(from: max(range.lowerBound, 0), to: range.upperBound, limit: columns)
    canvas.stroke(line.map { point(ofControl: $0) }, Style.control.opacity(0.75), width: 1.2, dashes: [5, 3])
    for (level, label) in value == .intensity
      ? [(0.0, "×0"), (1, "×1")] : [(-1, "\u{2212}1"), (0, "0"), (1, "+1")]
    {
      let y = panel.vertical.place(of: value == .intensity ? level : (level + 1) / 2)
      canvas.text(label, at: Point(x: panel.box.right + 8, y: y + 4.3), Style.quietInk)
    }
    canvas.uprightText(
      "control", at: Point(x: panel.box.right + 46, y: panel.box.top + panel.box.height / 2), Style.quietInk)
  }

  /// A multiplying control has the lane's own axis; one that adds, −1 to 1, has the right-hand one.
  private func point(ofControl point: Track.Breakpoint) -> Point {
    panel.point(point.time, value == .intensity ? point.value : (point.value + 1) / 2)
  }
}
