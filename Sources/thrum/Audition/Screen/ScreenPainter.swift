/// Draws the state of an audition into a grid. It knows no terminal.
struct ScreenPainter {
  /// The least screen that everything fits on.
  static let least = (columns: 80, rows: 24)
  /// Rows below the patterns: a line, three of values, one for messages, one of keys.
  static let footRows = 6

  let model: AuditionModel
  let glyphs: Glyphs
  private(set) var grid: CellGrid
  /// Where a person types.
  private(set) var cursor: (column: Int, row: Int)?

  init(_ model: AuditionModel, columns: Int, rows: Int, isUnicode: Bool) {
    self.model = model
    glyphs = Glyphs(isUnicode: isUnicode)
    grid = CellGrid(columns: columns, rows: rows, isUnicode: isUnicode)
    guard columns >= Self.least.columns, rows >= Self.least.rows else {
      paintSmall()
      return
    }
    if case .help(let isEditing) = model.mode {
      paintHelp(isEditing ? KeyMap.editing : KeyMap.browsing, title: isEditing ? "editing" : "playing")
      return
    }
    paintTitle()
    var body = grid.area
    let foot = body.takeBottom(Self.footRows)
    body = Area(column: 0, row: 1, columns: columns, rows: body.rows - 1)
    let list = body.takeLeft(Self.listColumns(of: columns))
    paintList(list)
    for row in body.row..<body.row + body.rows {
      grid.set(glyphs.vertical, column: body.column, row: row, style: .faint)
    }
    body.takeLeft(1)
    paintPattern(body)
    paintFoot(foot, dividerColumn: list.columns)
  }

  /// Rows of patterns that fit on a screen of so many rows.
  static func listRows(of rows: Int) -> Int { max(1, rows - 2 - footRows) }

  static func listColumns(of columns: Int) -> Int { min(32, columns / 4) }

  private mutating func paintSmall() {
    grid.put("at least \(Self.least.columns) × \(Self.least.rows), please", column: 0, row: 0, style: .bold)
    grid.put("this is \(grid.columns) × \(grid.rows)", column: 0, row: 1)
    grid.put("q quits where nothing is unsaved", column: 0, row: 2)
  }

  private mutating func paintTitle() {
    grid.fill(Area(column: 0, row: 0, columns: grid.columns, rows: 1), style: .reversed)
    let title = " thrum audition"
    var end = grid.columns
    for (text, ink) in flags.reversed() {
      let width = CellText.width(of: text) + 2
      end -= width
      grid.put(" \(text) ", column: end, row: 0, style: CellStyle(ink: ink, isBold: true, isReversed: true))
    }
    let used = grid.put(title, column: 0, row: 0, style: CellStyle(isBold: true, isReversed: true))
    let device = model.output.device
    let room = end - used - 3
    if !device.isEmpty, room > 8 {
      let shown = CellText.fit(
        CellText.clean(device, isUnicode: grid.isUnicode), width: room, isUnicode: grid.isUnicode)
      grid.put(shown, column: end - CellText.width(of: shown) - 1, row: 0, style: .reversed)
    }
  }

  /// What must not be overlooked.
  private var flags: [(String, Ink)] {
    var flags: [(String, Ink)] = []
    if let recording = model.recording {
      let text =
        "REC \(NumberText.fixed(recording.seconds, 1)) s, \(NumberText.count(recording.touches, "touch", "touches"))"
      flags.append((text, .error))
    }
    if model.mode == .edit { flags.append((model.edit.isFine ? "EDIT fine" : "EDIT", .warning)) }
    if model.output.isHapticMuted { flags.append(("haptics muted", .warning)) }
    if model.output.isSoundMuted { flags.append(("sound muted", .warning)) }
    return flags
  }

  private mutating func paintList(_ area: Area) {
    var area = area
    let head = area.takeTop(1)
    let found = model.list.found
    if model.mode == .search || !model.list.search.isEmpty {
      let used = grid.put(
        "/\(model.list.search)", column: head.column, row: head.row, width: head.columns - 1,
        style: CellStyle(ink: .title, isBold: true))
      if model.mode == .search { cursor = (min(used, head.columns - 1), head.row) }
    } else {
      grid.put(
        " \(NumberText.count(model.list.items.count, "pattern"))", column: head.column, row: head.row,
        width: head.columns - 1, style: .faint)
    }
    if found.isEmpty {
      let text = model.list.items.isEmpty ? " no patterns" : " nothing found"
      grid.put(text, column: area.column, row: area.row, width: area.columns - 1, style: .faint)
      return
    }
    let place = model.list.chosen.flatMap { found.firstIndex(of: $0) } ?? 0
    // The one in hand stays in the middle where there is something to move.
    let first = max(0, min(place - area.rows / 2, found.count - area.rows))
    for (row, index) in found.dropFirst(first).prefix(area.rows).enumerated() {
      paintItem(index, column: area.column, row: area.row + row, width: area.columns)
    }
  }

  private mutating func paintItem(_ index: Int, column: Int, row: Int, width: Int) {
    let item = model.list.items[index]
    let isChosen = index == model.list.chosen
    let ink: Ink = item.isRefused ? .error : item.isModified ? .warning : .plain
    let style = CellStyle(ink: ink, isBold: isChosen, isReversed: isChosen)
    if isChosen { grid.fill(Area(column: column, row: row, columns: width, rows: 1), style: style) }
    if isChosen { grid.set(glyphs.chosen, column: column, row: row, style: style) }
    let mark = item.isRefused ? "!" : item.isModified ? "*" : " "
    grid.put(mark, column: column + 1, row: row, style: style)
    var room = width - 3
    let slots = slotLetters(of: item.name)
    if !slots.isEmpty {
      room -= slots.count + 1
      grid.put(slots, column: column + width - slots.count, row: row, style: style)
    }
    grid.put(item.name, column: column + 2, row: row, width: room, style: style)
  }

  /// Whether a pattern is kept as A or B; not told while that is the question.
  private func slotLetters(of name: String) -> String {
    if model.mode == .blind { return "" }
    return (model.compare.nameA == name ? "A" : "") + (model.compare.nameB == name ? "B" : "")
  }
}

// MARK: What the parts in other files write with

extension ScreenPainter {
  @discardableResult
  mutating func put(
    _ text: String, column: Int, row: Int, width: Int = .max, style: CellStyle = .plain
  ) -> Int {
    grid.put(text, column: column, row: row, width: width, style: style)
  }

  mutating func put(_ text: String, endingAt column: Int, row: Int, style: CellStyle = .plain) {
    grid.put(text, endingAt: column, row: row, style: style)
  }

  mutating func set(_ character: Character, column: Int, row: Int, style: CellStyle) {
    grid.set(character, column: column, row: row, style: style)
  }

  mutating func restyle(column: Int, row: Int, _ change: (inout CellStyle) -> Void) {
    grid.restyle(column: column, row: row, change)
  }

  mutating func fill(_ area: Area, with character: Character = " ", style: CellStyle = .plain) {
    grid.fill(area, with: character, style: style)
  }

  mutating func placeCursor(column: Int, row: Int) { cursor = (min(column, grid.columns - 1), row) }
}
