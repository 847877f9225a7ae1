/// The rate at which haptic voices are rendered, in frames a second.
public enum RenderRate {
  /// Frames a second; every haptic bus runs at this rate whatever the device does.
  public static var framesPerSecond: Int {
    @_noLocks @_noAllocation get { 8000 }
  }
}

/// A position on the 8 kHz haptic timeline, counted in render frames from the start of the output.
public struct RenderFrame: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Frames since timeline frame 0.
  public var value: Int64

  /// Wraps a count of render frames.
  @_noLocks @_noAllocation
  public init(_ value: Int64) { self.value = value }

  /// Orders positions in time.
  @_noLocks @_noAllocation
  public static func < (left: RenderFrame, right: RenderFrame) -> Bool { left.value < right.value }
}

/// A position on the device's timeline, counted in frames at the device's own rate from the start of the output.
public struct DeviceFrame: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Frames since timeline frame 0.
  public var value: Int64

  /// Wraps a count of device frames.
  @_noLocks @_noAllocation
  public init(_ value: Int64) { self.value = value }

  /// Orders positions in time.
  @_noLocks @_noAllocation
  public static func < (left: DeviceFrame, right: DeviceFrame) -> Bool { left.value < right.value }
}

/// The number of frames on which a live command can take effect: commands apply at multiples of it.
public var quantumFrames: Int {
  @_noLocks @_noAllocation get { 8 }
}
