/// What the render thread sees of a sound at its output's rate: samples in memory that the control side owns.
public struct SoundView: @unchecked Sendable, BitwiseCopyable {
  // Safety of `@unchecked Sendable`: the samples never change, and whoever handed them over with `addPlayer` keeps them
  // alive until the player comes back by the release queue.

  /// Interleaved samples, `frames` × `channels` of them; 1 is full scale.
  public var samples: UnsafePointer<Float>
  /// Device frames.
  public var frames: Int64
  /// 1 or 2, left before right.
  public var channels: Int32

  /// Describes memory that the caller owns.
  public init(samples: UnsafePointer<Float>, frames: Int64, channels: Int32) {
    self.samples = samples
    self.frames = frames
    self.channels = channels
  }
}
