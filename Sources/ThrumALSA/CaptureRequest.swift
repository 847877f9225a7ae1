import CALSA

/// What a person asks of a sound input; what is left out is chosen.
public struct CaptureRequest: Sendable, Equatable {
  /// Frames a second; nil takes 48,000, else what comes nearest.
  public var rate: Int?
  /// The channel to listen to, from 0; the input is opened with as many channels as that takes, or the fewest it has.
  public var channel = 0
  /// Frames of a period; the device may settle on another number. 0 takes 5 ms.
  public var periodFrames = 0
  /// How long the input may go unread before it overruns, seconds; the device may settle on less.
  public var bufferSeconds = 0.5

  /// Asks for the defaults.
  public init() {}
}

/// What an opened input settled on.
public struct CaptureDescription: Sendable, Equatable {
  /// The name it was opened by.
  public var name: String
  /// Frames a second.
  public var rate: Int
  /// Interleaved channels.
  public var channels: Int
  /// The channel that is listened to, from 0.
  public var channel: Int
  /// ALSA's name of the format, such as `S16_LE`.
  public var format: String
  /// Frames between two wake-ups.
  public var periodFrames: Int
  /// Frames the device holds at most.
  public var bufferFrames: Int
}

/// The layout of a captured sample.
struct CaptureFormat: Equatable {
  let alsa: snd_pcm_format_t
  let bytes: Int

  /// Those that can be read, the finest first.
  static let all = [
    CaptureFormat(alsa: SND_PCM_FORMAT_S32_LE, bytes: 4),
    CaptureFormat(alsa: SND_PCM_FORMAT_FLOAT_LE, bytes: 4),
    CaptureFormat(alsa: SND_PCM_FORMAT_S24_3LE, bytes: 3),
    CaptureFormat(alsa: SND_PCM_FORMAT_S24_LE, bytes: 4),
    CaptureFormat(alsa: SND_PCM_FORMAT_S16_LE, bytes: 2),
    CaptureFormat(alsa: SND_PCM_FORMAT_S32_BE, bytes: 4),
    CaptureFormat(alsa: SND_PCM_FORMAT_S16_BE, bytes: 2), CaptureFormat(alsa: SND_PCM_FORMAT_U8, bytes: 1),
  ]

  var name: String { snd_pcm_format_name(alsa).map { String(cString: $0) } ?? "?" }

  /// A sample, 1 being full scale.
  func sample(at source: UnsafeRawPointer) -> Float {
    func byte(_ index: Int) -> UInt32 { UInt32(source.load(fromByteOffset: index, as: UInt8.self)) }
    let bits: UInt32
    switch alsa {
    case SND_PCM_FORMAT_S32_LE: bits = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24
    case SND_PCM_FORMAT_S32_BE: bits = byte(3) | byte(2) << 8 | byte(1) << 16 | byte(0) << 24
    case SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE: bits = byte(0) << 8 | byte(1) << 16 | byte(2) << 24
    case SND_PCM_FORMAT_S16_LE: bits = byte(0) << 16 | byte(1) << 24
    case SND_PCM_FORMAT_S16_BE: bits = byte(1) << 16 | byte(0) << 24
    case SND_PCM_FORMAT_U8: bits = (byte(0) ^ 0x80) << 24
    default:
      return Float(bitPattern: byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24)
    }
    return Float(Int32(bitPattern: bits)) * 0x1p-31
  }
}
