/// The dynamic parameters, in the order of the Core Haptics list.
public enum ControlID: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case hapticIntensity, hapticSharpness, hapticAttackTime, hapticDecayTime, hapticReleaseTime
  case audioVolume, audioPan, audioBrightness, audioPitch, audioAttackTime, audioDecayTime, audioReleaseTime

  /// The position in this list, from 0.
  public var index: Int {
    // Safety: an enum without payloads is one byte that counts its cases. The derived raw value would do but for the
    // real-time check, which does not see into it.
    @_noLocks @_noAllocation get { Int(unsafeBitCast(self, to: UInt8.self)) }
  }
}

/// A point of a parameter curve on the pattern's own frames.
public struct ControlPoint: Sendable, Equatable, BitwiseCopyable {
  /// Frames from the start of the pattern (of a live curve: from the frame at which it applies).
  public var frame: Int64
  /// The parameter's value there.
  public var value: Float

  /// Creates a point.
  public init(frame: Int64, value: Float) {
    self.frame = frame
    self.value = value
  }
}

/// A dynamic parameter or a parameter curve of a compiled pattern.
public struct ControlItem: Sendable, Equatable, BitwiseCopyable {
  /// Frames from the start of the pattern at which the item becomes the writer of its parameter.
  public var startFrame: Int64
  /// The parameter it writes.
  public var parameter: ControlID
  /// The first of its points in the schedule's point table.
  public var firstPoint: Int32
  /// How many points it has; 0 for a dynamic parameter, whose value is `value`.
  public var pointCount: Int32
  /// The value of a dynamic parameter.
  public var value: Float

  /// Creates an item.
  public init(
    startFrame: Int64, parameter: ControlID, firstPoint: Int32 = 0, pointCount: Int32 = 0, value: Float = 0
  ) {
    self.startFrame = startFrame
    self.parameter = parameter
    self.firstPoint = firstPoint
    self.pointCount = pointCount
    self.value = value
  }
}
