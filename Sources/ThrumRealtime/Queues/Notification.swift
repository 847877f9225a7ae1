/// What the render thread tells the control side, in the order in which it happened.
public enum Notification: Sendable, BitwiseCopyable {
  /// An event began to sound. `frame` is its exact onset on the render timeline.
  case eventStarted(player: Int32, entryIndex: UInt32, kind: ScheduledEventKind, frame: Int64)
  /// A player's position wrapped from its loop end to the pattern's start at this frame.
  case looped(player: Int32, frame: Int64)
  /// A run came to its pattern's end, with no voice of it left: `frame` is the end of its last tail or of its pattern,
  /// whichever is later. Or it was stopped: `frame` is the end of its last tail, which in silence is a frame before the
  /// stop, or its start. Or it gave way to another start, on that frame. `ends` is 1, and more where ends before it found
  /// no room in the queue: so many runs of the player have ended since the last report, this one as the last.
  case playerFinished(player: Int32, run: Int32, frame: Int64, wasStopped: Bool, ends: Int32)
  /// A command arrived after the frame that it asked for, by `lateness` frames (1 or more), and is dealt with from `frame`
  /// on, unless it is dropped.
  case commandApplied(frame: Int64, lateness: Int64)
  /// A page of a streamed schedule is needed soon and is not there. `deliveries` counts the pages that the player slot has
  /// been delivered so far, in the order of their commands: a later delivery may be the page itself.
  case pageNeeded(player: Int32, index: Int32, deliveries: Int32)
}

/// Memory that goes back to the control side, to be freed or reused there.
public enum Released: @unchecked Sendable, BitwiseCopyable {
  // Safety of `@unchecked Sendable`: the render thread has dropped its last use of the pointer.

  /// The slot of a removed player is free again, and with it its schedule.
  case player(player: Int32)
  /// The points of a live curve that will not be read again.
  case curve(player: Int32, points: UnsafePointer<ControlPoint>)
  /// A page of a streamed schedule that was played or asked back.
  case page(player: Int32, index: Int32, events: UnsafePointer<ScheduledEvent>)
}
