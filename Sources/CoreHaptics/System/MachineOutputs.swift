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
    switch DevicePresence.choice(named: name ?? settings.deviceName) {
    case .virtual, .device: return OutputSupport(actuators: actuators)
    case .none(let problem): return OutputSupport(problem: problem, actuators: 0)
    }
  }

  func open(_ name: String?) throws -> OpenedDevice {
    let settings = try OutputSettings.read()
    switch DevicePresence.choice(named: name ?? settings.deviceName) {
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
