import CSystemd
import Foundation
import TestSupport

/// A session bus of a test's own.
final class SessionBus {
  let address: String
  private let bus: PrivateBus

  /// Starts a bus; nil, with a printed word, where none is installed.
  static func start() throws -> SessionBus? { try PrivateBus.start().map(SessionBus.init) }

  private init(_ bus: PrivateBus) {
    self.bus = bus
    address = bus.address
  }

  /// What a process has to be told to find it.
  var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }
}

/// A program that asks for feedback and waits for its end.
final class BusClient {
  static let name = "org.sigxcpu.Feedback"
  static let path = "/org/sigxcpu/Feedback"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// The answer of the other side.
  enum Answer: Equatable {
    case id(UInt32)
    case text(String)
    case truth(Bool)
    case nothing
    case error(String, String)

    var id: UInt32? { if case .id(let id) = self { id } else { nil } }
    var error: String? { if case .error(let name, _) = self { name } else { nil } }
  }

  /// What has ended, with the reason, in order.
  private(set) var ends: [(id: UInt32, reason: UInt32)] = []
  /// The profiles that were told, in order.
  private(set) var profiles: [String] = []
  private var bus: OpaquePointer?

  /// What has to live as long as the client: the bus, and who answers on it.
  private let others: [AnyObject]

  init(_ session: SessionBus, _ service: ThrumProcess? = nil) throws {
    others = [session] + (service.map { [$0] } ?? [])
    var code = sd_bus_new(&bus)
    if code >= 0 { code = sd_bus_set_address(bus, session.address) }
    if code >= 0 { code = sd_bus_set_bus_client(bus, 1) }
    if code >= 0 { code = sd_bus_start(bus) }
    let own = Unmanaged.passUnretained(self).toOpaque()
    if code >= 0 {
      code = sd_bus_match_signal(bus, nil, nil, Self.path, Self.name, "FeedbackEnded", Self.onEnd, own)
    }
    if code >= 0 {
      code = sd_bus_match_signal(
        bus, nil, nil, Self.path, Self.properties, "PropertiesChanged", Self.onChange, own)
    }
    guard code >= 0 else { throw ProcessFailure("no client: \(String(cString: strerror(-code)))") }
  }

  deinit { close() }

  /// Goes away.
  func close() {
    sd_bus_flush_close_unref(bus)
    bus = nil
  }

  // Safety: the tests process the bus only as long as they hold the client.
  private static let onEnd: sd_bus_message_handler_t = { message, client, _ in
    var (id, reason): (UInt32, UInt32) = (0, 0)
    guard sd_bus_message_read_basic(message, 0x75, &id) > 0,
      sd_bus_message_read_basic(message, 0x75, &reason) > 0, let client
    else { return 0 }
    Unmanaged<BusClient>.fromOpaque(client).takeUnretainedValue().ends.append((id, reason))
    return 0
  }

  private static let onChange: sd_bus_message_handler_t = { message, client, _ in
    guard let client, sd_bus_message_skip(message, "s") >= 0,
      sd_bus_message_enter_container(message, 0x61, "{sv}") > 0,
      sd_bus_message_enter_container(message, 0x65, "sv") > 0, sd_bus_message_skip(message, "s") >= 0,
      sd_bus_message_enter_container(message, 0x76, "s") > 0
    else { return 0 }
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, 0x73, &text) > 0, let text else { return 0 }
    Unmanaged<BusClient>.fromOpaque(client).takeUnretainedValue().profiles.append(String(cString: text))
    return 0
  }

  /// Calls a method; the arguments are texts, numbers and, by `hints`, a dictionary.
  func call(_ interface: String, _ member: String, _ arguments: [Argument]) -> Answer {
    var (message, reply): (OpaquePointer?, OpaquePointer?)
    var error = sd_bus_error()
    defer {
      sd_bus_message_unref(message)
      sd_bus_message_unref(reply)
      sd_bus_error_free(&error)
    }
    sd_bus_message_new_method_call(bus, &message, Self.name, Self.path, interface, member)
    for argument in arguments { argument.append(to: message) }
    guard sd_bus_call(bus, message, 10_000_000, &error, &reply) >= 0 else {
      return .error(
        error.name.map { String(cString: $0) } ?? "", error.message.map { String(cString: $0) } ?? "")
    }
    var id: UInt32 = 0
    if sd_bus_message_has_signature(reply, "u") > 0, sd_bus_message_read_basic(reply, 0x75, &id) > 0 {
      return .id(id)
    }
    if sd_bus_message_has_signature(reply, "b") > 0, sd_bus_message_read_basic(reply, 0x62, &id) > 0 {
      return .truth(id != 0)
    }
    var text: UnsafePointer<CChar>?
    if sd_bus_message_enter_container(reply, 0x76, "s") > 0,
      sd_bus_message_read_basic(reply, 0x73, &text) > 0,
      let text
    {
      return .text(String(cString: text))
    }
    return .nothing
  }

  /// One argument of a call.
  enum Argument {
    case text(String)
    case signed(Int32)
    case unsigned(UInt32)
    case variant(String)
    case hints([(String, Hint)])
    case pulses([(Double, UInt32)])

    func append(to message: OpaquePointer?) {
      switch self {
      case .text(let text): sd_bus_message_append_basic(message, 0x73, text)
      case .signed(var number): sd_bus_message_append_basic(message, 0x69, &number)
      case .unsigned(var number): sd_bus_message_append_basic(message, 0x75, &number)
      case .variant(let text): Hint.text(text).append(to: message)
      case .pulses(let pulses):
        sd_bus_message_open_container(message, 0x61, "(du)")
        for (var magnitude, var milliseconds) in pulses {
          sd_bus_message_open_container(message, 0x72, "du")
          sd_bus_message_append_basic(message, 0x64, &magnitude)
          sd_bus_message_append_basic(message, 0x75, &milliseconds)
          sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
      case .hints(let hints):
        sd_bus_message_open_container(message, 0x61, "{sv}")
        for (name, hint) in hints {
          sd_bus_message_open_container(message, 0x65, "sv")
          sd_bus_message_append_basic(message, 0x73, name)
          hint.append(to: message)
          sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
      }
    }
  }

  /// The value of a hint.
  enum Hint {
    case text(String)
    case truth(Bool)

    func append(to message: OpaquePointer?) {
      switch self {
      case .text(let text):
        sd_bus_message_open_container(message, 0x76, "s")
        sd_bus_message_append_basic(message, 0x73, text)
      case .truth(let isTrue):
        // D-Bus has truth as a word of 32 bits.
        var word: UInt32 = isTrue ? 1 : 0
        sd_bus_message_open_container(message, 0x76, "b")
        sd_bus_message_append_basic(message, 0x62, &word)
      }
      sd_bus_message_close_container(message)
    }
  }

  /// Asks for a feedback.
  func trigger(
    _ event: String, application: String = "org.example.App", timeout: Int32 = -1,
    hints: [(String, Hint)] = []
  ) -> Answer {
    call(
      Self.name, "TriggerFeedback", [.text(application), .text(event), .hints(hints), .signed(timeout)])
  }

  /// Ends a feedback.
  func end(_ id: UInt32) -> Answer { call(Self.name, "EndFeedback", [.unsigned(id)]) }

  /// Plays a pattern of the client's own.
  func vibrate(_ pulses: [(Double, UInt32)], application: String = "org.example.Game") -> Answer {
    call(Self.name + ".Haptic", "Vibrate", [.text(application), .pulses(pulses)])
  }

  /// The profile, as it is told.
  var profile: Answer { call(Self.properties, "Get", [.text(Self.name), .text("Profile")]) }

  /// Changes the profile.
  func setProfile(_ word: String) -> Answer {
    call(Self.properties, "Set", [.text(Self.name), .text("Profile"), .variant(word)])
  }

  /// Waits for something that signals bring.
  func wait(until isTrue: () -> Bool, _ what: String) throws {
    let limit = Date(timeIntervalSinceNow: ThrumProcess.patienceSeconds)
    while !isTrue() {
      if Date() > limit { throw ProcessFailure("waited in vain for \(what)") }
      if sd_bus_process(bus, nil) == 0 { sd_bus_wait(bus, 100_000) }
    }
  }

  /// Waits for the end of a feedback.
  /// - Returns: Its reason.
  func reason(of id: UInt32?) throws -> UInt32? {
    guard let id else { throw ProcessFailure("there is no id") }
    try wait(until: { ends.contains { $0.id == id } }, "the end of \(id)")
    return ends.first { $0.id == id }?.reason
  }
}
