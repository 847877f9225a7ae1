@testable import CoreHaptics
import ThrumEngine
import ThrumRealtime

/// A card whose frames are taken by hand, with what the machine's settings say about it.
final class HandCard: OutputProvider, HapticClock {
  let device: VirtualOutput
  let settings: OutputSettings

  init(rate: Int, channels: Int, _ settings: OutputSettings) {
    device = VirtualOutput(rate: rate, channels: channels, isTurnedByHand: true)
    self.settings = settings
  }

  func support(of name: String?) -> OutputSupport { OutputSupport() }

  func open(_ name: String?) throws -> OpenedDevice {
    OpenedDevice(device: device, configuration: settings.configuration(channels: device.output.channels))
  }

  var nanoseconds: Int64 { 0 }
  var isTurnedByHand: Bool { true }
  func call(atNanoseconds time: Int64, _ body: @escaping @Sendable () -> Void) {}
}

/// What a configuration file says of a card.
func settings(_ map: String, _ profile: BusProfile = .none, _ more: String = "") throws -> OutputSettings {
  var settings = OutputSettings()
  try settings.apply("channels = \(map)\nactuator = \(profile.name)\n\(more)", path: "config")
  return settings
}
