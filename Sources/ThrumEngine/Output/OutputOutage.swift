import ThrumRealtime

/// Why a device stopped sounding.
public enum OutageCause: Sendable, Equatable, CaseIterable {
  /// The device was unplugged or switched off.
  case unplugged
  /// The system was suspended; told of when it is over.
  case suspended
  /// The device or the sound server behind it failed.
  case error
}

/// A time in which a device does not sound although its output goes on.
///
/// The timeline goes on in real time meanwhile: events come due, players finish and commands apply, unheard. In
/// a suspend of the whole system time stands still. An xrun is no outage; it is counted.
public struct OutputOutage: Sendable, Equatable {
  /// Why.
  public var cause: OutageCause
  /// What happened and what to do about it, at most three lines, the device named.
  public var message: String
  /// The first frame of the timeline that was not heard.
  public var frame: RenderFrame
  /// Whether the device was given up: it will not come back, and the output can only be closed.
  public var isFinal: Bool

  /// Describes an outage.
  public init(cause: OutageCause, message: String, frame: RenderFrame, isFinal: Bool) {
    self.cause = cause
    self.message = message
    self.frame = frame
    self.isFinal = isFinal
  }
}

/// A device that sounds again after an outage.
public struct OutputReturn: Sendable, Equatable {
  /// Why it had been silent.
  public var cause: OutageCause
  /// The first frame of the timeline that is heard again, ramped in over 8 ms.
  public var frame: RenderFrame

  /// Describes a return.
  public init(cause: OutageCause, frame: RenderFrame) {
    self.cause = cause
    self.frame = frame
  }
}

// Outages, for those who must know of them.
extension Output {
  /// The outage that the device is in; nil while it plays.
  ///
  /// Threads: any. Real-time: no, takes a lock.
  public var outage: OutputOutage? {
    guard let change = feed.outages.latest, change.kind != .returned else { return nil }
    return describe(change)
  }

  /// Adds a handler that is called when the device stops sounding, and once more where it is then given up.
  ///
  /// Called on the handler thread, in order with all other handlers, within 2 ms of the loop's notice; it may call
  /// anything. Every outage that is not final is followed by a return.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func onOutage(_ handler: @escaping @Sendable (OutputOutage) -> Void) {
    pump.watchOutages { [weak self] change in
      guard change.kind != .returned, let outage = self?.describe(change) else { return }
      handler(outage)
    }
  }

  /// Adds a handler that is called when the device sounds again.
  ///
  /// Called on the handler thread, in order with all other handlers; it may call anything.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func onReturn(_ handler: @escaping @Sendable (OutputReturn) -> Void) {
    pump.watchOutages { [weak self] change in
      guard change.kind == .returned, let timing = self?.timing else { return }
      handler(OutputReturn(cause: change.cause, frame: timing.renderFrame(near: change.frame)))
    }
  }

  private func describe(_ change: OutageChange) -> OutputOutage {
    let isFinal = change.kind == .givenUp
    return OutputOutage(
      cause: change.cause, message: device.describe(change.cause, code: change.code, isFinal: isFinal),
      frame: timing.renderFrame(near: change.frame), isFinal: isFinal)
  }
}

extension OutputTiming {
  /// The render frame whose sound leaves at a device frame, the delays of the chain taken off.
  func renderFrame(near frame: DeviceFrame) -> RenderFrame {
    let native = Int64(RenderRate.framesPerSecond)
    // In two parts, so that nothing overflows within centuries.
    let position = frame.value / rate * native + frame.value % rate * native / rate
    return RenderFrame(max(0, position - delayFrames))
  }
}
