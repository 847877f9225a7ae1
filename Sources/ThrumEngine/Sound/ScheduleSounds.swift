/// The sounds of a pattern, looked up beforehand: which entry plays what, and how.
public struct ScheduleSounds: Sendable {
  /// How an event plays its sound.
  public struct Use: Sendable, Equatable {
    /// The position in ``sources``.
    var source: Int32
    var usesEnvelope: Bool
    var isLooped: Bool
  }

  /// No sounds from files; events that need one are left out.
  public static let none = ScheduleSounds()

  /// The different sounds.
  private(set) var sources: [any SoundSource] = []
  private var places: [ObjectIdentifier: Int32] = [:]
  private var uses: [UInt32: Use] = [:]

  /// Creates an empty collection.
  public init() {}

  /// Whether there are none.
  public var isEmpty: Bool { uses.isEmpty }

  /// Says what an entry of the pattern plays.
  /// - Parameters:
  ///   - source: The sound; the same object is kept once.
  ///   - usesEnvelope: Whether it is ramped in and out.
  ///   - isLooped: Whether it repeats until its event ends.
  ///   - entry: The entry's position in the pattern, from 0.
  public mutating func set(_ source: any SoundSource, usesEnvelope: Bool, isLooped: Bool, forEntry entry: Int)
  {
    let place = places[ObjectIdentifier(source)] ?? Int32(sources.count)
    if place == sources.count {
      sources.append(source)
      places[ObjectIdentifier(source)] = place
    }
    uses[UInt32(truncatingIfNeeded: entry)] = Use(
      source: place, usesEnvelope: usesEnvelope, isLooped: isLooped)
  }

  /// What an entry plays; nil where it has no sound.
  func use(ofEntry entry: UInt32) -> Use? { uses[entry] }

  /// Whether another collection has the same objects for the same entries.
  func isSame(as other: ScheduleSounds) -> Bool {
    uses == other.uses && sources.count == other.sources.count && zip(sources, other.sources).allSatisfy(===)
  }

  /// The sounds at a rate.
  func samples(atRate rate: Int) throws(EngineError) -> [SoundSamples] {
    var samples: [SoundSamples] = []
    for source in sources { samples.append(try source.samples(atRate: rate)) }
    return samples
  }
}
