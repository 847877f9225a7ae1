/// What a slot of the pool holds.
enum VoiceKind: Equatable {
  case free, transient, continuous

  // Spelled out because the derived comparison is generic, which the real-time check refuses.
  // Safety: an enum without payloads is one byte.
  @_noLocks @_noAllocation
  static func == (left: VoiceKind, right: VoiceKind) -> Bool {
    unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
  }

  @_noLocks @_noAllocation
  static func != (left: VoiceKind, right: VoiceKind) -> Bool { !(left == right) }
}

/// A fixed number of voices in slots; nothing is allocated after the start.
///
/// Slots from `capacity` on are reserved for stolen voices that fade out. A bit for each slot says whether it sounds;
/// walking the bits from low to high gives the fixed order in which voices are summed (signal model, 11.16).
struct VoicePool {
  /// Voices that can sound at once, the fading ones excluded.
  let capacity: Int
  /// Slots in all.
  let slotCount: Int
  // Safety: `slotCount` of each, owned by the renderer; a slot's entry in `transients` or `continuous` is initialised
  // while `kinds` says so (they are trivial types, so nothing is to be destroyed).
  let kinds: UnsafeMutablePointer<VoiceKind>
  let players: UnsafeMutablePointer<Int32>
  let transients: UnsafeMutablePointer<TransientVoice>
  let continuous: UnsafeMutablePointer<ContinuousVoice>
  // The order in which voices began, for passing phase on from the latest.
  let births: UnsafeMutablePointer<Int64>
  // The frame on which a slot's last voice ended.
  let ends: UnsafeMutablePointer<Int64>
  let activeBits: UnsafeMutablePointer<UInt64>
  let wordCount: Int
  private(set) var activeCount = 0
  private(set) var stolenCount = 0
  private var birthCount: Int64 = 0
  // The frame of the latest steal, and the steals on it.
  private var stealFrame = Int64.min
  private var stealsOnFrame = 0
  /// Searches of all voices so far: for the quietest, or for one to pass on its phase.
  private(set) var searchCount = 0

  init(capacity: Int, fadeCapacity: Int) {
    self.capacity = capacity
    slotCount = capacity + fadeCapacity
    kinds = .allocate(capacity: slotCount)
    kinds.initialize(repeating: .free, count: slotCount)
    players = .allocate(capacity: slotCount)
    players.initialize(repeating: -1, count: slotCount)
    transients = .allocate(capacity: slotCount)
    continuous = .allocate(capacity: slotCount)
    births = .allocate(capacity: slotCount)
    births.initialize(repeating: 0, count: slotCount)
    ends = .allocate(capacity: slotCount)
    ends.initialize(repeating: .min, count: slotCount)
    wordCount = (slotCount + 63) / 64
    activeBits = .allocate(capacity: wordCount)
    activeBits.initialize(repeating: 0, count: wordCount)
  }

  func deallocate() {
    kinds.deallocate()
    players.deallocate()
    transients.deallocate()
    continuous.deallocate()
    births.deallocate()
    ends.deallocate()
    activeBits.deallocate()
  }

  /// The first sounding slot at or after one, or `slotCount`.
  @_noLocks @_noAllocation
  func nextActive(from slot: Int) -> Int {
    if slot >= slotCount { return slotCount }
    var word = slot &>> 6
    var bits = activeBits[word] & (UInt64.max &<< UInt64(slot & 63))
    while bits == 0 {
      word = word &+ 1
      if word == wordCount { return slotCount }
      bits = activeBits[word]
    }
    return word &* 64 &+ bits.trailingZeroBitCount
  }

  /// The first slot below `capacity` that is free for a voice that begins on a frame, or nil.
  ///
  /// A slot rests for a group of eight frames after its voice, as long as others are free: whether a voice that ended in the
  /// same group still holds its slot depends on where the groups lie, and the order of summation must not.
  @_noLocks @_noAllocation
  func freeSlot(at frame: Int64) -> Int? {
    var slot = freeSlot(from: 0, to: capacity)
    while let candidate = slot {
      if ends[candidate] <= frame &- 8 { return candidate }
      slot = freeSlot(from: candidate &+ 1, to: capacity)
    }
    return freeSlot(from: 0, to: capacity)
  }

  /// Whether a voice that should begin on a frame is left out, which counts as stolen: no slot is free, and as many voices
  /// have been stolen for that frame as can fade. One more would cut another short on its first frame, and the search for it
  /// would make the cost of a frame grow with the square of what begins on it.
  @_noLocks @_noAllocation
  mutating func turnsAway(at frame: Int64) -> Bool {
    if stealFrame != frame || stealsOnFrame < slotCount &- capacity || freeSlot(from: 0, to: capacity) != nil
    {
      return false
    }
    stolenCount = stolenCount &+ 1
    return true
  }

  /// Counts a search.
  @_noLocks @_noAllocation
  mutating func noteSearch() { searchCount = searchCount &+ 1 }

  /// Marks a slot as sounding for a player.
  @_noLocks @_noAllocation
  mutating func occupy(_ slot: Int, kind: VoiceKind, player: Int32) {
    kinds[slot] = kind
    players[slot] = player
    births[slot] = birthCount
    birthCount = birthCount &+ 1
    activeBits[slot &>> 6] = activeBits[slot &>> 6] | (1 &<< UInt64(slot & 63))
    activeCount = activeCount &+ 1
  }

  /// Frees a slot whose voice ended on a frame.
  @_noLocks @_noAllocation
  mutating func free(_ slot: Int, end: Int64) {
    ends[slot] = end
    kinds[slot] = .free
    activeBits[slot &>> 6] = activeBits[slot &>> 6] & ~(1 &<< UInt64(slot & 63))
    activeCount = activeCount &- 1
  }

  /// Moves a stolen voice to a reserved slot, where it fades from a frame on, and frees its own.
  /// - Returns: The player of a voice that had to be dropped because every reserved slot was in use, or −1.
  @_noLocks @_noAllocation
  mutating func steal(_ slot: Int, at frame: Int64) -> Int32 {
    stolenCount = stolenCount &+ 1
    stealsOnFrame = stealFrame == frame ? stealsOnFrame &+ 1 : 1
    stealFrame = frame
    var dropped: Int32 = -1
    var target = freeSlot(from: capacity, to: slotCount) ?? -1
    if target < 0 {
      target = oldestReserved()
      dropped = players[target]
      free(target, end: frame)
    }
    let kind = kinds[slot]
    if kind == .transient {
      transients[target] = transients[slot]
      transients[target].fade.fall(from: frame)
    } else {
      continuous[target] = continuous[slot]
      continuous[target].fade.fall(from: frame)
      // One that fades for a pause, or waits in it, does not come back.
      continuous[target].isPausing = false
      continuous[target].isHeld = false
    }
    let birth = births[slot]
    let player = players[slot]
    free(slot, end: .min)
    occupy(target, kind: kind, player: player)
    births[target] = birth
    return dropped
  }

  /// The reserved slot whose voice has faded furthest.
  @_noLocks @_noAllocation
  private func oldestReserved() -> Int {
    var best = capacity
    var bestEnd = Int64.max
    var slot = capacity
    while slot < slotCount {
      let end = kinds[slot] == .transient ? transients[slot].fade.end() : continuous[slot].fade.end()
      if end < bestEnd {
        best = slot
        bestEnd = end
      }
      slot = slot &+ 1
    }
    return best
  }

  @_noLocks @_noAllocation
  private func freeSlot(from first: Int, to end: Int) -> Int? {
    var slot = first
    while slot < end {
      let word = slot &>> 6
      // Slots below `first` count as occupied.
      let occupied = activeBits[word] | ~(UInt64.max &<< UInt64(slot & 63))
      if occupied != UInt64.max {
        let found = word &* 64 &+ (~occupied).trailingZeroBitCount
        return found < end ? found : nil
      }
      slot = word &* 64 &+ 64
    }
    return nil
  }
}
