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
    let actuators = settings.hapticChannels.map(\.count) ?? 1
    var problem: String?
    for candidate in candidates(name, settings) {
      guard case .none(let reason) = DevicePresence.choice(named: candidate) else {
        return OutputSupport(actuators: actuators)
      }
      problem = problem ?? reason
    }
    return OutputSupport(problem: problem, actuators: 0)
  }

  func open(_ name: String?) throws -> OpenedDevice {
    let settings = try OutputSettings.read()
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
  private func candidates(_ name: String?, _ settings: OutputSettings) -> [String?] {
    if let name { return [name] }
    return [settings.deviceName] + [settings.fallbackName].filter { $0 != nil }
  }

  private func open(_ choice: DevicePresence, _ settings: OutputSettings) throws -> OpenedDevice {
    switch choice {
    case .none(let problem): throw CHHapticError(.serverInitFailed, condition: "output exists", problem)
    case .virtual:
      let device = VirtualOutput(
        rate: settings.rate ?? RenderRate.framesPerSecond, channels: settings.channelCount ?? 1,
        format: settings.format ?? .float, periodFrames: settings.virtualPeriodFrames)
      return OpenedDevice(
        device: device, configuration: settings.configuration(channels: device.output.channels))
    case .device(let name):
      do throws(OutputError) {
        let device = try ALSAOutput.open(name: name, request: settings.request)
        return OpenedDevice(
          device: device, configuration: settings.configuration(channels: device.output.channels))
      } catch {
        throw CHHapticError(error)
      }
    }
  }
}
