import CALSA
import Glibc
import ThrumEngine
import ThrumRealtime

/// Why no parameters could be agreed on.
enum NegotiationFailure: Error, Equatable {
  /// libasound failed.
  case fault(OutputFault)
  /// The device does not have what was asked for; the text says what it has. Two lines at most.
  case refused(String)
  /// No device has what was asked for; the sentence says what can be and has no subject, which is the device.
  case impossible(String)

  /// The error number that comes nearest.
  var code: Int32 {
    switch self {
    case .fault(let fault): fault.code
    case .refused, .impossible: -EINVAL
    }
  }
}

/// Agrees with a device on rate, format, channels, period and buffer.
struct HardwareParameters: ~Copyable {
  private let handle: OpaquePointer
  private let space: OpaquePointer
  private let server: SoundServer?

  private init(_ handle: OpaquePointer) throws(NegotiationFailure) {
    var space: OpaquePointer?
    let code = snd_pcm_hw_params_malloc(&space)
    guard code >= 0, let space else { throw .fault(OutputFault(code, .configure)) }
    self.handle = handle
    self.space = space
    server = SoundServer(of: handle)
  }

  deinit { snd_pcm_hw_params_free(space) }

  /// Negotiates, installs and reads back.
  /// - Throws: What the device refused, with what it has; nothing is installed.
  static func negotiate(
    _ handle: OpaquePointer, request: ALSARequest
  ) throws(NegotiationFailure) -> NegotiatedParameters {
    let parameters = try HardwareParameters(handle)
    let chosen = try parameters.choose(request)
    let installed = snd_pcm_hw_params(handle, parameters.space)
    if installed < 0 { throw .fault(OutputFault(installed, .configure)) }
    try installSoftware(handle, periodFrames: chosen.periodFrames, bufferFrames: chosen.bufferFrames)
    return chosen
  }

  /// What a request would obtain; the device is asked, and nothing is installed.
  /// - Throws: What the device refused, with what it has.
  static func propose(
    _ handle: OpaquePointer, request: ALSARequest
  ) throws(NegotiationFailure) -> NegotiatedParameters {
    try HardwareParameters(handle).choose(request)
  }

  private func choose(_ request: ALSARequest) throws(NegotiationFailure) -> NegotiatedParameters {
    try Self.check(request)
    try begin()
    // From what a map or a person fixes to what gives way.
    let access = try chooseAccess()
    let channels = try chooseChannels(request)
    let rate = try chooseRate(request)
    let format = try chooseFormat(request.format)
    let frames = try chooseBuffer(request, rate: rate)
    return NegotiatedParameters(
      rate: rate, channels: channels, format: format, access: access, periodFrames: frames.period,
      bufferFrames: frames.buffer)
  }

  private static func check(_ request: ALSARequest) throws(NegotiationFailure) {
    if let rate = request.rate, !ALSARequest.rates.contains(rate) {
      let rates = ALSARequest.rates.map(String.init).joined(separator: ", ")
      throw .refused("Thrum has no rate of \(rate) frames a second; it has \(rates).")
    }
    if let periods = request.periods, periods < 2 || periods > 64 {
      throw .refused("A buffer of \(periods) periods cannot be: 2 to 64 can.")
    }
    switch request.period {
    case .seconds(let seconds) where !(seconds >= 0.001 && seconds <= 10):
      throw .impossible("a period is 1 ms to 10 s")
    case .frames(let frames) where frames < 1 || frames > 960_000:
      throw .impossible("a period of \(frames) frames cannot be; 1 ms to 10 s can")
    default: break
    }
  }

  private func begin() throws(NegotiationFailure) {
    try checked(snd_pcm_hw_params_any(handle, space))
    // A device behind a rate converter of ALSA's shows the rates of the hardware: our own kernels are better,
    // and their delay is known. Harmless where there is no converter.
    try checked(snd_pcm_hw_params_set_rate_resample(handle, space, 0))
  }

  private func checked(_ code: Int32) throws(NegotiationFailure) {
    if code < 0 { throw .fault(OutputFault(code, .configure)) }
  }

  private func chooseAccess() throws(NegotiationFailure) -> PCMAccess {
    if snd_pcm_hw_params_set_access(handle, space, SND_PCM_ACCESS_MMAP_INTERLEAVED) >= 0 { return .mmap }
    if snd_pcm_hw_params_set_access(handle, space, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 { return .readWrite }
    throw .refused("It takes channels only one by one, not interleaved; a \"plug\" PCM over it does.")
  }

  private func chooseChannels(_ request: ALSARequest) throws(NegotiationFailure) -> Int {
    let asked = request.channels
    if asked == nil, request.carriesSound, snd_pcm_hw_params_set_channels(handle, space, 2) >= 0 { return 2 }
    let range = try channelRange()
    var channels = UInt32(max(1, asked ?? 1))
    // The fewest from there on: the space is narrowed from below, then fixed at its lower end.
    if snd_pcm_hw_params_set_channels_min(handle, space, &channels) < 0 {
      throw .refused("It has \(range) channels, the map names \(asked ?? 1).")
    }
    try checked(snd_pcm_hw_params_set_channels_first(handle, space, &channels))
    if asked == nil && channels > 2 {
      throw .refused(
        "It has \(range) channels and none of them was named: which of them reach an actuator?\n"
          + "Name them with --channels, such as haptic=3,4; \"thrum devices --identify\" finds them.")
    }
    return Int(channels)
  }

  private func chooseRate(_ request: ALSARequest) throws(NegotiationFailure) -> Int {
    let asked = request.rate
    // A server takes any rate and converts it to its own; our own conversion is better, and its delay known.
    let isConverted = request.carriesSound || server != nil
    for rate in asked.map({ [$0] }) ?? (isConverted ? ALSARequest.soundRates : ALSARequest.rates)
    where snd_pcm_hw_params_set_rate(handle, space, UInt32(rate), 0) >= 0 {
      return rate
    }
    var low: UInt32 = 0
    var high: UInt32 = 0
    var direction: Int32 = 0
    try checked(snd_pcm_hw_params_get_rate_min(space, &low, &direction))
    try checked(snd_pcm_hw_params_get_rate_max(space, &high, &direction))
    let has = ALSARequest.rates.filter { snd_pcm_hw_params_test_rate(handle, space, UInt32($0), 0) >= 0 }
    let list = has.map(String.init).joined(separator: ", ")
    let words = has.isEmpty ? (low == high ? "\(low)" : "\(low) to \(high)") : list
    throw .refused(
      (asked.map { "It has no rate of \($0)" } ?? "It has no rate that Thrum has") + "; it has \(words).")
  }

  private func chooseFormat(_ asked: SampleFormat?) throws(NegotiationFailure) -> SampleFormat {
    for format in asked.map({ [$0] }) ?? ALSARequest.formats
    where snd_pcm_hw_params_set_format(handle, space, format.alsaFormat) >= 0 {
      return format
    }
    let has = ALSARequest.formats.filter { snd_pcm_hw_params_test_format(handle, space, $0.alsaFormat) >= 0 }
    let list = has.map(\.alsaName).joined(separator: ", ")
    throw .refused(
      (asked.map { "It has no format \($0.alsaName)" } ?? "It has no format that Thrum has")
        + (has.isEmpty ? "." : "; it has \(list)."))
  }

  private func chooseBuffer(
    _ request: ALSARequest, rate: Int
  ) throws(NegotiationFailure) -> (period: Int, buffer: Int) {
    // A device that cannot promise whole periods may still settle on them; that is checked below.
    let isWhole = snd_pcm_hw_params_set_periods_integer(handle, space) >= 0
    let asked = request.period ?? server?.period ?? ALSARequest.usualPeriod
    let count = request.periods ?? server?.periods ?? ALSARequest.usualPeriods
    var period = UInt(asked.frames(at: rate))
    let least = ALSARequest.Period.leastFrames(at: rate)
    if period < least {
      throw .impossible(
        "a period of \(period) frames at \(rate) Hz is shorter than 1 ms; the smallest is \(least) frames")
    }
    var direction: Int32 = 0
    try checked(snd_pcm_hw_params_set_period_size_near(handle, space, &period, &direction))
    var buffer = period * UInt(count)
    if isWhole {
      var periods = UInt32(count)
      direction = 0
      try checked(snd_pcm_hw_params_set_periods_near(handle, space, &periods, &direction))
      buffer = period * UInt(periods)
    }
    try checked(snd_pcm_hw_params_set_buffer_size_near(handle, space, &buffer))
    if period == 0 || buffer % period != 0 || buffer / period < 2 {
      throw .refused("A period of \(period) frames does not fit its buffer of \(buffer).")
    }
    return (Int(period), Int(buffer))
  }

  private func channelRange() throws(NegotiationFailure) -> String {
    var low: UInt32 = 0
    var high: UInt32 = 0
    try checked(snd_pcm_hw_params_get_channels_min(space, &low))
    try checked(snd_pcm_hw_params_get_channels_max(space, &high))
    return low == high ? "\(low)" : "\(low) to \(high)"
  }

  // Wake at every period, start on the first, stop when dry; what has been played is overwritten with
  // silence, so that hardware which runs on never repeats a signal.
  private static func installSoftware(
    _ handle: OpaquePointer, periodFrames: Int, bufferFrames: Int
  ) throws(NegotiationFailure) {
    var space: OpaquePointer?
    func checked(_ code: Int32) throws(NegotiationFailure) {
      if code < 0 { throw .fault(OutputFault(code, .configure)) }
    }
    try checked(snd_pcm_sw_params_malloc(&space))
    guard let space else { throw .fault(OutputFault(-ENOMEM, .configure)) }
    defer { snd_pcm_sw_params_free(space) }
    try checked(snd_pcm_sw_params_current(handle, space))
    var boundary: UInt = 0
    try checked(snd_pcm_sw_params_get_boundary(space, &boundary))
    try checked(snd_pcm_sw_params_set_avail_min(handle, space, UInt(periodFrames)))
    try checked(snd_pcm_sw_params_set_start_threshold(handle, space, UInt(periodFrames)))
    try checked(snd_pcm_sw_params_set_stop_threshold(handle, space, UInt(bufferFrames)))
    try checked(snd_pcm_sw_params_set_silence_threshold(handle, space, 0))
    try checked(snd_pcm_sw_params_set_silence_size(handle, space, boundary))
    try checked(snd_pcm_sw_params(handle, space))
  }
}

extension SampleFormat {
  /// ALSA's number for it.
  var alsaFormat: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s24in3: SND_PCM_FORMAT_S24_3LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    }
  }
}
