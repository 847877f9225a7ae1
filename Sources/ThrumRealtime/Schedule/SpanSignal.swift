import CRealtimeShims

/// A value over the frames of a span: one number while it does not change, else one a frame.
struct SpanSignal {
  /// Whether `constant` holds for the whole span.
  private(set) var isConstant = true
  /// The value while it is constant.
  private(set) var constant: Double
  // Safety: room for `Renderer.blockFrames` values, owned by the renderer.
  private let values: UnsafeMutablePointer<Double>
  private var count = 0
  // Bounds of the values appended so far; may be wider than they are, never narrower.
  private(set) var minimum: Double
  private(set) var maximum: Double

  init(values: UnsafeMutablePointer<Double>, constant: Double) {
    self.values = values
    self.constant = constant
    minimum = constant
    maximum = constant
  }

  /// Begins a new span.
  @_noLocks @_noAllocation
  mutating func begin() {
    isConstant = true
    count = 0
    minimum = .infinity
    maximum = -.infinity
  }

  /// Appends frames that share a value.
  @_noLocks @_noAllocation
  mutating func append(_ value: Double, frames: Int) {
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    if isConstant, count == 0 || constant == value {
      constant = value
      count = count &+ frames
      return
    }
    spread()
    var index = 0
    while index < frames {
      values[count &+ index] = value
      index = index &+ 1
    }
    count = count &+ frames
  }

  /// Appends one frame that may differ from its neighbours.
  @_noLocks @_noAllocation
  mutating func append(_ value: Double) {
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    spread()
    values[count] = value
    count = count &+ 1
  }

  /// Appends eight frames.
  @_noLocks @_noAllocation
  mutating func append(_ lanes: SIMD8<Double>) {
    var lane = 0
    while lane < 8 {
      minimum = min(minimum, lanes[lane])
      maximum = max(maximum, lanes[lane])
      lane = lane &+ 1
    }
    spread()
    UnsafeMutableRawPointer(values + count).storeBytes(of: lanes, as: SIMD8<Double>.self)
    count = count &+ 8
  }

  /// Puts the law of a power in the place of all values.
  @_noLocks @_noAllocation
  mutating func shape(by curve: IntensityCurve) {
    if isConstant { constant = curve.amplitude(constant) }
    var index = 0
    while !isConstant, index < count {
      values[index] = curve.amplitude(values[index])
      index = index &+ 1
    }
    // A power grows with its base, and is 0 below it.
    minimum = curve.amplitude(minimum)
    maximum = curve.amplitude(maximum)
  }

  /// Eight frames from an offset in the span.
  @_noLocks @_noAllocation
  func lanes(at offset: Int) -> SIMD8<Double> {
    if isConstant { return SIMD8(repeating: constant) }
    return UnsafeRawPointer(values + offset).loadUnaligned(as: SIMD8<Double>.self)
  }

  /// The value at an offset in the span.
  @_noLocks @_noAllocation
  subscript(offset: Int) -> Double {
    @_noLocks @_noAllocation get { isConstant ? constant : values[offset] }
  }

  /// The values from an offset in the span on, for a kernel.
  @_noLocks @_noAllocation
  func signal(from offset: Int) -> thrum_signal {
    thrum_signal(values: isConstant ? nil : UnsafePointer(values + offset), constant: constant)
  }

  @_noLocks @_noAllocation
  private mutating func spread() {
    if !isConstant { return }
    isConstant = false
    var index = 0
    while index < count {
      values[index] = constant
      index = index &+ 1
    }
  }
}
