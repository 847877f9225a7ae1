import ThrumRealtime

/// The render thread's end of an output: where a device gets its frames.
///
/// Lives on two threads: made and kept alive by the control side, called by the one render thread between a device's
/// `start` and its end.
public final class OutputFeed: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: the stage is touched by the render thread alone once a device has started, and
  // by the control side alone before and after.
  let stage: UnsafeMutablePointer<OutputStage>

  init(stage: consuming OutputStage) {
    self.stage = .allocate(capacity: 1)
    self.stage.initialize(to: stage)
  }

  deinit {
    stage.deinitialize(count: 1)
    stage.deallocate()
  }

  /// The next timeline frame to be made, at the device's rate.
  public var nextFrame: DeviceFrame { DeviceFrame(stage.pointee.deviceFrame) }

  /// Makes the next frames, interleaved in the device's format.
  ///
  /// Threads: render. Real-time: yes.
  public func fill(_ destination: UnsafeMutableRawPointer, frames: Int) {
    stage.pointee.fill(destination, frames: frames)
  }

  /// Makes frames and throws them away: the timeline goes on through a gap, and what follows is bit-equal.
  ///
  /// Threads: render. Real-time: yes, but costs what the frames cost.
  public func skip(frames: Int) { stage.pointee.skip(frames: frames) }

  /// Ramps the next frames in over 64 render frames (8 ms): call it before sound resumes in mid-signal.
  ///
  /// Threads: render. Real-time: yes.
  public func rampIn() { stage.pointee.rampIn() }
}
