import ThrumRealtime

/// A second device, for the sound alone: it pulls frames from a ``SoundFeed`` on a render thread of its own.
public protocol SoundDevice: AnyObject, Sendable {
  /// What was opened; known before `start`.
  var output: OutputDescription { get }
  /// Figures since the start; may be read at any time.
  var counters: OutputCounters { get }

  /// Begins to pull frames.
  /// - Throws: ``OutputError``; nothing was started.
  ///
  /// Threads: control. Real-time: no.
  func start(_ feed: SoundFeed) throws(OutputError)

  /// Plays up to and including a frame of its own, then ends.
  ///
  /// Threads: control. Real-time: no, blocks.
  func drain(through frame: DeviceFrame, timeoutSeconds: Double) -> OutputEnd

  /// Ends at once and closes the device. Safe to call twice.
  ///
  /// Threads: control. Real-time: no.
  func close()
}

/// Holds a link for both who use it; freed with the last of them.
final class LinkStorage: Sendable {
  let link: SoundLink

  /// - Parameters:
  ///   - rate: Frames a second of the sound.
  ///   - aheadSeconds: How long before it is heard a frame is written at most.
  init(rate: Int, aheadSeconds: Double) {
    // Half a second more: for a thread that is held up, and for clocks that have not been compared for long.
    link = SoundLink(rate: rate, seconds: aheadSeconds + 0.5)
  }

  deinit { link.deallocate() }
}

extension OutputDescription {
  /// How long haptics have to be held back for sound on another device to be in time: what that device asks ahead, less what
  /// this one does at least, and 5 ms for the threads; seconds.
  func leadSeconds(for sound: OutputDescription) -> Double {
    let ahead = Double(sound.bufferFrames) / Double(sound.rate)
    let made = Double(bufferFrames - periodFrames) / Double(rate)
    return max(0, ahead - made + 0.005)
  }

  /// The map of a device that carries sound alone: left and right on its first two channels, or both on its only one.
  var soundMap: ChannelMap {
    if channels == 1 { return ChannelMap([.soundBoth]) }
    return ChannelMap((0..<channels).map { $0 == 0 ? .soundLeft : $0 == 1 ? .soundRight : .silent })
  }
}
