extension ScreenPainter {
  /// The level at the left end of the meter, dB.
  private static let meterFloor = -48.0

  mutating func paintFoot(_ area: Area, dividerColumn: Int) {
    let row = area.row
    fill(Area(column: 0, row: row, columns: area.columns, rows: 1), with: glyphs.horizontal, style: .faint)
    set(glyphs.teeUp, column: dividerColumn, row: row, style: .faint)
    if model.mode == .edit {
      put(" \(editWords) ", column: 2, row: row, width: area.columns - 4, style: .bold)
    }
    if model.mode == .blind { paintBlind(row: row + 1) } else { paintTransport(row: row + 1) }
    paintLive(row: row + 2)
    paintOutput(row: row + 3)
    if paintMessage(row: row + 4) { paintHints(row: row + 5) }
  }

  /// Writes parts one behind another, two places between them; those that do not fit are left out.
  private mutating func line(_ parts: [(String, CellStyle)], row: Int) {
    var column = 1
    for (text, style) in parts {
      if column + CellText.width(of: text) > grid.columns { break }
      column += put(text, column: column, row: row, style: style) + 2
    }
  }

  private mutating func paintTransport(row: Int) {
    let transport = model.transport
    let state = transport.isPlaying ? "\(glyphs.playing) playing" : "\(glyphs.stopped) stopped"
    let length = model.drawing?.duration ?? 0
    let places = length < 100 ? 3 : 1
    var loop = transport.isLooping ? "loop on" : "loop off"
    if transport.isLooping, let region = transport.region {
      loop = "loop \(NumberText.fixed(region.lowerBound, 2))–\(NumberText.fixed(region.upperBound, 2)) s"
    }
    line(
      [
        (state, CellStyle(ink: transport.isPlaying ? .good : .faint, isBold: true)),
        ("\(NumberText.fixed(transport.position, places)) / \(NumberText.fixed(length, places)) s", .plain),
        (loop, CellStyle(ink: transport.isLooping ? .good : .faint)),
        ("rate ×\(NumberText.short(transport.rate))", transport.rate == 1 ? .faint : .bold),
        slot(.a, model.compare.nameA), slot(.b, model.compare.nameB),
      ], row: row)
  }

  private func slot(_ slot: CompareSlot, _ name: String?) -> (String, CellStyle) {
    guard let name else { return ("\(slot.rawValue) \(glyphs.light)", .faint) }
    let shown = CellText.fit(
      CellText.clean(name, isUnicode: grid.isUnicode), width: 11, isUnicode: grid.isUnicode)
    let isActive = model.compare.active == slot
    return (
      "\(slot.rawValue) \(shown)", CellStyle(ink: isActive ? .title : .plain, isBold: isActive)
    )
  }

  private mutating func paintBlind(row: Int) {
    guard let blind = model.compare.blind else { return }
    let buttons = BlindButton.allCases.map { $0 == blind.heard ? "[\($0.rawValue)]" : " \($0.rawValue) " }
      .joined()
    line(
      [
        ("blind \(blind.trial) of \(blind.trials)", CellStyle(ink: .title, isBold: true)),
        ("hear: \(buttons)", .bold),
        ("which one is X?", .plain),
        (model.transport.isPlaying ? "\(glyphs.playing) playing" : "\(glyphs.stopped) stopped", .faint),
      ], row: row)
  }

  private mutating func paintLive(row: Int) {
    let sign = model.sharpness < 0 ? "" : "+"
    line(
      [
        (
          "intensity \(glyphs.meter(model.intensity, width: 10)) \(NumberText.fixed(model.intensity, 2))",
          CellStyle(ink: model.intensity == 1 ? .plain : .control)
        ),
        (
          "sharpness \(glyphs.balance(model.sharpness, width: 11)) \(sign)\(NumberText.fixed(model.sharpness, 2))",
          CellStyle(ink: model.sharpness == 0 ? .plain : .sharpness)
        ),
        (
          "\(model.isHolding ? "held " : "touch") i \(NumberText.fixed(model.touchIntensity, 2)) "
            + "s \(NumberText.fixed(model.touchSharpness, 2))",
          CellStyle(ink: model.isHolding ? .good : .plain, isBold: model.isHolding)
        ),
      ], row: row)
  }

  private mutating func paintOutput(row: Int) {
    var output = model.output
    // The meter would tell one from the other.
    if model.mode == .blind { (output.level, output.peak, output.isLimiting) = (0, 0, false) }
    let share = output.level > 0 ? 1 - decibels(output.level) / Self.meterFloor : 0
    let loudness: Ink = output.peak >= 1 ? .error : output.level > 0.7 ? .warning : .good
    let level =
      output.level > 0.0039 ? NumberText.fixed(decibels(output.level), 1) : glyphs.isUnicode ? "−∞" : "-inf"
    let gain = "\(output.gain < 0 ? "" : "+")\(NumberText.short(output.gain)) dB"
    let latency = output.latency.map { "\(NumberText.fixed($0, 1)) ms" } ?? "–"
    line(
      [
        (
          "level \(glyphs.meter(share, width: 10)) \(NumberText.right(level, 5)) dB",
          CellStyle(ink: output.isHapticMuted ? .faint : loudness)
        ),
        (
          "limiter \(output.isLimiting ? glyphs.dot : glyphs.ring)",
          CellStyle(ink: output.isLimiting ? .warning : .faint)
        ),
        ("gain \(gain)", output.gain == 0 ? .faint : .bold),
        (
          "xruns \(output.xruns)",
          output.xruns > 0 ? CellStyle(ink: .error, isBold: true) : .faint
        ),
        ("latency \(latency)", .faint),
      ], row: row)
  }

  /// What has happened, what is asked, or a tip; a long line takes the one below as well.
  /// - Returns: Whether the row below is free.
  private mutating func paintMessage(row: Int) -> Bool {
    switch model.mode {
    case .question(let question):
      return paintWords(question.words, row: row, style: CellStyle(ink: .warning, isBold: true))
    case .prompt(let prompt):
      let used = put(
        "\(prompt.label): ", column: 1, row: row, width: self.grid.columns / 2, style: .bold)
      // The end of a long name is what is typed.
      let room = self.grid.columns - used - 3
      let text = String(prompt.text.suffix(room))
      let end = put(text, column: 1 + used, row: row, width: room)
      placeCursor(column: 1 + used + end, row: row)
      return true
    default: break
    }
    if let message = model.message {
      let ink: Ink =
        switch message.kind {
        case .note: .plain
        case .warning: .warning
        case .error: .error
        }
      return paintWords(message.text, row: row, style: CellStyle(ink: ink))
    } else if let tip = model.tip {
      return paintWords("Tip: \(tip)", row: row, style: CellStyle(ink: .title))
    }
    return true
  }

  /// Writes words into a row, and what does not fit into the one below.
  /// - Returns: Whether that one is free.
  private mutating func paintWords(_ text: String, row: Int, style: CellStyle) -> Bool {
    let width = grid.columns - 2
    let text = CellText.clean(text, isUnicode: grid.isUnicode)
    guard CellText.width(of: text) > width else {
      put(text, column: 1, row: row, style: style)
      return true
    }
    var (first, used, space) = ("", 0, 0)
    for character in text {
      let next = CellText.width(of: character)
      if used + next > width { break }
      if character == " " { space = first.count }
      first.append(character)
      used += next
    }
    // At the last blank, unless that would leave the row half empty.
    let cut = space > first.count / 2 ? space : first.count
    put(String(text.prefix(cut)), column: 1, row: row, style: style)
    let rest = text.dropFirst(cut).drop { $0 == " " }
    put(String(rest), column: 1, row: row + 1, width: width, style: style)
    return false
  }

  private mutating func paintHints(row: Int) {
    let hints: [(String, String)] =
      switch model.mode {
      case .edit:
        [
          ("←→", "choose"), ("t T", "time"), ("i I s S d D", "values"), ("+ *", "add"), ("x", "remove"),
          ("u r", "undo"), ("w", "save"), ("Esc", "done"), ("?", "help"),
        ]
      case .search: [("↑↓", "choose"), ("Enter", "keep"), ("Esc", "all")]
      case .blind:
        [("x a b", "hear"), ("1", "X is A"), ("2", "X is B"), ("space", "play, stop"), ("Esc", "end")]
      case .question: [("Esc", "back")]
      case .prompt(let prompt):
        [
          ("Enter", "save"), ("Esc", "drop it"),
          ("Tab", prompt.grid == 0 ? "grid: as played" : "grid: every \(prompt.grid) ms"),
        ]
      default:
        [
          ("space", "play"), ("iIsS", "live"), ("t h", "touch"), ("A Tab", "A/B"),
          ("/", "search"), ("e", "edit"), ("?", "help"), ("q", "quit"),
        ]
      }
    var column = 1
    for (keys, words) in hints {
      if column + CellText.width(of: keys) + words.count + 1 > grid.columns { break }
      column += put(keys, column: column, row: row, style: CellStyle(ink: .title, isBold: true)) + 1
      column += put(words, column: column, row: row, style: .faint) + 2
    }
  }

  /// What is chosen, in words.
  private var editWords: String {
    if let mark = model.chosenMark, let drawing = model.drawing, case .mark(let place) = model.edit.choice {
      let kind =
        switch mark.kind {
        case .transient: "tap"
        case .continuous: "continuous"
        case .sound: "sound"
        }
      let length = mark.duration.map { " + \(NumberText.fixed($0, 3)) s" } ?? ""
      let sharpness = mark.kind == .sound ? "" : ", sharpness \(NumberText.fixed(mark.sharpness, 2))"
      return
        "event \(place + 1)/\(drawing.marks.count) \(kind), \(NumberText.fixed(mark.time, 3)) s\(length), "
        + "\(mark.kind == .sound ? "volume" : "intensity") \(NumberText.fixed(mark.intensity, 2))\(sharpness)"
    }
    if let point = model.chosenPoint, let drawing = model.drawing, case .point(let place) = model.edit.choice
    {
      return "point \(place + 1)/\(drawing.points.count), "
        + "\(point.isSharpness ? "sharpnessControl" : "intensityControl") "
        + "\(NumberText.fixed(point.value, 2)) at \(NumberText.fixed(point.time, 3)) s"
    }
    return "nothing to change; + adds a tap"
  }
}
