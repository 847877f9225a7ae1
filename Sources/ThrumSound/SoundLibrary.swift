import Glibc
import ThrumEngine

/// How a registered sound is played where an event does not say otherwise.
public struct SoundOptions: Sendable, Equatable {
  /// Whether it is ramped in and out, so that it does not click; true unless said otherwise.
  public var usesVolumeEnvelope: Bool
  /// Whether it repeats until its event ends; false unless said otherwise.
  public var isLooped: Bool

  /// Creates options.
  public init(usesVolumeEnvelope: Bool = true, isLooped: Bool = false) {
    self.usesVolumeEnvelope = usesVolumeEnvelope
    self.isLooped = isLooped
  }
}

/// The sounds of a program: files are read once, shared, and counted against one cap.
///
/// Registered sounds have numbers and stay until they are unregistered; a sound that a pattern names by path stays as long
/// as something compiled from the pattern does.
public final class SoundLibrary: Sendable {
  /// Bytes that sounds take unless said otherwise, decoded and converted together: 64 MB.
  public static let defaultCapacity = 64_000_000

  private let memory: SoundMemory
  private let state = Locked(State())

  /// Which file, and which state of it.
  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private struct WeakSound {
    weak var sound: Sound?
  }

  private struct State {
    var registered: [Int: (sound: Sound, options: SoundOptions)] = [:]
    var files: [Identity: WeakSound] = [:]
    var lastNumber = 0
    /// Forgotten entries are swept out when so many have gathered.
    var sweepsAt = 64
  }

  /// Creates an empty library.
  /// - Parameter capacity: The most bytes that sounds take, decoded and converted together.
  public init(capacity: Int = SoundLibrary.defaultCapacity) { memory = SoundMemory(capacity: capacity) }

  /// The most bytes that sounds take.
  public var capacity: Int { memory.capacity }

  /// Bytes that sounds take now, those included that only a player still holds.
  public var usedBytes: Int { memory.usedBytes }

  /// Sounds that are registered.
  public var count: Int { state.withLock { $0.registered.count } }

  /// Reads a file and gives it a number, 1 or more.
  /// - Parameters:
  ///   - path: The file, relative to the current folder or absolute.
  ///   - options: How to play it.
  /// - Throws: `fileNotFound`, `invalidAudioResource` with the reason, or `resourceNotAvailable` with the cap.
  ///
  /// Threads: control, any; takes as long as reading the file does. Real-time: no.
  public func register(path: String, options: SoundOptions = SoundOptions()) throws(SoundError) -> Int {
    let sound = try sound(file: path, name: shown(path))
    return state.withLock { state in
      state.lastNumber += 1
      state.registered[state.lastNumber] = (sound, options)
      return state.lastNumber
    }
  }

  /// Forgets a registered sound. Players and compiled patterns that have it keep it, and play on.
  /// - Throws: `invalidAudioResource` where no sound has the number.
  ///
  /// Threads: control, any. Real-time: no.
  public func unregister(_ number: Int) throws(SoundError) {
    // Let go of outside the lock: a sound gives its memory back when it ends.
    let entry = state.withLock { $0.registered.removeValue(forKey: number) }
    guard entry != nil else { throw Self.unknown(number) }
  }

  /// A registered sound.
  /// - Throws: `invalidAudioResource` where no sound has the number.
  ///
  /// Threads: control, any. Real-time: no.
  public func registered(_ number: Int) throws(SoundError) -> (sound: Sound, options: SoundOptions) {
    guard let entry = state.withLock({ $0.registered[number] }) else { throw Self.unknown(number) }
    return entry
  }

  /// The sound that a pattern names by path.
  /// - Parameters:
  ///   - path: As the pattern has it.
  ///   - rules: Where to look, and where not.
  /// - Throws: As ``register(path:options:)``, and `operationNotPermitted` outside what the rules allow.
  ///
  /// Threads: control, any; takes as long as reading the file does. Real-time: no.
  public func sound(named path: String, rules: SoundPaths) throws(SoundError) -> Sound {
    try sound(file: rules.resolve(path), name: "\"\(shown(path))\"")
  }

  /// The sound in a file: the one that is there, or the file read anew.
  private func sound(file: String, name: String) throws(SoundError) -> Sound {
    let identity = Self.identity(of: file)
    if let identity, let sound = state.withLock({ $0.files[identity]?.sound }) { return sound }
    let sound = try Sound(path: file, name: name, memory: memory)
    memory.note(sound)
    guard let identity else { return sound }
    return state.withLock { state in
      // Another thread may have read it meanwhile: one of the two is enough.
      if let other = state.files[identity]?.sound { return other }
      if state.files.count >= state.sweepsAt {
        state.files = state.files.filter { $0.value.sound != nil }
        state.sweepsAt = max(64, 2 * state.files.count)
      }
      state.files[identity] = WeakSound(sound: sound)
      return sound
    }
  }

  private static func identity(of file: String) -> Identity? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    return Identity(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }

  private static func unknown(_ number: Int) -> SoundError {
    SoundError(.invalidAudioResource, "no sound is registered as \(number); register it first")
  }
}
