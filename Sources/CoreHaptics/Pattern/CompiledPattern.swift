internal import ThrumEngine
internal import ThrumPattern

/// A pattern in frames, made when it is first wanted and shared by players: with its sounds, or touch alone.
final class CompiledPattern: Sendable {
  /// What it was made from.
  let contents: PatternContents
  private let state = Locked(State())

  private struct State {
    var touch: Schedule?
    /// With the sounds of the pattern's own files, which stay as long as the pattern does.
    var kept: Schedule?
    /// With registered sounds, which stay as long as they are registered or somebody plays them.
    weak var lent: Schedule?
  }

  init(_ contents: PatternContents) { self.contents = contents }

  /// Touch alone: sounds are left out, and their time passes in silence.
  var touch: Schedule {
    state.withLock { state in
      if let touch = state.touch { return touch }
      // A pattern without sounds is the same either way.
      let touch = contents.hasSounds ? nil : state.kept
      let made = touch ?? ScheduleCompiler.compile(contents.pattern.withoutSounds)
      state.touch = made
      return made
    }
  }

  /// Touch and sound.
  /// - Parameter sounds: Finds the sounds, and is asked each time: a file may have changed.
  /// - Throws: ``CHHapticError`` for a sound that cannot be played.
  func heard(with sounds: SoundTable) throws -> Schedule {
    let found = try sounds.find(in: contents)
    return state.withLock { state in
      if let known = state.kept ?? state.lent, known.plays(found) { return known }
      let schedule = ScheduleCompiler.compile(contents.pattern, sounds: found)
      if contents.resources.isEmpty { state.kept = schedule } else { state.lent = schedule }
      return schedule
    }
  }
}

extension Pattern {
  /// The pattern with nothing to be heard, and as long.
  fileprivate var withoutSounds: Pattern {
    guard hasSounds else { return self }
    var pattern = self
    pattern.entries = entries.mapped { entry in
      guard case .event(let event) = entry, !event.type.isHaptic else { return entry }
      // One that names no sound is left out by the compiler, which counts its place and its length.
      return .event(Event(type: .audioCustom, time: event.time, duration: event.duration))
    }
    return pattern
  }

  /// Whether any event is heard.
  var hasSounds: Bool {
    entries.contains { if case .event(let event) = $0 { !event.type.isHaptic } else { false } }
  }
}
