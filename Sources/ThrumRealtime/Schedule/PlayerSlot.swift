/// What a player is doing.
enum PlayerState: Equatable {
  /// The slot has no schedule.
  case free
  case stopped
  /// Waits for its start frame.
  case starting
  case playing
  case paused
  /// All events have begun; the last are still sounding.
  case ending
  /// Was stopped; what sounded is fading.
  case stopping
  /// Will be handed back when nothing of it sounds.
  case removing

  // Spelled out because the derived comparison is generic, which the real-time check refuses.
  // Safety: an enum without payloads is one byte.
  @_noLocks @_noAllocation
  static func == (left: PlayerState, right: PlayerState) -> Bool {
    unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
  }

  @_noLocks @_noAllocation
  static func != (left: PlayerState, right: PlayerState) -> Bool { !(left == right) }
}

/// A player as the render thread keeps it: a cursor on a schedule, and the parameters that act on its voices.
struct PlayerSlot {
  /// The dynamic parameters a player follows, in the order of ``ControlID``.
  static var trackCount: Int { @_noLocks @_noAllocation get { 12 } }
  /// How many of them come first and are those of haptic events.
  static var hapticTrackCount: Int { @_noLocks @_noAllocation get { 5 } }

  /// The value of a track that changes nothing: 1 for the intensity and the volume, which multiply, 0 for those that add.
  @_noLocks @_noAllocation
  static func neutral(_ track: Int) -> Double { track == 0 || track == hapticTrackCount ? 1 : 0 }

  /// No item before the pattern's first.
  static var noItems: SIMD16<Int32> { @_noLocks @_noAllocation get { SIMD16(repeating: -1) } }

  var state = PlayerState.free
  var engine: Int32 = 0
  var bus: Int32 = 0
  var schedule: ScheduleView?
  var clock = PatternClock(frame: 0, position: 0, rate: 1)
  var nextEvent = 0
  var nextItem = 0
  // How the present run goes round, and how those go that are started without a number of passes.
  var loop = PassLoop()
  var ownLoop = PassLoop()
  var rate = 1.0
  // Where and when `start` begins.
  var startFrame: Int64 = 0
  var startPosition: Int64 = 0
  var startEvent = 0
  var startItem = 0
  // The latest item of each track before `startItem`.
  var startLatest = PlayerSlot.noItems
  var pauseFrame: Int64 = 0
  // Whether a pause came between `start` and its frame.
  var pausesAtStart = false
  // Whether a resume waits for the pause to have faded.
  var resumesAfterFade = false
  // Whether something of it sounded at the end of the last span.
  var isSounding = false
  // Whether a run that was stopped is still to be told of when the player has been removed.
  var endsBeforeRemoval = false
  // The next player in the order of slots that came to its end by the same frame, −1 for none.
  var nextFinished: Int32 = -1
  var voiceCount = 0
  var lastVoiceEnd: Int64 = 0
  // The run that `start` named; echoed when it finishes.
  var run: Int32 = 0
  // Wake-ups of the slot that were applied or dropped; not only this player's.
  var wakeUps = 0
  // Ends that are still to be told, of which the last is told in full.
  var untoldEnds: Int32 = 0
  var endedRun: Int32 = 0
  var endFrame: Int64 = 0
  var wasStopped = false
  // The page that was last asked for, so as to ask once.
  var requestedPage = -1
  // Pages delivered to the slot's player; wraps.
  var deliveries: Int32 = 0
  var mute: GainSwitch
  var controls: SpanControls
  var sound: SoundControls
  // Safety: `trackCount` tracks, owned by the renderer.
  let tracks: UnsafeMutablePointer<ControlTrack>

  /// Whether the render thread has to look at it in each span.
  var isActive: Bool {
    @_noLocks @_noAllocation get {
      switch state {
      case .free: false
      case .stopped: voiceCount > 0
      default: true
      }
    }
  }

  /// Whether it comes to its end as soon as it is silent.
  var isLeaving: Bool {
    @_noLocks @_noAllocation get { state == .ending || state == .stopping || state == .removing }
  }

  /// What the control side may know of it.
  var report: PlayerReport {
    @_noLocks @_noAllocation get {
      let isHeld = state == .paused || state == .starting && pausesAtStart
      return PlayerReport(wakeUps: wakeUps, isPaused: isHeld && !isSounding)
    }
  }

  /// The multiple of eight from which a paused player can resume, when what fades is silent after so many frames.
  @_noLocks @_noAllocation
  func resumeFrame(after settlingFrames: Int64) -> Int64 { (pauseFrame &+ settlingFrames &+ 7) & ~7 }

  /// Where the present pass ends, in pattern frames: never less than a quantum of the timeline, so that a pass takes time.
  var passEnd: Int64 {
    @_noLocks @_noAllocation get {
      let shortest = Int64(8 * max(1, rate)) &+ 1
      let end = loop.endFrame > 0 ? loop.endFrame : (schedule?.durationFrames ?? 0)
      return max(end, shortest)
    }
  }

  /// The event at an index, or nil where its page has not been delivered.
  @_noLocks @_noAllocation
  func event(at index: Int) -> UnsafePointer<ScheduledEvent>? {
    guard let schedule, let page = schedule.pages[index / ScheduleView.pageEvents] else { return nil }
    return page + index % ScheduleView.pageEvents
  }

  /// Events of the pass that have not begun because their page has not been delivered.
  var missingEvents: Int {
    @_noLocks @_noAllocation get {
      if hasBegunAllEvents || event(at: nextEvent) != nil { return 0 }
      return max(0, min(loop.passEvents, schedule?.eventCount ?? 0) &- nextEvent)
    }
  }

  /// Whether every event of the pass has begun.
  var hasBegunAllEvents: Bool {
    @_noLocks @_noAllocation get { nextEvent >= (schedule?.eventCount ?? 0) }
  }

  /// The next frame on which something begins, ends or wraps; `Int64.max` when nothing will by itself.
  @_noLocks @_noAllocation
  func nextBoundary() -> Int64 {
    if state == .starting { return startFrame }
    guard state == .playing, let schedule else { return .max }
    var boundary = Int64.max
    if nextItem < schedule.itemCount { boundary = frame(of: schedule.items[nextItem].startFrame) }
    if loop.isEnabled {
      boundary = min(boundary, frame(of: passEnd))
    } else if hasBegunAllEvents {
      boundary = min(boundary, frame(of: schedule.durationFrames))
    }
    if !hasBegunAllEvents, let event = event(at: nextEvent) {
      boundary = min(boundary, frame(of: event.pointee.startFrame))
    }
    return boundary
  }

  /// The frame of a position, never before the clock's own beginning.
  @_noLocks @_noAllocation
  func frame(of position: Int64) -> Int64 { max(clock.anchorFrame, clock.frame(of: position)) }

  /// Begins a span on a frame: no frame has a value, and jumps that have settled are forgotten.
  @_noLocks @_noAllocation
  mutating func beginSpan(at frame: Int64, carriesSound: Bool) {
    isSounding = false
    var track = 0
    while track < PlayerSlot.hapticTrackCount {
      tracks[track].history.forget(before: frame)
      // Those that are read at onsets alone go on too, or the next onset would pass all the points since the last.
      if state != .paused { tracks[track].advance(to: frame, clock: clock) }
      track = track &+ 1
    }
    // The device's smoother takes up to three render frames longer than the haptic one.
    let earlier = carriesSound ? frame &- 4 : frame
    while track < PlayerSlot.trackCount {
      tracks[track].history.forget(before: earlier)
      if state != .paused { tracks[track].advance(to: frame, clock: clock) }
      track = track &+ 1
    }
    mute.settle(before: earlier)
    if carriesSound { sound.begin() }
    controls.intensity.begin()
    controls.sharpness.begin()
    controls.rawIntensity.begin()
    controls.rawSharpness.begin()
    controls.release.begin()
    controls.ratio.begin()
    controls.gain.begin()
  }

  /// Evaluates the parameters on the frames from `start` up to `end`. While paused they stand still.
  @_noLocks @_noAllocation
  mutating func fillControls(from start: Int64, to end: Int64) {
    if state == .paused {
      fillHeld(tracks, from: start, to: end, raw: &controls.rawIntensity, smoothed: &controls.intensity)
      fillHeld(tracks + 1, from: start, to: end, raw: &controls.rawSharpness, smoothed: &controls.sharpness)
      controls.release.append(tracks[4].value(at: pauseFrame), frames: Int(end &- start))
      return
    }
    tracks[0].fill(
      from: start, to: end, clock: clock, raw: &controls.rawIntensity, smoothed: &controls.intensity)
    tracks[1].fill(
      from: start, to: end, clock: clock, raw: &controls.rawSharpness, smoothed: &controls.sharpness)
    tracks[4].fill(from: start, to: end, clock: clock, raw: &controls.release)
  }

  /// Evaluates the parameters of sounds on the same frames. While paused they stand still.
  @_noLocks @_noAllocation
  mutating func fillSound(from start: Int64, to end: Int64) {
    let volume = tracks + ControlID.audioVolume.index
    let pan = tracks + ControlID.audioPan.index
    let brightness = tracks + ControlID.audioBrightness.index
    let pitch = tracks + ControlID.audioPitch.index
    let release = tracks + ControlID.audioReleaseTime.index
    if state == .paused {
      let frames = Int(end &- start)
      sound.volume.append(volume.pointee.value(at: pauseFrame), frames: frames)
      sound.pan.append(pan.pointee.value(at: pauseFrame), frames: frames)
      sound.brightness.append(brightness.pointee.value(at: pauseFrame), frames: frames)
      sound.pitch.append(pitch.pointee.value(at: pauseFrame), frames: frames)
      sound.release.append(release.pointee.value(at: pauseFrame), frames: frames)
    } else {
      volume.pointee.fill(from: start, to: end, clock: clock, raw: &sound.volume)
      pan.pointee.fill(from: start, to: end, clock: clock, raw: &sound.pan)
      brightness.pointee.fill(from: start, to: end, clock: clock, raw: &sound.brightness)
      pitch.pointee.fill(from: start, to: end, clock: clock, raw: &sound.pitch)
      release.pointee.fill(from: start, to: end, clock: clock, raw: &sound.release)
    }
    let next = state == .paused ? pauseFrame : end
    sound.next = SIMD4(
      volume.pointee.value(at: next), pan.pointee.value(at: next), brightness.pointee.value(at: next),
      pitch.pointee.value(at: next))
  }

  /// Turns the span's sharpness control into frequency ratios, once for all voices.
  @_noLocks @_noAllocation
  mutating func fillRatios(frames: Int, map: FrequencyMap) {
    if controls.sharpness.isConstant {
      controls.ratio.append(map.ratio(controls.sharpness.constant), frames: frames)
      return
    }
    var frame = 0
    while frame < frames {
      controls.ratio.append(map.ratios(controls.sharpness.lanes(at: frame)))
      frame = frame &+ 8
    }
  }

  /// Evaluates the mutes of the player and its engine over the same frames.
  @_noLocks @_noAllocation
  mutating func fillGain(from start: Int64, to end: Int64, engine: borrowing GainSwitch) {
    if mute.isSettled, engine.isSettled {
      controls.gain.append(mute.gain(at: start) * engine.gain(at: start), frames: Int(end &- start))
      return
    }
    var frame = start
    while frame < end {
      controls.gain.append(mute.gain(at: frame) * engine.gain(at: frame))
      frame = frame &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func fillHeld(
    _ track: UnsafeMutablePointer<ControlTrack>, from start: Int64, to end: Int64, raw: inout SpanSignal,
    smoothed: inout SpanSignal
  ) {
    let value = track.pointee.value(at: pauseFrame)
    raw.append(value, frames: Int(end &- start))
    if track.pointee.history.isSettled {
      smoothed.append(value, frames: Int(end &- start))
      return
    }
    var frame = start
    while frame < end {
      smoothed.append(value - track.pointee.history.missing(at: frame, after: .min))
      frame = frame &+ 1
    }
  }

  /// Applies the items that begin on or before a frame.
  @_noLocks @_noAllocation
  mutating func applyItems(at frame: Int64) {
    guard let schedule else { return }
    while nextItem < schedule.itemCount, self.frame(of: schedule.items[nextItem].startFrame) <= frame {
      write(schedule.items[nextItem], of: schedule, at: frame)
      nextItem = nextItem &+ 1
    }
  }

  /// Makes an item of the schedule the writer of each pattern-written parameter, neutral where it is −1. Live values stand.
  @_noLocks @_noAllocation
  mutating func resetControls(to latest: SIMD16<Int32>, at frame: Int64) {
    guard let schedule else { return }
    var track = 0
    while track < PlayerSlot.trackCount {
      if !tracks[track].isLive {
        let index = Int(latest[track])
        if index >= 0 {
          write(schedule.items[index], of: schedule, at: frame)
        } else {
          tracks[track].write(PlayerSlot.neutral(track), at: frame, isLive: false, clock: clock)
        }
      }
      track = track &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func write(_ item: ControlItem, of schedule: ScheduleView, at frame: Int64) {
    let track = item.parameter.index
    if track >= PlayerSlot.trackCount { return }
    if item.pointCount == 0 {
      tracks[track].write(Double(item.value), at: frame, isLive: false, clock: clock)
    } else {
      tracks[track].write(
        patternCurve: schedule.points + Int(item.firstPoint), count: item.pointCount, at: frame, clock: clock)
    }
  }

  /// The unsmoothed value of a parameter on a frame.
  @_noLocks @_noAllocation
  func control(_ track: Int, at frame: Int64) -> Double {
    if state == .paused { return tracks[track].value(at: pauseFrame) }
    tracks[track].advance(to: frame, clock: clock)
    return tracks[track].value(at: frame)
  }
}
