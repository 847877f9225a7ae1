import Glibc
import Synchronization
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// Measures the time from a call to the device frame at which its effect is heard, by the output's own clock.
///
/// A trial starts a tap "as soon as possible" at a moment that has nothing to do with the device's periods. The onset's
/// render frame comes back as a notification; the output's clock says when that frame leaves the device, the delays of
/// limiter and kernel and the device's buffer included.
final class SoftwareLatency {
  /// Why no figures came.
  enum Failure: Error {
    case engine(EngineError)
    case output(OutputError)
    /// A tap was not heard of within a second.
    case silent
    case interrupted
  }

  private let output: Output
  private let player: Player
  private let bell = Bell()
  private let onset: Onset

  /// The frame of the latest onset, from the handler thread to the main thread.
  private final class Onset: Sendable {
    let frame = Mutex<RenderFrame?>(nil)
  }

  /// Makes an output on a device and starts it.
  init(device: any OutputDevice, profile: BusProfile, map: ChannelMap? = nil) throws(Failure) {
    let output = Output(device: device, configuration: OutputConfiguration(profiles: [profile], map: map))
    let onset = Onset()
    self.output = output
    self.onset = onset
    do throws(EngineError) {
      let tap = Pattern(entries: [.event(Event(type: .hapticTransient, time: 0))])
      player = try output.makeEngine().makePlayer(for: ScheduleCompiler.compile(tap))
    } catch {
      throw .engine(error)
    }
    output.observe { [bell] event in
      guard case .eventStarted(_, _, _, let frame, _, _) = event else { return }
      onset.frame.withLock { $0 = frame }
      bell.ring()
    }
    do throws(OutputError) {
      try Interruption.withoutSignals { () throws(OutputError) in try output.start() }
    } catch {
      throw .output(error)
    }
  }

  /// The scheduling of the render thread.
  var scheduling: String? { output.device.scheduling }

  /// Does one trial.
  /// - Parameter called: The time of CLOCK_MONOTONIC that counts as the command's; nil is now.
  /// - Returns: The latency in seconds.
  func measure(from called: Int64? = nil) throws(Failure) -> Double {
    onset.frame.withLock { $0 = nil }
    bell.take()
    let called = called ?? MonotonicClock.nanoseconds
    do throws(EngineError) {
      try player.start()
    } catch {
      throw .engine(error)
    }
    while true {
      let isReadable = waitForReading([bell.descriptor, Interruption.descriptor], milliseconds: 1000)
      if Interruption.caught != nil { throw .interrupted }
      if !isReadable[0] { throw .silent }
      bell.take()
      // What sounds from before the call is the tap of a trial that was given up.
      guard let frame = onset.frame.withLock({ $0 }), let heard = output.timeline.nanoseconds(of: frame),
        heard >= called
      else {
        continue
      }
      return Double(heard - called) / 1e9
    }
  }

  /// Trials whose tap a busy machine did not play within a second, of which there is no figure.
  struct Lost {
    /// How many there were.
    private(set) var count = 0
    private var inARow = 0

    /// In a row, after which there is no use in going on: the device is silent.
    private static let mostInARow = 3

    /// Notes a figure.
    mutating func noteFigure() { inARow = 0 }

    /// Notes a failure.
    /// - Throws: The failure itself where it is not that of a single trial.
    mutating func note(_ failure: Failure) throws(Failure) {
      guard case .silent = failure, inARow < Self.mostInARow else { throw failure }
      count += 1
      inARow += 1
    }

    /// What a report says of them.
    var words: (String, Int) { ("its tap was not played within a second", count) }
  }

  /// Waits, so that the next trial falls somewhere else in the device's period.
  func pause(seconds: Double) throws(Failure) {
    let milliseconds = Int32((seconds * 1000).rounded(.down))
    if waitForReading([Interruption.descriptor], milliseconds: milliseconds)[0] { throw .interrupted }
    // `poll` counts in whole milliseconds; the rest spreads the trials within one.
    usleep(UInt32((seconds * 1e6).rounded()) % 1000)
  }

  /// Times the device ran dry, and the like.
  var counters: OutputCounters { output.device.counters }

  /// Ends the output.
  func close() { output.close() }
}
