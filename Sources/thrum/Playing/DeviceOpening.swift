import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// What is asked of a device; what is left out is the device's choice.
struct DeviceRequest {
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  /// Milliseconds that may be hidden beyond the buffer.
  var delayLimit: Double?
  /// The processor that the render thread stays on.
  var processor: Int?

  /// Fills what the command line leaves out from the configuration.
  init(
    rate: Int? = nil, format: SampleFormat? = nil, period: ALSARequest.Period? = nil,
    channels: ChannelChoice? = nil, configuration: Configuration
  ) {
    self.rate = rate ?? configuration.rate
    self.format = format ?? configuration.format
    self.period = period ?? configuration.period
    self.channels = channels ?? configuration.channels
    delayLimit = configuration.delayLimit
  }

  /// What ALSA is asked for.
  var alsa: ALSARequest {
    var request = ALSARequest(rate: rate, format: format, channels: channels?.count)
    if let period { request.period = period }
    request.carriesSound = channels?.audio.isEmpty == false
    request.processor = processor
    if let delayLimit { request.hiddenDelayLimitSeconds = delayLimit / 1000 }
    return request
  }

  /// One line where a device settled on another period than the one that was asked for.
  func periodNotice(obtained: OutputDescription) -> String? {
    guard let period, period.frames(at: obtained.rate) != obtained.periodFrames else { return nil }
    return "sound device \"\(printable(obtained.name))\" does not have the period that was asked for; "
      + "it took the \(obtained.bufferWords)"
  }

  /// The virtual actuator that takes what is asked for: native rate and Float32 where nothing is.
  /// - Throws: `CommandError.usage` for a period that is none at its rate.
  func makeVirtual() throws(CommandError) -> VirtualOutput {
    let rate = rate ?? RenderRate.framesPerSecond
    try period?.check(at: rate)
    return VirtualOutput(
      rate: rate, channels: channels?.count ?? 1, format: format ?? .float,
      periodFrames: period?.frames(at: rate))
  }
}

/// A device that is ready to play.
struct OpenedDevice {
  let device: any OutputDevice
  /// One line worth telling, such as why it is the virtual actuator; nil where there is nothing to tell.
  let notice: String?

  /// Opens the device of a choice.
  /// - Parameter act: What is going to be done on it, for the notice, such as `playing`.
  /// - Throws: `CommandError.failed`, at most three lines, where the device cannot be opened.
  ///
  /// With `waits`, a device that is busy or not there is waited for; else `fallback`, where one is configured, takes its
  /// place and is told of.
  static func open(
    _ choice: DeviceChoice, _ request: DeviceRequest, act: String, waits: Bool = false,
    fallback: String? = nil
  ) throws(CommandError) -> OpenedDevice {
    guard case .alsa(let name) = choice.target else {
      guard case .noDevice(let problem) = choice.reason else {
        return OpenedDevice(device: try request.makeVirtual(), notice: nil)
      }
      let notice = "no sound card (default: \(problem)); \(act) on the virtual actuator"
      return OpenedDevice(device: try request.makeVirtual(), notice: notice)
    }
    let output: ALSAOutput
    do throws(OutputError) {
      var isTold = false
      output = try ALSAOutput.open(name: name, request: request.alsa) { error in
        if waits && !isTold { StandardError.note("play", "waiting: \(error.message)") }
        isTold = true
        return waits
      }
    } catch {
      if error.cause == .device, let fallback {
        let reason = error.message.split(separator: "\n").first ?? ""
        let other = DeviceChoice.choose(option: nil, environment: nil, configuration: fallback)
        let device: any OutputDevice
        do throws(CommandError) {
          device = try open(other, request, act: act).device
        } catch {
          guard case .failed(let message) = error else { throw error }
          // Three lines at most: the device that was meant, its fallback, and what to do about that.
          let lines = message.split(separator: "\n").prefix(2)
          throw .failed("\(reason)\nNor does its fallback open: " + lines.joined(separator: "\n"))
        }
        return OpenedDevice(
          device: device,
          notice: "\(reason); \(act) on \(fallback), the fallback of the configuration file")
      }
      throw error.cause == .request ? .usage(error.message) : .failed(error.message)
    }
    // ALSA itself would take periods of many seconds.
    do throws(CommandError) {
      try request.period?.check(at: output.output.rate)
    } catch {
      output.close()
      throw error
    }
    return OpenedDevice(device: output, notice: request.periodNotice(obtained: output.output))
  }
}
