import Foundation
import TestSupport
import Testing
import ThrumPattern
import ThrumRealtime

@testable import thrum

/// Screens as text: what a person sees, without a terminal.
@Suite("Audition: screens")
struct AuditionPainterTests {
  /// A pattern with an event of each kind, and both curves.
  static let pattern: Pattern = {
    var (tap, swell) = (EventParameters(), EventParameters())
    tap[.hapticIntensity] = 1
    tap[.hapticSharpness] = 0.9
    swell[.hapticIntensity] = 0.5
    swell[.hapticSharpness] = 0.2
    return Pattern(entries: [
      .event(Event(type: .hapticTransient, time: 0, parameters: tap)),
      .event(Event(type: .hapticContinuous, time: 0.25, duration: 0.5, parameters: swell)),
      .event(Event(type: .audioContinuous, time: 0.5, duration: 0.5)),
      .curve(
        ParameterCurve(
          id: .hapticIntensityControl, time: 0.25,
          points: [.init(time: 0, value: 0.5), .init(time: 0.5, value: 1)])),
      .parameter(DynamicParameter(id: .hapticSharpnessControl, value: 0.5, time: 0.5)),
    ])
  }()

  static func model(names: [String] = ["bell", "knock", "wave"]) -> AuditionModel {
    var model = AuditionModel()
    model.list.items = names.map { PatternListState.Item(name: $0) }
    model.list.chosen = names.isEmpty ? nil : 0
    if !names.isEmpty { model.drawing = PatternDrawing(of: pattern, profile: .none) }
    model.output.device = "virtual: 8000 Hz"
    return model
  }

  static func lines(
    _ model: AuditionModel, columns: Int = 80, rows: Int = 24, isUnicode: Bool = true
  ) -> [String] {
    let text = ScreenPainter(model, columns: columns, rows: rows, isUnicode: isUnicode).grid.text
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private static func modes(_ model: AuditionModel) -> [AuditionModel] {
    var models = [model]
    for mode in [
      ScreenMode.edit, .search, .blind, .help(isEditing: false), .help(isEditing: true),
      .question(.quit(unsaved: 3)), .question(.overwrite(name: "bell.ahap")),
      .prompt(ScreenPrompt(label: "save as", text: String(repeating: "long", count: 40))),
    ] {
      var other = model
      other.mode = mode
      if mode == .edit { other.edit.choice = .mark(1) }
      if mode == .blind { other.compare.blind = BlindState() }
      models.append(other)
    }
    var point = model
    point.mode = .edit
    point.edit.choice = .point(1)
    var busy = model
    busy.transport = TransportState(
      isPlaying: true, position: 0.5, isLooping: true, region: 0.25...0.75, rate: 0.25)
    busy.compare.nameA = "a name that is longer than there is room"
    busy.compare.nameB = "b"
    busy.recording = RecordingState(seconds: 12.3, touches: 2)
    busy.output.isHapticMuted = true
    busy.output.isSoundMuted = true
    busy.output.latency = 15.9
    busy.output.xruns = 7
    busy.message = ScreenMessage(kind: .error, text: "bell.ahap:3:5: error: no")
    return models + [point, busy]
  }

  @Test(
    "Every screen is filled from edge to edge and no farther, at every size",
    arguments: [(80, 24), (81, 25), (120, 40), (40, 10), (3, 2), (1, 1)])
  func sizes(columns: Int, rows: Int) {
    for names in [["bell", "knock"], [], ["日本語の鈴とても長い名前のファイル", "e\u{301}\u{FE0F}\u{1B}[31m", "👩‍👩‍👧‍👦 family"]] {
      for model in Self.modes(Self.model(names: names)) {
        for isUnicode in [true, false] {
          let painter = ScreenPainter(model, columns: columns, rows: rows, isUnicode: isUnicode)
          #expect(painter.grid.cells.count == columns * rows)
          for row in 0..<rows {
            let cells = (0..<columns).map { painter.grid[$0, row] }
            let width = cells.compactMap(\.character).reduce(0) { $0 + CellText.width(of: $1) }
            #expect(width == columns, "row \(row) of \(model.mode)")
            if !isUnicode {
              #expect(
                cells.allSatisfy { $0.character.map(\.isASCII) ?? false }, "row \(row) of \(model.mode)")
            }
          }
          if let cursor = painter.cursor { #expect(cursor.column < columns && cursor.row < rows) }
        }
      }
    }
  }

  @Test("The usual screen")
  func usual() {
    var model = Self.model()
    model.transport.position = 0.25
    let lines = Self.lines(model)
    #expect(lines.count == 24)
    #expect(lines[0] == " thrum audition                                                virtual: 8000 Hz")
    #expect(lines[1] == " 3 patterns         │ bell             1.00 s, 3 events, 3 points, peak -1.1 dB")
    #expect(lines[2].hasPrefix("▸ bell              │       ╵0.0 s"))
    #expect(lines[3].hasPrefix("  knock             │events ◆"))
    #expect(lines[3].contains("━━━━━━━━━━"))
    #expect(lines[18].hasPrefix("────────────────────┴──"))
    #expect(lines[19] == " ■ stopped  0.250 / 1.000 s  loop off  rate ×1  A ·  B ·")
    #expect(lines[20] == " intensity ██████████ 1.00  sharpness ─────●───── +0.00  touch i 0.75 s 0.50")
    #expect(lines[21] == " level ░░░░░░░░░░    −∞ dB  limiter ○  gain +0 dB  xruns 0  latency –")
    #expect(
      lines[23] == " space play  iIsS live  t h touch  A Tab A/B  / search  e edit  ? help  q quit")
  }

  @Test("In ASCII the same places hold the same things")
  func ascii() {
    let lines = Self.lines(Self.model(), isUnicode: false)
    #expect(lines[2].hasPrefix("> bell              |       v0.0 s"))
    #expect(lines[19] == " # stopped  0.000 / 1.000 s  loop off  rate x1  A .  B .")
    #expect(lines[20] == " intensity ########## 1.00  sharpness -----*----- +0.00  touch i 0.75 s 0.50")
    #expect(lines[21].hasPrefix(" level ----------  -inf dB  limiter o"))
  }

  @Test("The playhead stands over all lanes, and only its column changes where there is nothing")
  func playhead() {
    var model = Self.model()
    model.transport.position = 0.9
    let grid = ScreenPainter(model, columns: 80, rows: 24, isUnicode: true).grid
    let columns = (0..<80).filter { grid[$0, 2].character == "▼" }
    #expect(columns.count == 1)
    let column = columns.first ?? 0
    for row in 3..<18 { #expect(grid[column, row].style.ink == .playhead, "row \(row)") }
  }

  @Test("The grid of a recording is told, and how many events are not drawn, in 80 columns")
  func toldInFull() {
    var model = Self.model()
    model.mode = .prompt(
      ScreenPrompt(label: "that cannot be written; save it as", text: "take-1.ahap", grid: 125))
    model.drawing?.eventCount = 100_000
    let text = Self.lines(model).joined(separator: "\n")
    #expect(text.contains("save it as: take-1.ahap") && text.contains("grid: every 125 ms"), "\(text)")
    #expect(text.contains(" of 100000 events"), "\(text)")
  }

  @Test("A loop region stands on the ruler")
  func region() {
    var model = Self.model()
    model.transport.region = 0.25...0.75
    model.transport.isLooping = true
    let lines = Self.lines(model)
    #expect(lines[2].contains("[═") && lines[2].contains("═]"))
    #expect(lines[19].contains("loop 0.25–0.75 s"))
  }

  @Test("Search narrows the list, and says when nothing is found")
  func search() {
    var model = Self.model()
    model.mode = .search
    model.list.search = "no"
    var lines = Self.lines(model)
    #expect(lines[1].hasPrefix("/no "))
    #expect(lines[2].hasPrefix("  knock"))
    #expect(lines[3].hasPrefix("     "))
    model.list.search = "nowhere"
    lines = Self.lines(model)
    #expect(lines[2].hasPrefix(" nothing found"))
  }

  @Test("A list longer than the screen moves with what is chosen")
  func longList() {
    var model = Self.model(names: (0..<500).map { "pattern \($0)" })
    for chosen in [0, 7, 250, 499] {
      model.list.chosen = chosen
      let lines = Self.lines(model)
      #expect(lines.contains { $0.hasPrefix("▸ pattern \(chosen) ") }, "\(chosen)")
      #expect(lines[2].contains("pattern") && lines[17].contains("pattern"), "\(chosen)")
    }
  }

  @Test("What is chosen for a change is told in words and stands out")
  func editing() {
    var model = Self.model()
    model.mode = .edit
    model.edit.choice = .mark(1)
    let grid = ScreenPainter(model, columns: 80, rows: 24, isUnicode: true).grid
    #expect(grid.text.contains("event 2/3 continuous, 0.250 s + 0.500 s, intensity 0.50, sharpness 0.20"))
    #expect((0..<80).contains { grid[$0, 3].style.isReversed || grid[$0, 4].style.isReversed })
    model.edit.choice = .point(2)
    #expect(
      Self.lines(model).joined().contains("point 3/3, intensityControl 1.00 at 0.750 s"))
  }

  @Test("A blind comparison shows neither names nor curves nor the level")
  func blind() {
    var model = Self.model()
    (model.compare.nameA, model.compare.nameB) = ("first", "second")
    model.mode = .blind
    model.compare.blind = BlindState(trial: 3, trials: 10, heard: .b)
    model.output.level = 0.5
    let text = Self.lines(model).joined(separator: "\n")
    #expect(text.contains("blind 3 of 10") && text.contains("[B]"))
    for word in ["first", "second", "events", "peak", "1.00 s"] { #expect(!text.contains(word), "\(word)") }
    #expect(text.contains("−∞ dB"))
  }

  @Test("The help has all keys of its mode", arguments: [false, true])
  func help(isEditing: Bool) {
    var model = Self.model()
    model.mode = .help(isEditing: isEditing)
    let text = Self.lines(model).joined(separator: "\n")
    for binding in isEditing ? KeyMap.editing : KeyMap.browsing {
      #expect(text.contains(binding.names), "\(binding.names)")
      #expect(text.contains(binding.words), "\(binding.words)")
    }
  }

  @Test("docs/audition.md has every key and what it does")
  func page() throws {
    let url = SharedFiles.packageFolder.appendingPathComponent("docs/audition.md")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    for binding in KeyMap.browsing + KeyMap.editing {
      let keys = binding.keys.prefix(2).map { "`\($0.0.name)`" }.joined(separator: " ")
      #expect(lines.contains { $0.hasSuffix("| \(keys) | \(binding.words) |") }, "\(keys) \(binding.words)")
    }
  }

  @Test("What a terminal could obey is not in a name")
  func controls() {
    #expect(
      CellText.clean("a\u{1B}[31mb\u{7F}\u{202E}\u{85}", isUnicode: true)
        == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(CellText.clean("é日e\u{301}", isUnicode: false) == "???e")
    #expect(CellText.fit("日本語", width: 4, isUnicode: true) == "日…")
    #expect(CellText.fit("bell", width: 0, isUnicode: true).isEmpty)
  }

  @Test("A long pattern has a ruler that can be read", arguments: [0.01, 0.1, 1, 9.5, 60, 3600, 86_400])
  func ruler(seconds: Double) {
    let scale = TimeScale(seconds: seconds, columns: 50)
    let ticks = scale.ticks(roomFor: 9)
    #expect((1...7).contains(ticks.count), "\(ticks)")
    #expect(ticks.allSatisfy { $0.seconds <= seconds })
  }
}
