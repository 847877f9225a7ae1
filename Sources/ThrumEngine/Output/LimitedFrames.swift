import Synchronization
import ThrumRealtime

/// Device frames in which the protection of an actuator turned a bus down, by its reason. A frame may have several, and
/// counts in each.
public struct LimitedFrames: Sendable, Equatable {
  /// The mean square was above the rating: the actuator would have become too hot.
  public var thermal = 0
  /// The estimated excursion was above its limit.
  public var excursion = 0
  /// Peaks were held under the ceiling.
  public var peak = 0

  /// None.
  public init() {}

  init(_ status: borrowing RendererStatus) {
    // Ordering: none needed. The figures stand for themselves.
    thermal = status.thermallyLimitedFrames.load(ordering: .relaxed)
    excursion = status.excursionLimitedFrames.load(ordering: .relaxed)
    peak = status.peakLimitedFrames.load(ordering: .relaxed)
  }
}
