import CRealtimeShims

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
  private var rn: Double
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

  /// rⁿ so many frames after the one to come, stepped as `next` steps it: the same bits wherever the stepping begins.
  @_noLocks @_noAllocation
  func fall(frames: Int64) -> Double {
    var rn = self.rn
    var frame: Int64 = 0
    while frame < frames {
      rn = rn * decay
      frame = frame &+ 1
    }
    return rn
  }

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

  /// Puts it into a lane of taps that are rendered side by side; see ``TapBatch``.
  @_noLocks @_noAllocation
  func place(at lane: UnsafeMutablePointer<Double>, level: Double) {
    let width = Int(THRUM_TAP_LANES)
    lane[Int(THRUM_TAP_COSINE) &* width] = cosine
    lane[Int(THRUM_TAP_SINE) &* width] = sine
    lane[Int(THRUM_TAP_DECAY) &* width] = decay
    lane[Int(THRUM_TAP_ONSET) &* width] = onset
    lane[Int(THRUM_TAP_OFFSET) &* width] = offset
    lane[Int(THRUM_TAP_LEVEL) &* width] = level
    lane[Int(THRUM_TAP_X) &* width] = x
    lane[Int(THRUM_TAP_Y) &* width] = y
    lane[Int(THRUM_TAP_RN) &* width] = rn
    lane[Int(THRUM_TAP_QN) &* width] = qn
  }

  /// Takes from its lane where it has come to.
  @_noLocks @_noAllocation
  mutating func take(from lane: UnsafePointer<Double>) {
    let width = Int(THRUM_TAP_LANES)
    x = lane[Int(THRUM_TAP_X) &* width]
    y = lane[Int(THRUM_TAP_Y) &* width]
    rn = lane[Int(THRUM_TAP_RN) &* width]
    qn = lane[Int(THRUM_TAP_QN) &* width]
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
