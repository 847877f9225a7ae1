/// Conversions between the haptic timeline and a device's, and the delay between the two.
public struct OutputTiming: Sendable, Equatable, BitwiseCopyable {
  /// Device frames a second.
  public let rate: Int64
  /// Render frames by which the haptic channels lag the voices: 8 where a limiter is in, 6 where a kernel is, and the lead
  /// that sound was given.
  public let delayFrames: Int64
  /// What of it stands before the kernel: the limiter and the lead.
  public let limiterFrames: Int64
  /// Render frames by which haptics are held back, so that sound comes earlier.
  public let leadFrames: Int64
  /// Frames by which the sound lags its voices. On the device's own channels device frames, as many as the haptic ones
  /// but for the offset; on a link frames of the link's, its limiter's and one render frame.
  public let soundDelayFrames: Int64
  // Render frames by which sound comes later than the haptics of its time.
  private let lateFrames: Int64
  /// Render frames for which the filters are let ring when the voices have ended; 0 where there is no filter.
  public let tailFrames: Int64

  /// Describes an output.
  /// - Parameters:
  ///   - rate: Device frames a second.
  ///   - isLimited: Whether a limiter is in.
  ///   - tailFrames: Render frames for which the filters ring.
  ///   - soundOffset: Device frames by which sound comes later than the haptics of its time; below 0 earlier, for which
  ///     the haptics are held back.
  ///   - linkRate: Frames a second of a link that carries the sound to a device of its own; 0 for none.
  @_noLocks @_noAllocation
  public init(rate: Int, isLimited: Bool, tailFrames: Int64 = 0, soundOffset: Int64 = 0, linkRate: Int = 0) {
    self.rate = Int64(rate)
    let native = Int64(RenderRate.framesPerSecond)
    let kernelDelay: Int64 = rate == RenderRate.framesPerSecond ? 0 : 6
    let limiter: Int64 = isLimited ? 8 : 0
    leadFrames = soundOffset < 0 ? (native &* -soundOffset &+ self.rate &- 1) / self.rate : 0
    limiterFrames = limiter &+ leadFrames
    self.tailFrames = tailFrames
    delayFrames = kernelDelay &+ limiterFrames
    lateFrames = soundOffset > 0 ? (soundOffset &* native &+ self.rate &- 1) / self.rate : 0
    if linkRate > 0 {
      let link = SoundRate(Int64(linkRate))
      soundDelayFrames = (isLimited ? link.nearest(8) : 0) &+ link.first(1)
    } else {
      soundDelayFrames = (delayFrames &* self.rate &+ native / 2) / native &+ soundOffset
    }
  }

  /// The device frame at which a render frame's sample is heard: the first at or after it, delays included.
  @_noLocks @_noAllocation
  public func deviceFrame(of frame: RenderFrame) -> DeviceFrame {
    let native = Int64(RenderRate.framesPerSecond)
    let product = (frame.value &+ delayFrames) &* rate
    return DeviceFrame((product &+ native &- 1) / native)
  }

  /// The render frame after the last that carries sound, the voices having ended on one: filters have rung, and what the
  /// limiter holds is out. A render's length, the end of a drain and the end of the dither are all this frame.
  @_noLocks @_noAllocation
  public func endOfSound(afterVoices frame: Int64) -> Int64 {
    max(endOfFilters(afterVoices: frame), frame &+ lateFrames) &+ limiterFrames
  }

  /// The frame on which the filters are emptied: on the grid of eight, on which the chain works.
  @_noLocks @_noAllocation
  func endOfFilters(afterVoices frame: Int64) -> Int64 {
    tailFrames == 0 ? frame : (frame &+ tailFrames &+ 7) & ~7
  }

  /// The number of device frames that carry so many render frames, tails of the kernel included (signal model, 11.14).
  @_noLocks @_noAllocation
  public func deviceFrames(forRenderFrames count: Int64) -> Int64 {
    let native = Int64(RenderRate.framesPerSecond)
    if rate == native { return count }
    return ((count &+ 11) &* rate &+ native &- 1) / native
  }
}
