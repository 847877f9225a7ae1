internal import Glibc
internal import ThrumEngine

/// The sounds that are registered with an engine.
///
/// It is where the player of sounds will look them up; until there is one, an event's sound is checked and
/// kept, and its time passes in silence.
final class SoundTable: Sendable {
  /// A registered sound.
  struct Sound: Sendable, Equatable {
    /// The file.
    let url: URL
    /// Whether it is ramped in and out.
    let usesVolumeEnvelope: Bool
    /// Whether it repeats for its event's duration.
    let isLooped: Bool
  }

  private struct Contents {
    var sounds: [CHHapticAudioResourceID: Sound] = [:]
    var last: CHHapticAudioResourceID = 0
  }

  private let contents = Locked(Contents())

  /// The sound of a number.
  subscript(number: CHHapticAudioResourceID) -> Sound? { contents.withLock { $0.sounds[number] } }

  /// Adds a sound.
  /// - Throws: ``CHHapticError`` `fileNotFound` or `invalidAudioResource`.
  func register(_ url: URL, options: [AnyHashable: Any]) throws -> CHHapticAudioResourceID {
    try Self.check(url)
    let sound = Sound(
      url: url,
      usesVolumeEnvelope: try Self.option(CHHapticAudioResourceKeyUseVolumeEnvelope, options) ?? true,
      isLooped: try Self.option(CHHapticAudioResourceKeyLoopEnabled, options) ?? false)
    return contents.withLock { contents in
      contents.last += 1
      contents.sounds[contents.last] = sound
      return contents.last
    }
  }

  /// Takes a sound away; players that were made with it keep it.
  /// - Throws: ``CHHapticError`` `invalidAudioResource` for a number that is not registered.
  func unregister(_ number: CHHapticAudioResourceID) throws {
    let known = contents.withLock { $0.sounds.removeValue(forKey: number) != nil }
    guard known else { throw CHHapticError.unregistered(number) }
  }

  /// Checks that every sound of a pattern is there.
  /// - Throws: ``CHHapticError`` `fileNotFound` or `invalidAudioResource`, the path and the folder named.
  func check(_ contents: PatternContents) throws {
    for number in contents.resources.values where self[number] == nil {
      throw CHHapticError.unregistered(number)
    }
    for path in contents.soundPaths { try Self.check(contents.soundURL(path), written: path) }
  }

  /// Checks that a file can be read.
  private static func check(_ url: URL, written: String? = nil) throws {
    let path = url.path
    let name = written.map { "\"\($0)\" (looked for as \(path))" } ?? "\"\(path)\""
    var status = stat()
    guard url.isFileURL, stat(path, &status) == 0 else {
      throw CHHapticError(
        .fileNotFound, condition: "file exists",
        "No sound file \(name). A path in a pattern is relative to the pattern's own folder, or, where it is "
          + "no file, to the program's.")
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
      throw CHHapticError(
        .invalidAudioResource, condition: "file can be read",
        "The sound file \(name) is a folder or may not be read.")
    }
  }

  private static func option(_ key: String, _ options: [AnyHashable: Any]) throws -> Bool? {
    let value = options[key] ?? options[NSString(string: key)]
    guard let value else { return nil }
    guard let flag = (value as? Bool) ?? (value as? NSNumber)?.boolValue else {
      throw CHHapticError(
        .invalidEngineParameter, condition: "option is a Bool", "The option \(key) takes a Bool.")
    }
    return flag
  }
}

extension PatternContents {
  /// The paths of its sounds, as written.
  var soundPaths: [String] { pattern.events.compactMap(\.waveformPath) }

  /// Where a sound is: beside the pattern's file, or in the program's own folder.
  func soundURL(_ path: String) -> URL {
    if path.hasPrefix("/") { return URL(fileURLWithPath: path) }
    let folder = folder ?? Bundle.main.resourceURL ?? Bundle.main.bundleURL
    return folder.appendingPathComponent(path)
  }
}

extension CHHapticError {
  fileprivate static func unregistered(_ number: CHHapticAudioResourceID) -> CHHapticError {
    CHHapticError(
      .invalidAudioResource, condition: "audio resource is registered",
      "No sound \(number) is registered with this engine.")
  }
}
