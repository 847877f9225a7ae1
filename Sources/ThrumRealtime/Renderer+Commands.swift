import ThrumRings

// What the control side asks for.
extension Renderer {
  /// Takes what has come through the queue since the last block, as far as it can be dealt with. Next: ``ControlTrack`` for
  /// a live control.
  @_noLocks @_noAllocation
  mutating func takeCommands() {
    var work = 0
    while work < Renderer.orderingWork, !pending.isFull,
      port.releases.freeCapacity > reservedReleases &+ pending.count,
      let command = port.commands.pop()
    {
      var command = command
      // A frame that has passed means now; so does 0.
      if command.frame < playhead {
        if command.frame > 0 {
          lateCommands = lateCommands &+ 1
          notify(.commandApplied(frame: playhead, lateness: playhead &- command.frame))
        }
        command.frame = playhead
      }
      if case .cancel(let player) = command.action {
        work = work &+ pending.count
        dropPending(of: player, onlyTransport: true)
        command.action = .stop(player: player)
      }
      work = work &+ pending.insert(command)
    }
  }

  /// Waiting commands that are looked at or moved for those that are taken in one block, but for the last of these: what is
  /// still in the queue then waits for the next block.
  private static var orderingWork: Int { @_noLocks @_noAllocation get { 4096 } }

  @_noLocks @_noAllocation
  mutating func applyDueCommands() {
    while let command = pending.take(at: playhead) {
      if defers(command.action) {
        appliedCommands = appliedCommands &+ 1
        continue
      }
      apply(command)
      count(command.action)
    }
    resumeFaded()
  }

  /// Counts a command that was applied or dropped.
  @_noLocks @_noAllocation
  private mutating func count(_ action: CommandAction) {
    appliedCommands = appliedCommands &+ 1
    if action.isWakeUp { players[Int(action.player)].wakeUps = players[Int(action.player)].wakeUps &+ 1 }
  }

  /// A resume that comes before the pause has faded waits for that in the player's slot: a voice that turned back in
  /// mid-fade would jump. It counts as a wake-up when it goes.
  @_noLocks @_noAllocation
  private func defers(_ action: CommandAction) -> Bool {
    guard case .resume(let index) = action else { return false }
    let player = players + Int(index)
    if player.pointee.state != .paused || player.pointee.resumeFrame(after: settlingFrames) <= playhead
      || player.pointee.resumesAfterFade
    {
      return false
    }
    player.pointee.resumesAfterFade = true
    return true
  }

  /// Resumes the players whose pause has faded. After the frame's commands: a pause among them holds what was held.
  @_noLocks @_noAllocation
  private mutating func resumeFaded() {
    var index = 0
    while index < playerBound {
      if players[index].resumesAfterFade, players[index].resumeFrame(after: settlingFrames) <= playhead {
        forgetResume(of: Int32(index))
        resume(Int32(index))
      }
      index = index &+ 1
    }
  }

  /// Ends the wait of a resume, whether it is done or overtaken.
  @_noLocks @_noAllocation
  private func forgetResume(of index: Int32) {
    let player = players + Int(index)
    if !player.pointee.resumesAfterFade { return }
    player.pointee.resumesAfterFade = false
    player.pointee.wakeUps = player.pointee.wakeUps &+ 1
  }

  /// Forgets a player's scheduled commands, in one pass over all: any, or only what a cancel drops. What they carried goes
  /// back, and runs that will not be are reported.
  @_noLocks @_noAllocation
  private mutating func dropPending(of player: Int32, onlyTransport: Bool) {
    forgetResume(of: player)
    let waiting = pending.count
    var kept = 0
    var index = 0
    while index < waiting {
      let command = pending.command(at: index)
      if command.action.player == player, !onlyTransport || command.action.isTransport {
        drop(command.action, of: player)
      } else {
        pending.move(index, to: kept)
        kept = kept &+ 1
      }
      index = index &+ 1
    }
    pending.keep(kept)
  }

  @_noLocks @_noAllocation
  private mutating func drop(_ action: CommandAction, of player: Int32) {
    count(action)
    switch action {
    case .setCurve(_, _, let points, _): handBack(.curve(player: player, points: points))
    case .start(_, let run, _, _, _): end(run: run, of: player, at: playhead, wasStopped: true)
    case .page(_, let index, let events): handBack(.page(player: player, index: index, events: events))
    default: break
    }
  }

  @_noLocks @_noAllocation
  private mutating func apply(_ command: Command) {
    switch command.action {
    case .addPlayer(let index, let engine, let bus, let schedule):
      add(index, engine: engine, bus: bus, schedule: schedule)
    case .removePlayer(let index):
      dropPending(of: index, onlyTransport: false)
      // A run that was stopped before is still to be told of; one that is under way is nobody's any more.
      players[Int(index)].endsBeforeRemoval = players[Int(index)].state == .stopping
      stop(index)
      players[Int(index)].state = .removing
    case .page(let index, let page, let events):
      players[Int(index)].schedule?.pages[Int(page)] = events
      players[Int(index)].deliveries = players[Int(index)].deliveries &+ 1
    case .returnPage(let index, let page):
      returnPage(Int(page), of: index)
    case .start(let index, let run, let passes, let endFrame, let passEvents):
      start(index, run: run, at: max(playhead, command.frame))
      let own = players[Int(index)].ownLoop
      let counted = PassLoop(
        isEnabled: passes > 1, endFrame: endFrame, passes: passes, passEvents: Int(passEvents))
      players[Int(index)].loop = passes > 0 ? counted : own
    case .stop(let index), .cancel(let index):
      stop(index)
    case .pause(let index):
      pause(index)
    case .resume(let index):
      resume(index)
    case .seek(let index, let frame, let event, let item, let latest):
      seek(index, to: frame, event: Int(event), item: Int(item), latest: latest)
    case .setRate(let index, let rate):
      setRate(index, Double(rate))
    case .setLoop(let index, let isEnabled, let endFrame, let passEvents):
      let loop = PassLoop(isEnabled: isEnabled, endFrame: endFrame, passEvents: Int(passEvents))
      players[Int(index)].ownLoop = loop
      players[Int(index)].loop = loop
    case .setMuted(let index, let isMuted):
      let isSounding = players[Int(index)].voiceCount > 0
      players[Int(index)].mute.set(isMuted, at: playhead, isSounding: isSounding)
    case .setControl(let index, let parameter, let value):
      let player = players + Int(index)
      if parameter.index >= PlayerSlot.trackCount { return }
      player.pointee.tracks[parameter.index].write(
        Double(value), at: controlFrame(of: index), isLive: true, clock: player.pointee.clock)
      returnCurves(of: index)
    case .setCurve(let index, let parameter, let points, let count):
      let player = players + Int(index)
      if parameter.index >= PlayerSlot.trackCount || count == 0 {
        handBack(.curve(player: index, points: points))
        return
      }
      player.pointee.tracks[parameter.index].write(
        liveCurve: points, count: count, at: controlFrame(of: index), clock: player.pointee.clock)
      returnCurves(of: index)
    case .setEngineMuted(let engine, let isMuted):
      engineMutes[Int(engine)].set(isMuted, at: playhead, isSounding: isSounding(engine: engine))
    case .setEngineGain(let engine, let gain):
      engineMutes[Int(engine)].set(
        gain: gain > 0 ? Double(gain) : 0, at: playhead, isSounding: isSounding(engine: engine))
    case .setEngineSoundMuted(let engine, let isMuted):
      soundMutes[Int(engine)].set(isMuted, at: playhead, isSounding: isSounding(engine: engine))
    }
  }

  /// Whether any voice of an engine's players is there.
  @_noLocks @_noAllocation
  private func isSounding(engine: Int32) -> Bool {
    var index = 0
    while index < playerBound {
      if players[index].engine == engine, players[index].voiceCount > 0 { return true }
      index = index &+ 1
    }
    return false
  }

  /// The frame on a player's own time: while it is paused its parameters stand where the pause left them.
  @_noLocks @_noAllocation
  private func controlFrame(of index: Int32) -> Int64 {
    let player = players + Int(index)
    return player.pointee.state == .paused ? player.pointee.pauseFrame : playhead
  }

  @_noLocks @_noAllocation
  private mutating func add(_ index: Int32, engine: Int32, bus: Int32, schedule: ScheduleView) {
    let player = players + Int(index)
    player.pointee.state = .stopped
    player.pointee.engine = engine
    player.pointee.bus = bus
    player.pointee.schedule = schedule
    player.pointee.ownLoop = PassLoop()
    player.pointee.loop = PassLoop()
    player.pointee.rate = 1
    player.pointee.startPosition = 0
    player.pointee.startEvent = 0
    player.pointee.startItem = 0
    player.pointee.startLatest = PlayerSlot.noItems
    player.pointee.deliveries = 0
    player.pointee.mute.reset()
    if Int(index) >= playerBound { playerBound = Int(index) &+ 1 }
  }

  @_noLocks @_noAllocation
  private mutating func start(_ index: Int32, run: Int32, at frame: Int64) {
    let player = players + Int(index)
    switch player.pointee.state {
    case .free, .removing:
      return
    case .starting, .playing, .paused, .ending, .stopping:
      end(run: player.pointee.run, of: index, at: frame, wasStopped: true)
      dropHeldVoices(of: index)
    case .stopped:
      break
    }
    forgetResume(of: index)
    player.pointee.run = run
    player.pointee.startFrame = frame
    player.pointee.pausesAtStart = false
    player.pointee.state = .starting
    // What is written live from here on, on this very frame too, is for this run.
    var track = 0
    while track < PlayerSlot.trackCount {
      player.pointee.tracks[track].forgetLive()
      track = track &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func stop(_ index: Int32) {
    let player = players + Int(index)
    forgetResume(of: index)
    player.pointee.startPosition = 0
    player.pointee.startEvent = 0
    player.pointee.startItem = 0
    player.pointee.startLatest = PlayerSlot.noItems
    player.pointee.pausesAtStart = false
    switch player.pointee.state {
    case .free, .stopped, .removing: return
    case .starting, .playing, .paused, .ending, .stopping: break
    }
    fadeVoices(of: index, from: playhead)
    dropHeldVoices(of: index)
    player.pointee.state = .stopping
  }

  @_noLocks @_noAllocation
  private mutating func pause(_ index: Int32) {
    let player = players + Int(index)
    forgetResume(of: index)
    if player.pointee.state == .starting { player.pointee.pausesAtStart = true }
    guard player.pointee.state == .playing || player.pointee.state == .ending else { return }
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      if pool.players[slot] == index {
        if pool.kinds[slot] == .transient {
          pool.transients[slot].fade.fall(from: playhead)
        } else if !pool.continuous[slot].fade.isFalling {
          pool.continuous[slot].pause(at: playhead)
        }
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    pauseSounds(of: index)
    var track = 0
    while track < PlayerSlot.trackCount {
      player.pointee.tracks[track].advance(to: playhead, clock: player.pointee.clock)
      track = track &+ 1
    }
    player.pointee.pauseFrame = playhead
    player.pointee.state = .paused
  }

  @_noLocks @_noAllocation
  private mutating func resume(_ index: Int32) {
    let player = players + Int(index)
    player.pointee.pausesAtStart = false
    // One that waits for the fade is not hurried by another.
    guard player.pointee.state == .paused, !player.pointee.resumesAfterFade else { return }
    let delay = playhead &- player.pointee.pauseFrame
    player.pointee.clock.delay(by: delay)
    var track = 0
    while track < PlayerSlot.trackCount {
      player.pointee.tracks[track].delay(by: delay)
      track = track &+ 1
    }
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      if pool.players[slot] == index, pool.kinds[slot] == .continuous, pool.continuous[slot].isPausing {
        pool.continuous[slot].resume(at: playhead, delay: delay)
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    resumeSounds(of: index, delay: delay)
    player.pointee.state = .playing
  }

  @_noLocks @_noAllocation
  private mutating func seek(
    _ index: Int32, to position: Int64, event: Int, item: Int, latest: SIMD16<Int32>
  ) {
    let player = players + Int(index)
    // A run that is over has left its own passes behind.
    if player.pointee.state == .stopped || player.pointee.state == .stopping {
      player.pointee.loop = player.pointee.ownLoop
    }
    // The beginning is never beyond the end, not even of a single tap, whose pattern has no length.
    let end =
      player.pointee.loop.isEnabled ? player.pointee.passEnd : (player.pointee.schedule?.durationFrames ?? 0)
    let isBeyond = position > 0 && position >= end
    switch player.pointee.state {
    case .free, .removing:
      return
    case .stopped, .starting, .stopping:
      player.pointee.startPosition = isBeyond && player.pointee.loop.isEnabled ? 0 : position
      player.pointee.startEvent = isBeyond && player.pointee.loop.isEnabled ? 0 : event
      player.pointee.startItem = isBeyond && player.pointee.loop.isEnabled ? 0 : item
      player.pointee.startLatest = isBeyond && player.pointee.loop.isEnabled ? PlayerSlot.noItems : latest
    case .playing, .paused, .ending:
      if isBeyond, !player.pointee.loop.isEnabled {
        stop(index)
        return
      }
      let target = isBeyond ? 0 : position
      fadeVoices(of: index, from: playhead)
      dropHeldVoices(of: index)
      player.pointee.clock = PatternClock(frame: playhead, position: target, rate: player.pointee.rate)
      player.pointee.nextEvent = isBeyond ? 0 : event
      player.pointee.nextItem = isBeyond ? 0 : item
      if player.pointee.state == .paused {
        player.pointee.pauseFrame = playhead
      } else {
        player.pointee.state = .playing
      }
      player.pointee.resetControls(
        to: isBeyond ? PlayerSlot.noItems : latest, at: playhead)
      player.pointee.requestedPage = -1
      requestPages(of: index)
    }
  }

  @_noLocks @_noAllocation
  private mutating func setRate(_ index: Int32, _ rate: Double) {
    // Also refuses a rate that is not a number.
    guard rate > 0, rate < .infinity else { return }
    // Beyond these a pattern stands still, or is over within a frame.
    let rate = max(0x1p-16, min(0x1p16, rate))
    let player = players + Int(index)
    player.pointee.rate = rate
    guard player.pointee.state != .free, player.pointee.state != .stopped else { return }
    let now = controlFrame(of: index)
    var track = 0
    while track < PlayerSlot.trackCount {
      player.pointee.tracks[track].advance(to: now, clock: player.pointee.clock)
      track = track &+ 1
    }
    player.pointee.clock.setRate(rate, at: now)
    track = 0
    while track < PlayerSlot.trackCount {
      player.pointee.tracks[track].reclock(at: now, clock: player.pointee.clock)
      track = track &+ 1
    }
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      if pool.players[slot] == index, pool.kinds[slot] == .continuous {
        let voice = pool.continuous[slot]
        let stop = max(now, player.pointee.clock.frame(of: voice.stopPosition))
        pool.continuous[slot].setStop(min(voice.startFrame &+ ContinuousVoice.longest(), stop))
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    reclockSounds(of: index, at: now)
  }
}
