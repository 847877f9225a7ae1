import CNcurses
import Glibc
import ThrumAudition
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// An audition: the screen, the bench behind it, the files, and the controllers. Lives on the main thread, but for what the
/// bench and the library do on their own.
final class AuditionSession {
  /// How often what moves is drawn, nanoseconds: 30 times a second.
  private static let frameNanoseconds: Int64 = 33_000_000
  /// How much of the level's meter is left from one drawing to the next: a tap is over before an eye has seen it.
  private static let meterFall = 0.8
  /// How long after a key the screen is kept up to date, nanoseconds.
  private static let settleNanoseconds: Int64 = 250_000_000

  var model = AuditionModel()
  let bench: Bench
  let library: PatternLibrary
  let profile: BusProfile
  var documents = DocumentShelf()
  /// The files in the order of the list.
  var items: [PatternItem]
  var versions = VersionShelf()
  var blind: BlindComparison?
  var take: Take?
  var takeStart: Int64 = 0
  /// A recording that waits for its name.
  var finishedTake: Take?
  /// What the keyboard holds, before the live values.
  var heldValues = (intensity: 0.0, sharpness: 0.0)
  /// The pattern in hand as it plays, and its drawing.
  var hand: NamedPattern?
  var handDrawing: PatternDrawing?
  /// Files whose last version was refused.
  var refusedFiles: Set<FileName> = []
  /// Whether the file in hand has not been read since it was chosen, and is to play when it is.
  var isWaitingForFile = false
  var playsWhenRead = false
  /// Slots that were filled only to be compared blind.
  var blindSlots: [BenchSlot] = []
  private var tips = Tips()
  private let controls: [any ControlSource]
  private let osc: OSCService?
  private var screen: TerminalScreen?
  private var isOver = false
  private var isStale = true
  private var lastFrame: Int64 = 0
  /// Until when what a key has asked for may still come about, nanoseconds: the bench works on its own.
  private var settling: Int64 = 0

  /// When a pattern was last changed here, nanoseconds.
  var lastEdit: Int64 = 0
  /// How long no key may come before the next nudge is a step of its own to undo.
  static let gestureRestNanoseconds: Int64 = 1_500_000_000

  /// Makes an audition; the terminal is taken when it runs.
  init(
    bench: Bench, library: PatternLibrary, profile: BusProfile, controls: [any ControlSource],
    osc: OSCService?
  ) {
    self.bench = bench
    self.library = library
    self.profile = profile
    self.controls = controls
    self.osc = osc
    items = library.items
    refreshList()
    model.output.gain = bench.gainDecibels
  }

  /// Takes the terminal and plays until somebody has had enough.
  /// - Throws: `CommandError`; the terminal is as it was.
  func run() throws(CommandError) -> ExitCode {
    let screen = try TerminalScreen()
    self.screen = screen
    defer { self.screen = nil }
    model.tip = tips.current
    // A fader moves what the keys move.
    osc?.voices.onParameter = { [weak self] in self?.take($0) }
    // So that the first touch need not wait for the device.
    bench.open()
    if !items.isEmpty { perform(.choose(0)) }
    while !isOver {
      draw()
      wait()
    }
    let unsaved = keepUnsaved()
    osc?.stop()
    bench.close()
    library.end()
    screen.close()
    for line in unsaved { StandardError.note("audition", line) }
    if let signal = Interruption.caught { return .interrupted(signal: signal) }
    return .success
  }

  /// Has the screen drawn anew before the next wait.
  func refresh() { isStale = true }

  /// Ends the run.
  func end() { isOver = true }

  /// Has the next drawing write everything.
  func redraw() {
    screen?.forget()
    refresh()
  }

  // MARK: The loop

  private func draw() {
    guard isStale, let screen else { return }
    isStale = false
    lastFrame = MonotonicClock.nanoseconds
    readMeters()
    let size = screen.size
    model.pageRows = ScreenPainter.listRows(of: size.rows)
    let picture = ScreenPainter(
      model, columns: size.columns, rows: size.rows, isUnicode: screen.isUnicode)
    screen.draw(picture.grid, cursor: picture.cursor)
  }

  /// Whether something on the screen moves, a meter that falls included.
  private var isMoving: Bool {
    model.isMoving || model.output.level > 0 || MonotonicClock.nanoseconds < settling
  }

  /// When there is something to do though nothing happens, nanoseconds; nil for never.
  private var due: Int64? {
    let frame = isStale ? MonotonicClock.nanoseconds : isMoving ? lastFrame + Self.frameNanoseconds : nil
    return ([frame, model.holdEnd, osc?.due] + controls.map(\.due)).compactMap { $0 }.min()
  }

  /// Waits for a key, a signal, the bench, the files or a controller, and does what comes of it.
  private func wait() {
    var entries = [
      STDIN_FILENO, Interruption.descriptor, thrum_terminal_signals(), bench.descriptor, library.descriptor,
    ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    for descriptor in [osc?.descriptor, osc?.output.bell.descriptor].compactMap({ $0 }) {
      entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    let own = entries.count
    for control in controls { entries += control.descriptors }
    var milliseconds: Int32 = -1
    if let due {
      // Rounded up: a wait that ends too soon would be one wake-up more.
      milliseconds = Int32(clamping: max(0, (due - MonotonicClock.nanoseconds + 999_999) / 1_000_000))
    }
    let count = poll(&entries, nfds_t(entries.count), milliseconds)
    let now = MonotonicClock.nanoseconds
    if Interruption.caught != nil { return end() }
    if count > 0 {
      // Keys first: nothing that is drawn or read may come between a key and what is felt.
      if entries[0].revents & Int16(POLLIN) != 0 { takeKeys(now) }
      if entries[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return hangUp() }
      if entries[2].revents != 0 { takeTerminalSignals() }
      if entries[4].revents != 0 { takeLibraryNews() }
      if entries[3].revents != 0 { takeBenchNews() }
    }
    for action in model.pass(to: now) { perform(action) }
    let isControlled = entries[own...].contains { $0.revents != 0 }
    for control in controls where isControlled || control.due.map({ $0 <= now }) ?? false {
      for event in control.read() { take(event) }
    }
    if let osc {
      osc.process()
      osc.output.bell.take()
      osc.advance()
    }
    takeErrors()
    if isMoving, now >= lastFrame + Self.frameNanoseconds { refresh() }
  }

  private var isTooSmall: Bool {
    guard let size = screen?.size else { return false }
    return size.columns < ScreenPainter.least.columns || size.rows < ScreenPainter.least.rows
  }

  private func takeKeys(_ now: Int64) {
    guard let keys = screen?.takeKeys() else { return }
    // A terminal that has gone is readable and has nothing.
    if keys.isEmpty, isatty(STDIN_FILENO) != 1 { return hangUp() }
    if model.message?.kind == .note { model.message = nil }
    settling = now + Self.settleNanoseconds
    for key in keys where !isOver {
      // Nothing is done that cannot be seen.
      if isTooSmall, key != .character("q") || !documents.modified.isEmpty || unsavedTake != nil { continue }
      if key == .escape, model.mode == .browse, model.message == nil { tips.dismiss() }
      if model.mode == .browse || model.mode == .edit {
        tips.note(KeyMap.command(key, isEditing: model.isEditing))
      }
      for action in model.press(key, now: now) { perform(action) }
    }
    model.tip = tips.current
    refresh()
  }

  private func hangUp() {
    Interruption.ask(signal: SIGHUP)
    end()
  }

  private func takeTerminalSignals() {
    var letters = [UInt8](repeating: 0, count: 64)
    let count = read(thrum_terminal_signals(), &letters, letters.count)
    for letter in letters.prefix(max(0, count)) {
      switch letter {
      case UInt8(ascii: "W"):
        if let size = screen?.size { screen?.adopt(columns: size.columns, rows: size.rows) }
      case UInt8(ascii: "Z"): stop()
      default: screen?.resume()
      }
      refresh()
    }
  }

  /// Stops the process as ctrl-Z means it; nothing is felt meanwhile.
  private func stop() {
    let wasPlaying = model.transport.isPlaying
    bench.pause()
    if model.isHolding { for action in model.endHold() { perform(action) } }
    waitForSilence()
    screen?.stop()
    // What was pending when it was stopped is of the terminal that was left.
    if wasPlaying { bench.play() }
  }

  /// Waits until the device has played the fade, a third of a second at most.
  private func waitForSilence() {
    let end = MonotonicClock.nanoseconds + 300_000_000
    let held = bench.meters.latencySeconds ?? 0
    var silence: Int64?
    while MonotonicClock.nanoseconds < end {
      let now = MonotonicClock.nanoseconds
      if bench.meters.peak == 0 { silence = silence ?? now } else { silence = nil }
      // What was made silent is heard to be so when the buffer is through.
      if let silence, now >= silence + Int64(held * 1e9) { return }
      if waitForReading([Interruption.descriptor], milliseconds: 10)[0] { return }
    }
  }

  /// What was written to standard error by others, such as libasound, is a message here.
  private func takeErrors() {
    var text = [CChar](repeating: 0, count: 1024)
    let count = thrum_terminal_take_errors(&text, text.count)
    guard count > 0 else { return }
    let bytes = text.prefix(count).map { UInt8(bitPattern: $0) }
    guard let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last else { return }
    tell(.warning, String(line))
  }

  /// Has the next control that is moved stand for a value.
  func learn(_ target: ControlTarget) {
    if controls.isEmpty { return tell(.warning, "there is no controller; --midi and --gamepad take one") }
    for control in controls { control.learn(target) }
    tell(.note, "move the control that is to be \(target.rawValue)")
  }

  /// Shows a line to the person.
  func tell(_ kind: ScreenMessage.Kind, _ text: String) {
    model.message = ScreenMessage(kind: kind, text: text)
    refresh()
  }

  // MARK: What the bench tells

  private func takeBenchNews() {
    for item in bench.news() {
      switch item {
      case .notice(let words), .returned(let words): tell(.note, words)
      case .outage(let words): tell(.warning, words)
      case .problem(let words): tell(.error, words)
      case .loaded, .finished: break
      }
    }
    refresh()
  }

  private func readMeters() {
    let meters = bench.meters
    model.transport.isPlaying = meters.transport == .playing
    model.transport.position = meters.seconds
    var level = max(meters.peak, model.output.level * Self.meterFall)
    if level < 0.003 { level = 0 }
    model.output.level = level
    model.output.peak = max(meters.peak, model.output.peak * Self.meterFall)
    model.output.isLimiting = meters.newLimitedFrames > 0
    model.output.xruns = meters.xruns
    model.output.latency = meters.latencySeconds.map { $0 * 1000 }
    if let device = meters.device { model.output.device = meters.outage.map { "\(device): \($0)" } ?? device }
    if let take, model.recording != nil {
      model.recording?.seconds = Double(MonotonicClock.nanoseconds - takeStart) / 1e9
      model.recording?.touches = take.taps.count + take.holds.count
    }
  }
}
