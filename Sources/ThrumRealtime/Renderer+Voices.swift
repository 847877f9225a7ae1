// What happens to all voices at once: their samples, and what a player asks of all of its own.
extension Renderer {
  /// Adds every sounding voice to its bus, in slot order.
  @_noLocks @_noAllocation
  mutating func renderVoices(offset: Int, groups: Int) {
    let start = playhead
    let end = start &+ Int64(groups &* 8)
    taps.begin()
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      let player = players + Int(pool.players[slot])
      let bus = Int(player.pointee.bus)
      let isResonant = voicings[bus].isResonant
      if pool.kinds[slot] == .transient {
        let tap = pool.transients + slot
        if tap.pointee.isEven(from: start, gain: player.pointee.controls.gain) {
          if !taps.holds(slot) { makeTaps(from: slot, groups: groups) }
          taps.add(to: buses[bus] + offset, frames: Int(min(tap.pointee.endFrame, end) &- start))
        } else {
          tap.pointee.render(
            into: buses[bus] + (isResonant ? BusVoicing.clicks &+ offset : offset), from: start, to: end,
            gain: player.pointee.controls.gain)
        }
      } else if !pool.continuous[slot].isHeld {
        if isResonant {
          renderAmplitude(of: slot, into: buses[bus] + offset, groups: groups)
        } else {
          if voicings[bus].octaves > 0 { renderOvertone(of: slot, into: buses[bus] + offset, groups: groups) }
          renderTone(
            pool.continuous + slot, of: player, into: buses[bus] + offset, from: start, groups: groups,
            map: maps[bus])
        }
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
  }

  @_noLocks @_noAllocation
  @inline(__always)
  private func renderTone(
    _ voice: UnsafeMutablePointer<ContinuousVoice>, of player: UnsafeMutablePointer<PlayerSlot>,
    into target: UnsafeMutablePointer<Float>, from frame: Int64, groups: Int, map: FrequencyMap
  ) {
    voice.pointee.render(
      into: target, spanStart: frame, groups: groups, controls: &player.pointee.controls,
      intensityHistory: player.pointee.tracks[0].history,
      sharpnessHistory: player.pointee.tracks[1].history, map: map,
      curve: voicings[Int(player.pointee.bus)].curve, kernel: kernel, tone: tone)
  }

  /// Adds a tone's amplitude to a resonant bus.
  @_noLocks @_noAllocation
  private func renderAmplitude(of slot: Int, into target: UnsafeMutablePointer<Float>, groups: Int) {
    let player = players + Int(pool.players[slot])
    let map = maps[Int(player.pointee.bus)]
    clearScratch(groups: groups)
    renderTone(pool.continuous + slot, of: player, into: scratch, from: playhead, groups: groups, map: map)
    pool.continuous[slot].add(
      scratch, to: target, spanStart: playhead, groups: groups, controls: &player.pointee.controls,
      history: player.pointee.tracks[1].history, map: map)
  }

  @_noLocks @_noAllocation
  private func clearScratch(groups: Int) {
    var index = 0
    while index < groups &* 8 {
      scratch[index] = 0
      index = index &+ 1
    }
  }

  /// Adds a tone's second harmonic, before the tone itself: a copy of the voice that turns twice as fast.
  @_noLocks @_noAllocation
  private func renderOvertone(of slot: Int, into target: UnsafeMutablePointer<Float>, groups: Int) {
    let player = players + Int(pool.players[slot])
    let bus = Int(player.pointee.bus)
    clearScratch(groups: groups)
    overtone.pointee = pool.continuous[slot].overtone
    renderTone(
      overtone, of: player, into: scratch, from: playhead, groups: groups, map: voicings[bus].overtone)
    pool.continuous[slot].overtonePhase = overtone.pointee.phase
    var index = 0
    while index < groups &* 8 {
      target[index] = target[index] + scratch[index] * BusVoicing.overtoneLevel
      index = index &+ 1
    }
  }

  /// Makes the samples of the taps from a slot on, as many as go side by side; tones between them wait for their turn.
  @_noLocks @_noAllocation
  private mutating func makeTaps(from first: Int, groups: Int) {
    taps.begin()
    var slot = first
    var hasRoom = true
    while slot < pool.slotCount, hasRoom {
      let tap = pool.transients + slot
      let player = players + Int(pool.players[slot])
      if pool.kinds[slot] == .transient,
        tap.pointee.isEven(from: playhead, gain: player.pointee.controls.gain)
      {
        hasRoom = taps.append(tap, slot: slot, gain: player.pointee.controls.gain)
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    taps.render(groups: groups, voices: pool.transients, kernel: kernel)
  }

  /// Lets every voice of a player fall from a frame on.
  @_noLocks @_noAllocation
  mutating func fadeVoices(of index: Int32, from frame: Int64) {
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      if pool.players[slot] == index {
        if pool.kinds[slot] == .transient {
          pool.transients[slot].fade.fall(from: frame)
        } else {
          pool.continuous[slot].fade.fall(from: frame)
          if !pool.continuous[slot].isHeld { pool.continuous[slot].isPausing = false }
        }
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    fadeSounds(of: index, from: frame)
  }

  /// Frees the voices of a player that wait in silence.
  @_noLocks @_noAllocation
  mutating func dropHeldVoices(of index: Int32) {
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      if pool.players[slot] == index, pool.kinds[slot] == .continuous, pool.continuous[slot].isHeld {
        pool.free(slot, end: playhead)
        players[Int(index)].voiceCount = players[Int(index)].voiceCount &- 1
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    dropHeldSounds(of: index)
  }

  /// Releases the tones of a player that would outlast the pass that ends on a frame.
  @_noLocks @_noAllocation
  mutating func releaseVoices(of index: Int32, at frame: Int64) {
    var slot = pool.nextActive(from: 0)
    while slot < pool.slotCount {
      if pool.players[slot] == index, pool.kinds[slot] == .continuous {
        let stop = pool.continuous[slot].stopFrame &+ pool.continuous[slot].lead
        pool.continuous[slot].setStop(min(frame, stop))
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    releaseSounds(of: index, at: frame)
  }
}
