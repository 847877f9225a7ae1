internal import ThrumEngine
internal import ThrumSound

/// The sounds of an engine: those that are registered with it, and where its patterns' files may be.
///
/// Files are read once and shared with the other engines of the process, whose memory for sounds is one.
final class SoundTable: Sendable {
  private let library: SoundLibrary
  private let state = Locked(State())

  private struct State {
    /// The numbers that are this engine's own.
    var numbers: Set<CHHapticAudioResourceID> = []
    var folders = Folders()
  }

  /// Where the sounds of patterns may be.
  struct Folders: Sendable {
    /// Where relative paths of patterns start that are no files; nil means in the program's resources.
    var base: URL?
    /// Where sounds must be; nil means anywhere.
    var allowed: [URL]?
  }

  init(library: SoundLibrary) { self.library = library }

  deinit { unregisterAll() }

  /// Takes every sound away; players that were made with one keep it.
  func unregisterAll() {
    let numbers = state.withLock { state in
      defer { state.numbers = [] }
      return state.numbers
    }
    for number in numbers { forget(number) }
  }

  /// Where the sounds of patterns may be.
  var folders: Folders { state.withLock { $0.folders } }

  /// Changes where the sounds of patterns may be.
  func changeFolders(_ change: (inout Folders) -> Void) { state.withLock { change(&$0.folders) } }

  /// Reads a sound and gives it a number.
  /// - Parameter rate: The rate at which it will be played; nil where that is not known.
  /// - Throws: ``CHHapticError`` `fileNotFound`, `invalidAudioResource`, `resourceNotAvailable`, or
  ///   `invalidEngineParameter` for an option that is no `Bool`.
  func register(
    _ url: URL, options: [AnyHashable: Any], atRate rate: Int?
  ) throws -> CHHapticAudioResourceID {
    guard url.isFileURL else {
      throw CHHapticError(
        .fileNotFound, condition: "URL is a file",
        "\(url.absoluteString) is not the URL of a file; load it into one, and register that.")
    }
    let options = SoundOptions(
      usesVolumeEnvelope: try Self.option(CHHapticAudioResourceKeyUseVolumeEnvelope, options) ?? true,
      isLooped: try Self.option(CHHapticAudioResourceKeyLoopEnabled, options) ?? false)
    let number: CHHapticAudioResourceID
    do throws(SoundError) {
      number = try library.register(path: url.path, options: options)
    } catch {
      throw CHHapticError(error)
    }
    if let rate {
      do {
        try prepare(number, atRate: rate)
      } catch {
        forget(number)
        throw error
      }
    }
    state.withLock { $0.numbers.formUnion([number]) }
    return number
  }

  /// Takes a sound away; players that were made with it keep it.
  /// - Throws: ``CHHapticError`` `invalidAudioResource` for a number that is not registered.
  func unregister(_ number: CHHapticAudioResourceID) throws {
    guard state.withLock({ $0.numbers.remove(number) != nil }) else {
      throw CHHapticError.unregistered(number)
    }
    forget(number)
  }

  /// Makes every registered sound ready for outputs of a rate, as far as there is memory.
  func prepareAll(atRate rate: Int) {
    for number in state.withLock({ $0.numbers }) {
      do {
        try prepare(number, atRate: rate)
      } catch {
        // It may have been taken back meanwhile; what does not fit is told to whoever makes a player for it.
        continue
      }
    }
  }

  /// Finds the sounds of a pattern.
  /// - Throws: ``CHHapticError`` for the first that cannot be played, the path and the folder named.
  func find(in contents: PatternContents) throws -> ScheduleSounds {
    guard contents.hasSounds else { return .none }
    let (numbers, folders) = state.withLock { ($0.numbers, $0.folders) }
    for number in contents.resources.values where !numbers.contains(number) {
      throw CHHapticError.unregistered(number)
    }
    let base = contents.folder ?? folders.base ?? Bundle.main.resourceURL ?? Bundle.main.bundleURL
    let rules = SoundPaths(baseFolder: base.path, allowed: folders.allowed?.map(\.path))
    do throws(SoundError) {
      return try PatternSounds.find(in: contents.pattern, library: library, rules: rules).sounds
    } catch {
      throw CHHapticError(error, isWithoutFolder: contents.folder == nil)
    }
  }

  private func prepare(_ number: CHHapticAudioResourceID, atRate rate: Int) throws {
    do {
      // The samples are kept by the sound.
      withExtendedLifetime(try library.registered(number).sound.samples(atRate: rate)) {}
    } catch let error as SoundError {
      throw CHHapticError(error)
    } catch let error as EngineError {
      throw CHHapticError(error)
    }
  }

  private func forget(_ number: CHHapticAudioResourceID) {
    do throws(SoundError) {
      try library.unregister(number)
    } catch {
      // Numbers are taken out of this table first, and by one caller: each is there.
      assertionFailure("\(error)")
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

extension CHHapticError {
  fileprivate static func unregistered(_ number: CHHapticAudioResourceID) -> CHHapticError {
    CHHapticError(
      .invalidAudioResource, condition: "audio resource is registered",
      "No sound \(number) is registered with this engine.")
  }
}
