import Testing
import ThrumPattern

@testable import thrum

/// What keys do, without a terminal and without a sound.
@Suite("Audition: keys")
struct AuditionModelTests {
  private var model = AuditionPainterTests.model()

  private mutating func press(_ keys: String, now: Int64 = 0) -> [AuditionAction] {
    keys.flatMap { model.press(.character($0), now: now) }
  }

  @Test("No key has two meanings in one mode")
  func unique() {
    for bindings in [KeyMap.browsing, KeyMap.editing] {
      let keys = bindings.flatMap { $0.keys.map(\.0) }
      #expect(Set(keys).count == keys.count)
    }
  }

  @Test("Play, stop, loop, rate")
  mutating func transport() {
    #expect(press(" ") == [.play(fromStart: false)])
    model.transport.isPlaying = true
    #expect(press(" ") == [.stop])
    #expect(press("l") == [.setLoop(true)])
    #expect(press("l") == [.setLoop(false)])
    #expect(press("<<") == [.setRate(0.9), .setRate(0.75)])
    #expect(press("=") == [.setRate(1)])
    for _ in 0..<20 {
      model.transport.rate = model.press(.character(">"), now: 0).isEmpty ? 0 : model.transport.rate
    }
    #expect(model.transport.rate == 4)
    #expect(model.press(.enter, now: 0) == [.play(fromStart: true)])
  }

  @Test("A region is between two places, whichever is set first")
  mutating func region() {
    model.transport.position = 0.75
    #expect(press("]") == [.setRegion(0...0.75), .setLoop(true)])
    model.transport.position = 0.25
    #expect(press("[") == [.setRegion(0.25...0.75), .setLoop(true)])
    model.transport.position = 0.8
    let end = model.drawing?.seconds ?? 0
    #expect(press("[") == [.setRegion(0.8...end), .setLoop(true)])
    #expect(press("\\") == [.setRegion(nil)])
    model.transport.position = 0
    #expect(press("]").isEmpty && model.message != nil)
  }

  @Test("Live values move in steps and stay in their ranges")
  mutating func live() {
    #expect(press("ii") == [.setIntensity(0.95), .setIntensity(0.9)])
    #expect(press("sS") == [.setSharpness(-0.05), .setSharpness(0)])
    for _ in 0..<50 { #expect(!press("iS").isEmpty) }
    #expect(model.intensity == 0 && model.sharpness == 1)
    #expect(press("n") == [.setIntensity(1), .setSharpness(0)])
    #expect(press("gg") == [.setGain(-1), .setGain(-2)])
    #expect(press("mM") == [.muteHaptics(true), .muteSound(true)])
  }

  @Test("A tap has the values of a touch")
  mutating func tap() {
    #expect(press("t") == [.tap(intensity: 0.75, sharpness: 0.5)])
    #expect(press("VC").isEmpty)
    #expect(press("t") == [.tap(intensity: 0.8, sharpness: 0.55)])
  }

  @Test("A held key begins once, goes on by its repeats, and ends without them")
  mutating func hold() {
    #expect(press("h", now: 0) == [.hold(intensity: 0.75, sharpness: 0.5)])
    // The keyboard waits before it repeats.
    #expect(model.pass(to: 600_000_000).isEmpty)
    #expect(press("h", now: 650_000_000).isEmpty)
    #expect(press("h", now: 680_000_000).isEmpty)
    #expect(model.pass(to: 800_000_000).isEmpty)
    #expect(model.pass(to: 880_000_000) == [.release])
    #expect(!model.isHolding && model.holdEnd == nil)
    #expect(press("H", now: 0) == [.hold(intensity: 0.75, sharpness: 0.5)])
    #expect(model.pass(to: .max).isEmpty)
    #expect(press("H", now: 1) == [.release])
  }

  @Test("The list is walked through, and searched")
  mutating func list() {
    #expect(model.press(.down, now: 0) == [.choose(1)])
    #expect(model.press(.up, now: 0) == [.choose(0)])
    #expect(model.press(.up, now: 0).isEmpty)
    #expect(model.press(.end, now: 0) == [.choose(2)])
    #expect(press("/k") == [.choose(1)])
    #expect(model.mode == .search)
    #expect(model.press(.enter, now: 0).isEmpty && model.mode == .browse && model.list.search == "k")
    #expect(model.press(.escape, now: 0).isEmpty && model.list.search.isEmpty)
    // In a search, keys are letters.
    #expect(press("/q").isEmpty)
    #expect(model.list.search == "q")
  }

  @Test("Quitting asks where something is not saved")
  mutating func quit() {
    #expect(press("q") == [.quit])
    model.list.items[1].isModified = true
    #expect(press("q").isEmpty && model.mode == .question(.quit(unsaved: 1)))
    #expect(model.press(.escape, now: 0).isEmpty && model.mode == .browse)
    #expect(press("qs") == [.saveAllAndQuit])
    #expect(press("qd") == [.quit])
  }

  @Test("A question that is declined leads back to where it was asked")
  mutating func declined() {
    model.list.items[1].isModified = true
    #expect(press("e") == [.beginEditing])
    for key in [Key.escape, .character("n")] {
      #expect(press("q").isEmpty && model.mode == .question(.quit(unsaved: 1)))
      #expect(model.press(key, now: 0).isEmpty && model.mode == .edit)
    }
    #expect(press("qs") == [.saveAllAndQuit])
    #expect(model.mode == .edit)
    model.mode = .prompt(ScreenPrompt(label: "save as", text: "take"))
    #expect(model.press(.enter, now: 0) == [.saveTake(name: "take", grid: 0)])
    #expect(model.mode == .edit)
    // Another pattern is in hand by then.
    #expect(press("q").isEmpty)
    model.show(nil, isSame: false)
    #expect(model.press(.escape, now: 0).isEmpty && model.mode == .browse)
  }

  @Test("Versions are kept, heard and compared blind")
  mutating func compare() {
    #expect(press("AB") == [.put(.a), .put(.b)])
    #expect(press("b").isEmpty && model.message != nil)
    (model.compare.nameA, model.compare.nameB) = ("bell", "knock")
    #expect(press("b") == [.listen(.b)])
    #expect(model.press(.tab, now: 0) == [.listen(.a)])
    #expect(press("x") == [.beginBlind])
    model.mode = .blind
    #expect(
      press("xab12") == [
        .blind(.hear(.x)), .blind(.hear(.a)), .blind(.hear(.b)), .blind(.answer(.a)), .blind(.answer(.b)),
      ])
    #expect(model.press(.escape, now: 0) == [.blind(.end)])
  }

  @Test("An event is chosen and changed; times and values stay on the grid of the steps")
  mutating func edit() {
    #expect(press("e") == [.beginEditing])
    #expect(model.chosenMark?.entry == 0)
    #expect(model.press(.right, now: 0) == [.seek(0.25)])
    #expect(press("T") == [.edit(.setTime(entry: 1, 0.26))])
    #expect(press("D") == [.edit(.setDuration(entry: 1, 0.51))])
    #expect(press("I") == [.edit(.setIntensity(entry: 1, 0.55))])
    #expect(press("s") == [.edit(.setSharpness(entry: 1, 0.15))])
    #expect(press("fT") == [.edit(.setTime(entry: 1, 0.251))])
    #expect(press("x") == [.edit(.removeEntry(1))])
    model.transport.position = 0.1234567
    #expect(press("+") == [.edit(.addTap(time: 0.123, intensity: 0.75, sharpness: 0.5))])
    #expect(press("u") == [.undo])
    #expect(press("r") == [.redo])
    #expect(press("w") == [.save(isForced: false)])
    #expect(model.press(.escape, now: 0).isEmpty && model.mode == .browse)
  }

  @Test("Points of the curves are chosen below the events, and moved")
  mutating func points() {
    #expect(press("e") == [.beginEditing])
    #expect(model.press(.down, now: 0) == [.seek(0.25)])
    #expect(model.chosenPoint?.entry == 3)
    #expect(press("I") == [.edit(.setPoint(entry: 3, index: 0, time: 0.25, value: 0.55))])
    #expect(model.press(.right, now: 0) == [.seek(0.5)])
    #expect(press("S") == [.edit(.setPoint(entry: 4, index: nil, time: 0.5, value: 0.55))])
    #expect(press("x") == [.edit(.removePoint(entry: 4, index: nil))])
    #expect(model.press(.up, now: 0).count == 1)
    #expect(model.chosenMark != nil)
  }

  @Test("What is chosen stays chosen in a new version of the pattern")
  mutating func stays() {
    #expect(press("e") == [.beginEditing])
    model.edit.choice = .mark(2)
    var drawing = model.drawing ?? PatternDrawing()
    drawing.marks.swapAt(0, 2)
    model.show(drawing, isSame: true)
    #expect(model.edit.choice == .mark(0))
    model.show(nil, isSame: false)
    #expect(model.mode == .browse && model.edit.choice == nil)
  }

  @Test("A recording asks for a name and a grid")
  mutating func recording() {
    #expect(press("R") == [.beginRecording])
    model.recording = RecordingState()
    #expect(press("R") == [.endRecording])
    // Quitting does not drop it.
    #expect(press("q") == [.endRecording])
    model.mode = .prompt(ScreenPrompt(label: "save", text: "a"))
    #expect(model.press(.tab, now: 0).isEmpty)
    #expect(press("b").isEmpty)
    #expect(model.press(.enter, now: 0) == [.saveTake(name: "ab", grid: 10)])
    model.mode = .prompt(ScreenPrompt(label: "save", text: "a"))
    #expect(model.press(.escape, now: 0) == [.saveTake(name: nil, grid: 0)])
  }

  @Test("The help goes away by any key, and does nothing else")
  mutating func help() {
    #expect(press("?").isEmpty && model.mode == .help(isEditing: false))
    #expect(press("q").isEmpty && model.mode == .browse)
  }
}
