/// How a sample is laid out in the device's buffer; all little-endian, interleaved.
public enum SampleFormat: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// 16-bit integers, dithered; scale 32,767.
  case s16
  /// 24 bits in the low part of a 32-bit word; scale 8,388,607.
  case s24
  /// 24 bits in three bytes; scale 8,388,607.
  case s24in3
  /// 32-bit integers; scale 2,147,483,520, the largest Float32 below 2³¹.
  case s32
  /// 32-bit floating point, 1 is full scale.
  case float

  /// Bytes that one sample takes.
  public var bytesPerSample: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .s16: 2
      case .s24in3: 3
      case .s24, .s32, .float: 4
      }
    }
  }
}
