/// What the control side asks of the render thread.
///
/// Players and engines are named by slot, 0 to capacity − 1; the control side hands slots out and reuses one only
/// after it came back by the release queue.
public enum CommandAction: @unchecked Sendable, BitwiseCopyable {
  // Safety of `@unchecked Sendable`: the pointers inside are handed over with the command, see `ScheduleView`.
  /// Gives a free player slot its schedule, engine and haptic bus. The player is stopped, at position 0, rate 1.
  case addPlayer(player: Int32, engine: Int32, bus: Int32, schedule: ScheduleView)
  /// Fades what still sounds, forgets the player and hands its schedule back by the release queue.
  case removePlayer(player: Int32)
  /// Delivers a page of a streamed schedule.
  case page(player: Int32, index: Int32, events: UnsafePointer<ScheduledEvent>)
  /// Asks a page of a streamed schedule back; nothing comes of it where the page has been played and went back by itself.
  case returnPage(player: Int32, index: Int32)
  /// Plays from the beginning (or from a position set by `seek` since the last stop), on the exact frame given; what
  /// was left of an earlier run is faded and reported as finished. Live parameters go back to their pattern values. `run`
  /// comes back with the notification of the end. With `passes` above 0 the run ends after so many passes in all, whatever
  /// the player's own loop says; `endFrame` and `passEvents` are then as in `setLoop`.
  case start(player: Int32, run: Int32, passes: Int32 = 0, endFrame: Int64 = 0, passEvents: Int32 = .max)
  /// Fades over 61 frames and rewinds.
  case stop(player: Int32)
  /// Stops, and drops every command for the player that has not applied yet.
  case cancel(player: Int32)
  /// Holds the position; sounding tones fade and wait.
  case pause(player: Int32)
  /// Goes on from where `pause` held.
  case resume(player: Int32)
  /// Moves to a position in pattern frames; events under way there stay silent. The control side says which event
  /// and which item are the first at or after it, and in the lane of each parameter the last item of it before
  /// that, −1 for none.
  case seek(
    player: Int32, frame: Int64, eventIndex: Int32, itemIndex: Int32,
    latestItems: SIMD16<Int32> = SIMD16(repeating: -1))
  /// Scales time: 2 is twice as fast. Above 0, held within 2⁻¹⁶…2¹⁶; others are ignored.
  case setRate(player: Int32, rate: Float)
  /// Turns the player's own loop on or off and sets where it wraps, in pattern frames; 0 means the pattern's end. A run
  /// under way follows it, also one that was started with a number of passes. `passEvents` is the number of events before
  /// the wrap, so that those whose page never came are counted; by default all.
  case setLoop(player: Int32, isEnabled: Bool, endFrame: Int64, passEvents: Int32 = .max)
  /// Silences a player while its time goes on.
  case setMuted(player: Int32, isMuted: Bool)
  /// Writes a live parameter; it stands until the next writer of the same id.
  case setControl(player: Int32, parameter: ControlID, value: Float)
  /// Writes a live curve whose points count from the frame at which it applies. The points are handed back by the
  /// release queue.
  case setCurve(player: Int32, parameter: ControlID, points: UnsafePointer<ControlPoint>, count: Int32)
  /// Silences all haptic voices of an engine while time goes on.
  case setEngineMuted(engine: Int32, isMuted: Bool)
  /// Multiplies all haptic voices of an engine, through the smoother of its mute; below 0 counts as 0.
  case setEngineGain(engine: Int32, gain: Float)
  /// Silences all sounds of an engine while time goes on.
  case setEngineSoundMuted(engine: Int32, isMuted: Bool)
}

/// A request and the frame at which it applies.
public struct Command: Sendable, BitwiseCopyable {
  /// The render frame at which the command applies; a frame already rendered, 0 included, means as soon as possible.
  /// `start` lands on its exact frame, everything else on the next multiple of 8.
  public var frame: Int64
  /// What to do.
  public var action: CommandAction

  /// Creates a command.
  @_noLocks @_noAllocation
  public init(frame: Int64 = 0, action: CommandAction) {
    self.frame = frame
    self.action = action
  }
}
