/// What a character on the screen stands for, which decides its colour.
enum Ink: UInt8, CaseIterable {
  case plain, faint, title, continuous, transient, sharpness, control, sound, playhead, good, warning, error
}

/// How a cell looks.
struct CellStyle: Hashable {
  var ink: Ink = .plain
  var isBold = false
  var isReversed = false
  var isUnderlined = false

  static let plain = CellStyle()
  static let faint = CellStyle(ink: .faint)
  static let bold = CellStyle(isBold: true)
  static let reversed = CellStyle(isReversed: true)
}

/// One place of the screen.
struct Cell: Equatable {
  /// What stands there; nil behind a character that takes two places.
  var character: Character? = " "
  var style = CellStyle.plain
}

/// A rectangle of places.
struct Area: Equatable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  /// The same without its first rows, which are given back beside it.
  mutating func takeTop(_ count: Int) -> Area {
    let taken = min(max(count, 0), rows)
    let top = Area(column: column, row: row, columns: columns, rows: taken)
    row += taken
    rows -= taken
    return top
  }

  /// The same without its last rows, which are given back beside it.
  mutating func takeBottom(_ count: Int) -> Area {
    let taken = min(max(count, 0), rows)
    rows -= taken
    return Area(column: column, row: row + rows, columns: columns, rows: taken)
  }

  /// The same without its first columns, which are given back beside it.
  @discardableResult
  mutating func takeLeft(_ count: Int) -> Area {
    let taken = min(max(count, 0), columns)
    let left = Area(column: column, row: row, columns: taken, rows: rows)
    column += taken
    columns -= taken
    return left
  }
}

/// A screen before it is shown: places with characters, and no terminal.
struct CellGrid: Equatable {
  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// Whether characters beyond ASCII can be shown.
  let isUnicode: Bool

  init(columns: Int, rows: Int, isUnicode: Bool = true) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    self.isUnicode = isUnicode
    cells = [Cell](repeating: Cell(), count: self.columns * self.rows)
  }

  subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  /// All of it, for a picture that covers the whole.
  var area: Area { Area(column: 0, row: 0, columns: columns, rows: rows) }

  /// Writes one line of text and clips it at a width, with an ellipsis where something is lost.
  /// - Returns: The places it took.
  @discardableResult
  mutating func put(
    _ text: String, column: Int, row: Int, width: Int = .max, style: CellStyle = .plain
  ) -> Int {
    guard row >= 0, row < rows, column >= 0, column < columns else { return 0 }
    let room = min(width, columns - column)
    let shown = CellText.fit(CellText.clean(text, isUnicode: isUnicode), width: room, isUnicode: isUnicode)
    var place = column
    for character in shown {
      let width = CellText.width(of: character)
      cells[row * columns + place] = Cell(character: character, style: style)
      if width == 2 { cells[row * columns + place + 1] = Cell(character: nil, style: style) }
      place += width
    }
    return place - column
  }

  /// Writes a text so that it ends at a column's left side.
  mutating func put(_ text: String, endingAt column: Int, row: Int, style: CellStyle = .plain) {
    let width = CellText.width(of: CellText.clean(text, isUnicode: isUnicode))
    put(text, column: max(0, column - width), row: row, style: style)
  }

  /// Fills an area with a character.
  mutating func fill(_ area: Area, with character: Character = " ", style: CellStyle = .plain) {
    for row in max(0, area.row)..<max(0, min(rows, area.row + area.rows)) {
      for column in max(0, area.column)..<max(0, min(columns, area.column + area.columns)) {
        cells[row * columns + column] = Cell(character: character, style: style)
      }
    }
  }

  /// Sets one place.
  mutating func set(_ character: Character, column: Int, row: Int, style: CellStyle) {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    cells[row * columns + column] = Cell(character: character, style: style)
  }

  /// Changes the look of one place and keeps what stands there.
  mutating func restyle(column: Int, row: Int, _ change: (inout CellStyle) -> Void) {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    change(&cells[row * columns + column].style)
  }

  /// The lines as text, without blanks at their ends: what a test and a page can show.
  var text: String {
    (0..<rows).map { row in
      var line = ""
      for cell in cells[row * columns..<(row + 1) * columns] {
        if let it = cell.character { line.append(it) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n") + "\n"
  }
}
