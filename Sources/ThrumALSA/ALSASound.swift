import ThrumEngine
import ThrumRealtime

// A sound device of its own is played by the same loop as any other: what it plays is another source.

extension SoundFeed: FrameSource {
  func report(heard frame: DeviceFrame, leaving: DeviceFrame?, nanoseconds: Int64, delayFrames: Int) {
    report(heard: frame, leaving: leaving, nanoseconds: nanoseconds)
  }

  func duePosition(atNanoseconds nanoseconds: Int64) -> Double? { position(atNanoseconds: nanoseconds) }

  /// Nothing: what handlers are told of is made for the haptic device.
  func tellNews() {}

  /// Nothing: an output's outages are those of its haptic device, and sound falls in by itself when its own is back.
  func tell(_ change: OutageChange) {}
}

extension ALSAOutput: SoundDevice {
  /// Begins to pull sound.
  /// - Throws: ``OutputError`` when the device was started or closed before, or there is no thread to be had; nothing was
  ///   started.
  ///
  /// Threads: control. Real-time: no.
  public func start(_ feed: SoundFeed) throws(OutputError) { try start(source: feed) }
}
