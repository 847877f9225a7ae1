/// What is felt of the events: how strong, how sharp, and the curves that change it.
extension ScreenPainter {
  /// Bars of intensity times its control; taps are pins with a head that is round or sharp.
  mutating func paintIntensity(_ drawing: PatternDrawing, _ scale: TimeScale, _ area: Area) {
    guard area.rows > 0 else { return }
    var heights = [Double](repeating: 0, count: area.columns)
    for mark in drawing.marks where mark.kind == .continuous {
      let first = scale.column(of: mark.time)
      let last = max(first, scale.column(of: mark.time + drawing.length(of: mark) - 1e-9))
      for column in first...last {
        let value = mark.intensity * drawing.intensityControl(at: scale.time(dot: column))
        heights[column] = max(heights[column], value)
      }
    }
    for (column, height) in heights.enumerated() where height > 0 {
      let eighths = max(1, Int((min(height, 1) * Double(area.rows * 8)).rounded()))
      for row in 0..<area.rows {
        let filled = eighths - (area.rows - 1 - row) * 8
        if filled > 0 {
          set(
            glyphs.eighths(filled), column: area.column + column, row: area.row + row,
            style: CellStyle(ink: .continuous))
        }
      }
    }
    for mark in drawing.marks where mark.kind == .transient {
      let value = min(mark.intensity * drawing.intensityControl(at: mark.time), 1)
      let column = area.column + scale.column(of: mark.time)
      let height = max(1, Int((value * Double(area.rows)).rounded()))
      let style = CellStyle(ink: .transient, isBold: true)
      for row in area.rows - height..<area.rows {
        set(glyphs.stem, column: column, row: area.row + row, style: style)
      }
      let sharpness = mark.sharpness + drawing.sharpnessControl(at: mark.time)
      set(
        glyphs.head(sharpness: sharpness), column: column, row: area.row + area.rows - height, style: style)
    }
  }

  /// Lines of sharpness plus its control, and a dot for each tap.
  mutating func paintSharpness(_ drawing: PatternDrawing, _ scale: TimeScale, _ area: Area) {
    guard area.rows > 0 else { return }
    var field = DotField(columns: area.columns, rows: area.rows)
    var strongest = [(intensity: Double, sharpness: Double)?](repeating: nil, count: field.width)
    let dots = TimeScale(seconds: scale.seconds, columns: field.width)
    for mark in drawing.marks where mark.kind == .continuous {
      let first = dots.column(of: mark.time)
      let last = max(first, dots.column(of: mark.time + drawing.length(of: mark) - 1e-9))
      for dot in first...last where strongest[dot].map({ $0.intensity < mark.intensity }) ?? true {
        strongest[dot] = (mark.intensity, mark.sharpness)
      }
    }
    field.line { dot in
      strongest[dot].map { min(max($0.sharpness + drawing.sharpnessControl(at: dots.time(dot: dot)), 0), 1) }
    }
    paint(field, area, ink: .sharpness)
    for mark in drawing.marks where mark.kind == .transient {
      let value = min(max(mark.sharpness + drawing.sharpnessControl(at: mark.time), 0), 1)
      set(
        glyphs.dot, column: area.column + scale.column(of: mark.time),
        row: area.row + Self.row(of: value, rows: area.rows),
        style: CellStyle(ink: .sharpness, isBold: true))
    }
  }

  /// Both control curves over one another, and their points while they can be changed.
  mutating func paintCurves(_ drawing: PatternDrawing, _ scale: TimeScale, _ area: Area) {
    guard area.rows > 0 else { return }
    let dots = TimeScale(seconds: scale.seconds, columns: area.columns * 2)
    for isSharpness in [true, false] {
      guard let track = isSharpness ? drawing.sharpnessControl : drawing.intensityControl else { continue }
      var field = DotField(columns: area.columns, rows: area.rows)
      field.line { dot in Self.share(track.value(at: dots.time(dot: dot)), isSharpness: isSharpness) }
      paint(field, area, ink: isSharpness ? .sharpness : .control)
    }
    guard model.mode == .edit else { return }
    let chosen = model.chosenPoint
    for point in drawing.points {
      let isChosen = point == chosen
      set(
        isChosen ? glyphs.tap : glyphs.point, column: area.column + scale.column(of: point.time),
        row: area.row
          + Self.row(of: Self.share(point.value, isSharpness: point.isSharpness), rows: area.rows),
        style: CellStyle(
          ink: point.isSharpness ? .sharpness : .control, isBold: true, isReversed: isChosen))
    }
  }

  /// Where on the height of a lane a control is: `sharpnessControl` has its zero in the middle.
  private static func share(_ value: Double, isSharpness: Bool) -> Double {
    isSharpness ? (value + 1) / 2 : value
  }

  private static func row(of share: Double, rows: Int) -> Int {
    min(max(Int(((1 - share) * Double(rows - 1)).rounded()), 0), rows - 1)
  }
}
