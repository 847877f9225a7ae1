import ThrumRealtime

/// What an opened device settled on, and what a person should see of it.
public struct OutputDescription: Sendable, Equatable {
  /// The name it was opened by, such as an ALSA PCM's, a file's path or `virtual`.
  public var name: String
  /// Frames a second.
  public var rate: Int
  /// Interleaved channels.
  public var channels: Int
  /// The layout of a sample.
  public var format: SampleFormat
  /// Device frames between two wake-ups.
  public var periodFrames: Int
  /// Device frames the device holds at most; a whole number of periods.
  public var bufferFrames: Int

  /// Describes a device.
  public init(
    name: String, rate: Int, channels: Int, format: SampleFormat, periodFrames: Int, bufferFrames: Int
  ) {
    self.name = name
    self.rate = rate
    self.channels = channels
    self.format = format
    self.periodFrames = periodFrames
    self.bufferFrames = bufferFrames
  }
}

/// Everything that happened to a device since it was started.
public struct OutputCounters: Sendable, Equatable {
  /// Times the device ran dry.
  public var xruns = 0
  /// Times the system was suspended under it.
  public var suspends = 0
  /// Frames that came due while the device could not play, rendered and thrown away.
  public var skippedFrames: Int64 = 0
  /// Frames the device took, lead-in zeros excluded.
  public var writtenFrames: Int64 = 0

  /// All zero.
  public init() {}
}

/// How an output ended.
public enum OutputEnd: Sendable, Equatable {
  /// Everything written was played.
  case drained
  /// The time limit of the drain passed first.
  case timedOut
  /// The device failed; the message says how and what to try.
  case failed(String)
}

/// A destination that pulls frames from an ``OutputFeed`` on a render thread of its own: a sound card, the
/// virtual actuator, a test's hand.
public protocol OutputDevice: AnyObject, Sendable {
  /// What was opened; known before `start`, so that the feed can be made for it.
  var output: OutputDescription { get }
  /// Figures since the start; may be read at any time.
  var counters: OutputCounters { get }
  /// The scheduling that the render thread obtained, as a person should see it, such as `SCHED_FIFO 10`; nil
  /// before the start.
  var scheduling: String? { get }

  /// What the render thread measured of itself; nil for a device that does not measure. Reading begins the levels anew.
  var statistics: OutputStatistics? { get }

  /// How the device ended by itself; nil while it plays, before its start and after ``close()``.
  var end: OutputEnd? { get }

  /// Puts an outage into words.
  /// - Parameters:
  ///   - cause: Why the device is out.
  ///   - code: The error number the device told, negative; 0 where there is none.
  ///   - isFinal: Whether the device was given up.
  /// - Returns: What happened and what to do about it, at most three lines, the device named.
  func describe(_ cause: OutageCause, code: Int32, isFinal: Bool) -> String

  /// The clock by which the device reports when its frames are heard, in nanoseconds: CLOCK_MONOTONIC unless
  /// the device has a clock of its own.
  var clockNanoseconds: Int64 { get }

  /// Begins to pull frames.
  /// - Throws: ``OutputError``; nothing was started.
  ///
  /// Threads: control. Real-time: no.
  func start(_ feed: OutputFeed) throws(OutputError)

  /// Plays what is written, up to and including a device frame, then ends; waits for that at most so long.
  /// - Parameters:
  ///   - frame: The last timeline frame (device rate) that has to be heard; later ones may be left out.
  ///   - timeoutSeconds: How long to wait beyond that frame's time.
  ///
  /// Threads: control. Real-time: no, blocks.
  func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd

  /// Ends at once, throwing away what the device still holds, and closes it. Safe to call twice.
  ///
  /// Threads: control. Real-time: no.
  func close()
}

extension OutputDevice {
  /// Nothing is measured.
  public var statistics: OutputStatistics? { nil }

  /// Nothing: the device does not end by itself.
  public var end: OutputEnd? { nil }

  /// The cause and the error's own words.
  public func describe(_ cause: OutageCause, code: Int32, isFinal: Bool) -> String {
    if isFinal, case .failed(let message)? = end { return message }
    let words =
      switch cause {
      case .unplugged: "was unplugged; it plays again when it is back"
      case .suspended: "was suspended"
      case .error: "failed"
      }
    return "\(output.name) \(words)" + (code == 0 ? "" : " (\(errorText(-code)))")
  }

  /// CLOCK_MONOTONIC.
  public var clockNanoseconds: Int64 { MonotonicClock.nanoseconds }
}

/// A device that could not be opened, started or kept.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Where the reason lies.
  public enum Cause: Sendable, Equatable {
    /// In the device, or in the machine.
    case device
    /// In what was asked for, which no device could do.
    case request
  }

  /// What went wrong and what to try next, at most three lines, the device named.
  public var message: String
  /// Where the reason lies.
  public var cause: Cause

  /// Creates an error from its message.
  public init(_ message: String, cause: Cause = .device) {
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
