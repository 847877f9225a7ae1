/// The stereo bus of sounds at the device's rate, from the voices to the channels.
///
/// Sound leaves as many frames late as the haptic buses do, so that what was written for one time leaves on one frame
/// (signal model, 6). Voices add at their own frames; the delay is the distance to where frames are taken.
struct SoundBus {
  let rate: SoundRate
  private let isLimited: Bool
  private var limiting: SoundLimiter
  // Safety: rings of `mask` + 1 frames; owned by the renderer.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let mask: Int64
  // Delay before the limiter's own.
  private let ringDelay: Int64
  // Nothing was added from this frame of the ring on.
  private var writtenEnd = Int64.min
  private(set) var limitedFrames = 0

  /// Control side.
  /// - Parameters:
  ///   - rate: Device frames a second.
  ///   - delayFrames: Device frames by which sound is delayed in all.
  ///   - isLimited: Whether the limiter is in, whose own delay is a part of it.
  init(rate: Int, delayFrames: Int64, isLimited: Bool) {
    self.rate = SoundRate(Int64(rate))
    limiting = SoundLimiter(rate: self.rate)
    self.isLimited = isLimited
    ringDelay = max(0, delayFrames - (isLimited ? limiting.delayFrames : 0))
    let block = self.rate.first(Int64(Renderer.blockFrames)) + self.rate.first(2)
    var size: Int64 = 1
    while size < ringDelay + 2 * block { size *= 2 }
    mask = size - 1
    left = .allocate(capacity: Int(size))
    right = .allocate(capacity: Int(size))
    left.initialize(repeating: 0, count: Int(size))
    right.initialize(repeating: 0, count: Int(size))
  }

  /// The ring of one side, to be locked.
  @_noLocks @_noAllocation
  func memory(ofRight isRight: Bool) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: isRight ? right : left, count: Int(mask &+ 1) &* MemoryLayout<Float>.stride)
  }

  func deallocate() {
    left.deallocate()
    right.deallocate()
    limiting.deallocate()
  }

  /// The earliest frame that a voice can still add to while the renderer is at a render frame.
  @_noLocks @_noAllocation
  func earliest(at frame: Int64) -> Int64 { max(0, rate.first(frame) &- ringDelay) }

  /// Adds a frame of a voice.
  @_noLocks @_noAllocation
  func add(_ l: Float, _ r: Float, at frame: Int64) {
    let place = Int((frame &+ ringDelay) & mask)
    left[place] = left[place] + l
    right[place] = right[place] + r
  }

  /// Notes that voices have added up to a frame, not included.
  @_noLocks @_noAllocation
  mutating func noteEnd(_ frame: Int64) { writtenEnd = max(writtenEnd, frame &+ ringDelay) }

  /// Takes the next frames that leave, in order; each once.
  /// - Parameters:
  ///   - frame: The device frame of the first.
  ///   - frames: How many.
  ///   - left: Room for them.
  ///   - right: Room for them.
  @_noLocks @_noAllocation
  mutating func take(
    from frame: Int64, frames: Int, left outLeft: UnsafeMutablePointer<Float>,
    right outRight: UnsafeMutablePointer<Float>
  ) {
    var index = 0
    while index < frames {
      let now = frame &+ Int64(index)
      if now < writtenEnd {
        let place = Int(now & mask)
        outLeft[index] = left[place]
        outRight[index] = right[place]
        left[place] = 0
        right[place] = 0
      } else {
        outLeft[index] = 0
        outRight[index] = 0
      }
      index = index &+ 1
    }
    if isLimited { limit(from: frame, frames: frames, outLeft, outRight) }
  }

  @_noLocks @_noAllocation
  private mutating func limit(
    from frame: Int64, frames: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    // Long after the last sound the limiter holds nothing but zeros and gains of 1, and may rest.
    if writtenEnd == .min || frame &- writtenEnd > 4 &* rate.rate { return }
    var index = 0
    while index < frames {
      if limiting.next(&left[index], &right[index]) { limitedFrames = limitedFrames &+ 1 }
      index = index &+ 1
    }
  }
}
