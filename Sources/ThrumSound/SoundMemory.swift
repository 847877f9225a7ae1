import ThrumEngine

/// The memory that sounds may take, decoded and converted together.
///
/// Whoever holds memory holds a ``Share``, and gives it back by letting go of it.
final class SoundMemory: Sendable {
  /// The most bytes held at once.
  let capacity: Int
  private let used = Locked(0)
  private let sounds = Locked<[WeakSound]>([])

  private struct WeakSound {
    weak var sound: Sound?
  }

  init(capacity: Int) { self.capacity = capacity }

  /// Bytes held now.
  var usedBytes: Int { used.withLock { $0 } }

  /// A number of bytes that somebody holds, until the object ends.
  final class Share: Sendable {
    private let memory: SoundMemory
    private let bytes: Int

    fileprivate init(memory: SoundMemory, bytes: Int) {
      self.memory = memory
      self.bytes = bytes
    }

    deinit { memory.used.withLock { $0 -= bytes } }
  }

  /// Notes a sound that can be asked to let go of what it can make again.
  func note(_ sound: Sound) {
    sounds.withLock { sounds in
      if sounds.count >= 64, sounds.count & (sounds.count - 1) == 0 { sounds.removeAll { $0.sound == nil } }
      sounds.append(WeakSound(sound: sound))
    }
  }

  /// Counts bytes as held, or returns nil where they do not fit even when what can be made again has gone.
  func share(ofBytes bytes: Int) -> Share? {
    if let share = take(bytes) { return share }
    // Out of the lock: a sound that ends here gives its own memory back.
    let all = sounds.withLock { sounds in sounds.compactMap(\.sound) }
    for sound in all { sound.dropConversions() }
    return take(bytes)
  }

  private func take(_ bytes: Int) -> Share? {
    let fits = used.withLock { used in
      guard bytes <= capacity - used else { return false }
      used += bytes
      return true
    }
    return fits ? Share(memory: self, bytes: bytes) : nil
  }

  /// Says that a sound does not fit.
  func refusal(of name: String, bytes: Int) -> SoundError {
    SoundError(
      .resourceNotAvailable,
      "\(name) takes \(Self.megabytes(bytes)) MB decoded, and \(Self.megabytes(capacity - usedBytes)) MB of the "
        + "\(Self.megabytes(capacity)) MB for sounds are left; unregister others first, or raise the cap")
  }

  /// Millions of bytes with one decimal.
  private static func megabytes(_ bytes: Int) -> String {
    let tenths = (max(0, bytes) + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
