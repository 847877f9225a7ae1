/// Which signal a channel of the device carries.
public enum ChannelSource: Sendable, Equatable, BitwiseCopyable {
  /// Zeros.
  case silent
  /// The haptic bus of this number, counted from 0.
  case haptic(Int32)
  /// The left side of the sound.
  case soundLeft
  /// The right side of the sound.
  case soundRight
  /// Both sides of the sound at half their level, for a single loudspeaker.
  case soundBoth

  /// Whether it is a side of the sound.
  public var isSound: Bool {
    switch self {
    case .silent, .haptic: false
    case .soundLeft, .soundRight, .soundBoth: true
    }
  }
}

/// The signals of a device's channels, in channel order.
public struct ChannelMap: Sendable, Equatable {
  /// One source a channel.
  public var sources: [ChannelSource]

  /// Creates a map from one source a channel.
  public init(_ sources: [ChannelSource]) { self.sources = sources }

  /// Whether any channel carries sound.
  public var carriesSound: Bool {
    for source in sources where source.isSound { return true }
    return false
  }

  /// Haptic bus 0 on every one of so many channels.
  public static func allHaptic(channels: Int) -> ChannelMap {
    ChannelMap(Array(repeating: .haptic(0), count: channels))
  }
}
