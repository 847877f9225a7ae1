import ThrumRealtime

/// Something that happened on the render thread, as a log tells it. Times are those of the output's timeline.
public enum OutputEvent: Sendable, Equatable {
  /// An event began to sound.
  /// - Parameters:
  ///   - player: The player's slot.
  ///   - entryIndex: The event's place among all entries of its file.
  ///   - frame: Its exact onset.
  ///   - deviceFrame: The device frame at which the onset is heard, all delays of the chain included.
  ///   - seconds: The onset in seconds.
  case eventStarted(
    player: Int, entryIndex: Int, kind: ScheduledEventKind, frame: RenderFrame, deviceFrame: DeviceFrame,
    seconds: Double)
  /// A run of a player ended: by itself, with its pattern or its last tail, or because it was stopped. A run that was stopped
  /// in silence ended, by its frame, with the last of it that sounded. Runs that ended while handlers were kept from
  /// returning may be told together, with the frame of the last.
  case finished(
    player: Int, frame: RenderFrame, deviceFrame: DeviceFrame, seconds: Double, wasStopped: Bool)
  /// A looping player went back to its pattern's start.
  case looped(player: Int, frame: RenderFrame, deviceFrame: DeviceFrame, seconds: Double)
  /// A command came to the render thread after the frame that it asked for, by so many render frames (1 or more), and is
  /// dealt with from `frame` on.
  case commandApplied(frame: RenderFrame, lateness: Int)
}
