import ThrumRealtime

@testable import ThrumALSA
@testable import ThrumEngine

/// A source whose frames tell their place: each sample is its frame's number and one, so that 0 is silence.
final class CountingSource: FrameSource, @unchecked Sendable {
  // Safety of `@unchecked Sendable`: used by one thread at a time, the loop's while it runs.
  private let channels: Int
  private let isWide: Bool
  private(set) var made: Int64 = 0
  private(set) var skips: [Range<Int64>] = []
  private(set) var ramps: [Int64] = []
  // The engine's own clock.
  private var clock: ClockLoop
  /// Frames that sound; those behind them are silence.
  var length = Int64.max
  /// Called before frames are made.
  var onFill: () -> Void = {}

  init(parameters: NegotiatedParameters) {
    clock = ClockLoop(rate: parameters.rate)
    channels = parameters.channels
    isWide = parameters.format != .s16
  }

  var nextFrame: DeviceFrame { DeviceFrame(made) }

  func fill(_ destination: UnsafeMutableRawPointer, frames: Int) {
    onFill()
    for frame in 0..<frames {
      for channel in 0..<channels {
        let place = frame * channels + channel
        let number = made + Int64(frame)
        let value = number < length ? number + 1 : 0
        if isWide {
          destination.storeBytes(of: Int32(value), toByteOffset: place * 4, as: Int32.self)
        } else {
          destination.storeBytes(of: Int16(value), toByteOffset: place * 2, as: Int16.self)
        }
      }
    }
    made += Int64(frames)
    mostUntold = max(mostUntold, made - told)
  }

  func skip(frames: Int) {
    skips.append(made..<made + Int64(frames))
    made += Int64(frames)
    mostUntold = max(mostUntold, made - told)
  }

  func rampIn() { ramps.append(made) }

  private(set) var changes: [OutageChange] = []
  private var told: Int64 = 0
  /// The most frames that were made without the handler thread being told of them.
  private(set) var mostUntold: Int64 = 0
  func tellNews() { told = made }
  func tell(_ change: OutageChange) { changes.append(change) }

  func report(heard frame: DeviceFrame, leaving: DeviceFrame?, nanoseconds: Int64, delayFrames: Int) {
    clock.update(frame: (leaving ?? frame).value, nanoseconds: nanoseconds)
  }

  func duePosition(atNanoseconds nanoseconds: Int64) -> Double? {
    clock.isLocked ? clock.frame(atNanoseconds: nanoseconds) : nil
  }
}
