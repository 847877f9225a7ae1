import Glibc
import ThrumEngine

/// Has controllers play live voices.
///
/// Lives on the main thread.
final class LiveControls {
  /// What a tap or a hold has for a sharpness where its controller has none to say.
  static let usualSharpness: Float = 0.5
  private let source: any ControlSource
  private let voices: OSCVoices
  private let command: String
  /// What was not done, and cannot be answered to anybody.
  private var refusals = SparseTelling()

  /// - Parameter command: Who tells what there is to tell.
  init(_ source: any ControlSource, voices: OSCVoices, command: String) {
    self.source = source
    self.voices = voices
    self.command = command
  }

  /// What to poll for.
  var descriptors: [pollfd] { source.descriptors }

  /// When there is something to do though nothing comes; nil for never.
  var due: Int64? {
    let look = refusals.isActive ? MonotonicClock.nanoseconds + 1_000_000_000 : nil
    return [source.due, voices.due, look].compactMap { $0 }.min()
  }

  /// Takes what has come.
  func process() {
    for event in source.read() {
      if case .notice(let words) = event {
        StandardError.note(command, words)
        continue
      }
      do throws(OSCRefusal) { try play(event) } catch {
        if refusals.happened(at: MonotonicClock.nanoseconds) { StandardError.note(command, error.words) }
      }
    }
  }

  /// Does what is due.
  func advance() {
    let now = MonotonicClock.nanoseconds
    do throws(OSCRefusal) { try voices.advance(now) } catch {
      if refusals.happened(at: now) { StandardError.note(command, error.words) }
    }
    switch refusals.look(at: now) {
    case .goesOn(let times, let seconds):
      StandardError.note(
        command, "not played: \(times) taps, holds or values in \(NumberText.fixed(seconds, 0)) s")
    case .over(let times): StandardError.note(command, "all is played again; \(times) were not")
    case nil: break
    }
  }

  private func play(_ event: ControlEvent) throws(OSCRefusal) {
    voices.output.use()
    // Each try to open a device that is not there would hold up the rest.
    if let refusal = voices.output.recentRefusal { throw OSCRefusal(refusal) }
    let now = OSCMoment(nanoseconds: MonotonicClock.nanoseconds)
    switch event {
    case .tap(let intensity, let sharpness):
      try voices.tap(
        intensity: Float(intensity), sharpness: sharpness.map { Float($0) } ?? Self.usualSharpness, at: now)
    case .hold(let id, let intensity, let sharpness):
      try voices.begin(
        Self.name(id), intensity: Float(intensity),
        sharpness: sharpness.map { Float($0) } ?? Self.usualSharpness, at: now)
    case .release(let id): try voices.release(Self.name(id), at: now)
    case .intensity(let value): try voices.set(intensity: Float(value), at: now)
    case .sharpness(let value): try voices.set(sharpness: Float(value), at: now)
    case .notice: break
    }
  }

  /// No text of OSC has a zero in it, so no message means what a controller holds.
  private static func name(_ id: Int) -> String { "\0\(id)" }
}
