/// What is known of a rendered block beside its samples: where its sound ends, by groups of eight frames, and which of its
/// frames a limiter turned down.
struct BlockMarks {
  // Safety: allocated in `init`, freed by the stage, touched by the render thread only.
  /// One a group: whether filters may ring in it.
  let rings: UnsafeMutablePointer<Bool>
  /// One a group: the device frame from which there are true zeros, `Int64.max` while something plays or fades.
  let soundEnds: UnsafeMutablePointer<Int64>
  /// One a frame: the ``LimitKinds`` of what turns down what leaves.
  let limited: UnsafeMutablePointer<UInt8>
  /// Whether any frame is marked in `limited`.
  var isAnyLimited = false

  init() {
    rings = .allocate(capacity: Renderer.blockFrames / 8)
    rings.initialize(repeating: true, count: Renderer.blockFrames / 8)
    soundEnds = .allocate(capacity: Renderer.blockFrames / 8)
    soundEnds.initialize(repeating: .max, count: Renderer.blockFrames / 8)
    limited = .allocate(capacity: Renderer.blockFrames)
    limited.initialize(repeating: 0, count: Renderer.blockFrames)
  }

  func deallocate() {
    rings.deallocate()
    soundEnds.deallocate()
    limited.deallocate()
  }

  /// Begins a block.
  /// - Parameters:
  ///   - voiceEnds: What the renderer says of its groups.
  ///   - start: The block's first render frame.
  ///   - frames: Its length, a multiple of 8.
  ///   - timing: How long filters and limiter go on.
  @_noLocks @_noAllocation
  mutating func begin(voiceEnds: UnsafePointer<Int64>, start: Int64, frames: Int, timing: OutputTiming) {
    var group = 0
    while group < frames &>> 3 {
      let end = voiceEnds[group]
      let isOpen = end == .max
      rings[group] = isOpen || start &+ Int64(group &<< 3) < timing.endOfFilters(afterVoices: end)
      soundEnds[group] =
        isOpen ? .max : timing.deviceFrames(forRenderFrames: timing.endOfSound(afterVoices: end))
      group = group &+ 1
    }
    if !isAnyLimited { return }
    var frame = 0
    while frame < Renderer.blockFrames {
      limited[frame] = 0
      frame = frame &+ 1
    }
    isAnyLimited = false
  }
}
