/// Conversions between the haptic timeline and a device's, and the delay between the two.
public struct OutputTiming: Sendable, Equatable, BitwiseCopyable {
  /// Device frames a second.
  public let rate: Int64
  /// Render frames by which the output lags the voices: 8 where a limiter is in, and 6 where a kernel is.
  public let delayFrames: Int64
  /// The limiter's share of it.
  public let limiterFrames: Int64
  /// Render frames for which the filters are let ring when the voices have ended; 0 where there is no filter.
  public let tailFrames: Int64

  /// Describes an output.
  @_noLocks @_noAllocation
  public init(rate: Int, isLimited: Bool, tailFrames: Int64 = 0) {
    self.rate = Int64(rate)
    let kernelDelay: Int64 = rate == RenderRate.framesPerSecond ? 0 : 6
    limiterFrames = isLimited ? 8 : 0
    self.tailFrames = tailFrames
    delayFrames = kernelDelay &+ limiterFrames
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
    endOfFilters(afterVoices: frame) &+ limiterFrames
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
