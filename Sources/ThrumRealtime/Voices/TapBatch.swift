import CRealtimeShims

/// Taps of one span that are made side by side, a lane each, before each is added to its bus in its turn.
///
/// A tap's samples are a chain of products, each waiting for the one before; eight chains take hardly longer than one.
struct TapBatch {
  // Safety: allocated in `init`, freed in `deallocate`. `slots` are those of the batch, in the order of summation.
  private let states: UnsafeMutablePointer<Double>
  private let samples: UnsafeMutablePointer<Float>
  private let slots: UnsafeMutablePointer<Int>
  private let rowFrames: Int
  private var count = 0
  // How many of them have been added.
  private var taken = 0

  private static var lanes: Int { @_noLocks @_noAllocation get { Int(THRUM_TAP_LANES) } }

  /// Allocates everything.
  /// - Parameter blockFrames: Frames of the longest span.
  init(blockFrames: Int) {
    rowFrames = blockFrames
    states = .allocate(capacity: Int(THRUM_TAP_ROWS) * TapBatch.lanes)
    states.initialize(repeating: 0, count: Int(THRUM_TAP_ROWS) * TapBatch.lanes)
    samples = .allocate(capacity: blockFrames * TapBatch.lanes)
    samples.initialize(repeating: 0, count: blockFrames * TapBatch.lanes)
    slots = .allocate(capacity: TapBatch.lanes)
    slots.initialize(repeating: -1, count: TapBatch.lanes)
  }

  func deallocate() {
    states.deallocate()
    samples.deallocate()
    slots.deallocate()
  }

  /// Whether the tap of a slot has been made and is the next to be added.
  @_noLocks @_noAllocation
  func holds(_ slot: Int) -> Bool { taken < count && slots[taken] == slot }

  /// Begins an empty batch.
  @_noLocks @_noAllocation
  mutating func begin() {
    count = 0
    taken = 0
  }

  /// Takes the tap of a slot into the batch.
  /// - Returns: Whether there is room for another.
  @_noLocks @_noAllocation
  mutating func append(_ voice: UnsafePointer<TransientVoice>, slot: Int, gain: borrowing SpanSignal) -> Bool
  {
    voice.pointee.place(at: states + count, gain: gain)
    slots[count] = slot
    count = count &+ 1
    return count < TapBatch.lanes
  }

  /// Makes the samples of all taps of the batch, and moves them on.
  @_noLocks @_noAllocation
  func render(groups: Int, voices: UnsafeMutablePointer<TransientVoice>, kernel: RenderKernel) {
    VouchedMath.renderTaps(
      states, count: count, samples: samples, stride: rowFrames, groups: groups, kernel: kernel)
    var lane = 0
    while lane < count {
      voices[slots[lane]].take(from: states + lane)
      lane = lane &+ 1
    }
  }

  /// Adds the next tap's first samples to a bus.
  @_noLocks @_noAllocation
  mutating func add(to bus: UnsafeMutablePointer<Float>, frames: Int) {
    let row = samples + taken &* rowFrames
    taken = taken &+ 1
    var frame = 0
    while frame < frames {
      bus[frame] = bus[frame] + row[frame]
      frame = frame &+ 1
    }
  }
}
