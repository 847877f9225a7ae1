// What happens to all voices of a player at once.
extension Renderer {
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
        pool.continuous[slot].setStop(min(frame, pool.continuous[slot].stopFrame))
      }
      slot = pool.nextActive(from: slot &+ 1)
    }
    releaseSounds(of: index, at: frame)
  }
}
