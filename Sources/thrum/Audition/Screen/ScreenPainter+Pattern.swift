import ThrumPlot

/// The lanes of the pattern in hand, all over one axis of time.
extension ScreenPainter {
  /// Places at the left of each lane for its name.
  private static let gutter = 7

  mutating func paintPattern(_ area: Area) {
    var area = area
    let head = area.takeTop(1)
    guard model.mode != .blind else {
      put(
        " a blind comparison shows nothing of either", column: head.column, row: head.row, width: head.columns
      )
      return
    }
    guard let drawing = model.drawing else {
      let name = model.chosenName.map { " \($0): no version of it can be played" } ?? " no pattern in hand"
      put(name, column: head.column, row: head.row, width: head.columns, style: .faint)
      return
    }
    paintHead(drawing, head)
    let lanes = Lanes(rows: area.rows, hasCurves: !drawing.points.isEmpty)
    area.takeLeft(Self.gutter)
    // The last column stays free, so that what ends there is seen to end.
    area.columns -= 1
    let whole = area
    let scale = TimeScale(seconds: drawing.seconds, columns: area.columns)
    paintRuler(scale, area.takeTop(1))
    paintEvents(drawing, scale, lane("events", area.takeTop(lanes.events)))
    paintWave(drawing, scale, lane("wave", area.takeTop(lanes.wave)))
    paintIntensity(drawing, scale, lane("intens.", area.takeTop(lanes.intensity)))
    paintSharpness(drawing, scale, lane("sharp.", area.takeTop(lanes.sharpness)))
    if lanes.curves > 0 { paintCurves(drawing, scale, lane("curves", area.takeTop(lanes.curves))) }
    paintPlayhead(scale, whole)
  }

  /// How the rows are shared out.
  struct Lanes {
    var events = 2
    var wave = 0
    var intensity = 0
    var sharpness = 0
    var curves = 0

    init(rows: Int, hasCurves: Bool) {
      // The ruler takes one.
      var left = max(0, rows - 1)
      events = left > 24 ? 4 : left > 18 ? 3 : 2
      left -= events
      curves = hasCurves ? max(2, left / 5) : 0
      left -= curves
      sharpness = max(2, left * 3 / 11)
      intensity = max(2, (left - sharpness) / 2)
      wave = max(0, left - sharpness - intensity)
    }
  }

  /// Writes a lane's name beside it.
  private mutating func lane(_ name: String, _ area: Area) -> Area {
    if area.rows > 0 {
      put(name, column: area.column - Self.gutter, row: area.row, width: Self.gutter, style: .faint)
    }
    return area
  }

  private mutating func paintHead(_ drawing: PatternDrawing, _ area: Area) {
    let name = " \(model.chosenName ?? "")"
    let used = put(
      name, column: area.column, row: area.row, width: area.columns / 2,
      style: CellStyle(ink: .title, isBold: true))
    let drawn = drawing.marks.count < drawing.eventCount ? "\(drawing.marks.count) of " : ""
    let parts = [
      "\(NumberText.fixed(drawing.duration, 2)) s",
      drawn + NumberText.count(max(drawing.eventCount, drawing.marks.count), "event"),
      drawing.points.isEmpty ? "" : NumberText.count(drawing.points.count, "point"),
      "peak \(NumberText.level(drawing.peak))",
    ].filter { !$0.isEmpty }
    let text = CellText.fit(
      parts.joined(separator: ", "), width: area.columns - used - 2, isUnicode: grid.isUnicode)
    put(text, endingAt: area.column + area.columns - 1, row: area.row, style: .faint)
  }

  private mutating func paintRuler(_ scale: TimeScale, _ area: Area) {
    for column in 0..<area.columns {
      set(glyphs.light, column: area.column + column, row: area.row, style: .faint)
    }
    var free = 0
    for tick in scale.ticks(roomFor: 9) {
      let column = scale.column(of: tick.seconds)
      if column < free || column + tick.label.count >= area.columns { continue }
      set(glyphs.tick, column: area.column + column, row: area.row, style: .faint)
      // Beside the tick, which the playhead may cover.
      put(tick.label, column: area.column + column + 1, row: area.row, style: .faint)
      free = column + tick.label.count + 2
    }
    guard let region = model.transport.region else { return }
    let (first, last) = (scale.column(of: region.lowerBound), scale.column(of: region.upperBound))
    let style = CellStyle(ink: .good, isBold: true)
    for column in first...max(first, last) {
      set(glyphs.region, column: area.column + column, row: area.row, style: style)
    }
    set("[", column: area.column + first, row: area.row, style: style)
    set("]", column: area.column + last, row: area.row, style: style)
  }

  private mutating func paintEvents(_ drawing: PatternDrawing, _ scale: TimeScale, _ area: Area) {
    guard area.rows > 0 else { return }
    var ends = [Int](repeating: -1, count: area.rows)
    let chosen = model.mode == .edit ? model.chosenMark : nil
    var chosenPlace: (first: Int, last: Int, row: Int)?
    for mark in drawing.marks {
      let first = scale.column(of: mark.time)
      let last = max(first, scale.column(of: mark.time + drawing.length(of: mark)))
      let row = ends.firstIndex { $0 < first } ?? area.rows - 1
      ends[row] = max(ends[row], last)
      let ink = Self.ink(of: mark)
      let body: Character =
        switch mark.kind {
        case .transient: glyphs.tap
        case .continuous: glyphs.bar
        case .sound: glyphs.soundBar
        }
      for column in first...last {
        set(body, column: area.column + column, row: area.row + row, style: CellStyle(ink: ink))
      }
      if mark.kind == .sound {
        set(glyphs.sound, column: area.column + first, row: area.row + row, style: CellStyle(ink: ink))
      }
      if let chosen, mark.entry == chosen.entry { chosenPlace = (first, last, row) }
    }
    guard let chosenPlace else { return }
    for column in chosenPlace.first...chosenPlace.last {
      restyle(column: area.column + column, row: area.row + chosenPlace.row) { style in
        style.isReversed = true
        style.isBold = true
      }
    }
  }

  static func ink(of mark: PatternDrawing.Mark) -> Ink {
    switch mark.kind {
    case .transient: .transient
    case .continuous: .continuous
    case .sound: .sound
    }
  }

  private mutating func paintWave(_ drawing: PatternDrawing, _ scale: TimeScale, _ area: Area) {
    let width = scale.column(of: drawing.signalSeconds) + 1
    guard area.rows > 0, width > 0, drawing.peak > 0 else { return }
    var field = DotField(columns: min(width, area.columns), rows: area.rows)
    let pairs = drawing.signal.count / 2
    let peak = Float(drawing.peak)
    let shown = drawing.signalSeconds / (drawing.seconds * Double(field.columns) / Double(area.columns))
    var previous: (low: Int, high: Int)?
    for column in 0..<field.width where pairs > 0 {
      let from = min(pairs - 1, Int(Double(column * pairs) / (Double(field.width) * shown)))
      let to = max(from + 1, min(pairs, Int(Double((column + 1) * pairs) / (Double(field.width) * shown))))
      var (low, high) = (Float.infinity, -Float.infinity)
      for pair in from..<to {
        low = min(low, drawing.signal[2 * pair])
        high = max(high, drawing.signal[2 * pair + 1])
      }
      var top = field.row(of: Double((high / peak + 1) / 2))
      var bottom = field.row(of: Double((low / peak + 1) / 2))
      // Neighbours touch, so that a steep flank is a line.
      if let previous {
        top = min(top, previous.low)
        bottom = max(bottom, previous.high)
      }
      previous = (bottom, top)
      field.set(column: column, from: top, to: bottom)
    }
    paint(field, area, ink: .plain)
  }

  mutating func paint(_ field: DotField, _ area: Area, ink: Ink) {
    for row in 0..<min(field.rows, area.rows) {
      for column in 0..<min(field.columns, area.columns) {
        if let character = field.character(column: column, row: row, isUnicode: grid.isUnicode) {
          set(character, column: area.column + column, row: area.row + row, style: CellStyle(ink: ink))
        }
      }
    }
  }

  private mutating func paintPlayhead(_ scale: TimeScale, _ area: Area) {
    let position = model.transport.position
    guard position >= 0, position <= scale.seconds else { return }
    let column = area.column + scale.column(of: position)
    set(
      glyphs.playhead, column: column, row: area.row,
      style: CellStyle(ink: .playhead, isBold: true))
    for row in area.row + 1..<area.row + area.rows {
      if grid[column, row].character == " " {
        set(glyphs.vertical, column: column, row: row, style: CellStyle(ink: .playhead))
      } else {
        restyle(column: column, row: row) { style in
          style.ink = .playhead
          style.isBold = true
        }
      }
    }
  }
}

/// Seconds on the columns of a lane.
struct TimeScale {
  let seconds: Double
  let columns: Int

  /// The column that a time is in.
  func column(of time: Double) -> Int {
    guard seconds > 0, columns > 0 else { return 0 }
    return min(max(Int(min(time / seconds, 2) * Double(columns)), 0), columns - 1)
  }

  /// The time in the middle of a column.
  func time(dot column: Int) -> Double { (Double(column) + 0.5) / Double(max(columns, 1)) * seconds }

  /// Times worth a label, with it.
  func ticks(roomFor places: Int) -> [(seconds: Double, label: String)] {
    let most = max(1, columns / places)
    var step = 0.001
    // 1, 2, 5 and their tenfolds.
    let factors = [2, 2.5, 2]
    var index = 0
    while seconds / step > Double(most), step < 1e9 {
      step *= factors[index % 3]
      index += 1
    }
    let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    return (0...Int(seconds / step)).map { index in
      let time = Double(index) * step
      return (time, NumberText.fixed(time, decimals) + (index == 0 ? " s" : ""))
    }
  }
}
