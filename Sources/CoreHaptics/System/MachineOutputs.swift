internal import ThrumALSA
internal import ThrumEngine
internal import ThrumRealtime

/// The outputs of the machine: the device that the settings choose, or one by its name.
struct MachineOutputs: OutputProvider {
  func support(of name: String?) -> OutputSupport {
    let settings: OutputSettings
    do {
      settings = try OutputSettings.read()
    } catch {
      // An output is chosen by them; opening it tells what is wrong.
      return OutputSupport()
    }
    return Self.support(of: name, settings)
  }

  func open(_ name: String?) throws -> OpenedDevice { try Self.open(name, OutputSettings.read()) }

  /// The same by given settings.
  static func support(of name: String?, _ settings: OutputSettings) -> OutputSupport {
    let actuators = settings.hapticChannels.map(\.count) ?? 1
    let carriesSound = carriesSound(settings)
    var problem: String?
    for candidate in candidates(name, settings) {
      guard case .none(let reason) = DevicePresence.choice(named: candidate) else {
        return OutputSupport(actuators: actuators, carriesSound: carriesSound)
      }
      problem = problem ?? reason
    }
    return OutputSupport(problem: problem, actuators: 0)
  }

  private static func carriesSound(_ settings: OutputSettings) -> Bool {
    guard let name = settings.soundDeviceName else { return settings.hasSoundChannels }
    if case .device = DevicePresence.choice(named: name) { return true }
    return false
  }

  /// The same by given settings.
  static func open(_ name: String?, _ settings: OutputSettings) throws -> OpenedDevice {
    var failure: (any Error)?
    for candidate in candidates(name, settings) {
      do {
        return try open(DevicePresence.choice(named: candidate), settings)
      } catch {
        // What is wrong with the device that was meant is told, not what is wrong with the one in its place.
        failure = failure ?? error
      }
    }
    throw failure ?? CHHapticError(.serverInitFailed)
  }

  /// The devices to try: one that a program names, or what the settings say.
  private static func candidates(_ name: String?, _ settings: OutputSettings) -> [String?] {
    if let name { return [name] }
    return [settings.deviceName] + [settings.fallbackName].filter { $0 != nil }
  }

  private static func open(_ choice: DevicePresence, _ settings: OutputSettings) throws -> OpenedDevice {
    switch choice {
    case .none(let problem): throw CHHapticError(.serverInitFailed, condition: "output exists", problem)
    case .virtual:
      let device = VirtualOutput(
        rate: settings.rate ?? RenderRate.framesPerSecond, channels: settings.channelCount ?? 1,
        format: settings.format ?? .float, periodFrames: settings.virtualPeriodFrames)
      return try opened(device, settings)
    case .device(let name):
      let device: ALSAOutput
      do throws(OutputError) {
        device = try ALSAOutput.open(name: name, request: settings.request)
      } catch {
        throw CHHapticError(error)
      }
      return try opened(device, settings)
    }
  }

  /// Adds the device of the sound, where it has one of its own.
  private static func opened(_ device: any OutputDevice, _ settings: OutputSettings) throws -> OpenedDevice {
    let configuration = settings.configuration(channels: device.output.channels)
    guard let name = settings.soundDeviceName else {
      return OpenedDevice(device: device, configuration: configuration)
    }
    do throws(OutputError) {
      return OpenedDevice(
        device: device, configuration: configuration,
        soundDevice: try ALSAOutput.open(name: name, request: .sound))
    } catch {
      device.close()
      throw CHHapticError(error)
    }
  }
}
