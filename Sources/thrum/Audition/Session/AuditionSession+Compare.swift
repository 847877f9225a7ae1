import ThrumAudition
import ThrumEngine
import ThrumPattern

extension AuditionSession {
  /// Trials of a blind comparison: nine right of ten is once in a hundred by chance alone.
  private static let trials = 10

  /// Keeps the pattern in hand, as it is now, as A or B.
  func put(_ slot: CompareSlot) {
    guard let hand, let handDrawing, let name = model.chosenName else { return }
    versions[slot.bench] = VersionShelf.Kept(name: name, pattern: hand, drawing: handDrawing)
    // The pattern in hand may have to move to the other slot.
    let free = versions.handSlot
    versions.noteHand(in: free)
    bench.load(hand, into: slot.bench, entering: .atOnce)
    if free != slot.bench { bench.load(hand, into: free, entering: .atOnce) }
    nameSlots()
    tell(.note, "kept \(name) as \(slot.rawValue), as it is now")
  }

  /// What stands beside A and B: what was kept, or the pattern in hand in the free slot of a comparison.
  func nameSlots() {
    let isComparing = versions[.a] != nil || versions[.b] != nil
    func name(_ slot: BenchSlot) -> String? {
      if let kept = versions[slot] { return kept.name }
      return isComparing && versions.handSlot == slot ? model.chosenName.map { "\($0) now" } : nil
    }
    model.compare.nameA = name(.a)
    model.compare.nameB = name(.b)
  }

  /// Has one of the two versions heard, at the same place.
  func listen(_ slot: CompareSlot) {
    loadForListening(slot)
    bench.switchTo(slot.bench)
    model.compare.active = slot
    let drawing = versions[slot.bench]?.drawing ?? handDrawing
    let region = model.transport.region
    model.show(drawing, isSame: false)
    model.transport.region = region
  }

  private func loadForListening(_ slot: CompareSlot) {
    if let kept = versions[slot.bench] {
      if versions.mustLoad(slot.bench) { bench.load(kept.pattern, into: slot.bench, entering: .atOnce) }
    } else if let hand {
      bench.load(hand, into: slot.bench, entering: .atOnce)
    }
  }

  /// Has the pattern in hand heard and drawn, where a version that was kept is.
  func returnToHand() {
    guard let hand, CompareSlot(versions.handSlot) != model.compare.active || model.drawing != handDrawing
    else { return }
    showHand(hand, isNew: true)
  }

  // MARK: Blind

  func beginBlind() {
    // What is compared stays as it is, whatever is saved meanwhile.
    if let hand, let handDrawing {
      for slot in BenchSlot.allCases where versions[slot] == nil {
        let name = model.chosenName ?? ""
        versions[slot] = VersionShelf.Kept(name: name, pattern: hand, drawing: handDrawing)
      }
    }
    for slot in [CompareSlot.a, .b] { loadForListening(slot) }
    var generator = SystemRandomNumberGenerator()
    blind = BlindComparison(.identification, trials: Self.trials, using: &generator)
    model.mode = .blind
    model.message = ScreenMessage(kind: .note, text: "hear X, A and B as often as you like, then say which one X is")
    model.compare.blind = BlindState(trial: 1, trials: blind?.trialCount ?? 0)
    hear(.x)
  }

  func perform(_ act: BlindAct) {
    switch act {
    case .hear(let button): hear(button)
    case .answer(let slot):
      guard blind?.answer(slot == .a ? .first : .second) == true else { return }
      if let trial = blind?.trial {
        model.compare.blind?.trial = trial + 1
        model.message = nil
        hear(.x)
      } else {
        endBlind()
      }
    case .end:
      blind?.finish()
      endBlind()
    }
  }

  private func hear(_ button: BlindButton) {
    let asked: BlindComparison.Button =
      switch button {
      case .x: .unknown
      case .a: .first
      case .b: .second
      }
    guard let version = blind?.version(of: asked) else { return }
    model.compare.blind?.heard = button
    bench.switchTo(version == .a ? .a : .b)
    if !model.transport.isPlaying {
      bench.play()
      model.transport.isPlaying = true
    }
    refresh()
  }

  private func endBlind() {
    if let result = blind?.result { tell(.note, "blind comparison: \(result)") }
    blind = nil
    model.compare.blind = nil
    model.mode = .browse
    nameSlots()
    listen(model.compare.active)
  }
}
