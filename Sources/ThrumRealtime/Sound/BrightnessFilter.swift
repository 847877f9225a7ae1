/// The low-pass of a sound's brightness: a state-variable filter of two poles, Q 0.707, on one channel or two (signal
/// model, 9).
///
/// At full brightness the sound is untouched; on the way there and back the filter is mixed in and out over 512 frames.
struct BrightnessFilter {
  private var a1 = 0.0
  private var a2 = 0.0
  private var a3 = 0.0
  private var left1 = 0.0
  private var left2 = 0.0
  private var right1 = 0.0
  private var right2 = 0.0
  private var share = 0.0
  private var isWanted = false

  /// Open, and at rest.
  @_noLocks @_noAllocation
  init() {}

  /// Whether it does nothing.
  var isIdle: Bool { @_noLocks @_noAllocation get { !isWanted && share == 0 } }

  /// Sets the corner from a frame on.
  /// - Parameters:
  ///   - corner: Hz over the device's rate; held below a half.
  ///   - isOpen: Whether the brightness is full, and the filter not wanted.
  ///   - isFirst: Whether it is the sound's first frame: then it is in or out at once.
  @_noLocks @_noAllocation
  mutating func set(corner: Double, isOpen: Bool, isFirst: Bool) {
    isWanted = !isOpen
    if isFirst { share = isOpen ? 0 : 1 }
    if isIdle {
      left1 = 0
      left2 = 0
      right1 = 0
      right2 = 0
      return
    }
    // tan x by two doublings from a quarter of it: sine and cosine hold to half a radian.
    let quarter = min(corner, 0.49) * Double.pi * 0.25
    let t = CoreMath.smallSine(quarter) / CoreMath.smallCosine(quarter)
    let half = 2 * t / (1 - t * t)
    let g = 2 * half / (1 - half * half)
    a1 = 1 / (1 + g * (g + 1.4142135623730951))
    a2 = g * a1
    a3 = g * a2
  }

  /// Filters a frame in place.
  @_noLocks @_noAllocation
  mutating func next(_ left: inout Double, _ right: inout Double) {
    // 1/512 a frame: exact, so that it arrives.
    if isWanted, share < 1 { share = share + 0.001953125 }
    if !isWanted, share > 0 { share = share - 0.001953125 }
    let v3 = left - left2
    let v1 = a1 * left1 + a2 * v3
    let v2 = left2 + a2 * left1 + a3 * v3
    left1 = 2 * v1 - left1
    left2 = 2 * v2 - left2
    let w3 = right - right2
    let w1 = a1 * right1 + a2 * w3
    let w2 = right2 + a2 * right1 + a3 * w3
    right1 = 2 * w1 - right1
    right2 = 2 * w2 - right2
    if share == 1 {
      left = v2
      right = w2
      return
    }
    let weight = share * share * share * (share * (share * 6 - 15) + 10)
    left = left + (v2 - left) * weight
    right = right + (w2 - right) * weight
  }

  /// Zeroes states too small to matter.
  @_noLocks @_noAllocation
  mutating func settle() {
    left1 = BrightnessFilter.settled(left1)
    left2 = BrightnessFilter.settled(left2)
    right1 = BrightnessFilter.settled(right1)
    right2 = BrightnessFilter.settled(right2)
  }

  @_noLocks @_noAllocation
  private static func settled(_ x: Double) -> Double { (x < 0 ? -x : x) < 1e-20 ? 0 : x }
}
