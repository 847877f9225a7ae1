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
    let asked: ALSARequest.Period =
      switch period {
      case .milliseconds(let duration): .seconds(duration / 1000)
      case .frames(let count): .frames(count)
      case nil: .seconds(Self.standardPeriodSeconds)
      }
    return ALSARequest(rate: rate, format: format, period: asked)
  }

  /// The period of a device that is asked for none, seconds.
  static let standardPeriodSeconds = 0.005
  /// Periods in a buffer.
  static let standardPeriods = 3

  /// The virtual actuator that takes what is asked for: native rate and Float32 where nothing is.
  func makeVirtual() -> VirtualOutput {
    let rate = rate ?? RenderRate.framesPerSecond
    let frames = (period ?? .milliseconds(Self.standardPeriodSeconds * 1000)).frames(at: rate)
    return VirtualOutput(
      rate: rate, channels: 1, format: format ?? .float, periodFrames: frames,
      bufferFrames: frames * Self.standardPeriods)
  }
}

/// A device that is ready to play.
struct OpenedDevice {
  let device: any OutputDevice
  /// One line worth telling, such as why it is the virtual actuator; nil where there is nothing to tell.
  let notice: String?

  /// Opens the device of a choice.
  /// - Throws: `CommandError.failed` where a device that somebody named cannot be opened.
  static func open(_ choice: DeviceChoice, _ request: DeviceRequest) throws(CommandError) -> OpenedDevice {
    if choice.name == DeviceChoice.virtualName {
      return OpenedDevice(device: request.makeVirtual(), notice: nil)
    }
    do throws(OutputError) {
      return OpenedDevice(device: try ALSAOutput.open(choice.name, request.alsa), notice: nil)
    } catch {
      guard choice.source == .nobody else {
        throw .failed(choice.source == .option ? error.message : error.message + " (\(choice.reason))")
      }
      let reason = error.message.split(separator: "\n").first.map(String.init) ?? error.message
      return OpenedDevice(
        device: request.makeVirtual(),
        notice: "no usable sound card (\(reason)); playing on the virtual actuator, in real time")
    }
  }
}
