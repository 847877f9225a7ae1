import Synchronization
import ThrumRealtime

/// The figures that the render thread keeps of itself, and anybody reads: plain counters, no lock.
///
/// Lives on two threads: the render thread writes, any number read.
package final class LoopStatistics: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: the memory is atomics, allocated by the maker and freed at the end.

  private static let mostChannels = 16
  private let wakeUps: UnsafeMutablePointer<Atomic<Int>>
  private let peaks: UnsafeMutablePointer<Atomic<UInt32>>
  // Sums of squares since the start, the bits of Float64, and the frames in them.
  private let squares: UnsafeMutablePointer<Atomic<UInt64>>
  private let measuredFrames = Atomic<Int64>(0)
  private let taken = Locked(Taken())
  private let worstRenderNanoseconds = Atomic<Int64>(0)
  private let periodNanoseconds = Atomic<Int64>(1)
  private let channels = Atomic<Int>(0)

  /// What the last reading saw.
  private struct Taken {
    var squares = [Double](repeating: 0, count: LoopStatistics.mostChannels)
    var frames: Int64 = 0
  }

  /// Nothing yet.
  package init() {
    squares = .allocate(capacity: Self.mostChannels)
    for index in 0..<Self.mostChannels { (squares + index).initialize(to: Atomic(0)) }
    wakeUps = .allocate(capacity: OutputStatistics.classes)
    for index in 0..<OutputStatistics.classes { (wakeUps + index).initialize(to: Atomic(0)) }
    peaks = .allocate(capacity: Self.mostChannels)
    for index in 0..<Self.mostChannels { (peaks + index).initialize(to: Atomic(0)) }
  }

  deinit {
    wakeUps.deinitialize(count: OutputStatistics.classes)
    wakeUps.deallocate()
    peaks.deinitialize(count: Self.mostChannels)
    peaks.deallocate()
    squares.deinitialize(count: Self.mostChannels)
    squares.deallocate()
  }

  // Ordering: relaxed throughout; each figure stands for itself.

  /// Says what is being measured.
  package func begin(rate: Int, channels count: Int, periodFrames: Int) {
    channels.store(min(count, Self.mostChannels), ordering: .relaxed)
    periodNanoseconds.store(Int64(periodFrames) * 1_000_000_000 / Int64(rate), ordering: .relaxed)
  }

  /// Counts a wake-up that came so much later than there was room.
  ///
  /// Threads: render. Real-time: yes.
  package func wokeUp(lateNanoseconds: Int64) {
    var (index, limit) = (0, Int64(50_000))
    while index < OutputStatistics.classes - 1 && lateNanoseconds >= limit {
      index += 1
      limit *= 2
    }
    wakeUps[index].add(1, ordering: .relaxed)
  }

  /// Notes how long making a period took.
  ///
  /// Threads: render. Real-time: yes.
  package func rendered(nanoseconds: Int64) { worstRenderNanoseconds.max(nanoseconds, ordering: .relaxed) }

  /// Notes the level of each channel of some frames.
  ///
  /// Threads: render. Real-time: yes.
  package func measure(_ memory: UnsafeRawPointer, frames: Int, stride: Int, format: SampleFormat) {
    let count = channels.load(ordering: .relaxed)
    let bytes = format.bytesPerSample
    for channel in 0..<count {
      var (peak, sum) = (Float(0), 0.0)
      for frame in 0..<frames {
        let sample = Self.sample(memory + frame * stride + channel * bytes, format)
        peak = max(peak, abs(sample))
        sum += Double(sample) * Double(sample)
      }
      // The bits of numbers from 0 up order as the numbers do.
      peaks[channel].max(peak.bitPattern, ordering: .relaxed)
      // There is one writer, so load and store make an addition.
      let before = Double(bitPattern: squares[channel].load(ordering: .relaxed))
      squares[channel].store((before + sum).bitPattern, ordering: .relaxed)
    }
    measuredFrames.store(measuredFrames.load(ordering: .relaxed) + Int64(frames), ordering: .relaxed)
  }

  private static func sample(_ memory: UnsafeRawPointer, _ format: SampleFormat) -> Float {
    switch format {
    case .float: return memory.loadUnaligned(as: Float.self)
    case .s16: return Float(memory.loadUnaligned(as: Int16.self)) / 32_767
    case .s24: return Float((memory.loadUnaligned(as: Int32.self) << 8) >> 8) / 8_388_607
    case .s32: return Float(memory.loadUnaligned(as: Int32.self)) / 2_147_483_520
    case .s24in3:
      let low = UInt32(memory.loadUnaligned(as: UInt16.self))
      let high = UInt32(memory.loadUnaligned(fromByteOffset: 2, as: UInt8.self))
      return Float(Int32(bitPattern: (high << 24) | (low << 8)) >> 8) / 8_388_607
    }
  }

  /// The figures of this moment; the levels begin anew.
  package func read() -> OutputStatistics {
    var statistics = OutputStatistics()
    for index in 0..<OutputStatistics.classes {
      statistics.wakeUps[index] = wakeUps[index].load(ordering: .relaxed)
    }
    let worst = Double(worstRenderNanoseconds.load(ordering: .relaxed))
    statistics.worstRenderSeconds = worst * 1e-9
    statistics.worstRenderShare = worst / Double(periodNanoseconds.load(ordering: .relaxed))
    statistics.peaks = (0..<channels.load(ordering: .relaxed)).map { channel in
      Double(Float(bitPattern: peaks[channel].exchange(0, ordering: .relaxed)))
    }
    statistics.rms = taken.withLock { taken in
      let frames = measuredFrames.load(ordering: .relaxed)
      let count = frames - taken.frames
      taken.frames = frames
      return statistics.peaks.indices.map { channel in
        let sum = Double(bitPattern: squares[channel].load(ordering: .relaxed))
        defer { taken.squares[channel] = sum }
        return count > 0 ? (max(0, sum - taken.squares[channel]) / Double(count)).squareRoot() : 0
      }
    }
    return statistics
  }
}
