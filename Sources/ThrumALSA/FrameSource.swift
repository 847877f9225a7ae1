import ThrumEngine
import ThrumRealtime

/// Where the loop gets its frames and what knows the time on the timeline: the feed of an engine, or a test.
///
/// Lent to the loop as a generic parameter, never as an existential. Everything here is real-time safe,
/// skipping as far as frames cost.
protocol FrameSource {
  /// The next timeline frame to be made.
  var nextFrame: DeviceFrame { get }
  /// Makes the next frames.
  func fill(_ destination: UnsafeMutableRawPointer, frames: Int)
  /// Makes frames and throws them away.
  func skip(frames: Int)
  /// Ramps the next frames in.
  func rampIn()
  /// Takes in which frame leaves the converter at a time, and which one the device's queue.
  func report(heard frame: DeviceFrame, leaving: DeviceFrame?, nanoseconds: Int64, delayFrames: Int)
  /// The frame that should leave the queue at a time, and the part of it that has; nil before the first report.
  func duePosition(atNanoseconds nanoseconds: Int64) -> Double?
  /// Tells the handlers' thread of what was made, after it has been written or thrown away; calls the system, and never waits.
  func tellNews()
  /// Takes in that the device stopped sounding, or sounds again; not real-time safe.
  func tell(_ change: OutageChange)
}

extension OutputFeed: FrameSource {}
