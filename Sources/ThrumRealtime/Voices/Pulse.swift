/// The shape of a tap, sample by sample: p[n] = rⁿ(1 − qⁿ)²·(sin θn − c) by one rotation and two decays a frame.
struct Pulse {
  private let cosine: Double
  private let sine: Double
  private let decay: Double
  private let onset: Double
  private let offset: Double
  // cos θn, sin θn, rⁿ and qⁿ of the frame to come.
  private var x: Double
  private var y: Double
  private(set) var rn: Double
  private var qn: Double

  /// A pulse at its first frame.
  @_noLocks @_noAllocation
  init(r: Double, q: Double, cosine: Double, sine: Double, offset: Double) {
    self.cosine = cosine
    self.sine = sine
    decay = r
    onset = q
    self.offset = offset
    x = 1
    y = 0
    rn = 1
    qn = 1
  }

  /// 1 − qⁿ of the frame to come.
  var rise: Double { @_noLocks @_noAllocation get { 1 - qn } }

  /// p of the frame to come; moves on behind it.
  @_noLocks @_noAllocation
  @inline(__always)
  mutating func next() -> Double {
    let rise = 1 - qn
    let sample = rn * rise * rise * (y - offset)
    let turned = x * cosine - y * sine
    y = y * cosine + x * sine
    x = turned
    rn = rn * decay
    qn = qn * onset
    return sample
  }

  /// max|p| over so many frames to come.
  @_noLocks @_noAllocation
  func peak(frames: Int64) -> Double {
    var ahead = self
    var peak = 0.0
    var frame: Int64 = 0
    while frame < frames {
      let sample = ahead.next()
      peak = max(peak, sample < 0 ? -sample : sample)
      frame = frame &+ 1
    }
    return peak
  }
}
