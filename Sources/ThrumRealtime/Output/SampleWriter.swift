/// Puts samples into a device's buffer in its format; integers saturate and the saturated are counted.
struct SampleWriter {
  let format: SampleFormat
  private let bytesPerFrame: Int
  private(set) var saturated = 0
  // The last frame with sound in it; dither goes on for a while after it.
  private var lastSound = Int64.min
  /// The first frame past the end of everything that plays: true zeros from there on, as behind a file's end.
  var soundEnd = Int64.max

  /// Whether any sample can be dithered, for which alone it has to know what sounds.
  let dithers: Bool

  init(format: SampleFormat, channels: Int) {
    self.format = format
    dithers = format == .s16
    bytesPerFrame = channels * format.bytesPerSample
  }

  /// Frames of dither after the last frame that is not zero, so that the noise does not switch with every pause.
  private static var ditherTail: Int64 { @_noLocks @_noAllocation get { 4096 } }

  /// Counts a sample held at full scale before conversion.
  @_noLocks @_noAllocation
  mutating func countSaturated() { saturated = saturated &+ 1 }

  /// Notes whether a frame has sound in it, before its samples are written.
  @_noLocks @_noAllocation
  mutating func begin(frame: Int64, isSilent: Bool) { if !isSilent { lastSound = frame } }

  /// Whether 16 bits are dithered on a frame, after `begin` for it: near sound only.
  @_noLocks @_noAllocation
  func isDithered(frame: Int64) -> Bool {
    frame < soundEnd && lastSound != .min && frame &- lastSound <= SampleWriter.ditherTail
  }

  /// Writes a channel's samples of a run of frames.
  /// - Parameters:
  ///   - values: One a frame; 1 is full scale.
  ///   - isDithered: One a frame; read for 16 bits only.
  ///   - destination: The first byte of the first sample.
  ///   - frame: The timeline frame of the first, which with the channel picks the dither.
  ///   - channel: From 0.
  @_noLocks @_noAllocation
  mutating func write(
    _ values: UnsafePointer<Float>, frames: Int, isDithered: UnsafePointer<Bool>,
    to destination: UnsafeMutableRawPointer, frame: Int64, channel: Int
  ) {
    var target = destination
    var index = 0
    // A loop for each format, so that the choice is made once.
    switch format {
    case .float:
      while index < frames {
        target.storeBytes(of: values[index], as: Float.self)
        target = target + bytesPerFrame
        index = index &+ 1
      }
    case .s16:
      while index < frames {
        var scaled = Double(values[index]) * 32767
        countSaturated(scaled, limit: 32767)
        if isDithered[index] {
          scaled = scaled + SampleWriter.dither(frame: frame &+ Int64(index), channel: channel)
        }
        // Dither first: what is beyond full scale is full scale, without noise on it.
        let rounded = CoreMath.roundedHalfAway(max(-32767, min(32767, scaled)))
        target.storeBytes(of: Int16(truncatingIfNeeded: rounded), as: Int16.self)
        target = target + bytesPerFrame
        index = index &+ 1
      }
    case .s24in3:
      while index < frames {
        let scaled = saturating(Double(values[index]) * 8_388_607, limit: 8_388_607)
        let rounded = CoreMath.roundedHalfAway(scaled)
        target.storeBytes(of: UInt16(truncatingIfNeeded: rounded), as: UInt16.self)
        target.storeBytes(of: UInt8(truncatingIfNeeded: rounded &>> 16), toByteOffset: 2, as: UInt8.self)
        target = target + bytesPerFrame
        index = index &+ 1
      }
    case .s24: writeWords(values, frames: frames, scale: 8_388_607, to: target)
    case .s32: writeWords(values, frames: frames, scale: 2_147_483_520, to: target)
    }
  }

  @_noLocks @_noAllocation
  private mutating func writeWords(
    _ values: UnsafePointer<Float>, frames: Int, scale: Double, to destination: UnsafeMutableRawPointer
  ) {
    var target = destination
    var index = 0
    while index < frames {
      let rounded = CoreMath.roundedHalfAway(saturating(Double(values[index]) * scale, limit: scale))
      target.storeBytes(of: Int32(truncatingIfNeeded: rounded), as: Int32.self)
      target = target + bytesPerFrame
      index = index &+ 1
    }
  }

  /// Writes a run of zeros for a channel that carries nothing; they are never dithered.
  @_noLocks @_noAllocation
  func writeSilence(frames: Int, to destination: UnsafeMutableRawPointer) {
    let sampleBytes = format.bytesPerSample
    var target = destination
    var index = 0
    while index < frames {
      var byte = 0
      while byte < sampleBytes {
        target.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self)
        byte = byte &+ 1
      }
      target = target + bytesPerFrame
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func saturating(_ value: Double, limit: Double) -> Double {
    countSaturated(value, limit: limit)
    return max(-limit, min(limit, value))
  }

  @_noLocks @_noAllocation
  private mutating func countSaturated(_ value: Double, limit: Double) {
    if value > limit || value < -limit { saturated = saturated &+ 1 }
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
