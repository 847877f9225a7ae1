import Glibc
import ThrumAudition
import ThrumEngine
import ThrumPattern

/// What is played by hand: by keys and by controllers, and the recording of it.
extension AuditionSession {
  /// The id of what the keyboard holds; those of controllers are above.
  static let keyboardHold = 0

  func tap(_ intensity: Double, _ sharpness: Double) {
    bench.tap(intensity: Float(intensity), sharpness: Float(sharpness))
    take?.tap(at: takeSeconds, intensity: Float(intensity), sharpness: Float(sharpness))
  }

  func hold(_ id: Int, _ intensity: Double, _ sharpness: Double) {
    bench.hold(id, intensity: Float(intensity), sharpness: Float(sharpness))
    take?.beginHold(id, at: takeSeconds, intensity: Float(intensity), sharpness: Float(sharpness))
    if id == Self.keyboardHold { heldValues = (intensity, sharpness) }
  }

  func release(_ id: Int) {
    bench.release(id)
    take?.endHold(id, at: takeSeconds)
  }

  /// Records that the live values move what is held.
  func moveTake() {
    guard take?.isHolding == true else { return }
    take?.moveHold(
      Self.keyboardHold, at: takeSeconds, intensity: Float(heldValues.intensity * model.intensity),
      sharpness: Float(heldValues.sharpness + model.sharpness))
  }

  private var takeSeconds: Double { Double(MonotonicClock.nanoseconds - takeStart) / 1e9 }

  /// Does what a controller asks for.
  func take(_ event: ControlEvent) {
    switch event {
    case .tap(let intensity, let sharpness): tap(intensity, sharpness ?? model.touchSharpness)
    case .hold(let id, let intensity, let sharpness):
      hold(id + 1, intensity, sharpness ?? model.touchSharpness)
    case .release(let id): release(id + 1)
    case .intensity(let value):
      model.intensity = value
      perform(.setIntensity(value))
    case .sharpness(let value):
      model.sharpness = value
      perform(.setSharpness(value))
    case .notice(let words): tell(.note, words)
    }
    refresh()
  }

  func beginRecording() {
    take = Take()
    takeStart = MonotonicClock.nanoseconds
    model.recording = RecordingState()
    tell(.note, "recording: t taps, h holds; R ends it")
  }

  func endRecording() {
    guard var take else { return }
    take.finish(at: takeSeconds)
    self.take = nil
    model.recording = nil
    if take.isEmpty { return tell(.note, "nothing was played, so nothing was recorded") }
    finishedTake = take
    model.message = nil
    let folder = takeFolder
    model.mode = .prompt(
      ScreenPrompt(label: "save the recording as", text: freeName(in: folder)))
  }

  /// Where recordings go: beside the pattern in hand, else where they will be listed.
  private var takeFolder: FileName { item.map { $0.path.folder } ?? library.folder ?? "." }

  /// A name that no file has yet.
  private func freeName(in folder: FileName) -> String {
    let taken = Set(PatternFolder.names(in: folder).map(\.text))
    for number in 1...9999 where !taken.contains("take-\(number).ahap") { return "take-\(number).ahap" }
    return "take.ahap"
  }

  /// The recording that has not been written yet, ended; nil where there is none.
  var unsavedTake: Take? {
    var take = finishedTake ?? self.take
    take?.finish(at: takeSeconds)
    return take.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Writes a recording to a name, beside the pattern in hand; nil drops it.
  func saveTake(name: String?, grid: Int) {
    guard let finishedTake, let name else {
      finishedTake = nil
      return tell(.note, "the recording was dropped")
    }
    let folder = takeFolder
    let path = (folder == "." ? FileName(name) : folder.appending(FileName(name))).named("ahap")
    func ask(_ label: String) {
      model.mode = .prompt(ScreenPrompt(label: label, text: name, grid: grid))
      refresh()
    }
    if path.withPath({ access($0, F_OK) }) == 0 { return ask("there is such a file; save it as") }
    let bytes = finishedTake.encoded(
      quantised: grid > 0 ? Quantisation(gridSeconds: Double(grid) / 1000) : nil, startsAtFirst: true)
    do throws(CommandError) {
      try OutputFile.write(bytes, to: path)
      tell(.note, "saved \(path), \(NumberText.fixed(finishedTake.duration, 2)) s")
      self.finishedTake = nil
    } catch {
      tell(.error, error.words)
      ask("that cannot be written; save it as")
    }
    Interruption.askFirst()
  }
}

extension FileName {
  /// The name with an ending, where it does not have it.
  fileprivate func named(_ ending: String) -> FileName {
    text.lowercased().hasSuffix(".\(ending)") ? self : FileName(bytes: bytes + Array(".\(ending)".utf8))
  }
}
