import Synchronization
import ThrumRealtime

/// How loud a stretch of a signal was, full scale being 1.
public struct Levels: Sendable, Equatable {
  /// The largest magnitude of any sample.
  public var peak: Float = 0
  /// The sum of the squares of all samples.
  public var sumOfSquares: Double = 0
  /// The number of samples, all channels together.
  public var sampleCount: Int = 0

  /// Silence of no length.
  public init() {}

  /// The root of the mean square; 0 where there are no samples.
  public var rms: Double { sampleCount == 0 ? 0 : (sumOfSquares / Double(sampleCount)).squareRoot() }

  /// Adds interleaved samples.
  ///
  /// Threads: any. Real-time: yes.
  mutating func measure(_ memory: UnsafeRawPointer, sampleCount count: Int, format: SampleFormat) {
    // A switch outside of the loops keeps each loop simple enough to be vectorised.
    switch format {
    case .float:
      for index in 0..<count { add(memory.loadUnaligned(fromByteOffset: index * 4, as: Float.self)) }
    case .s16:
      for index in 0..<count {
        add(Float(memory.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)) / 32_767)
      }
    case .s24:
      // The upper eight bits of the word are not part of the sample.
      for index in 0..<count {
        let word = memory.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        add(Float((word << 8) >> 8) / 8_388_607)
      }
    case .s24in3:
      for index in 0..<count {
        let low = UInt32(memory.loadUnaligned(fromByteOffset: index * 3, as: UInt16.self))
        let high = UInt32(memory.loadUnaligned(fromByteOffset: index * 3 + 2, as: UInt8.self))
        add(Float(Int32(bitPattern: (high << 24) | (low << 8)) >> 8) / 8_388_607)
      }
    case .s32:
      for index in 0..<count {
        add(Float(memory.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)) / 2_147_483_520)
      }
    }
    sampleCount += count
  }

  private mutating func add(_ sample: Float) {
    peak = max(peak, abs(sample))
    sumOfSquares += Double(sample) * Double(sample)
  }
}

/// Carries levels from a render thread to whoever shows them.
final class LevelMeter: Sendable {
  private let peak = Atomic<UInt32>(0)
  private let sumOfSquares = Atomic<UInt64>(0)
  private let sampleCount = Atomic<Int>(0)
  private let taken = Locked(Levels())

  /// Adds interleaved samples.
  ///
  /// Threads: render, one. Real-time: yes.
  func measure(_ memory: UnsafeRawPointer, sampleCount count: Int, format: SampleFormat) {
    var levels = Levels()
    levels.measure(memory, sampleCount: count, format: format)
    // Ordering: none needed. A reader may see a period's peak before its sum. There is one writer, so load
    // and store make an addition. Bits of numbers from 0 up order as the numbers do.
    peak.max(levels.peak.bitPattern, ordering: .relaxed)
    let sum = Double(bitPattern: sumOfSquares.load(ordering: .relaxed)) + levels.sumOfSquares
    sumOfSquares.store(sum.bitPattern, ordering: .relaxed)
    sampleCount.store(sampleCount.load(ordering: .relaxed) + count, ordering: .relaxed)
  }

  /// The levels since the last call.
  func take() -> Levels {
    taken.withLock { taken in
      var levels = Levels()
      // Ordering: none needed, as above.
      levels.peak = Float(bitPattern: peak.exchange(0, ordering: .relaxed))
      let sum = Double(bitPattern: sumOfSquares.load(ordering: .relaxed))
      let count = sampleCount.load(ordering: .relaxed)
      levels.sumOfSquares = sum - taken.sumOfSquares
      levels.sampleCount = count - taken.sampleCount
      taken.sumOfSquares = sum
      taken.sampleCount = count
      return levels
    }
  }
}
