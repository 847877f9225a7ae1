import CNcurses
import Glibc

/// The terminal while a command has all of it. Lives on the main thread; there is one at a time.
final class TerminalScreen {
  /// How long is waited for the rest of a key that begins as Esc does, milliseconds.
  private static let escapeMilliseconds: Int32 = 25

  /// Whether characters beyond ASCII can be shown.
  let isUnicode: Bool
  /// Whether inks have colours.
  let isColoured: Bool
  private var shown: CellGrid?
  private var isOpen = true

  /// Looks whether there is a terminal that a screen can be shown on.
  /// - Returns: Its type.
  /// - Throws: `CommandError.failed`.
  @discardableResult
  static func expectTerminal() throws(CommandError) -> String {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw .failed(
        "a screen needs a terminal on standard input and standard output; \"thrum play\" needs none")
    }
    guard let type = environment("TERM"), type != "dumb" else {
      throw .failed("a screen needs a terminal that can be written all over; TERM says it cannot")
    }
    guard thrum_ncurses_load() else {
      let reason = String(cString: thrum_ncurses_load_error())
      throw .failed("ncurses could not be loaded: \(reason)\nOn Debian: apt-get install libncursesw6")
    }
    return type
  }

  /// Takes the terminal.
  /// - Throws: `CommandError.failed`; the terminal is as it was.
  init() throws(CommandError) {
    let type = try Self.expectTerminal()
    isUnicode = Self.chooseCharacters()
    guard thrum_terminal_note(), thrum_newterm_standard() != nil else {
      throw .failed("the terminal type \"\(type)\" is not known here; set TERM, such as TERM=xterm")
    }
    // Keys at once and unseen; signals stay, so that ctrl-C and ctrl-Z mean what they mean everywhere.
    thrum_cbreak()
    thrum_noecho()
    thrum_nonl()
    thrum_set_escdelay(Self.escapeMilliseconds)
    thrum_keypad(thrum_stdscr(), true)
    thrum_nodelay(thrum_stdscr(), true)
    thrum_curs_set(0)
    // no-color.org: any non-empty value means none.
    isColoured = environment("NO_COLOR") == nil && thrum_has_colors() && Self.makeInks()
    let restore = Self.wayBack()
    restore.withUnsafeBytes { bytes in
      thrum_terminal_take(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  deinit { close() }

  /// Gives the terminal back as it was found.
  func close() {
    if !isOpen { return }
    isOpen = false
    thrum_curs_set(1)
    thrum_endwin()
    thrum_terminal_release()
  }

  /// Columns and rows.
  var size: (columns: Int, rows: Int) {
    var (rows, columns): (Int32, Int32) = (24, 80)
    // A terminal that does not say keeps the usual size.
    if !thrum_terminal_size(&rows, &columns) { return (80, 24) }
    return (Int(columns), Int(rows))
  }

  /// Takes on the terminal's size, after it has changed.
  func adopt(columns: Int, rows: Int) {
    thrum_resizeterm(Int32(rows), Int32(columns))
    shown = nil
  }

  /// Has the next drawing write everything.
  func forget() {
    shown = nil
    thrum_clearok(thrum_stdscr(), true)
  }

  /// Shows a screen; only lines that have changed are looked at.
  /// - Parameter cursor: Where a person types, nil for nowhere.
  func draw(_ grid: CellGrid, cursor: (column: Int, row: Int)?) {
    let window = thrum_stdscr()
    if shown == nil || shown?.columns != grid.columns || shown?.rows != grid.rows {
      thrum_werase(window)
      shown = nil
    }
    for row in 0..<grid.rows {
      let range = row * grid.columns..<(row + 1) * grid.columns
      if let shown, shown.cells[range] == grid.cells[range] { continue }
      drawRow(grid.cells[range], row: Int32(row))
    }
    shown = grid
    if let cursor { thrum_wmove(window, Int32(cursor.row), Int32(cursor.column)) }
    thrum_curs_set(cursor == nil ? 0 : 1)
    thrum_wrefresh(window)
  }

  private func drawRow(_ cells: ArraySlice<Cell>, row: Int32) {
    var index = cells.startIndex
    while index < cells.endIndex {
      let (start, style) = (index, cells[index].style)
      var text: [wchar_t] = []
      while index < cells.endIndex, cells[index].style == style {
        if let character = cells[index].character {
          text += character.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
          index += 1
          // What comes behind a wide or accented one is placed anew, whatever the terminal made of it.
          if !character.isASCII, character.unicodeScalars.first.map({ $0.value > 0x2FFF }) ?? false {
            while index < cells.endIndex, cells[index].character == nil { index += 1 }
            break
          }
        } else {
          index += 1
        }
      }
      thrum_wattr_set(thrum_stdscr(), attributes(style), isColoured ? Int16(style.ink.rawValue) : 0, nil)
      thrum_mvwaddnwstr(
        thrum_stdscr(), row, Int32(start - cells.startIndex), text, Int32(text.count))
    }
  }

  private func attributes(_ style: CellStyle) -> attr_t {
    var attributes: attr_t = 0
    if style.isBold { attributes |= thrum_attribute_bold }
    if style.isReversed { attributes |= thrum_attribute_reverse }
    if style.isUnderlined { attributes |= thrum_attribute_underline }
    if style.ink == .faint { attributes |= thrum_attribute_dim }
    // Without colour, weight tells what must not be overlooked.
    if !isColoured, style.ink == .error || style.ink == .warning || style.ink == .title {
      attributes |= thrum_attribute_bold
    }
    return attributes
  }

  /// Takes every key that has been typed.
  func takeKeys() -> [Key] {
    var keys: [Key] = []
    while true {
      var letter: wint_t = 0
      let kind = thrum_wget_wch(thrum_stdscr(), &letter)
      if kind == ERR { return keys }
      if let key = kind == KEY_CODE_YES ? Self.special(Int32(bitPattern: letter)) : Self.typed(letter) {
        keys.append(key)
      }
    }
  }

  private static func typed(_ letter: wint_t) -> Key? {
    switch letter {
    case 9: .tab
    case 10, 13: .enter
    case 8, 127: .backspace
    case 12: .character("\u{0C}")
    case 27: .escape
    case 0..<32: nil
    default: Unicode.Scalar(letter).map { .character(Character($0)) }
    }
  }

  private static func special(_ code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_HOME: .home
    case KEY_END: .end
    case KEY_ENTER: .enter
    case KEY_BTAB: .backTab
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    default: nil
    }
  }

  /// Stops the process as ctrl-Z does, the terminal being the shell's meanwhile.
  func stop() {
    thrum_curs_set(1)
    thrum_endwin()
    thrum_terminal_stop()
    resume()
  }

  /// Takes the terminal again after it has been somebody else's.
  func resume() {
    thrum_wrefresh(thrum_stdscr())
    forget()
  }

  /// Has the C library read and write characters as the environment says.
  /// - Returns: Whether they are UTF-8.
  private static func chooseCharacters() -> Bool {
    // Numbers stay as they are: only this category is set.
    if setlocale(LC_CTYPE, "") == nil || !isUTF8, Bars.hasBlocks {
      // The environment means UTF-8 and names a language that this machine has not.
      return setlocale(LC_CTYPE, "C.UTF-8") != nil && isUTF8
    }
    return isUTF8
  }

  private static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }

  /// Gives every ink a pair of colours on the terminal's own ground.
  private static func makeInks() -> Bool {
    guard thrum_start_color() == OK else { return false }
    let ground: Int16 = thrum_use_default_colors() == OK ? -1 : 0
    for ink in Ink.allCases where ink != .plain {
      let colour: Int32 =
        switch ink {
        case .plain, .faint: ground < 0 ? -1 : COLOR_WHITE
        case .title, .continuous: COLOR_CYAN
        case .transient, .warning: COLOR_YELLOW
        case .sharpness: COLOR_MAGENTA
        case .control, .good: COLOR_GREEN
        case .sound: COLOR_BLUE
        case .playhead, .error: COLOR_RED
        }
      if thrum_init_pair(Int16(ink.rawValue), Int16(colour), ground) != OK { return false }
    }
    return true
  }

  /// The bytes that bring the terminal back where ncurses cannot be asked any more.
  private static func wayBack() -> [UInt8] {
    ["sgr0", "op", "rmkx", "cnorm", "rmcup"].flatMap { name -> [UInt8] in
      guard let text = thrum_tigetstr(name), Int(bitPattern: text) != -1 else { return [] }
      return withoutDelays(String(cString: text).utf8)
    }
  }

  /// A terminal's sequence without the waits of old machines, `$<5>`.
  private static func withoutDelays(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var (result, isDelay): ([UInt8], Bool) = ([], false)
    for byte in bytes {
      if byte == UInt8(ascii: "<"), result.last == UInt8(ascii: "$") {
        result.removeLast()
        isDelay = true
      } else if isDelay {
        isDelay = byte != UInt8(ascii: ">")
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
