import Glibc
import ThrumAudition
import ThrumEngine
import ThrumPattern

extension AuditionSession {
  /// Does what the screen asks for.
  func perform(_ action: AuditionAction) {
    switch action {
    case .choose(let index): choose(index)
    case .play(let fromStart):
      if isWaitingForFile {
        playsWhenRead = true
        return
      }
      if hand == nil { return }
      if fromStart { bench.seek(to: model.transport.region?.lowerBound ?? 0) }
      bench.play()
      model.transport.isPlaying = true
    case .stop:
      bench.stop()
      model.transport.isPlaying = false
    case .seek(let seconds): bench.seek(to: seconds)
    case .setLoop(let isLooping): bench.isLooping = isLooping
    case .setRegion(let region): bench.region = region
    case .setRate(let rate): bench.rate = rate
    case .setIntensity(let value):
      bench.intensityControl = Float(value)
      moveTake()
    case .setSharpness(let value):
      bench.sharpnessControl = Float(value)
      moveTake()
    case .tap(let intensity, let sharpness): tap(intensity, sharpness)
    case .hold(let intensity, let sharpness): hold(Self.keyboardHold, intensity, sharpness)
    case .release: release(Self.keyboardHold)
    case .setGain(let level): bench.gainDecibels = level
    case .muteHaptics(let isMuted): bench.isMutedForHaptics = isMuted
    case .muteSound(let isMuted): bench.isMutedForSound = isMuted
    case .put(let slot): put(slot)
    case .listen(let slot): listen(slot)
    case .beginBlind: beginBlind()
    case .blind(let act): perform(act)
    case .beginEditing: beginEditing()
    case .edit(let edit): apply(edit)
    case .undo, .redo: step(back: action == .undo)
    case .save(let isForced): save(isForced: isForced)
    case .saveAllAndQuit: if saveAll() { end() }
    case .revert: revert()
    case .beginRecording: beginRecording()
    case .endRecording: endRecording()
    case .saveTake(let name, let grid): saveTake(name: name, grid: grid)
    case .learn(let isSharpness): learn(isSharpness ? .sharpness : .intensity)
    case .redraw: redraw()
    case .quit: end()
    }
  }

  /// When a new version of what plays takes its place.
  var entry: BenchEntry { model.transport.entersAtLoop ? .atLoopPoint : .atOnce }

  // MARK: Files

  /// The file in hand.
  var item: PatternItem? {
    guard let index = model.list.chosen, items.indices.contains(index) else { return nil }
    return items[index]
  }

  private func choose(_ index: Int) {
    guard items.indices.contains(index) else { return }
    model.list.chosen = index
    model.message = nil
    model.show(nil, isSame: false)
    hand = nil
    handDrawing = nil
    let wasPlaying = model.transport.isPlaying
    bench.stop()
    bench.region = nil
    isWaitingForFile = true
    playsWhenRead = playsWhenRead || wasPlaying
    // One with changes is as it was left; the file is looked at all the same, for what became of it.
    if let document = documents[items[index].path], let pattern = document.pattern {
      showHand(NamedPattern(path: items[index].path, pattern: pattern), isNew: true)
    }
    library.choose([items[index]])
  }

  /// Lists the files anew, with the one in hand still in hand.
  func refreshList() {
    let path = item?.path
    // What is nowhere else stays in the list, whatever became of its file: quitting asks about what is listed.
    let unsaved = items.filter { documents[$0.path]?.isModified == true }
    items = library.items
    items += unsaved.filter { !items.contains($0) }
    model.list.items = items.map { item in
      PatternListState.Item(
        name: Self.shortName(item.name), isRefused: refusedFiles.contains(item.path),
        isModified: documents[item.path]?.isModified == true)
    }
    if let path { model.list.chosen = items.firstIndex { $0.path == path } }
    refresh()
  }

  /// The name without what all patterns end in.
  static func shortName(_ name: String) -> String {
    name.lowercased().hasSuffix(".ahap") && name.count > 5 ? String(name.dropLast(5)) : name
  }

  func takeLibraryNews() {
    for item in library.news() {
      switch item {
      case .added, .removed: takeListNews(item)
      case .changed(let item, let pattern): take(item, pattern)
      case .mistaken(let item, let diagnostics): refuse(item, diagnostics)
      case .notice(let words): tell(.warning, words)
      }
    }
    refresh()
  }

  private func takeListNews(_ news: LibraryNews) {
    let wasEmpty = items.isEmpty
    if case .removed(let item) = news {
      if item.path == self.item?.path, var document = documents[item.path] {
        document.noteRemoval()
        documents[item.path] = document
        tell(.warning, "\(item.name) is gone; what was read of it stays, and w writes it anew")
      }
    }
    refreshList()
    if wasEmpty, !items.isEmpty { perform(.choose(0)) }
  }

  /// A file was read: for the first time, or after a save.
  private func take(_ item: PatternItem, _ pattern: NamedPattern) {
    refusedFiles.remove(item.path)
    if model.message?.kind == .error { model.message = nil }
    guard item.path == self.item?.path else { return refreshList() }
    let isFirst = isWaitingForFile
    isWaitingForFile = false
    if documents[item.path]?.isModified != true {
      // What is felt first; what is seen of it after.
      showHand(pattern, isNew: isFirst)
      let isNews = note(item) == .taken
      if !isFirst, isNews { tell(.note, "\(item.name) was saved and read anew") }
    } else if note(item) == .conflict {
      askOrTellOfConflict(item)
    }
    if isFirst, playsWhenRead { bench.play() }
    playsWhenRead = false
    for diagnostic in pattern.diagnostics where diagnostic.severity == .warning {
      tell(.warning, diagnostic.description)
      break
    }
    refreshList()
  }

  /// Asks whose version counts; where somebody types a name or answers something else, a line must do.
  private func askOrTellOfConflict(_ item: PatternItem) {
    if model.mode == .browse || model.mode == .edit {
      model.mode = .question(.overwrite(name: item.name))
    } else {
      tell(.warning, "\(item.name) has changed on the disk and here; w asks which counts")
    }
  }

  /// Tells the document of a file what it holds now.
  private func note(_ item: PatternItem) -> DiskNews {
    guard let bytes = DocumentShelf.bytes(of: item.path) else { return .same }
    guard var document = documents[item.path] else {
      documents[item.path] = PatternDocument(bytes, file: item.path)
      return .taken
    }
    let news = document.noteDisk(bytes)
    documents[item.path] = document
    return news
  }

  /// A file cannot be read; what was read before plays on.
  private func refuse(_ item: PatternItem, _ diagnostics: [Diagnostic]) {
    refusedFiles.insert(item.path)
    if item.path == self.item?.path { (isWaitingForFile, playsWhenRead) = (false, false) }
    if documents[item.path]?.isModified != true, note(item) == .conflict { return }
    if let first = diagnostics.first(where: { $0.severity == .error }) ?? diagnostics.first {
      tell(.error, first.description)
    }
    refreshList()
  }

  /// Plays and shows a version of the pattern in hand.
  /// - Parameter isNew: Whether it is heard and drawn now, whatever was before.
  func showHand(_ pattern: NamedPattern, isNew: Bool) {
    hand = pattern
    // What is compared blind stays as it is.
    if blind != nil {
      handDrawing = PatternDrawing(of: pattern.pattern, profile: profile)
      return
    }
    let slot = versions.handSlot(for: pattern.path)
    let isHeard = isNew || model.compare.active.bench == slot || model.drawing == nil
    versions.noteHand(in: slot)
    bench.load(pattern, into: slot, entering: entry)
    if isHeard { bench.switchTo(slot) }
    let drawing = PatternDrawing(of: pattern.pattern, profile: profile)
    handDrawing = drawing
    versions.follow(pattern, drawing, in: slot)
    if isHeard {
      model.show(drawing, isSame: !isNew)
      model.compare.active = CompareSlot(slot)
    }
    nameSlots()
    refresh()
  }
}
