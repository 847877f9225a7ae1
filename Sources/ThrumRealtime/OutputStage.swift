/// The one entry that every output uses: it renders, limits, resamples and converts, a buffer at a time.
public struct OutputStage: ~Copyable {
  /// The control side's end.
  public let port: RendererPort
  /// Conversions between the two timelines, and the delay of the chain.
  public let timing: OutputTiming
  /// The next device frame to be made; 0 at the start.
  public private(set) var deviceFrame: Int64 = 0

  /// Allocates everything the output will ever use.
  public init(
    settings: RendererSettings, profiles: [BusProfile], map: ChannelMap, rate: Int, format: SampleFormat
  ) {
    port = RendererPort(settings: settings)
    timing = OutputTiming(rate: rate, isLimited: profiles.contains { $0.isLimited })
  }

  /// Makes the next frames of the output.
  public mutating func fill(_ destination: UnsafeMutableRawPointer, frames: Int) {}

  /// Renders frames and throws them away, so that what follows is what it would have been.
  public mutating func skip(frames: Int) {}

  /// Ramps the next 64 render frames in, for sound that resumes in mid-signal.
  public mutating func rampIn() {}
}
