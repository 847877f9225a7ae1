// Sounds beside the haptic voices: the same players, the device's own frames.
extension Renderer {
  /// Begins a sound on a render frame; nothing where no channel carries sound.
  @_noLocks @_noAllocation
  mutating func beginSound(_ event: ScheduledEvent, of index: Int32, at frame: Int64) {
    guard carriesSound else { return }
    let player = players + Int(index)
    var view: SoundView?
    if event.kind == .sound {
      guard let sounds = player.pointee.schedule?.sounds else { return }
      view = sounds[Int(event.soundIndex)]
    }
    notify(.eventStarted(player: index, entryIndex: event.entryIndex, kind: event.kind, frame: frame))
    if sounds.turnsAway(at: frame) { return }
    let rate = soundBus.rate
    let clock = player.pointee.clock
    let position = Double(event.startFrame) + Double(event.startRemainder)
    // A sound at a place that a seek or a loop has cut begins with what cut it.
    let exact = max(Double(frame) - 0.5, clock.exactFrame(of: position))
    let start = max(soundBus.earliest(at: frame), rate.nearest(exact: min(exact, Double(frame) + 0.5)))
    var stop = Int64.max
    var stopPosition = Double.infinity
    if event.durationFrames != .max {
      let duration = Double(event.durationFrames) + Double(event.durationRemainder)
      stopPosition = position + duration
      stop = start &+ rate.nearest(exact: duration / clock.rate)
      if stop < start { stop = .max }
    }
    let slot = claimSoundSlot(at: frame)
    let voice = SoundVoice(
      event: event, sound: view, renderStart: frame, start: start, stop: stop, stopPosition: stopPosition,
      attack: player.pointee.control(ControlID.audioAttackTime.index, at: frame),
      decay: player.pointee.control(ControlID.audioDecayTime.index, at: frame), rate: rate)
    sounds.occupy(slot, voice: voice, player: index)
    player.pointee.voiceCount = player.pointee.voiceCount &+ 1
  }

  /// A free slot; when there is none the quietest sound is moved aside to fade.
  @_noLocks @_noAllocation
  private mutating func claimSoundSlot(at frame: Int64) -> Int {
    if let slot = sounds.freeSlot(at: frame) { return slot }
    let deviceFrame = soundBus.rate.first(frame)
    var quietest = 0
    var lowest = Double.infinity
    var slot = 0
    while slot < sounds.capacity {
      let level = sounds.voices[slot].level(
        at: deviceFrame,
        control: players[Int(sounds.players[slot])].control(ControlID.audioVolume.index, at: frame),
        rate: soundBus.rate)
      if level < lowest {
        lowest = level
        quietest = slot
      }
      slot = slot &+ 1
    }
    let dropped = sounds.steal(quietest, at: frame, deviceFrame: deviceFrame, rate: soundBus.rate)
    if dropped >= 0 { players[Int(dropped)].voiceCount = players[Int(dropped)].voiceCount &- 1 }
    return quietest
  }

  /// Adds every sound to the bus, in slot order.
  @_noLocks @_noAllocation
  mutating func renderSounds(frames: Int) {
    if sounds.activeCount == 0 { return }
    var slot = sounds.nextActive(from: 0)
    while slot < sounds.slotCount {
      if !sounds.voices[slot].isHeld {
        let player = players + Int(sounds.players[slot])
        let span = SoundVoice.Span(
          start: playhead, frames: frames, rate: soundBus.rate, kernel: soundKernel, weights: kernelWeights,
          mute: player.pointee.mute, engineMute: soundMutes[Int(player.pointee.engine)])
        sounds.voices[slot].render(into: soundBus, span: span, player: player)
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
    soundBus.noteEnd(soundBus.rate.first(playhead &+ Int64(frames)))
  }

  /// Frees the sounds that have ended and holds those that have faded for a pause.
  @_noLocks @_noAllocation
  mutating func endSounds() {
    var slot = sounds.nextActive(from: 0)
    let now = soundBus.rate.first(playhead)
    while slot < sounds.slotCount {
      let voice = sounds.voices + slot
      if voice.pointee.isPausing {
        let end = voice.pointee.fade.end(soundBus.rate.response)
        if !voice.pointee.isHeld, end <= now {
          voice.pointee.isHeld = true
          noteVoiceEnd(soundBus.rate.renderFrame(end), of: sounds.players[slot])
        }
        if !voice.pointee.isHeld { players[Int(sounds.players[slot])].isSounding = true }
      } else {
        let end = voice.pointee.endFrame(soundBus.rate)
        if end <= now {
          endSound(slot, at: soundBus.rate.renderFrame(end))
        } else {
          players[Int(sounds.players[slot])].isSounding = true
        }
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }

  @_noLocks @_noAllocation
  private mutating func endSound(_ slot: Int, at end: Int64) {
    let player = players + Int(sounds.players[slot])
    noteVoiceEnd(end, of: sounds.players[slot])
    player.pointee.voiceCount = player.pointee.voiceCount &- 1
    sounds.free(slot, end: end)
  }

  /// Lets every sound of a player fall from a frame on.
  @_noLocks @_noAllocation
  mutating func fadeSounds(of index: Int32, from frame: Int64) {
    var slot = sounds.nextActive(from: 0)
    while slot < sounds.slotCount {
      if sounds.players[slot] == index {
        sounds.voices[slot].fade.fall(from: soundBus.rate.first(frame))
        if !sounds.voices[slot].isHeld { sounds.voices[slot].forgetPause() }
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }

  /// Frees the sounds of a player that wait in silence.
  @_noLocks @_noAllocation
  mutating func dropHeldSounds(of index: Int32) {
    var slot = sounds.nextActive(from: 0)
    while slot < sounds.slotCount {
      if sounds.players[slot] == index, sounds.voices[slot].isHeld {
        sounds.free(slot, end: playhead)
        players[Int(index)].voiceCount = players[Int(index)].voiceCount &- 1
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }

  /// Releases the sounds of a player that would outlast the pass that ends on a frame.
  @_noLocks @_noAllocation
  mutating func releaseSounds(of index: Int32, at frame: Int64) {
    var slot = sounds.nextActive(from: 0)
    let end = soundBus.rate.nearest(frame)
    while slot < sounds.slotCount {
      if sounds.players[slot] == index {
        sounds.voices[slot].envelope.setStop(min(end, sounds.voices[slot].envelope.stopFrame))
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }

  /// Lets the sounds of a player fall to wait for it.
  @_noLocks @_noAllocation
  mutating func pauseSounds(of index: Int32) {
    var slot = sounds.nextActive(from: 0)
    while slot < sounds.slotCount {
      if sounds.players[slot] == index, !sounds.voices[slot].fade.isFalling {
        sounds.voices[slot].pause(at: soundBus.rate.first(playhead))
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }

  /// Brings the sounds of a player back after a pause of so many frames.
  @_noLocks @_noAllocation
  mutating func resumeSounds(of index: Int32, delay: Int64) {
    var slot = sounds.nextActive(from: 0)
    while slot < sounds.slotCount {
      if sounds.players[slot] == index, sounds.voices[slot].isPausing {
        sounds.voices[slot].resume(at: playhead, delay: delay, rate: soundBus.rate)
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }

  /// Moves the releases of a player's sounds to where its clock now has them; samples keep their own pace.
  @_noLocks @_noAllocation
  mutating func reclockSounds(of index: Int32, at frame: Int64) {
    let clock = players[Int(index)].clock
    var slot = sounds.nextActive(from: 0)
    while slot < sounds.slotCount {
      if sounds.players[slot] == index, sounds.voices[slot].stopPosition < .infinity {
        let stop = soundBus.rate.nearest(exact: clock.exactFrame(of: sounds.voices[slot].stopPosition))
        sounds.voices[slot].envelope.setStop(max(soundBus.rate.first(frame), stop))
      }
      slot = sounds.nextActive(from: slot &+ 1)
    }
  }
}
