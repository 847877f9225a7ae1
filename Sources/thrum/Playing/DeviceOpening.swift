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
    switch period {
    case .milliseconds(let duration): request.period = .seconds(duration / 1000)
    case .frames(let count): request.period = .frames(count)
    case nil: break
    }
    return request
  }

  /// The virtual actuator that takes what is asked for: native rate and Float32 where nothing is.
  func makeVirtual() -> VirtualOutput {
    let rate = rate ?? RenderRate.framesPerSecond
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
  ///
  /// With `waits`, a device that is busy or not there is waited for; else `fallback`, where one is configured, takes its
  /// place and is told of.
  static func open(
    _ choice: DeviceChoice, _ request: DeviceRequest, act: String, waits: Bool = false,
    fallback: String? = nil
  ) throws(CommandError) -> OpenedDevice {
    guard case .alsa(let name) = choice.target else {
      guard case .noDevice(let problem) = choice.reason else {
        return OpenedDevice(device: request.makeVirtual(), notice: nil)
      }
      let notice = "no sound card (default: \(problem)); \(act) on the virtual actuator"
      return OpenedDevice(device: request.makeVirtual(), notice: notice)
    }
    do throws(OutputError) {
      var isTold = false
      let device = try ALSAOutput.open(name: name, request: request.alsa) { error in
        if waits && !isTold { StandardError.note("play", "waiting: \(error.message)") }
        isTold = true
        return waits
      }
      return OpenedDevice(device: device, notice: nil)
    } catch {
      guard let fallback else { throw .failed(error.message) }
      return try openFallback(fallback, request, act: act, because: error)
    }
  }

  private static func openFallback(
    _ name: String, _ request: DeviceRequest, act: String, because error: OutputError
  ) throws(CommandError) -> OpenedDevice {
    let reason = error.message.split(separator: "\n").first ?? ""
    let notice = "\(reason); \(act) on \(name), the fallback of the configuration file"
    if name == DeviceChoice.virtualName { return OpenedDevice(device: request.makeVirtual(), notice: notice) }
    do throws(OutputError) {
      return OpenedDevice(device: try ALSAOutput.open(name: name, request: request.alsa), notice: notice)
    } catch {
      throw .failed(error.message)
    }
  }
}
