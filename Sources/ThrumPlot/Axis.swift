import Glibc

/// The values an axis spans and the units of the drawing they fall on.
struct Axis: Equatable {
  /// The values at the two ends.
  var range: ClosedRange<Double>
  /// The place of the range's start.
  var start: Double
  /// The place of the range's end; less than the start on an axis that rises upwards.
  var end: Double
  /// Whether equal steps are equal ratios.
  var isLogarithmic = false

  /// The place of a value; beyond the ends for values beyond the range.
  func place(of value: Double) -> Double {
    let fraction: Double
    if isLogarithmic {
      fraction = log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
    } else {
      fraction = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
    return start + fraction * (end - start)
  }

  /// The value at a place.
  func value(at place: Double) -> Double {
    let fraction = (place - start) / (end - start)
    if isLogarithmic { return range.lowerBound * pow(range.upperBound / range.lowerBound, fraction) }
    return range.lowerBound + fraction * (range.upperBound - range.lowerBound)
  }

  /// The place of a value, kept on the axis; Cairo's coordinates end at about eight million.
  func boundedPlace(of value: Double) -> Double {
    place(of: min(max(value, range.lowerBound), range.upperBound))
  }
}

/// A framed area with an axis across and one up.
struct Panel {
  /// The framed area, without the labels around it.
  var box: Box
  /// Across.
  var horizontal: Axis
  /// Up.
  var vertical: Axis

  /// Makes a panel whose axes span its box.
  init(box: Box, horizontal: ClosedRange<Double>, vertical: ClosedRange<Double>, isLogarithmic: Bool = false)
  {
    self.box = box
    self.horizontal = Axis(
      range: horizontal, start: box.left, end: box.right, isLogarithmic: isLogarithmic)
    self.vertical = Axis(range: vertical, start: box.bottom, end: box.top)
  }

  /// The point of a pair of values, on the axes.
  func point(_ x: Double, _ y: Double) -> Point {
    Point(x: horizontal.boundedPlace(of: x), y: vertical.boundedPlace(of: y))
  }

  /// Draws the ground, the grid and the labels of the upward axis.
  func drawGround(
    on canvas: Canvas, across: Ticks, up: Ticks, title: String, unlabelledEnds: Bool = false
  ) {
    canvas.fill(box, Style.panel)
    for mark in across.marks {
      let x = snapped(horizontal.place(of: mark.value))
      let colour = mark.label.isEmpty ? Style.minorGrid : Style.grid
      canvas.line(Point(x: x, y: box.top), Point(x: x, y: box.bottom), colour)
    }
    for mark in up.marks {
      let y = snapped(vertical.place(of: mark.value))
      canvas.line(Point(x: box.left, y: y), Point(x: box.right, y: y), Style.grid)
      canvas.text(mark.label, at: Point(x: box.left - 8, y: y + 4.3), Style.quietInk, align: .right)
    }
    canvas.uprightText(title, at: Point(x: box.left - 56, y: box.top + box.height / 2), Style.ink)
  }

  /// Draws the frame, over what the panel shows.
  func drawFrame(on canvas: Canvas) {
    canvas.stroke(
      Box(
        left: snapped(box.left), top: snapped(box.top), width: box.width.rounded(),
        height: box.height.rounded()),
      Style.frame)
  }

  /// Writes the labels of the axis across below the panel, those that have room, and its title at the right.
  /// - Returns: The height the labels take.
  @discardableResult
  func drawAcrossLabels(_ ticks: Ticks, title: String, on canvas: Canvas) -> Double {
    let baseline = box.bottom + 17
    var free = -Double.infinity
    for mark in ticks.marks where !mark.label.isEmpty {
      let x = horizontal.place(of: mark.value)
      let half = canvas.textWidth(mark.label) / 2
      guard x - half >= free else { continue }
      canvas.line(Point(x: snapped(x), y: box.bottom), Point(x: snapped(x), y: box.bottom + 4), Style.frame)
      canvas.text(mark.label, at: Point(x: x, y: baseline), Style.quietInk, align: .centre)
      free = x + half + 8
    }
    canvas.text(title, at: Point(x: box.left + box.width / 2, y: baseline + 18), Style.ink, align: .centre)
    return 38
  }
}

/// The nearest place at which a line of one unit covers whole pixels.
func snapped(_ place: Double) -> Double { place.rounded(.down) + 0.5 }
