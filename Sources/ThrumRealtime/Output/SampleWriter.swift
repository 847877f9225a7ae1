/// Puts samples into a device's buffer in its format; integers saturate and the saturated are counted.
struct SampleWriter {
  let format: SampleFormat
  let channels: Int
  private(set) var saturated = 0
  // The last frame with sound in it; dither goes on for a while after it.
  private var lastSound = Int64.min
  /// The first frame past the end of everything that plays: true zeros from there on, as behind a file's end.
  var soundEnd = Int64.max

  init(format: SampleFormat, channels: Int) {
    self.format = format
    self.channels = channels
  }

  /// Frames of dither after the last frame that is not zero, so that the noise does not switch with every pause.
  private static var ditherTail: Int64 { @_noLocks @_noAllocation get { 4096 } }

  /// Counts a sample held at full scale before conversion.
  @_noLocks @_noAllocation
  mutating func countSaturated() { saturated = saturated &+ 1 }

  /// Notes whether a frame has sound in it, before its samples are written.
  @_noLocks @_noAllocation
  mutating func begin(frame: Int64, isSilent: Bool) { if !isSilent { lastSound = frame } }

  /// Writes a sample.
  /// - Parameters:
  ///   - value: 1 is full scale.
  ///   - destination: The first byte of the sample.
  ///   - frame: The timeline frame, which with the channel picks the dither.
  ///   - channel: From 0.
  ///   - isSilent: Whether the channel carries nothing: then it is a true zero.
  @_noLocks @_noAllocation
  mutating func write(
    _ value: Float, to destination: UnsafeMutableRawPointer, frame: Int64, channel: Int, isSilent: Bool
  ) {
    switch format {
    case .float:
      destination.storeBytes(of: value, as: Float.self)
    case .s16:
      var scaled = saturating(Double(value) * 32767, limit: 32767)
      if !isSilent, frame < soundEnd, lastSound != .min, frame &- lastSound <= SampleWriter.ditherTail {
        scaled = scaled + SampleWriter.dither(frame: frame, channel: channel)
      }
      let limited = max(-32768, min(32767, CoreMath.roundedHalfAway(scaled)))
      destination.storeBytes(of: Int16(truncatingIfNeeded: limited), as: Int16.self)
    case .s24:
      let rounded = CoreMath.roundedHalfAway(saturating(Double(value) * 8_388_607, limit: 8_388_607))
      destination.storeBytes(of: Int32(truncatingIfNeeded: rounded), as: Int32.self)
    case .s24in3:
      let rounded = CoreMath.roundedHalfAway(saturating(Double(value) * 8_388_607, limit: 8_388_607))
      destination.storeBytes(of: UInt8(truncatingIfNeeded: rounded), as: UInt8.self)
      destination.storeBytes(of: UInt8(truncatingIfNeeded: rounded &>> 8), toByteOffset: 1, as: UInt8.self)
      destination.storeBytes(of: UInt8(truncatingIfNeeded: rounded &>> 16), toByteOffset: 2, as: UInt8.self)
    case .s32:
      let rounded = CoreMath.roundedHalfAway(
        saturating(Double(value) * 2_147_483_520, limit: 2_147_483_520))
      destination.storeBytes(of: Int32(truncatingIfNeeded: rounded), as: Int32.self)
    }
  }

  @_noLocks @_noAllocation
  private mutating func saturating(_ value: Double, limit: Double) -> Double {
    if value > limit {
      saturated = saturated &+ 1
      return limit
    }
    if value < -limit {
      saturated = saturated &+ 1
      return -limit
    }
    return value
  }

  /// Triangular noise in −1…1 units of the last place, a pure function of where it stands (signal model, 6).
  @_noLocks @_noAllocation
  private static func dither(frame: Int64, channel: Int) -> Double {
    // The splitmix64 finaliser over a counter: every bit of the counter reaches every bit of the result.
    var z = UInt64(bitPattern: frame) &* 64 &+ UInt64(truncatingIfNeeded: channel) &+ 1
    z = z &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    z = z ^ (z &>> 31)
    let first = Double(z & 0xFFFF_FFFF)
    let second = Double(z &>> 32)
    return (first + second) * 0x1p-32 - 1
  }
}
