import CALSA
import Glibc
import ThrumEngine

/// Agrees with an input on rate, format, channels, period and buffer.
struct CaptureParameters: ~Copyable {
  private let handle: OpaquePointer
  private let space: OpaquePointer
  private let name: String

  private init(_ handle: OpaquePointer, name: String) throws(OutputError) {
    var space: OpaquePointer?
    let code = snd_pcm_hw_params_malloc(&space)
    guard code >= 0, let space else { throw CaptureError.message(code, .configure, input: name) }
    (self.handle, self.space, self.name) = (handle, space, name)
  }

  deinit { snd_pcm_hw_params_free(space) }

  /// What was agreed on.
  struct Agreed {
    var rate: Int
    var channels: Int
    var format: CaptureFormat
    var isMapped: Bool
    var periodFrames: Int
    var bufferFrames: Int
  }

  /// Negotiates and installs.
  static func negotiate(
    _ handle: OpaquePointer, request: CaptureRequest, name: String
  ) throws(OutputError) -> Agreed {
    let parameters = try CaptureParameters(handle, name: name)
    try parameters.checked(snd_pcm_hw_params_any(handle, parameters.space))
    let isMapped = try parameters.chooseAccess()
    let channels = try parameters.chooseChannels(request.channel)
    let rate = try parameters.chooseRate(request.rate)
    let format = try parameters.chooseFormat()
    let frames = try parameters.chooseBuffer(request, rate: rate)
    try parameters.checked(snd_pcm_hw_params(handle, parameters.space))
    try parameters.installSoftware(periodFrames: frames.period, bufferFrames: frames.buffer)
    return Agreed(
      rate: rate, channels: channels, format: format, isMapped: isMapped, periodFrames: frames.period,
      bufferFrames: frames.buffer)
  }

  private func checked(_ code: Int32) throws(OutputError) {
    if code < 0 { throw CaptureError.message(code, .configure, input: name) }
  }

  private func refusal(_ words: String) -> OutputError {
    OutputError("cannot set up sound input \"\(name)\":\n\(words)")
  }

  private func chooseAccess() throws(OutputError) -> Bool {
    if snd_pcm_hw_params_set_access(handle, space, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 { return false }
    if snd_pcm_hw_params_set_access(handle, space, SND_PCM_ACCESS_MMAP_INTERLEAVED) >= 0 { return true }
    throw refusal("It gives channels only one by one, not interleaved; plug\(name) does.")
  }

  private func chooseChannels(_ channel: Int) throws(OutputError) -> Int {
    var channels = UInt32(channel + 1)
    if snd_pcm_hw_params_set_channels_min(handle, space, &channels) < 0 {
      var most: UInt32 = 0
      try checked(snd_pcm_hw_params_get_channels_max(space, &most))
      throw refusal("It has \(most) channels; --input-channel \(channel + 1) is none of them.")
    }
    try checked(snd_pcm_hw_params_set_channels_first(handle, space, &channels))
    return Int(channels)
  }

  private func chooseRate(_ asked: Int?) throws(OutputError) -> Int {
    var rate = UInt32(asked ?? 48000)
    var direction: Int32 = 0
    if let asked {
      // A converter of ALSA's would add a delay that nobody knows.
      try checked(snd_pcm_hw_params_set_rate_resample(handle, space, 0))
      if snd_pcm_hw_params_set_rate(handle, space, rate, 0) >= 0 { return asked }
      let has = ALSARequest.rates.filter { snd_pcm_hw_params_test_rate(handle, space, UInt32($0), 0) >= 0 }
      let list = has.isEmpty ? "others" : has.map(String.init).joined(separator: ", ")
      throw refusal("It has no rate of \(asked), at which the output runs; it has \(list). Give --rate.")
    }
    try checked(snd_pcm_hw_params_set_rate_near(handle, space, &rate, &direction))
    return Int(rate)
  }

  private func chooseFormat() throws(OutputError) -> CaptureFormat {
    for format in CaptureFormat.all where snd_pcm_hw_params_set_format(handle, space, format.alsa) >= 0 {
      return format
    }
    throw refusal("It has no format of plain samples; plug\(name) has.")
  }

  private func chooseBuffer(
    _ request: CaptureRequest, rate: Int
  ) throws(OutputError) -> (period: Int, buffer: Int) {
    var period = UInt(request.periodFrames > 0 ? request.periodFrames : rate / 200)
    var direction: Int32 = 0
    try checked(snd_pcm_hw_params_set_period_size_near(handle, space, &period, &direction))
    var buffer = max(UInt(request.bufferSeconds * Double(rate)), 2 * period)
    try checked(snd_pcm_hw_params_set_buffer_size_near(handle, space, &buffer))
    return (Int(period), Int(buffer))
  }

  // Wakes at every period, never starts by itself, stops when it was not read in time.
  private func installSoftware(periodFrames: Int, bufferFrames: Int) throws(OutputError) {
    var space: OpaquePointer?
    try checked(snd_pcm_sw_params_malloc(&space))
    guard let space else { throw CaptureError.message(-ENOMEM, .configure, input: name) }
    defer { snd_pcm_sw_params_free(space) }
    try checked(snd_pcm_sw_params_current(handle, space))
    var boundary: UInt = 0
    try checked(snd_pcm_sw_params_get_boundary(space, &boundary))
    try checked(snd_pcm_sw_params_set_avail_min(handle, space, UInt(periodFrames)))
    try checked(snd_pcm_sw_params_set_start_threshold(handle, space, boundary))
    try checked(snd_pcm_sw_params_set_stop_threshold(handle, space, UInt(bufferFrames)))
    try checked(snd_pcm_sw_params(handle, space))
  }
}

/// Messages about inputs.
enum CaptureError {
  /// What failed, in ALSA's words, and what to try.
  static func message(_ code: Int32, _ act: OutputAct, input name: String) -> OutputError {
    let what =
      switch act {
      case .open: "cannot open sound input"
      case .configure: "cannot set up sound input"
      case .start: "cannot start sound input"
      case .play: "lost sound input"
      }
    return OutputError("\(what) \"\(name)\": \(ALSAError.text(of: code))\n\(nextStep(code))")
  }

  private static func nextStep(_ code: Int32) -> String {
    switch -code {
    case EBUSY:
      "Another program records from it, often a sound server. End that, or name a PCM that shares it (--input pipewire)."
    case EACCES, EPERM:
      "You have no permission for the card. Join the audio group (sudo usermod -aG audio $USER), then log in again."
    case ENODEV where code != 0, EIO, EPIPE, ETIMEDOUT:
      "Is it connected and switched on? \"arecord -l\" lists the inputs there are."
    default:
      "\"arecord -l\" lists the inputs there are; name one with --input, such as hw:1 or plughw:1."
    }
  }
}
