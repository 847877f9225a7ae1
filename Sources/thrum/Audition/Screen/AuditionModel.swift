/// The state of the screen, and what keys do to it. It knows no terminal, no file and no sound.
struct AuditionModel: Equatable {
  /// How long a key is taken as held after its first press, and after each repeat: terminals tell of no release, and
  /// keyboards repeat after 250 to 660 ms, then some 30 times a second.
  static let firstHoldNanoseconds: Int64 = 700_000_000
  static let nextHoldNanoseconds: Int64 = 200_000_000
  /// Rates that the keys step through.
  static let rates = [0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 4]

  var mode = ScreenMode.browse {
    didSet {
      if mode == .edit { returnsToEditing = true }
      if mode == .browse { returnsToEditing = false }
    }
  }
  /// Whether a question or a prompt that has been answered leads back to editing.
  var returnsToEditing = false
  var list = PatternListState()
  /// What is drawn of the pattern in hand; nil where it has no version that is good.
  var drawing: PatternDrawing?
  var transport = TransportState()
  var compare = CompareState()
  var output = OutputState()
  var edit = EditState()
  var recording: RecordingState?
  var message: ScreenMessage?
  /// A hint for somebody who is here for the first time.
  var tip: String?
  /// `intensityControl`, 0…1, and `sharpnessControl`, −1…1.
  var intensity = 1.0
  var sharpness = 0.0
  /// What a touch is made of, 0…1 each.
  var touchIntensity = 0.75
  var touchSharpness = 0.5
  /// Whether a touch is held, and until when without another press; nil for until it is ended.
  var isHolding = false
  var holdEnd: Int64?
  /// Rows of the list that fit, which a page is.
  var pageRows = 10

  /// The name of the pattern in hand.
  var chosenName: String? { list.chosen.map { list.items[$0].name } }
  /// Whether something on the screen moves by itself.
  var isMoving: Bool { transport.isPlaying || isHolding || recording != nil }
  var isEditing: Bool { mode == .edit }

  /// Takes a key.
  /// - Parameter now: Nanoseconds of any clock that goes forwards.
  /// - Returns: What is to be done for it, in order.
  mutating func press(_ key: Key, now: Int64) -> [AuditionAction] {
    switch mode {
    case .search: return search(key)
    case .help(let isEditing):
      // Any key, so that nobody is caught in it.
      mode = isEditing ? .edit : .browse
      return []
    case .question(let question): return answer(question, key)
    case .prompt(let prompt): return type(key, into: prompt)
    case .blind: return blind(key, now: now)
    case .browse, .edit: break
    }
    guard let command = KeyMap.command(key, isEditing: isEditing) else {
      return key == .escape ? escape() : []
    }
    if isEditing, let actions = change(command) { return actions }
    return perform(command, now: now)
  }

  /// Ends a touch whose key is not pressed any more.
  mutating func pass(to now: Int64) -> [AuditionAction] {
    guard let end = holdEnd, now >= end else { return [] }
    return endHold()
  }

  private mutating func escape() -> [AuditionAction] {
    message = nil
    if !list.search.isEmpty { list.search = "" }
    return []
  }

  private mutating func perform(_ command: KeyCommand, now: Int64) -> [AuditionAction] {
    switch command {
    case .previous, .next, .pageUp, .pageDown, .first, .last: return move(command)
    case .search:
      mode = .search
      list.search = ""
      return []
    case .tap: return [.tap(intensity: touchIntensity, sharpness: touchSharpness)]
    case .hold: return hold(now: now)
    case .latch: return isHolding ? endHold() : beginHold(until: nil)
    case .weakerTouch, .strongerTouch, .rounderTouch, .sharperTouch, .lessIntensity, .moreIntensity,
      .lessSharpness,
      .moreSharpness, .neutral, .quieter, .louder, .muteHaptics, .muteSound:
      return turn(command)
    case .putA, .putB, .listenA, .listenB, .other, .blind: return compare(command)
    case .edit: return enterEditing()
    case .record: return [recording == nil ? .beginRecording : .endRecording]
    case .save: return [.save(isForced: false)]
    case .help:
      mode = .help(isEditing: isEditing)
      return []
    case .redraw: return [.redraw]
    case .learnIntensity, .learnSharpness: return [.learn(isSharpness: command == .learnSharpness)]
    case .quit: return quit()
    default: return transport(command)
    }
  }

  /// Asks where something would be lost.
  private mutating func quit() -> [AuditionAction] {
    // A recording is ended first, which asks for its name.
    if recording != nil { return [.endRecording] }
    let unsaved = list.items.count { $0.isModified }
    if unsaved == 0 { return [.quit] }
    mode = .question(.quit(unsaved: unsaved))
    return []
  }

  // MARK: The list

  private mutating func move(_ command: KeyCommand) -> [AuditionAction] {
    let found = list.found
    guard !found.isEmpty else { return [] }
    let place = list.chosen.flatMap { found.firstIndex(of: $0) }
    let next =
      switch command {
      case .previous: (place ?? found.count) - 1
      case .next: (place ?? -1) + 1
      case .pageUp: (place ?? 0) - pageRows
      case .pageDown: (place ?? 0) + pageRows
      case .first: 0
      default: found.count - 1
      }
    return choose(found[min(max(next, 0), found.count - 1)])
  }

  private mutating func choose(_ index: Int) -> [AuditionAction] {
    if list.chosen == index { return [] }
    list.chosen = index
    edit.choice = nil
    return [.choose(index)]
  }

  private mutating func search(_ key: Key) -> [AuditionAction] {
    switch key {
    case .escape:
      list.search = ""
      mode = .browse
      return []
    case .enter:
      mode = .browse
      return []
    case .backspace:
      if list.search.isEmpty { mode = .browse } else { list.search.removeLast() }
    case .character(let character): list.search.append(character)
    case .up: return move(.previous)
    case .down: return move(.next)
    default: return []
    }
    // What is found first is in hand, unless the one in hand is among it.
    let found = list.found
    guard let first = found.first, list.chosen.map({ !found.contains($0) }) ?? true else { return [] }
    return choose(first)
  }
}
