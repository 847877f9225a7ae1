import ThrumEngine
import ThrumPattern

/// Finds the sounds that a pattern's events name, by number or by path.
public enum PatternSounds {
  /// What was found.
  public struct Result: Sendable {
    /// For ``ScheduleCompiler/compile(_:sounds:)``.
    public var sounds = ScheduleSounds()
    /// Files that end before their headers say they do, one line each.
    public var warnings: [String] = []
  }

  /// Finds the sounds of all `AudioCustom` events.
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - library: Where numbers are registered, and what reads files.
  ///   - rules: Where paths start from, and what is allowed.
  /// - Throws: The first refusal: `invalidAudioResource` for an event that names no sound, else what
  ///   ``SoundLibrary/sound(named:rules:)`` and ``SoundLibrary/registered(_:)`` throw.
  ///
  /// Threads: control, any; takes as long as reading the files does. Real-time: no. Next:
  /// `ScheduleCompiler.compile`, with the sounds found.
  public static func find(
    in pattern: Pattern, library: SoundLibrary, rules: SoundPaths
  ) throws(SoundError) -> Result {
    var result = Result()
    // A pattern may name one file ten thousand times.
    var known: [String: Sound] = [:]
    for (position, entry) in pattern.entries.enumerated() {
      guard case .event(let event) = entry, event.type == .audioCustom else { continue }
      var options = SoundOptions()
      let sound: Sound
      if let number = event.soundNumber {
        (sound, options) = try library.registered(number)
      } else if let path = event.waveformPath {
        if let other = known[path] {
          sound = other
        } else {
          sound = try library.sound(named: path, rules: rules)
          known[path] = sound
        }
      } else {
        throw SoundError(
          .invalidAudioResource,
          "the AudioCustom event at \(event.time) s names no sound; give it an EventWaveformPath")
      }
      result.sounds.set(
        sound, usesEnvelope: event.usesVolumeEnvelope ?? options.usesVolumeEnvelope,
        isLooped: event.isLooped ?? options.isLooped, forEntry: position)
      if sound.isCutShort {
        let count = sound.original.frames
        let warning = "\(sound.name) is shorter than its header says; its \(count) frames are played"
        if !result.warnings.contains(warning) { result.warnings.append(warning) }
      }
    }
    return result
  }
}
