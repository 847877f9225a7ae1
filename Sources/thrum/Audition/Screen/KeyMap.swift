/// What a key asks for.
enum KeyCommand: Hashable {
  case previous, next, pageUp, pageDown, first, last, search
  case play, playFromStart, back, forward, loop, regionStart, regionEnd, noRegion, slower, faster, plainRate,
    entry
  case putA, putB, listenA, listenB, other, blind
  case lessIntensity, moreIntensity, lessSharpness, moreSharpness, neutral
  case tap, hold, latch, weakerTouch, strongerTouch, rounderTouch, sharperTouch
  case quieter, louder, muteHaptics, muteSound
  case edit, record, save, help, quit, redraw
  case earlier, later, weaker, stronger, rounder, sharper, shorter, longer, fine
  case addTap, addContinuous, addIntensityPoint, addSharpnessPoint, remove, undo, redo
  case previousRow, nextRow, learnIntensity, learnSharpness
}

/// A line of the help: keys, and what they do.
struct KeyBinding {
  let group: String
  let keys: [(Key, KeyCommand)]
  let words: String

  init(_ group: String, _ keys: [(Key, KeyCommand)], _ words: String) {
    self.group = group
    self.keys = keys
    self.words = words
  }

  /// The keys as the help writes them: at most two, the others are for those who know them.
  var names: String { keys.prefix(2).map(\.0.name).joined(separator: " ") }
}

/// Which key does what: the one place that the help, the page and the model read.
enum KeyMap {
  private static func key(_ character: Character) -> Key { .character(character) }

  static let browsing: [KeyBinding] = [
    KeyBinding("Play", [(key(" "), .play)], "play, or stop"),
    KeyBinding("Play", [(.enter, .playFromStart)], "play from the start"),
    KeyBinding("Play", [(.left, .back), (.right, .forward)], "go back, forward"),
    KeyBinding("Play", [(key("l"), .loop)], "loop on, off"),
    KeyBinding("Play", [(key("["), .regionStart), (key("]"), .regionEnd)], "loop region from, to here"),
    KeyBinding("Play", [(key("\\"), .noRegion)], "loop all of it"),
    KeyBinding(
      "Play", [(key("<"), .slower), (key(">"), .faster), (key(","), .slower), (key("."), .faster)],
      "slower, faster"),
    KeyBinding("Play", [(key("="), .plainRate)], "rate 1"),
    KeyBinding("Play", [(key("o"), .entry)], "saves enter at loop, at once"),
    KeyBinding(
      "Patterns", [(.up, .previous), (.down, .next), (key("k"), .previous), (key("j"), .next)],
      "previous, next pattern"),
    KeyBinding("Patterns", [(.pageUp, .pageUp), (.pageDown, .pageDown)], "a page up, down"),
    KeyBinding("Patterns", [(.home, .first), (.end, .last)], "first, last"),
    KeyBinding("Patterns", [(key("/"), .search)], "search by name"),
    KeyBinding("Compare", [(key("A"), .putA), (key("B"), .putB)], "keep this one as A, as B"),
    KeyBinding("Compare", [(key("a"), .listenA), (key("b"), .listenB)], "hear A, B in the same place"),
    KeyBinding("Compare", [(.tab, .other)], "hear the other one"),
    KeyBinding("Compare", [(key("x"), .blind)], "compare A and B blind"),
    KeyBinding(
      "Live", [(key("i"), .lessIntensity), (key("I"), .moreIntensity)], "intensityControl −, +"),
    KeyBinding(
      "Live", [(key("s"), .lessSharpness), (key("S"), .moreSharpness)], "sharpnessControl −, +"),
    KeyBinding("Live", [(key("n"), .neutral)], "both to neutral"),
    KeyBinding("Touch", [(key("t"), .tap)], "tap"),
    KeyBinding("Touch", [(key("h"), .hold)], "hold while it is pressed"),
    KeyBinding("Touch", [(key("H"), .latch)], "hold on, off"),
    KeyBinding(
      "Touch", [(key("v"), .weakerTouch), (key("V"), .strongerTouch)], "its intensity down, up"),
    KeyBinding(
      "Touch", [(key("c"), .rounderTouch), (key("C"), .sharperTouch)], "its sharpness down, up"),
    KeyBinding("Output", [(key("g"), .quieter), (key("G"), .louder)], "gain down, up"),
    KeyBinding("Output", [(key("m"), .muteHaptics), (key("M"), .muteSound)], "mute haptics, sound"),
    KeyBinding("Work", [(key("e"), .edit)], "edit the pattern"),
    KeyBinding("Work", [(key("R"), .record)], "record touches as a pattern"),
    KeyBinding("Work", [(key("w"), .save)], "save"),
    KeyBinding(
      "Work", [(key("{"), .learnIntensity), (key("}"), .learnSharpness)], "learn a MIDI control"),
    KeyBinding("Work", [(key("?"), .help)], "this help"),
    KeyBinding("Work", [(key("q"), .quit)], "quit"),
    KeyBinding("Work", [(key("\u{0C}"), .redraw)], "draw all of it anew"),
  ]

  static let editing: [KeyBinding] = [
    KeyBinding("Choose", [(.left, .previous), (.right, .next)], "previous, next"),
    KeyBinding("Choose", [(.up, .previousRow), (.down, .nextRow)], "events, points of the curves"),
    KeyBinding("Choose", [(.home, .first), (.end, .last)], "first, last"),
    KeyBinding("Change", [(key("t"), .earlier), (key("T"), .later)], "earlier, later"),
    KeyBinding("Change", [(key("i"), .weaker), (key("I"), .stronger)], "intensity down, up"),
    KeyBinding("Change", [(key("s"), .rounder), (key("S"), .sharper)], "sharpness down, up"),
    KeyBinding("Change", [(key("d"), .shorter), (key("D"), .longer)], "shorter, longer"),
    KeyBinding("Change", [(key("f"), .fine)], "fine steps on, off"),
    KeyBinding("Add", [(key("+"), .addTap)], "a tap at the playhead"),
    KeyBinding("Add", [(key("*"), .addContinuous)], "a continuous event there"),
    KeyBinding("Add", [(key("p"), .addIntensityPoint)], "a point of intensityControl"),
    KeyBinding("Add", [(key("P"), .addSharpnessPoint)], "a point of sharpnessControl"),
    KeyBinding("Add", [(key("x"), .remove), (.delete, .remove)], "remove what is chosen"),
    KeyBinding("Work", [(key("u"), .undo), (key("r"), .redo)], "undo, redo"),
    KeyBinding("Work", [(key("w"), .save)], "save"),
    KeyBinding("Work", [(.escape, .edit), (key("e"), .edit)], "leave editing"),
    KeyBinding("Work", [(key("?"), .help)], "this help"),
    KeyBinding("Play", [(key(" "), .play)], "play, or stop"),
    KeyBinding("Play", [(.enter, .playFromStart)], "play from the start"),
    KeyBinding("Play", [(key("l"), .loop)], "loop on, off"),
    KeyBinding("Play", [(key("["), .regionStart), (key("]"), .regionEnd)], "loop region from, to here"),
    KeyBinding("Play", [(key("\\"), .noRegion)], "loop all of it"),
    KeyBinding("Play", [(key("<"), .slower), (key(">"), .faster)], "slower, faster"),
    KeyBinding("Play", [(key("b"), .back), (key("n"), .forward)], "go back, forward"),
    KeyBinding("Play", [(key("g"), .quieter), (key("G"), .louder)], "gain down, up"),
    KeyBinding("Play", [(key("m"), .muteHaptics), (key("M"), .muteSound)], "mute haptics, sound"),
    KeyBinding("Play", [(key("q"), .quit)], "quit"),
  ]

  private static let browsingTable = table(browsing)
  private static let editingTable = table(editing)

  private static func table(_ bindings: [KeyBinding]) -> [Key: KeyCommand] {
    Dictionary(bindings.flatMap(\.keys)) { first, _ in first }
  }

  /// What a key does, nil for nothing.
  static func command(_ key: Key, isEditing: Bool) -> KeyCommand? {
    isEditing ? editingTable[key] : browsingTable[key]
  }
}
