import ThrumEngine

/// A sound file as it was read, with what it was converted to.
///
/// Shared by reference: players hold what they play, so a sound that is unregistered while it plays plays on, and its
/// memory goes back when the last player has ended.
public final class Sound: SoundSource, CustomStringConvertible {
  /// What it is called in messages: its path as it was given.
  public let name: String
  /// The sound as it is in the file.
  public let original: SoundSamples
  /// Whether the file ends before its header says it does; what is there is played.
  public let isCutShort: Bool

  private let memory: SoundMemory
  private let conversions = Locked<[Int: SoundSamples]>([:])

  init(path: String, name: String, memory: SoundMemory) throws(SoundError) {
    let contents = try SoundFile.read(path: path, name: name, memory: memory)
    self.name = name
    original = contents.samples
    isCutShort = contents.isCutShort
    self.memory = memory
  }

  /// Its length in seconds.
  public var seconds: Double { Double(original.frames) / Double(original.rate) }

  /// The name and the format.
  public var description: String { "\(name), \(original.channels) × \(original.rate) Hz" }

  /// The sound at a rate, converted at the first call for it.
  /// - Throws: `soundUnavailable` where the memory for sounds is used up.
  ///
  /// Threads: control, any. Real-time: no.
  public func samples(atRate rate: Int) throws(EngineError) -> SoundSamples {
    if original.rate == rate, original.channels <= 2 { return original }
    if let known = conversions.withLock({ $0[rate] }) { return known }
    // Without the lock, as making room takes everybody's. Of two that convert at once the first one's is kept.
    let bytes = Conversion.bytes(of: original, atRate: rate)
    guard let share = memory.share(ofBytes: bytes),
      let samples = Conversion.convert(original, toRate: rate, account: share)
    else {
      throw EngineError(
        .soundUnavailable, memory.refusal(of: "\(name) at \(rate) Hz", bytes: bytes).description)
    }
    return conversions.withLock { known in
      if let other = known[rate] { return other }
      known[rate] = samples
      return samples
    }
  }

  /// Lets go of what can be made again; players keep what they play.
  func dropConversions() {
    // Ended outside the lock.
    let dropped = conversions.withLock { known in
      let all = known
      known = [:]
      return all
    }
    withExtendedLifetime(dropped) {}
  }
}
