import TestSupport

/// A service that answers on a bus of the test's own, and a client of it.
struct ServeSession {
  let bus: SessionBus
  let service: ThrumProcess
  let client: BusClient

  /// - Parameters:
  ///   - environment: What the service has besides.
  ///   - bus: One that is there already.
  init?(
    _ words: [String] = [], environment: [String: String] = [:], in folder: String? = nil,
    on bus: SessionBus? = nil
  ) throws {
    guard let bus = try bus ?? SessionBus.start() else { return nil }
    self.bus = bus
    service = try ThrumProcess(
      ["serve", "-d", "virtual", "-v"] + words, in: folder,
      environment: bus.environment.merging(environment) { $1 })
    let client = try BusClient(bus, service)
    self.client = client
    try service.wait(until: { client.profile.error == nil }, "an answer")
  }
}
