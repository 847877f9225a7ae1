import ThrumEngine
import ThrumRealtime

/// What a person asks of a sound device; what is left out is chosen.
public struct ALSARequest: Sendable, Equatable {
  /// How often a device wakes the program.
  public enum Period: Sendable, Equatable {
    /// In seconds, 0.001 or more.
    case seconds(Double)
    /// In device frames; 1 ms or more at the device's rate.
    case frames(Int)

    /// The frames of 1 ms, which is the shortest period; a part of a frame counts as one.
    ///
    /// Threads: any. Real-time: no.
    public static func leastFrames(at rate: Int) -> Int { (rate + 999) / 1000 }

    /// The period in frames. Seconds are rounded to the nearest frame, but 1 ms is never less than 1 ms.
    ///
    /// Threads: any. Real-time: no.
    public func frames(at rate: Int) -> Int {
      switch self {
      case .seconds(let seconds):
        let nearest = Int((seconds * Double(rate)).rounded())
        return seconds >= 0.001 ? max(nearest, Self.leastFrames(at: rate)) : nearest
      case .frames(let frames): return frames
      }
    }
  }

  /// Frames a second, one of ``rates``. Nil takes the first of them that the device has, or of ``soundRates`` where
  /// it ``carriesSound`` or is a ``SoundServer``, which would itself convert the others.
  public var rate: Int?
  /// Nil takes the first the device has of S32, S24_3, S24, S16 and FLOAT.
  public var format: SampleFormat?
  /// The channels a channel map names; the device's next larger number is opened. Nil takes the fewest the
  /// device has, which must be 1 or 2, and 2 for sound alone where it has them.
  public var channels: Int?
  /// Whether the device is heard as well as felt, or heard only; default false. The native rate, which is enough for
  /// touch, would leave of a sound what a telephone does.
  public var carriesSound = false
  /// Nil takes 5 ms, or what a ``SoundServer`` keeps. The device may settle on another, which is reported.
  public var period: Period?
  /// Periods in a buffer, 2…64; nil takes 3, or what a ``SoundServer`` keeps. The device may settle on another number.
  public var periods: Int?

  /// How long the output waits for a device that was unplugged or whose server is gone, seconds; 0 ends it at once.
  /// Default for ever. The timeline goes on meanwhile.
  public var awayLimitSeconds = Double.infinity

  /// How much a plug-in or server may hold beyond our buffer, seconds: a device that tells of more when it starts is
  /// refused. Default 2.
  public var hiddenDelayLimitSeconds = ALSARequest.usualHiddenDelayLimitSeconds

  /// The processor that the render thread stays on, from 0; nil, the default, leaves that to the system.
  public var processor: Int?

  /// Asks for the defaults, or for something else where given.
  public init(
    rate: Int? = nil, format: SampleFormat? = nil, channels: Int? = nil, period: Period? = nil,
    periods: Int? = nil
  ) {
    self.rate = rate
    self.format = format
    self.channels = channels
    self.period = period
    self.periods = periods
  }

  /// Where a hidden delay is refused, seconds.
  public static let usualHiddenDelayLimitSeconds = 2.0
  /// From where on a hidden delay is worth a warning, seconds: a touch that is answered later feels broken.
  public static let hiddenDelayWarningSeconds = 0.2

  /// The period that a card is asked for where none was.
  public static let usualPeriod = Period.seconds(0.005)
  /// Periods in a buffer where no number was asked for.
  public static let usualPeriods = 3

  /// The rates an output can run at, in frames a second, the preferred first: the native one, then those in
  /// the order in which cards commonly have them.
  public static let rates = [RenderRate.framesPerSecond, 48000, 44100, 96000, 32000, 16000]
  /// The same for a device that carries sound: those first that leave all of it.
  public static let soundRates = [48000, 44100, 96000, 32000, 16000, RenderRate.framesPerSecond]
  /// What a device is asked for that plays sound and nothing else.
  public static let sound: ALSARequest = {
    var request = ALSARequest()
    request.carriesSound = true
    return request
  }()
  /// The formats in the order in which they are tried: the most exact first, and integers before floats,
  /// which would be converted once more.
  public static let formats: [SampleFormat] = [.s32, .s24in3, .s24, .s16, .float]
}

/// How frames reach the device.
public enum PCMAccess: Sendable, Equatable {
  /// Into its buffer in place.
  case mmap
  /// By a call that copies them.
  case readWrite
}

/// What a device settled on.
struct NegotiatedParameters: Equatable, Sendable {
  var rate: Int
  var channels: Int
  var format: SampleFormat
  var access: PCMAccess
  var periodFrames: Int
  var bufferFrames: Int

  var bytesPerFrame: Int { channels * format.bytesPerSample }

  /// What others are told of it.
  func description(name: String) -> OutputDescription {
    OutputDescription(
      name: name, rate: rate, channels: channels, format: format, periodFrames: periodFrames,
      bufferFrames: bufferFrames)
  }

  /// Asks for the same again.
  var exactRequest: ALSARequest {
    ALSARequest(
      rate: rate, format: format, channels: channels, period: .frames(periodFrames),
      periods: bufferFrames / periodFrames)
  }
}

extension SampleFormat {
  /// The name ALSA users know.
  public var alsaName: String {
    switch self {
    case .s16: "S16_LE"
    case .s24: "S24_LE"
    case .s24in3: "S24_3LE"
    case .s32: "S32_LE"
    case .float: "FLOAT_LE"
    }
  }
}
