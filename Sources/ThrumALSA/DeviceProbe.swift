import CALSA
import ThrumEngine
import ThrumRealtime

/// What a PCM accepts, as it was when it was asked.
public struct DeviceCapabilities: Sendable, Equatable {
  /// The rates of ``ALSARequest/rates`` that the hardware has, in frames a second, in ascending order.
  public var rates: [Int]
  /// The formats that it takes, the preferred first.
  public var formats: [SampleFormat]
  /// Its numbers of channels, from the fewest to the most.
  public var channels: ClosedRange<Int>
  /// The sound server that it plays into; nil where it is none that is known.
  public var server: SoundServer?
  /// What it settles on where nothing is asked for; nil where that is no use.
  public var usual: OutputDescription?
}

extension DeviceCapabilities {
  /// Opens a PCM for a moment and asks it.
  /// - Throws: The error number.
  static func probe(_ name: String) throws(OutputFault) -> DeviceCapabilities {
    let pcm = try PCM(name: name)
    defer { pcm.close() }
    guard let handle = pcm.rawHandle else { throw OutputFault(-EBADFD, .open) }
    var space: OpaquePointer?
    try checked(snd_pcm_hw_params_malloc(&space))
    guard let space else { throw OutputFault(-ENOMEM, .configure) }
    defer { snd_pcm_hw_params_free(space) }
    try checked(snd_pcm_hw_params_any(handle, space))
    try checked(snd_pcm_hw_params_set_rate_resample(handle, space, 0))
    var low: UInt32 = 0
    var high: UInt32 = 0
    try checked(snd_pcm_hw_params_get_channels_min(space, &low))
    try checked(snd_pcm_hw_params_get_channels_max(space, &high))
    let rates = ALSARequest.rates.filter { snd_pcm_hw_params_test_rate(handle, space, UInt32($0), 0) >= 0 }
    let formats = ALSARequest.formats.filter {
      snd_pcm_hw_params_test_format(handle, space, $0.alsaFormat) >= 0
    }
    var capabilities = DeviceCapabilities(
      rates: rates.sorted(), formats: formats, channels: Int(low)...Int(max(low, high)))
    capabilities.server = SoundServer(of: handle)
    capabilities.usual = usual(pcm, handle, channels: Int(low))
    return capabilities
  }

  private static func usual(_ pcm: PCM, _ handle: OpaquePointer, channels: Int) -> OutputDescription? {
    do throws(NegotiationFailure) {
      // Named, so that a device of many channels does not ask for a map.
      let obtained = try HardwareParameters.propose(handle, request: ALSARequest(channels: channels))
      return obtained.description(name: pcm.name)
    } catch {
      return nil
    }
  }

  private static func checked(_ code: Int32) throws(OutputFault) {
    if code < 0 { throw OutputFault(code, .configure) }
  }
}
