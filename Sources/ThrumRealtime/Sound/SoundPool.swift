/// A fixed number of sounds in slots; nothing is allocated after the start. Slots from `capacity` on are reserved for stolen
/// ones that fade out, and the order of the slots is the order of summation.
struct SoundPool {
  /// Sounds that can play at once, the fading ones excluded.
  let capacity: Int
  /// Slots in all.
  let slotCount: Int
  // Safety: `slotCount` of each, owned by the renderer; a voice is initialised while its player is not −1.
  let players: UnsafeMutablePointer<Int32>
  let voices: UnsafeMutablePointer<SoundVoice>
  // The render frame at or after the end of a slot's last voice.
  private let ends: UnsafeMutablePointer<Int64>
  private(set) var activeCount = 0
  private(set) var stolenCount = 0
  // The frame of the latest steal, and the steals on it.
  private var stealFrame = Int64.min
  private var stealsOnFrame = 0

  init(capacity: Int, fadeCapacity: Int) {
    self.capacity = capacity
    slotCount = capacity + fadeCapacity
    players = .allocate(capacity: max(1, slotCount))
    players.initialize(repeating: -1, count: slotCount)
    voices = .allocate(capacity: max(1, slotCount))
    ends = .allocate(capacity: max(1, slotCount))
    ends.initialize(repeating: .min, count: slotCount)
  }

  func deallocate() {
    players.deallocate()
    voices.deallocate()
    ends.deallocate()
  }

  /// The first slot that plays at or after one, or `slotCount`.
  @_noLocks @_noAllocation
  func nextActive(from slot: Int) -> Int {
    if activeCount == 0 { return slotCount }
    var slot = slot
    while slot < slotCount, players[slot] < 0 { slot = slot &+ 1 }
    return slot
  }

  /// A free slot for a sound that begins on a render frame, or nil. One whose last voice ended in the same group of eight
  /// frames is taken last: whether it is free yet depends on where the groups lie.
  @_noLocks @_noAllocation
  func freeSlot(at frame: Int64) -> Int? {
    var candidate = -1
    var slot = 0
    while slot < capacity {
      if players[slot] < 0 {
        if ends[slot] <= frame &- 8 { return slot }
        if candidate < 0 { candidate = slot }
      }
      slot = slot &+ 1
    }
    return candidate < 0 ? nil : candidate
  }

  /// Whether a sound that should begin on a frame is left out, which counts as stolen: no slot is free, and as many have been
  /// stolen for that frame as can fade.
  @_noLocks @_noAllocation
  mutating func turnsAway(at frame: Int64) -> Bool {
    if stealFrame != frame || stealsOnFrame < slotCount &- capacity || freeSlot(at: frame) != nil {
      return false
    }
    stolenCount = stolenCount &+ 1
    return true
  }

  /// Puts a voice into a free slot.
  @_noLocks @_noAllocation
  mutating func occupy(_ slot: Int, voice: SoundVoice, player: Int32) {
    voices[slot] = voice
    players[slot] = player
    activeCount = activeCount &+ 1
  }

  /// Frees a slot whose voice ended by a render frame.
  @_noLocks @_noAllocation
  mutating func free(_ slot: Int, end: Int64) {
    ends[slot] = end
    players[slot] = -1
    activeCount = activeCount &- 1
  }

  /// Moves a stolen voice to a reserved slot, where it fades from a frame on, and frees its own.
  /// - Parameters:
  ///   - frame: The render frame.
  ///   - deviceFrame: The device frame from which it falls.
  /// - Returns: The player of a voice that had to be dropped because every reserved slot was in use, or −1.
  @_noLocks @_noAllocation
  mutating func steal(_ slot: Int, at frame: Int64, deviceFrame: Int64, rate: SoundRate) -> Int32 {
    stolenCount = stolenCount &+ 1
    stealsOnFrame = stealFrame == frame ? stealsOnFrame &+ 1 : 1
    stealFrame = frame
    var target = capacity
    while target < slotCount, players[target] >= 0 { target = target &+ 1 }
    var dropped: Int32 = -1
    if target == slotCount {
      target = furthestFaded(rate)
      dropped = players[target]
      free(target, end: frame)
    }
    var voice = voices[slot]
    let player = players[slot]
    voice.fade.fall(from: deviceFrame)
    voice.forgetPause()
    voice.isHeld = false
    free(slot, end: .min)
    occupy(target, voice: voice, player: player)
    return dropped
  }

  @_noLocks @_noAllocation
  private func furthestFaded(_ rate: SoundRate) -> Int {
    var best = capacity
    var slot = capacity
    while slot < slotCount {
      if voices[slot].fade.end(rate.response) < voices[best].fade.end(rate.response) { best = slot }
      slot = slot &+ 1
    }
    return best
  }
}
