import ThrumAudition
import ThrumEngine
import ThrumPattern

extension AuditionSession {
  /// Trials of a blind comparison: nine right of ten is once in a hundred by chance alone.
  private static let trials = 10

  /// Keeps the pattern in hand as A or B: the first one as it is now, the second one goes on with its file.
  func put(_ slot: CompareSlot) {
    guard let hand, let handDrawing, let name = model.chosenName else { return }
    let other = versions[slot.bench.other]
    versions[slot.bench] = VersionShelf.Kept(
      name: name, pattern: hand, drawing: handDrawing, follows: other != nil && other?.follows == false)
    bench.load(hand, into: slot.bench, entering: .atOnce)
    // The pattern in hand plays on in its own slot, which may be another one now.
    showHand(hand, isNew: true)
    tell(.note, "\(name) is \(slot.rawValue); the other one is what is in hand from now on")
  }

  /// What stands beside A and B: what was kept, or the pattern in hand in the free slot of a comparison.
  func nameSlots() {
    let isComparing = versions[.a] != nil || versions[.b] != nil
    func name(_ slot: BenchSlot) -> String? {
      if let kept = versions[slot] { return kept.name }
      guard isComparing, let hand, versions.handSlot(for: hand.path) == slot else { return nil }
      return model.chosenName.map { "\($0) now" }
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

  /// Has the pattern in hand heard and drawn, which is what is edited.
  func beginEditing() {
    guard let hand, model.drawing != handDrawing else { return }
    showHand(hand, isNew: true)
    // Another drawing ends the editing of the one before; this one is already the right one.
    if model.enterEditing().isEmpty { return }
  }

  // MARK: Blind

  func beginBlind() {
    // What is compared stays as it is, whatever is saved meanwhile.
    if let hand, let handDrawing {
      for slot in BenchSlot.allCases where versions[slot] == nil {
        let name = model.chosenName ?? ""
        versions[slot] = VersionShelf.Kept(name: name, pattern: hand, drawing: handDrawing)
        blindSlots.append(slot)
      }
    }
    for slot in [CompareSlot.a, .b] { loadForListening(slot) }
    var generator = SystemRandomNumberGenerator()
    blind = BlindComparison(.identification, trials: Self.trials, using: &generator)
    model.mode = .blind
    model.message = ScreenMessage(
      kind: .note, text: "hear X, A and B as often as you like, then say which one X is")
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
    for slot in blindSlots { versions[slot] = nil }
    blindSlots = []
    if let hand { showHand(hand, isNew: true) }
  }
}
