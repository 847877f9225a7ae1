/// What a profile does to a bus, on its own: for measuring it, and for signals that no pattern makes.
public struct ActuatorChain: ~Copyable {
  private var chain: BusChain
  private let headroom: Float
  // Safety: allocated in `init`, freed in `deinit`: a bus's blocks, and what the chain is told of a group and tells of it.
  private let block: UnsafeMutablePointer<Float>
  private let rings: UnsafeMutablePointer<Bool>
  private let limited: UnsafeMutablePointer<UInt8>
  /// Frames by which samples come later.
  public let delayFrames: Int
  /// Frames in which anything turned the signal down.
  public private(set) var limitedFrames = 0

  /// Allocates everything.
  /// - Parameter profile: Whose values are within their ranges.
  ///
  /// Threads: control. Real-time: no.
  public init(_ profile: BusProfile) {
    profile.check()
    chain = BusChain(profile, isOutputLimited: profile.looksAhead)
    delayFrames = profile.looksAhead ? PeakLimiter.delayFrames : 0
    headroom = Float(FrequencyMap(profile).largestRatio)
    block = .allocate(capacity: 3 * Renderer.blockFrames)
    block.initialize(repeating: 0, count: 3 * Renderer.blockFrames)
    rings = .allocate(capacity: 1)
    rings.initialize(to: true)
    limited = .allocate(capacity: 8)
    limited.initialize(repeating: 0, count: 8)
  }

  deinit {
    chain.deallocate()
    block.deallocate()
    rings.deallocate()
    limited.deallocate()
  }

  /// Works on samples in place.
  /// - Parameters:
  ///   - samples: What voices would have summed to; of a resonant drive half of the amplitude that is wanted.
  ///   - frames: Their number, a multiple of 8.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func process(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    var first = 0
    while first < frames {
      var index = 0
      while index < 8 {
        block[index] = samples[first &+ index]
        block[BusVoicing.crispness &+ index] = samples[first &+ index] * headroom
        limited[index] = 0
        index = index &+ 1
      }
      if chain.process(block, frames: 8, rings: rings, limited: limited) {
        index = 0
        while index < 8 {
          if limited[index] != 0 { limitedFrames = limitedFrames &+ 1 }
          index = index &+ 1
        }
      }
      index = 0
      while index < 8 {
        samples[first &+ index] = block[index]
        index = index &+ 1
      }
      first = first &+ 8
    }
  }

  /// Whether every state but the mean square is as at the beginning, so that silence gives silence.
  public var isAtRest: Bool { @_noLocks @_noAllocation get { chain.isClear } }
}
