import CALSA

/// A sound server that a PCM plays into, as libasound tells of it: through `default`, `plug` and whatever else passes on
/// what is behind it.
public enum SoundServer: String, Sendable, CaseIterable {
  /// PipeWire, by its own plug-in.
  case pipeWire = "PipeWire"
  /// PulseAudio, or PipeWire in its place.
  case pulseAudio = "PulseAudio"
  /// JACK.
  case jack = "JACK"

  /// The period for those who asked for none: one that the server keeps on a busy machine, where it loses time at
  /// shorter ones, PipeWire without telling.
  public var period: ALSARequest.Period { .seconds(0.01) }

  /// Periods in a buffer for those who asked for no number.
  public var periods: Int {
    switch self {
    case .pipeWire, .jack: 3
    // It asks for more when a period is free, and answers when its own mixing allows.
    case .pulseAudio: 4
    }
  }

  /// Seconds for which it may play nothing when it is started: PulseAudio's outputs sleep for up to 2 s where nobody plays.
  var startPatienceSeconds: Double { self == .pulseAudio ? 4 : 1 }
}

extension SoundServer {
  /// What is behind an open PCM; nil for a card, and for a plug-in that is none of these.
  init?(of handle: OpaquePointer) {
    var output: OpaquePointer?
    guard snd_output_buffer_open(&output) >= 0, let output else { return nil }
    defer { snd_output_close(output) }
    // The one place where a plug-in's name is told, and those of all that are behind one another: `snd_pcm_info` has the
    // name that the configuration gave it, which can be any.
    guard snd_pcm_dump(handle, output) >= 0 else { return nil }
    var bytes: UnsafeMutablePointer<CChar>?
    let count = snd_output_buffer_string(output, &bytes)
    guard let bytes else { return nil }
    let text = UnsafeRawBufferPointer(start: bytes, count: count)
    self.init(description: String(decoding: text, as: UTF8.self))
  }

  /// What a PCM plays into that libasound describes so.
  init?(description: String) {
    // As the plug-ins call themselves: "ALSA <-> PipeWire PCM I/O Plugin".
    let servers = SoundServer.allCases
    guard let server = servers.first(where: { description.contains("ALSA <-> \($0.rawValue) PCM") })
    else { return nil }
    self = server
  }
}
