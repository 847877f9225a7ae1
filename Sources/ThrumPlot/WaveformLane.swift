/// The signal over time, with its outline.
struct WaveformLane {
  let samples: [Float]
  let rate: Double
  let title: String
  let panel: Panel

  /// Columns of the signal's shape: two for each unit, as fine as the pixels of the usual scale.
  private var columns: Int { Int(panel.box.width * 2) }

  /// The upward range for a signal: symmetrical, to the next of 0.1, 0.2, 0.5, 1 times a power of ten.
  static func range(of samples: [Float]) -> ClosedRange<Double> {
    var peak: Float = 0
    for sample in samples where sample.isFinite { peak = max(peak, sample.magnitude) }
    // A signal just above full scale keeps the usual axis, with air above it.
    if peak > 0.5, peak <= 1.08 { return -1.1...1.1 }
    let limit = max(Ticks.niceStep(atLeast: Double(peak) * 1.02).step, 0.01)
    return -limit * 1.08...limit * 1.08
  }

  func draw(on canvas: Canvas, across: Ticks) {
    let up = Ticks.linear(panel.vertical.range, most: 7)
    panel.drawGround(on: canvas, across: across, up: up, title: title)
    let zero = snapped(panel.vertical.place(of: 0))
    canvas.line(Point(x: panel.box.left, y: zero), Point(x: panel.box.right, y: zero), Style.frame)
    if panel.vertical.range.upperBound >= 1 {
      for level in [-1.0, 1] {
        let y = snapped(panel.vertical.place(of: level))
        canvas.line(
          Point(x: panel.box.left, y: y), Point(x: panel.box.right, y: y), Style.frame, dashes: [6, 4])
      }
    }
    if samples.isEmpty {
      let middle = Point(
        x: panel.box.left + panel.box.width / 2, y: panel.box.top + panel.box.height / 2 - 10)
      canvas.text("no signal", at: middle, size: Style.textSize, Style.quietInk, align: .centre)
    } else {
      canvas.clipped(to: panel.box) {
        drawOutline(on: canvas)
        if samples.count > 2 * columns { drawExtremes(on: canvas) } else { drawSamples(on: canvas) }
      }
    }
    panel.drawFrame(on: canvas)
  }

  private func time(ofColumn column: Double, of count: Int) -> Double {
    column * Double(samples.count) / Double(count) / rate
  }

  /// More samples than can be told apart: the band between the extremes of each column.
  private func drawExtremes(on canvas: Canvas) {
    let extremes = Extremes.columns(of: samples, count: columns)
    var run: [(x: Double, low: Double, high: Double)] = []
    for (column, pair) in extremes.enumerated() {
      guard let pair else {
        drawBand(run, on: canvas)
        run = []
        continue
      }
      let x = panel.horizontal.place(of: time(ofColumn: Double(column) + 0.5, of: columns))
      var low = Double(pair.low)
      var high = Double(pair.high)
      // Neighbouring columns touch, so that a steep flank is not a row of dots.
      if column > 0, let previous = extremes[column - 1] {
        low = min(low, Double(previous.high))
        high = max(high, Double(previous.low))
      }
      run.append((x, panel.vertical.boundedPlace(of: low), panel.vertical.boundedPlace(of: high)))
    }
    drawBand(run, on: canvas)
  }

  private func drawBand(_ run: [(x: Double, low: Double, high: Double)], on canvas: Canvas) {
    let upper = run.map { Point(x: $0.x, y: $0.high) }
    let lower = run.reversed().map { Point(x: $0.x, y: $0.low) }
    canvas.fill(upper + lower, Style.signal)
    canvas.stroke(upper + lower, Style.signal, width: 0.7)
  }

  /// Few enough samples to draw each; with dots where they stand far apart.
  private func drawSamples(on canvas: Canvas) {
    var run: [Point] = []
    let spacing = panel.box.width / Double(samples.count)
    for (index, sample) in samples.enumerated() {
      guard sample.isFinite else {
        canvas.stroke(run, Style.signal, width: 1.5)
        run = []
        continue
      }
      let point = panel.point(Double(index) / rate, Double(sample))
      if spacing >= 7 { canvas.disc(point, radius: 2.2, Style.signal) }
      run.append(point)
    }
    canvas.stroke(run, Style.signal, width: 1.5)
  }

  /// The tips of the oscillation, those within 1.5 ms of a higher one left out: no carrier swings as fast.
  private func drawOutline(on canvas: Canvas) {
    let reach = Int(min(max(0.0015 * rate, 1), Double(samples.count)))
    // A few samples have no oscillation to outline.
    guard samples.count >= 4 * reach else { return }
    let tips = outline(of: samples, reach: reach, limit: columns / 2)
    let upper = tips.map { panel.point(Double($0.position) / rate, Double($0.magnitude)) }
    let lower = tips.map { panel.point(Double($0.position) / rate, -Double($0.magnitude)) }
    canvas.fill(upper + lower.reversed(), Style.outline.opacity(0.07))
    canvas.stroke(upper, Style.outline.opacity(0.55), width: 1)
    canvas.stroke(lower, Style.outline.opacity(0.55), width: 1)
  }
}
