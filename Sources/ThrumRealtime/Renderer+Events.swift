// What begins, wraps and ends by itself as the timeline goes on.
extension Renderer {
  /// Starts, wraps and writes what is due on a frame, player by player; voices begin after it.
  @_noLocks @_noAllocation
  mutating func passBoundary(at frame: Int64) {
    var index = 0
    while index < playerBound {
      let player = players + index
      if player.pointee.state == .starting, player.pointee.startFrame <= frame {
        beginRun(Int32(index), at: frame)
      }
      if player.pointee.state == .playing {
        if player.pointee.loop.isEnabled { wrap(Int32(index), at: frame) }
        player.pointee.applyItems(at: frame)
      }
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func beginRun(_ index: Int32, at frame: Int64) {
    let player = players + Int(index)
    fadeVoices(of: index, from: frame)
    player.pointee.clock = PatternClock(
      frame: frame, position: player.pointee.startPosition, rate: player.pointee.rate)
    player.pointee.nextEvent = player.pointee.startEvent
    player.pointee.nextItem = player.pointee.startItem
    player.pointee.lastVoiceEnd = frame
    player.pointee.requestedPage = -1
    player.pointee.state = .playing
    player.pointee.resetControls(to: player.pointee.startLatest, at: frame)
    player.pointee.startPosition = 0
    player.pointee.startEvent = 0
    player.pointee.startItem = 0
    player.pointee.startLatest = PlayerSlot.noItems
    if player.pointee.pausesAtStart {
      player.pointee.pausesAtStart = false
      player.pointee.pauseFrame = frame
      player.pointee.state = .paused
    }
    requestPages(of: index)
  }

  @_noLocks @_noAllocation
  private mutating func wrap(_ index: Int32, at frame: Int64) {
    let player = players + Int(index)
    let end = player.pointee.passEnd
    if player.pointee.frame(of: end) > frame { return }
    if player.pointee.loop.passes == 1 {
      // The last pass: it goes on to the pattern's end and finishes there.
      player.pointee.loop.isEnabled = false
      return
    }
    if player.pointee.loop.passes > 1 { player.pointee.loop.passes = player.pointee.loop.passes &- 1 }
    starvedEvents = starvedEvents &+ player.pointee.missingEvents
    releaseVoices(of: index, at: frame)
    var wrapped = frame
    if player.pointee.frame(of: end) < frame {
      // The end was put behind the position: from here on, once, and not pass by pass from the past.
      player.pointee.clock = PatternClock(frame: frame, position: 0, rate: player.pointee.rate)
    } else {
      wrapped = player.pointee.clock.wrap(at: end)
    }
    player.pointee.nextEvent = 0
    player.pointee.nextItem = 0
    player.pointee.resetControls(to: PlayerSlot.noItems, at: frame)
    player.pointee.requestedPage = -1
    requestPages(of: index)
    notify(.looped(player: index, frame: wrapped))
  }

  /// Begins the events that are due on a frame, and sees which players have come to their end.
  @_noLocks @_noAllocation
  mutating func beginEvents(at frame: Int64) {
    var index = 0
    while index < playerBound {
      let player = players + index
      if player.pointee.state == .playing {
        beginEvents(of: Int32(index), at: frame)
        if player.pointee.hasBegunAllEvents, !player.pointee.loop.isEnabled,
          player.pointee.frame(of: player.pointee.schedule?.durationFrames ?? 0) <= frame
        {
          player.pointee.state = .ending
        }
      }
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func beginEvents(of index: Int32, at frame: Int64) {
    let player = players + Int(index)
    while !player.pointee.hasBegunAllEvents, let event = player.pointee.event(at: player.pointee.nextEvent) {
      let due = player.pointee.frame(of: event.pointee.startFrame)
      if due > frame { break }
      // An event at the very end of a pass belongs to the next one's beginning, which has come instead.
      if player.pointee.loop.isEnabled, event.pointee.startFrame >= player.pointee.passEnd { break }
      if due < playhead {
        starvedEvents = starvedEvents &+ 1
      } else {
        begin(event.pointee, of: index, at: frame)
      }
      let page = player.pointee.nextEvent / ScheduleView.pageEvents
      player.pointee.nextEvent = player.pointee.nextEvent &+ 1
      if player.pointee.nextEvent / ScheduleView.pageEvents != page { leavePage(page, of: index) }
    }
  }

  @_noLocks @_noAllocation
  private mutating func begin(_ event: ScheduledEvent, of index: Int32, at frame: Int64) {
    if event.kind.isSound {
      beginSound(event, of: index, at: frame)
      return
    }
    notify(.eventStarted(player: index, entryIndex: event.entryIndex, kind: event.kind, frame: frame))
    if pool.turnsAway(at: frame) { return }
    let player = players + Int(index)
    let intensityControl = player.pointee.control(0, at: frame)
    let sharpnessControl = player.pointee.control(1, at: frame)
    let attack = player.pointee.control(2, at: frame)
    let decay = player.pointee.control(3, at: frame)
    let sharpness = CoreMath.unitClamp(Double(event.sharpness) + sharpnessControl)
    let voicing = voicings + Int(player.pointee.bus)
    if event.kind == .transient {
      let intensity = voicing.pointee.curve.amplitude(
        CoreMath.unitClamp(Double(event.intensity) * intensityControl))
      let slot = claimSlot(at: frame)
      if voicing.pointee.isResonant {
        pool.transients[slot] = TransientVoice(
          startFrame: frame, intensity: intensity, sharpness: sharpness, click: voicing.pointee.click)
      } else {
        pool.transients[slot] = TransientVoice(
          startFrame: frame, intensity: intensity, sharpness: sharpness,
          attack: CoreMath.unitClamp(Double(event.attack) + attack),
          decay: max(-1, min(1, Double(event.decay) + decay)), octaves: voicing.pointee.octaves)
      }
      occupy(slot, kind: .transient, player: index)
    } else {
      let phase = inheritedPhase(at: frame, sharpness: sharpness, bus: Int(player.pointee.bus))
      let stop =
        event.durationFrames == .max ? Int64.max : event.startFrame &+ event.durationFrames
      let slot = claimSlot(at: frame)
      let longest = frame &+ ContinuousVoice.longest()
      pool.continuous[slot] = ContinuousVoice(
        event: event, frame: frame, stopFrame: min(longest, max(frame, player.pointee.clock.frame(of: stop))),
        stopPosition: stop, attack: attack, decay: decay, phase: phase,
        ratio: maps[Int(player.pointee.bus)].ratio(Double(event.sharpness)),
        intensity: voicing.pointee.curve.own(Double(event.intensity)), lead: voicing.pointee.lead)
      occupy(slot, kind: .continuous, player: index)
    }
  }

  /// θ for a tone that begins: that of a sounding tone of nearly its frequency, else 0 (signal model, 11.11).
  @_noLocks @_noAllocation
  private mutating func inheritedPhase(at frame: Int64, sharpness: Double, bus: Int) -> UInt32 {
    let map = maps[bus]
    if map.isStill { return map.initialPhase }
    pool.noteSearch()
    let ratio = map.ratio(sharpness)
    let hertz = map.hertz(ratio)
    let step = Int64(map.step(ratio))
    var bestDistance = Int64.max
    var best = -1
    // The ratio of the control of the player that was met last. Its voices share it, those that began on one frame at least.
    var (metPlayer, metStart, metRatio) = (Int32(-1), Int64(0), 1.0)
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      let voice = pool.continuous + slot
      if pool.kinds[slot] == .continuous, voice.pointee.isInsideEnvelope(at: frame) {
        let old = players + Int(pool.players[slot])
        let oldMap = maps + Int(old.pointee.bus)
        let history = old.pointee.tracks[1].history
        if pool.players[slot] != metPlayer || !history.isSettled && voice.pointee.startFrame != metStart {
          metPlayer = pool.players[slot]
          metStart = voice.pointee.startFrame
          metRatio = oldMap.pointee.ratio(
            old.pointee.control(1, at: frame) - history.missing(at: frame, after: metStart))
        }
        let oldRatio = voice.pointee.ratio * metRatio
        let oldHertz = oldMap.pointee.hertz(oldRatio)
        let apart = oldHertz > hertz ? oldHertz - hertz : hertz - oldHertz
        // Nearest by the oscillators' steps: equal pitches tie, whatever their last bit says of how they came about.
        let oldStep = Int64(oldMap.pointee.step(oldRatio))
        let distance = oldStep > step ? oldStep &- step : step &- oldStep
        if apart <= 0.01 * hertz,
          distance < bestDistance || distance == bestDistance && pool.births[slot] > pool.births[best]
        {
          bestDistance = distance
          best = slot
        }
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    if best < 0 { return 0 }
    let old = players + Int(pool.players[best])
    return pool.continuous[best].phase(
      afterSpanFrames: Int(frame &- playhead), spanStart: playhead, controls: &old.pointee.controls,
      history: old.pointee.tracks[1].history, map: maps[Int(old.pointee.bus)])
  }

  /// A free slot; when there is none the quietest voice, of equal ones the first begun, is moved aside to fade (11.17).
  @_noLocks @_noAllocation
  private mutating func claimSlot(at frame: Int64) -> Int {
    if let slot = pool.freeSlot(at: frame) { return slot }
    pool.noteSearch()
    var quietest = 0
    var lowest = Double.infinity
    var slot = 0
    while slot < pool.capacity {
      let player = players + Int(pool.players[slot])
      let level =
        pool.kinds[slot] == .transient
        ? pool.transients[slot].level(at: frame, playhead: playhead)
        : pool.continuous[slot].level(
          at: frame,
          control: voicings[Int(player.pointee.bus)].curve.own(player.pointee.control(0, at: frame)))
      if level < lowest || level == lowest && pool.births[slot] < pool.births[quietest] {
        lowest = level
        quietest = slot
      }
      slot = slot &+ 1
    }
    let dropped = pool.steal(quietest, at: frame)
    if dropped >= 0 {
      // It is not rendered in this span any more.
      noteVoiceEnd(playhead, of: dropped)
      players[Int(dropped)].voiceCount = players[Int(dropped)].voiceCount &- 1
    }
    return quietest
  }

  @_noLocks @_noAllocation
  private mutating func occupy(_ slot: Int, kind: VoiceKind, player: Int32) {
    pool.occupy(slot, kind: kind, player: player)
    players[Int(player)].voiceCount = players[Int(player)].voiceCount &+ 1
  }

  /// Frees the voices that have ended, holds those that have faded for a pause, and reports players without voices.
  @_noLocks @_noAllocation
  mutating func endSpan(frames: Int) {
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      let player = players + Int(pool.players[slot])
      var end = Int64.max
      if pool.kinds[slot] == .transient {
        end = min(pool.transients[slot].endFrame, pool.transients[slot].fade.end())
      } else if pool.continuous[slot].isPausing {
        if !pool.continuous[slot].isHeld, pool.continuous[slot].fade.end() <= playhead {
          pool.continuous[slot].isHeld = true
          // Nothing more is heard of it unless it comes back; whatever is done with it later ends no sound.
          noteVoiceEnd(pool.continuous[slot].fade.end(), of: pool.players[slot])
        }
      } else {
        end = pool.continuous[slot].endFrame
      }
      if end > playhead {
        if pool.kinds[slot] == .transient || !pool.continuous[slot].isHeld {
          player.pointee.isSounding = true
        }
      } else {
        noteVoiceEnd(end, of: pool.players[slot])
        player.pointee.voiceCount = player.pointee.voiceCount &- 1
        pool.free(slot, end: end)
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    endSounds()
    var hasFinished = false
    var index = playerBound &- 1
    while index >= 0 {
      let player = players + index
      if player.pointee.voiceCount == 0, player.pointee.isLeaving {
        noteFinished(Int32(index), in: frames)
        hasFinished = true
      }
      index = index &- 1
    }
    index = 0
    while index < playerBound {
      tellEnds(of: Int32(index))
      if players[index].isActive { returnCurves(of: Int32(index)) }
      if players[index].state == .playing { requestPages(of: Int32(index)) }
      index = index &+ 1
    }
    if hasFinished { finishInOrder(frames: frames) }
  }

  /// Puts a player that has come to its end before those that did by the same frame: whoever is noted from the last slot to
  /// the first stands in the order of slots.
  @_noLocks @_noAllocation
  private func noteFinished(_ index: Int32, in frames: Int) {
    let frame = Int(max(0, min(Int64(frames), endFrame(of: index) &- (playhead &- Int64(frames)))))
    players[Int(index)].nextFinished = finished[frame]
    finished[frame] = index
  }

  /// Ends the runs that came to their end in a span, in the order of their ends: the block size decides how many a span
  /// holds, and must not show.
  @_noLocks @_noAllocation
  private mutating func finishInOrder(frames: Int) {
    var frame = 0
    while frame <= frames {
      var index = finished[frame]
      finished[frame] = -1
      while index >= 0 {
        let next = players[Int(index)].nextFinished
        finish(index)
        index = next
      }
      frame = frame &+ 1
    }
  }

  /// The frame at which a silent player's run ended.
  @_noLocks @_noAllocation
  private func endFrame(of index: Int32) -> Int64 {
    let player = players + Int(index)
    if player.pointee.state != .ending { return player.pointee.lastVoiceEnd }
    return max(
      player.pointee.lastVoiceEnd, player.pointee.frame(of: player.pointee.schedule?.durationFrames ?? 0))
  }

  /// Notes that a voice of a player has sounded up to a frame.
  @_noLocks @_noAllocation
  mutating func noteVoiceEnd(_ frame: Int64, of player: Int32) {
    lastVoiceEnd = max(lastVoiceEnd, frame)
    players[Int(player)].lastVoiceEnd = max(players[Int(player)].lastVoiceEnd, frame)
  }

  @_noLocks @_noAllocation
  private mutating func finish(_ index: Int32) {
    let player = players + Int(index)
    switch player.pointee.state {
    case .ending, .stopping:
      let wasStopped = player.pointee.state == .stopping
      let end = endFrame(of: index)
      player.pointee.state = .stopped
      lastFinish = max(lastFinish, end)
      self.end(run: player.pointee.run, of: index, at: end, wasStopped: wasStopped)
    case .removing:
      if player.pointee.endsBeforeRemoval {
        player.pointee.endsBeforeRemoval = false
        end(run: player.pointee.run, of: index, at: player.pointee.lastVoiceEnd, wasStopped: true)
      }
      // The slot's next player must not be told of ends that are not its own.
      if player.pointee.untoldEnds > 0 { return }
      lastFinish = max(lastFinish, player.pointee.lastVoiceEnd)
      free(index)
    default:
      break
    }
  }
}
