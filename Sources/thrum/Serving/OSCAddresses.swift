import ThrumOSC

// The addresses, each with what it takes and does.
extension OSCService {
  private struct Entry: Sendable {
    var address: String
    var usage: String
    /// Whether it goes to the render thread ahead of its time, to be on its frame; else it is done when its time has
    /// come.
    var isAhead = true
    /// Whether it is a use of the device; else it only asks.
    var isPlaying = true
    var perform: @Sendable (OSCService, OSCCall) throws(OSCRefusal) -> Void
  }

  private static let table: [Entry] = [
    Entry(address: "/thrum/transient", usage: "intensity, sharpness") { service, call throws(OSCRefusal) in
      try call.expect(0...2, "intensity and sharpness")
      let intensity = call.arguments.isEmpty ? 1 : try call.number(0, "intensity", 0...1)
      let sharpness = call.arguments.count < 2 ? 0.5 : try call.number(1, "sharpness", 0...1)
      try service.voices.tap(intensity: intensity, sharpness: sharpness, at: call.moment)
    },
    Entry(address: "/thrum/continuous/start", usage: "id, intensity, sharpness") {
      service, call throws(OSCRefusal) in
      try call.expect(1...3, "id, intensity and sharpness")
      let id = try call.name(0, "id")
      let intensity = call.arguments.count < 2 ? 1 : try call.number(1, "intensity", 0...1)
      let sharpness = call.arguments.count < 3 ? 0.5 : try call.number(2, "sharpness", 0...1)
      try service.voices.begin(id, intensity: intensity, sharpness: sharpness, at: call.moment)
    },
    Entry(address: "/thrum/continuous/set", usage: "id, intensity, sharpness") {
      service, call throws(OSCRefusal) in
      try call.expect(2...3, "id, intensity and sharpness")
      let id = try call.name(0, "id")
      let intensity = try call.number(1, "intensity", 0...1)
      let sharpness = call.arguments.count < 3 ? nil : try call.number(2, "sharpness", 0...1)
      try service.voices.change(id, intensity: intensity, sharpness: sharpness, at: call.moment)
    },
    Entry(address: "/thrum/continuous/intensity", usage: "id, intensity") {
      service, call throws(OSCRefusal) in
      try call.expect(2...2, "id and intensity")
      let intensity = try call.number(1, "intensity", 0...1)
      try service.voices.change(try call.name(0, "id"), intensity: intensity, sharpness: nil, at: call.moment)
    },
    Entry(address: "/thrum/continuous/sharpness", usage: "id, sharpness") {
      service, call throws(OSCRefusal) in
      try call.expect(2...2, "id and sharpness")
      let sharpness = try call.number(1, "sharpness", 0...1)
      try service.voices.change(try call.name(0, "id"), intensity: nil, sharpness: sharpness, at: call.moment)
    },
    Entry(address: "/thrum/continuous/stop", usage: "id") { service, call throws(OSCRefusal) in
      try call.expect(1...1, "id")
      try service.voices.end(try call.name(0, "id"), at: call.moment)
    },
    Entry(address: "/thrum/play", usage: "name") { service, call throws(OSCRefusal) in
      try call.expect(1...1, "the name of a pattern")
      let pattern = try service.patterns.pattern(named: try call.name(0, "name"))
      try service.voices.play(pattern, call)
    },
    Entry(address: "/thrum/stop", usage: "name, or nothing for all") { service, call throws(OSCRefusal) in
      try call.expect(0...1, "the name of a pattern, or nothing for all")
      let name = call.arguments.isEmpty ? nil : try call.name(0, "name")
      if name == nil, call.moment.frame == nil { service.forgetWaiting() }
      try service.voices.stop(name, at: call.moment)
    },
    Entry(address: "/thrum/param/intensity", usage: "factor") { service, call throws(OSCRefusal) in
      try call.expect(1...1, "a factor")
      try service.voices.set(intensity: try call.number(0, "intensity", 0...1), at: call.moment)
    },
    Entry(address: "/thrum/param/sharpness", usage: "summand") { service, call throws(OSCRefusal) in
      try call.expect(1...1, "a summand")
      try service.voices.set(sharpness: try call.number(0, "sharpness", -1...1), at: call.moment)
    },
    Entry(address: "/thrum/mute", usage: "1 or 0", isAhead: false) {
      service, call throws(OSCRefusal) in
      try call.expect(1...1, "1 or 0")
      service.voices.mute(try call.truth(0, "mute"))
    },
    Entry(address: "/thrum/ping", usage: "anything", isAhead: false, isPlaying: false) {
      service, call throws(OSCRefusal) in
      service.reply(OSCMessage("/thrum/pong", call.arguments), to: call.sender)
    },
    Entry(address: "/thrum/status", usage: "nothing", isAhead: false, isPlaying: false) {
      service, call throws(OSCRefusal) in
      try call.expect(0...0, "nothing")
      service.reply(service.status, to: call.sender)
    },
    Entry(address: "/thrum/list", usage: "nothing", isAhead: false, isPlaying: false) {
      service, call throws(OSCRefusal) in
      try call.expect(0...0, "nothing")
      try service.expectRoomForAnswers()
      let names = service.patterns.names()
      for name in names.prefix(mostListed) {
        service.reply(OSCMessage("/thrum/name", [.text(name)]), to: call.sender)
      }
      service.reply(OSCMessage("/thrum/listed", [.int(Int32(clamping: names.count))]), to: call.sender)
    },
    Entry(address: "/thrum/help", usage: "nothing", isAhead: false, isPlaying: false) {
      service, call throws(OSCRefusal) in
      try call.expect(0...0, "nothing")
      try service.expectRoomForAnswers()
      for entry in table {
        service.reply(
          OSCMessage("/thrum/usage", [.text(entry.address), .text(entry.usage)]), to: call.sender)
      }
    },
  ]

  /// The most names of an answer; a receiver's buffer holds little more.
  private static let mostListed = 256
  private static let positions = [String: Int](
    uniqueKeysWithValues: table.enumerated().map { ($1.address, $0) })

  /// The addresses that an address, or a pattern of them, means.
  static func addresses(of pattern: String) -> [String] {
    if positions[pattern] != nil { return [pattern] }
    guard pattern.utf8.count <= OSCCall.longestName,
      pattern.utf8.contains(where: { "*?[{".utf8.contains($0) })
    else { return [] }
    return table.map(\.address).filter { OSCAddressPattern.matches(pattern, $0) }
  }

  /// Whether a message to an address goes to the render thread ahead of its time.
  static func isAhead(_ address: String) -> Bool { positions[address].map { table[$0].isAhead } ?? false }

  /// Whether a message to an address is a use of the device.
  static func isPlaying(_ address: String) -> Bool {
    positions[address].map { table[$0].isPlaying } ?? false
  }

  /// Does what a message asks for.
  func perform(_ call: OSCCall) throws(OSCRefusal) {
    guard let position = Self.positions[call.address] else { return }
    try Self.table[position].perform(self, call)
  }

  /// Device, xruns, and what plays.
  private var status: OSCMessage {
    let counts = voices.counts
    return OSCMessage(
      "/thrum/status",
      [
        .text(output.deviceName ?? ""), .int(Int32(clamping: output.xruns)),
        .int(Int32(clamping: counts.taps)), .int(Int32(clamping: counts.continuous)),
        .int(Int32(clamping: counts.patterns)), .int(Int32(clamping: waitingCount)),
        .float(voices.intensity), .float(voices.sharpness), .flag(voices.isMuted),
      ])
  }
}
