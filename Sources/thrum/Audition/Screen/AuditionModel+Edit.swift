extension AuditionModel {
  /// Steps of a time, seconds, and of a value: the usual and the fine.
  private var timeStep: Double { edit.isFine ? 0.001 : 0.01 }
  private var valueStep: Double { edit.isFine ? 0.01 : 0.05 }

  /// The event that is chosen.
  var chosenMark: PatternDrawing.Mark? {
    guard case .mark(let place) = edit.choice, let marks = drawing?.marks, marks.indices.contains(place)
    else { return nil }
    return marks[place]
  }

  /// The control point that is chosen.
  var chosenPoint: PatternDrawing.Point? {
    guard case .point(let place) = edit.choice, let points = drawing?.points, points.indices.contains(place)
    else { return nil }
    return points[place]
  }

  mutating func enterEditing() -> [AuditionAction] {
    if isEditing {
      mode = .browse
      return []
    }
    guard let drawing else { return [] }
    mode = .edit
    if chosenMark == nil, chosenPoint == nil {
      edit.choice = drawing.marks.isEmpty ? nil : .mark(nearest(drawing.marks.map(\.time)))
    }
    return [.beginEditing]
  }

  /// The place of the time that is nearest to the playhead.
  private func nearest(_ times: [Double]) -> Int {
    times.indices.min { abs(times[$0] - transport.position) < abs(times[$1] - transport.position) } ?? 0
  }

  /// Keys that mean something only while editing; nil for the others.
  mutating func change(_ command: KeyCommand) -> [AuditionAction]? {
    switch command {
    case .previous, .next, .first, .last: return select(command)
    case .previousRow, .nextRow: return changeRow(command)
    case .fine:
      edit.isFine.toggle()
      return []
    case .earlier: return shift(-timeStep)
    case .later: return shift(timeStep)
    case .shorter: return stretch(-timeStep)
    case .longer: return stretch(timeStep)
    case .weaker: return lift(-valueStep, isSharpness: false)
    case .stronger: return lift(valueStep, isSharpness: false)
    case .rounder: return lift(-valueStep, isSharpness: true)
    case .sharper: return lift(valueStep, isSharpness: true)
    case .addTap, .addContinuous, .addIntensityPoint, .addSharpnessPoint: return add(command)
    case .remove: return remove()
    case .undo: return [.undo]
    case .redo: return [.redo]
    default: return nil
    }
  }

  private mutating func select(_ command: KeyCommand) -> [AuditionAction] {
    guard let drawing else { return [] }
    let isPoint = if case .point = edit.choice { true } else { false }
    let count = isPoint ? drawing.points.count : drawing.marks.count
    guard count > 0 else { return [] }
    let place =
      switch edit.choice {
      case .mark(let place), .point(let place): place
      case nil: -1
      }
    let next =
      switch command {
      case .previous: place - 1
      case .next: place + 1
      case .first: 0
      default: count - 1
      }
    let kept = min(max(next, 0), count - 1)
    edit.choice = isPoint ? .point(kept) : .mark(kept)
    return follow()
  }

  /// Events are one row, the points of both curves the other.
  private mutating func changeRow(_ command: KeyCommand) -> [AuditionAction] {
    guard let drawing else { return [] }
    let times = chosenMark?.time ?? chosenPoint?.time ?? transport.position
    func place(_ all: [Double]) -> Int {
      all.indices.min { abs(all[$0] - times) < abs(all[$1] - times) } ?? 0
    }
    if command == .nextRow, !drawing.points.isEmpty {
      edit.choice = .point(place(drawing.points.map(\.time)))
    } else if command == .previousRow, !drawing.marks.isEmpty {
      edit.choice = .mark(place(drawing.marks.map(\.time)))
    }
    return follow()
  }

  /// Puts the playhead where the choice is, unless it moves by itself.
  private mutating func follow() -> [AuditionAction] {
    guard !transport.isPlaying, let time = chosenMark?.time ?? chosenPoint?.time else { return [] }
    transport.position = time
    return [.seek(time)]
  }

  private func shift(_ step: Double) -> [AuditionAction] {
    if let mark = chosenMark {
      let time = Self.stepped(mark.time, by: step, in: 0...86_400)
      return time == mark.time ? [] : [.edit(.setTime(entry: mark.entry, time))]
    }
    guard let point = chosenPoint else { return [] }
    let time = Self.stepped(point.time, by: step, in: 0...86_400)
    return [.edit(.setPoint(entry: point.entry, index: point.index, time: time, value: point.value))]
  }

  private func stretch(_ step: Double) -> [AuditionAction] {
    guard let mark = chosenMark, mark.kind != .transient else { return [] }
    let old = mark.duration ?? 0.1
    let new = Self.stepped(old, by: step, in: 0.001...86_400)
    return new == mark.duration ? [] : [.edit(.setDuration(entry: mark.entry, new))]
  }

  private mutating func lift(_ step: Double, isSharpness: Bool) -> [AuditionAction] {
    if let mark = chosenMark {
      if mark.kind == .sound, isSharpness { return [] }
      let old = isSharpness ? mark.sharpness : mark.intensity
      let new = Self.stepped(old, by: step, in: 0...1)
      if new == old { return [] }
      return [
        .edit(
          isSharpness ? .setSharpness(entry: mark.entry, new) : .setIntensity(entry: mark.entry, new))
      ]
    }
    // A point has one value, whichever of the two keys is used.
    guard let point = chosenPoint else { return [] }
    let new = Self.stepped(point.value, by: step, in: point.isSharpness ? -1...1 : 0...1)
    if new == point.value { return [] }
    return [.edit(.setPoint(entry: point.entry, index: point.index, time: point.time, value: new))]
  }

  private func add(_ command: KeyCommand) -> [AuditionAction] {
    guard let drawing else { return [] }
    // To the millisecond: that is what a person can read back in the file.
    let time = (transport.position * 1000).rounded() / 1000
    switch command {
    case .addTap:
      return [.edit(.addTap(time: time, intensity: touchIntensity, sharpness: touchSharpness))]
    case .addContinuous:
      return [
        .edit(
          .addContinuous(time: time, duration: 0.1, intensity: touchIntensity, sharpness: touchSharpness))
      ]
    case .addIntensityPoint:
      return [.edit(.addPoint(isSharpness: false, time: time, value: drawing.intensityControl(at: time)))]
    default:
      return [.edit(.addPoint(isSharpness: true, time: time, value: drawing.sharpnessControl(at: time)))]
    }
  }

  private func remove() -> [AuditionAction] {
    if let mark = chosenMark { return [.edit(.removeEntry(mark.entry))] }
    guard let point = chosenPoint else { return [] }
    return [.edit(.removePoint(entry: point.entry, index: point.index))]
  }

  /// Takes on a drawing of the pattern in hand, and keeps what is chosen where it still is.
  /// - Parameter isSame: Whether it is another version of the same pattern.
  mutating func show(_ drawing: PatternDrawing?, isSame: Bool) {
    let (mark, point) = (chosenMark, chosenPoint)
    self.drawing = drawing
    guard let drawing, isSame else {
      edit.choice = nil
      if mode == .edit { mode = .browse }
      returnsToEditing = false
      if !isSame { transport.region = nil }
      return
    }
    if let mark {
      // By its entry: its place among the marks changes with its time.
      edit.choice = drawing.marks.firstIndex { $0.entry == mark.entry }.map { .mark($0) }
    } else if let point {
      edit.choice =
        (drawing.points.firstIndex { $0.entry == point.entry && $0.index == point.index }
        ?? drawing.points.indices.last).map { .point($0) }
    }
    if chosenMark == nil, chosenPoint == nil, mode == .edit {
      // What was chosen has gone: the event that is nearest to it, so that the next key means nothing far away.
      let time = mark?.time ?? point?.time ?? 0
      edit.choice = drawing.marks.indices
        .min { abs(drawing.marks[$0].time - time) < abs(drawing.marks[$1].time - time) }.map { .mark($0) }
    }
  }

  /// Chooses what an edit says is to be chosen.
  mutating func select(entry: Int?, point: Int?) {
    guard let drawing, let entry else { return }
    if let place = drawing.points.firstIndex(where: { $0.entry == entry && $0.index == point }) {
      edit.choice = .point(place)
    } else if let place = drawing.marks.firstIndex(where: { $0.entry == entry }) {
      edit.choice = .mark(place)
    } else if let place = drawing.points.lastIndex(where: { $0.entry == entry }) {
      // A curve that is new: its last point is the one that was asked for.
      edit.choice = .point(place)
    }
  }

  // MARK: Questions and prompts

  private var modeBehind: ScreenMode { returnsToEditing ? .edit : .browse }

  mutating func answer(_ question: ScreenQuestion, _ key: Key) -> [AuditionAction] {
    switch (question, key) {
    case (.quit, .character("s")):
      mode = modeBehind
      return [.saveAllAndQuit]
    case (.quit, .character("d")): return [.quit]
    case (.overwrite, .character("o")):
      mode = modeBehind
      return [.save(isForced: true)]
    case (.overwrite, .character("l")):
      mode = modeBehind
      return [.revert]
    case (_, .escape), (_, .character("n")):
      mode = modeBehind
      return []
    default: return []
    }
  }

  mutating func type(_ key: Key, into prompt: ScreenPrompt) -> [AuditionAction] {
    var prompt = prompt
    switch key {
    case .escape:
      mode = modeBehind
      return [.saveTake(name: nil, grid: 0)]
    case .enter:
      if prompt.text.isEmpty { return [] }
      mode = modeBehind
      return [.saveTake(name: prompt.text, grid: prompt.grid)]
    case .tab:
      prompt.grid = Self.grids[((Self.grids.firstIndex(of: prompt.grid) ?? 0) + 1) % Self.grids.count]
    case .backspace: if !prompt.text.isEmpty { prompt.text.removeLast() }
    case .character(let character): prompt.text.append(character)
    default: return []
    }
    mode = .prompt(prompt)
    return []
  }

  /// Grids that a recording can be moved to, milliseconds; 0 leaves it as it was played.
  static let grids = [0, 10, 25, 50, 100, 125, 250]
}
