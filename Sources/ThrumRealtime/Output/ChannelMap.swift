/// Which signal a channel of the device carries.
public enum ChannelSource: Sendable, Equatable, BitwiseCopyable {
  /// Zeros.
  case silent
  /// The haptic bus of this number, counted from 0.
  case haptic(Int32)
}

/// The signals of a device's channels, in channel order.
public struct ChannelMap: Sendable, Equatable {
  /// One source a channel.
  public var sources: [ChannelSource]

  /// Creates a map from one source a channel.
  public init(_ sources: [ChannelSource]) { self.sources = sources }

  /// Haptic bus 0 on every one of so many channels.
  public static func allHaptic(channels: Int) -> ChannelMap {
    ChannelMap(Array(repeating: .haptic(0), count: channels))
  }
}
