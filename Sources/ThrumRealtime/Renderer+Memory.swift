// Where the renderer's memory is, for the control side to lock it: the render thread must not meet a page that was never
// touched, or that was written out to disk.
extension Renderer {
  /// A block of memory that the render thread works in; nil past the last. The small ones (a bus, a chain) are left out.
  @_noLocks @_noAllocation
  func memoryBlock(_ index: Int) -> UnsafeRawBufferPointer? {
    let start: UnsafeRawPointer
    let bytes: Int
    let slots = pool.slotCount
    switch index {
    case 0: (start, bytes) = (.init(players), playerCapacity &* MemoryLayout<PlayerSlot>.stride)
    case 1:
      (start, bytes) = (
        .init(tracks), playerCapacity &* PlayerSlot.trackCount &* MemoryLayout<ControlTrack>.stride
      )
    case 2:
      (start, bytes) = (.init(steps), historyCount &* StepHistory.capacity &* MemoryLayout<Step>.stride)
    case 3:
      (start, bytes) = (
        .init(spanValues),
        playerCapacity &* Renderer.signalsPerPlayer &* Renderer.blockFrames &* MemoryLayout<Double>.stride
      )
    case 4: (start, bytes) = (.init(pool.kinds), slots &* MemoryLayout<VoiceKind>.stride)
    case 5: (start, bytes) = (.init(pool.players), slots &* MemoryLayout<Int32>.stride)
    case 6: (start, bytes) = (.init(pool.transients), slots &* MemoryLayout<TransientVoice>.stride)
    case 7: (start, bytes) = (.init(pool.continuous), slots &* MemoryLayout<ContinuousVoice>.stride)
    case 8: (start, bytes) = (.init(pool.births), slots &* MemoryLayout<Int64>.stride)
    case 9: (start, bytes) = (.init(pool.ends), slots &* MemoryLayout<Int64>.stride)
    case 10: (start, bytes) = (.init(pool.activeBits), pool.wordCount &* MemoryLayout<UInt64>.stride)
    case 11: (start, bytes) = (.init(sounds.players), sounds.slotCount &* MemoryLayout<Int32>.stride)
    case 12: (start, bytes) = (.init(sounds.voices), sounds.slotCount &* MemoryLayout<SoundVoice>.stride)
    case 13: return soundBus.memory(ofRight: false)
    case 14: return soundBus.memory(ofRight: true)
    default: return nil
    }
    return UnsafeRawBufferPointer(start: start, count: bytes)
  }
}

extension OutputStage {
  /// A block of memory that the render thread works in, by its number from 0; nil past the last.
  ///
  /// Threads: control, before the render thread runs and after. Real-time: yes.
  @_noLocks @_noAllocation
  public func memoryBlock(_ index: Int) -> UnsafeRawBufferPointer? { renderer.memoryBlock(index) }
}
