import ThrumALSA
import ThrumEngine
import ThrumRealtime

/// What is asked of a device; what is left out is the device's choice.
struct DeviceRequest {
  var rate: Int?
  var format: SampleFormat?
  var period: Period?

  /// Fills what the command line leaves out from the configuration.
  init(rate: Int? = nil, format: SampleFormat? = nil, period: Period? = nil, configuration: Configuration) {
    self.rate = rate ?? configuration.rate
    self.format = format ?? configuration.format
    self.period = period ?? configuration.period
  }

  /// What ALSA is asked for.
  var alsa: ALSARequest {
    var request = ALSARequest(rate: rate, format: format)
    if let period { request.period = period.request }
    return request
  }

  /// The virtual actuator that takes what is asked for: native rate and Float32 where nothing is.
  /// - Throws: `CommandError.usage` for a period that is none at its rate.
  func makeVirtual() throws(CommandError) -> VirtualOutput {
    let rate = rate ?? RenderRate.framesPerSecond
    try period?.check(at: rate)
    return VirtualOutput(rate: rate, format: format ?? .float, periodFrames: period?.frames(at: rate))
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
  static func open(
    _ choice: DeviceChoice, _ request: DeviceRequest, act: String
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
      output = try ALSAOutput.open(name: name, request: request.alsa)
    } catch {
      throw error.cause == .request ? .usage(error.message) : .failed(error.message)
    }
    // ALSA itself would take periods of many seconds.
    do throws(CommandError) {
      try request.period?.check(at: output.output.rate)
    } catch {
      output.close()
      throw error
    }
    return OpenedDevice(device: output, notice: nil)
  }
}
