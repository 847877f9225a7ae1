import CSystemd
import Glibc
import ThrumEngine

/// `org.sigxcpu.Feedback` on the session bus.
///
/// Lives on the main thread: sd-bus calls back only from within ``process()``.
final class BusServer {
  static let name = "org.sigxcpu.Feedback"
  static let path = "/org/sigxcpu/Feedback"
  private static let haptic = "org.sigxcpu.Feedback.Haptic"
  static let properties = "org.freedesktop.DBus.Properties"
  /// The most hints of a request; more is no request of a program that knows them.
  static let maximumHints = 32

  let service: FeedbackService
  private let isVerbose: Bool
  let remember: (FeedbackProfile) -> Void
  var bus: OpaquePointer?

  /// Connects, and takes the name.
  /// - Throws: `CommandError.failed`.
  /// - Parameter remember: Called with each profile that a client sets.
  init(
    _ service: FeedbackService, isVerbose: Bool, remember: @escaping (FeedbackProfile) -> Void
  ) throws(CommandError) {
    self.service = service
    self.remember = remember
    self.isVerbose = isVerbose
    var code = sd_bus_open_user(&bus)
    guard code >= 0 else {
      throw .failed(
        "no session bus: \(errorText(-code))\nset DBUS_SESSION_BUS_ADDRESS, or run it by dbus-run-session")
    }
    let own = Unmanaged.passUnretained(self).toOpaque()
    // Before the name is there, so that no request finds nothing.
    code = sd_bus_add_object(bus, nil, Self.path, Self.onCall, own)
    if code >= 0 {
      code = sd_bus_add_match(
        bus, nil,
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
          + "member='NameOwnerChanged',arg2=''", Self.onNameGone, own)
    }
    if code >= 0 { code = sd_bus_request_name(bus, Self.name, 0) }
    if code == -EEXIST {
      throw .failed(
        "the name \(Self.name) is taken on this bus\nend the other service, feedbackd perhaps, first")
    }
    if code < 0 { throw .failed("the session bus refuses the service: \(errorText(-code))") }
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// What to poll for.
  var descriptor: pollfd {
    pollfd(
      fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: max(0, sd_bus_get_events(bus))), revents: 0)
  }

  /// When the bus wants to be processed whatever it says, in nanoseconds of CLOCK_MONOTONIC; nil for never.
  var due: Int64? {
    var microseconds: UInt64 = .max
    guard sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds < UInt64(Int64.max / 1000) else {
      return nil
    }
    return Int64(microseconds) * 1000
  }

  /// Does what has come.
  /// - Throws: `CommandError.failed` when the bus has gone.
  func process() throws(CommandError) {
    var code: Int32 = 1
    var steps = 0
    // A client that never pauses must not keep ends and next runs from their time; ``due`` is at once then.
    while code > 0, steps < 64 {
      code = sd_bus_process(bus, nil)
      steps += 1
    }
    if code < 0 { throw .failed("the session bus has gone: \(errorText(-code))") }
  }

  /// Tells what has ended.
  func tellEnded() {
    for (id, reason) in service.takeEnded() {
      note("\(id) has ended: \(reason)")
      var signal: OpaquePointer?
      defer { sd_bus_message_unref(signal) }
      var code = sd_bus_message_new_signal(bus, &signal, Self.path, Self.name, "FeedbackEnded")
      if code >= 0 { code = BusMessage.append(id, to: signal) }
      if code >= 0 { code = BusMessage.append(reason.rawValue, to: signal) }
      if code >= 0 { code = sd_bus_send(bus, signal, nil) }
      if code < 0 { StandardError.note("serve", "an end cannot be told: \(errorText(-code))") }
    }
  }

  func note(_ message: String) {
    if isVerbose { StandardError.note("serve", message) }
  }
}

// What comes from the bus.
extension BusServer {
  // Safety: sd-bus hands on the pointer that `init` gave it; the connection is closed before the object goes.
  private static let onCall: sd_bus_message_handler_t = { message, server, error in
    guard let message, let server else { return -EINVAL }
    return Unmanaged<BusServer>.fromOpaque(server).takeUnretainedValue().answer(message, error)
  }

  private static let onNameGone: sd_bus_message_handler_t = { message, server, _ in
    guard let message, let server, let name = BusMessage.string(message) else { return 0 }
    let own = Unmanaged<BusServer>.fromOpaque(server).takeUnretainedValue()
    own.service.leave(name)
    return 0
  }

  private func answer(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    func isCall(_ interface: String, _ member: String) -> Bool {
      sd_bus_message_is_method_call(message, interface, member) > 0
    }
    if isCall(Self.name, "TriggerFeedback") { return trigger(message, error) }
    if isCall(Self.name, "EndFeedback") { return end(message, error) }
    if isCall(Self.haptic, "Vibrate") { return vibrate(message, error) }
    if isCall(Self.properties, "Get") { return get(message, error) }
    if isCall(Self.properties, "GetAll") { return getAll(message, error) }
    if isCall(Self.properties, "Set") { return set(message, error) }
    if isCall("org.freedesktop.DBus.Introspectable", "Introspect") {
      return reply(to: message) { BusMessage.append(Self.introspection, to: $0) }
    }
    return refuse(error, "org.freedesktop.DBus.Error.UnknownMethod", "there is no such method here")
  }

  private func trigger(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard sd_bus_message_has_signature(message, "ssa{sv}i") > 0 else {
      return invalid(error, "TriggerFeedback takes app_id, event, hints and timeout: ssa{sv}i")
    }
    guard let application = BusMessage.string(message), let event = BusMessage.string(message),
      let hints = BusMessage.hints(message, limit: Self.maximumHints),
      let timeout = BusMessage.signed(message)
    else { return invalid(error, "hints takes at most \(Self.maximumHints) names with values") }
    for (name, wanted) in [("profile", "s"), ("sound-file", "s"), ("important", "b")] {
      if let found = hints[name], found.type != wanted {
        return invalid(error, "the hint \(name) takes a value of type \(wanted)")
      }
    }
    var request = FeedbackService.Request(
      client: sender(of: message), application: application, event: event, timeout: timeout)
    request.isImportant = hints["important"] == .truth(true)
    if case .text(let word) = hints["profile"] {
      guard let profile = FeedbackProfile(rawValue: word) else {
        return invalid(error, "the hint profile takes \(FeedbackProfile.words)")
      }
      request.profile = profile
    }
    do throws(FeedbackService.Refusal) {
      let id = try service.trigger(request)
      note("\(id): \(event) for \(application)")
      return reply(to: message) { BusMessage.append(id, to: $0) }
    } catch {
      return refuse(error, to: message)
    }
  }

  private func refuse(_ refusal: FeedbackService.Refusal, to message: OpaquePointer) -> Int32 {
    let (name, words) =
      switch refusal {
      case .invalid(let words): ("org.freedesktop.DBus.Error.InvalidArgs", words)
      case .limit(let words): ("org.freedesktop.DBus.Error.LimitsExceeded", words)
      case .failed(let words): ("org.freedesktop.DBus.Error.Failed", words)
      }
    note(words)
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    if sd_bus_error_set(&error, name, words) == -ENOMEM { return -ENOMEM }
    return sd_bus_reply_method_error(message, &error)
  }

  private func vibrate(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard sd_bus_message_has_signature(message, "sa(du)") > 0, let application = BusMessage.string(message),
      let pulses = BusMessage.pulses(message, limit: FeedbackService.maximumPulses + 1)
    else { return invalid(error, "Vibrate takes app_id and pattern: sa(du)") }
    do throws(FeedbackService.Refusal) {
      let isDone = try service.vibrate(pulses, application: application, client: sender(of: message))
      note("a pattern of \(application)'s own \(isDone ? "plays" : "does not play")")
      return reply(to: message) { BusMessage.append(isDone, to: $0) }
    } catch {
      return refuse(error, to: message)
    }
  }

  private func sender(of message: OpaquePointer) -> String {
    sd_bus_message_get_sender(message).map { String(cString: $0) } ?? ""
  }

  private func end(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard sd_bus_message_has_signature(message, "u") > 0, let id = BusMessage.unsigned(message), id > 0 else {
      return invalid(error, "EndFeedback takes the id of a feedback: u, not 0")
    }
    service.end(id)
    return reply(to: message) { _ in 0 }
  }

  func invalid(_ error: UnsafeMutablePointer<sd_bus_error>?, _ words: String) -> Int32 {
    refuse(error, "org.freedesktop.DBus.Error.InvalidArgs", words)
  }

  func refuse(
    _ error: UnsafeMutablePointer<sd_bus_error>?, _ name: String, _ words: String
  ) -> Int32 {
    note(words)
    return sd_bus_error_set(error, name, words)
  }

  func reply(to message: OpaquePointer, _ body: (OpaquePointer?) -> Int32) -> Int32 {
    var answer: OpaquePointer?
    defer { sd_bus_message_unref(answer) }
    var code = sd_bus_message_new_method_return(message, &answer)
    if code >= 0 { code = body(answer) }
    return code < 0 ? code : sd_bus_send(bus, answer, nil)
  }
}
