import CSystemd
import Foundation

/// A desktop's portal, and its bus of accessibility, as far as programs that give feedback ask them.
///
/// It is on the bus from its making until ``leave()``.
package final class StandInDesktop: @unchecked Sendable {
  // Safety of `@unchecked Sendable`: what changes is behind `lock`, or its thread's alone.

  /// A value of a setting, of the right type or another.
  package enum Value: Sendable {
    case truth(Bool)
    case number(UInt32)
    case text(String)
    /// A variant in a variant in an array.
    case nested
  }

  /// How it answers.
  package enum Manner: Sendable {
    case answers
    /// Reads what it is asked and says nothing.
    case hangs
    case refuses
    /// Answers with a text where a table belongs.
    case talksNonsense
  }

  /// What its settings are, by namespace and key.
  package typealias Settings = [String: [String: Value]]

  private struct State {
    var settings: Settings
    var savesPower: Value?
    var isScreenReaderEnabled: Value?
    var manner: Manner
    var questions = 0
    var works: [() -> Void] = []
    var isLeaving = false
  }

  private static let portal = "org.freedesktop.portal.Desktop"
  private static let portalPath = "/org/freedesktop/portal/desktop"
  private let lock = NSLock()
  private var state: State
  private var bus: OpaquePointer?
  private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let hasLeft = DispatchSemaphore(value: 0)
  private var isGone = false

  package init(
    on address: String, settings: Settings = [:], savesPower: Value? = nil,
    isScreenReaderEnabled: Value? = nil, manner: Manner = .answers
  ) throws {
    state = State(
      settings: settings, savesPower: savesPower, isScreenReaderEnabled: isScreenReaderEnabled, manner: manner
    )
    var code = sd_bus_new(&bus)
    if code >= 0 { code = sd_bus_set_address(bus, address) }
    if code >= 0 { code = sd_bus_set_bus_client(bus, 1) }
    if code >= 0 { code = sd_bus_start(bus) }
    let own = Unmanaged.passUnretained(self).toOpaque()
    for path in [Self.portalPath, "/org/a11y/bus"] where code >= 0 {
      code = sd_bus_add_object(bus, nil, path, Self.onCall, own)
    }
    if code >= 0 { code = sd_bus_request_name(bus, Self.portal, 0) }
    if code >= 0, isScreenReaderEnabled != nil { code = sd_bus_request_name(bus, "org.a11y.Bus", 0) }
    guard code >= 0 else { throw CocoaError(.featureUnsupported) }
    Thread.detachNewThread { [self] in run() }
  }

  deinit { close(bell) }

  /// Leaves the bus; what it was asked and has not answered is answered by the bus.
  package func leave() {
    guard !isGone else { return }
    isGone = true
    with { $0.isLeaving = true }
    hasLeft.wait()
  }

  /// How often it was asked something.
  package var questions: Int { with { $0.questions } }

  /// Changes a setting, and tells of it.
  package func set(_ namespace: String, _ key: String, _ value: Value) {
    with { state in
      state.settings[namespace, default: [:]][key] = value
      state.works.append { [self] in
        signal(Self.portalPath, "org.freedesktop.portal.Settings", "SettingChanged") { message in
          append(namespace, message)
          append(key, message)
          append(variant: value, message)
        }
      }
    }
  }

  /// Changes whether power is saved, and tells of it.
  package func setSavesPower(_ value: Value) {
    with { state in
      state.savesPower = value
      state.works.append { [self] in
        tellProperty(
          Self.portalPath, "org.freedesktop.portal.PowerProfileMonitor", "power-saver-enabled", value)
      }
    }
  }

  /// Changes whether a screen reader runs, and tells of it.
  package func setScreenReader(_ value: Value) {
    with { state in
      state.isScreenReaderEnabled = value
      state.works.append { [self] in
        tellProperty("/org/a11y/bus", "org.a11y.Status", "ScreenReaderEnabled", value)
      }
    }
  }

  /// How it answers from now on.
  package func behave(_ manner: Manner) { with { $0.manner = manner } }

  private func with<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer {
      lock.unlock()
      eventfd_write(bell, 1)
    }
    return body(&state)
  }

  private func run() {
    while true {
      while sd_bus_process(bus, nil) > 0 {}
      lock.lock()
      let (works, isLeaving) = (state.works, state.isLeaving)
      state.works = []
      lock.unlock()
      for work in works { work() }
      if isLeaving { break }
      if !works.isEmpty { continue }
      var entries = [
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(max(0, sd_bus_get_events(bus))), revents: 0),
        pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      ]
      poll(&entries, 2, -1)
      var count: eventfd_t = 0
      eventfd_read(bell, &count)
      // A bus that has gone leaves nothing to wait for.
      if sd_bus_is_open(bus) <= 0 { break }
    }
    sd_bus_flush_close_unref(bus)
    hasLeft.signal()
  }

  // Safety: the connection is closed by the thread that holds the object.
  private static let onCall: sd_bus_message_handler_t = { message, own, error in
    guard let message, let own else { return -EINVAL }
    return Unmanaged<StandInDesktop>.fromOpaque(own).takeUnretainedValue().answer(message, error)
  }

  private func answer(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    lock.lock()
    state.questions += 1
    let state = state
    lock.unlock()
    switch state.manner {
    case .hangs: return 1
    case .refuses: return sd_bus_error_set(error, "org.freedesktop.DBus.Error.AccessDenied", "no")
    case .talksNonsense: return reply(message) { append("true", $0) }
    case .answers: break
    }
    if sd_bus_message_is_method_call(message, "org.freedesktop.portal.Settings", "ReadAll") > 0 {
      return reply(message) { append(state.settings, $0) }
    }
    var (interface, name): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    guard sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0,
      sd_bus_message_read_basic(message, 0x73, &interface) > 0,
      sd_bus_message_read_basic(message, 0x73, &name) > 0, let name
    else { return 0 }
    let value =
      switch String(cString: name) {
      case "power-saver-enabled": state.savesPower
      case "ScreenReaderEnabled": state.isScreenReaderEnabled
      default: Value?.none
      }
    guard let value else { return sd_bus_error_set(error, "org.freedesktop.DBus.Error.InvalidArgs", "none") }
    return reply(message) { append(variant: value, $0) }
  }

  private func reply(_ message: OpaquePointer, _ body: (OpaquePointer?) -> Void) -> Int32 {
    var answer: OpaquePointer?
    defer { sd_bus_message_unref(answer) }
    let code = sd_bus_message_new_method_return(message, &answer)
    if code < 0 { return code }
    body(answer)
    return sd_bus_send(bus, answer, nil)
  }

  private func signal(_ path: String, _ interface: String, _ member: String, _ body: (OpaquePointer?) -> Void)
  {
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0 else { return }
    body(message)
    sd_bus_send(bus, message, nil)
  }

  private func tellProperty(_ path: String, _ interface: String, _ name: String, _ value: Value) {
    signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged") { message in
      append(interface, message)
      container(0x61, "{sv}", message) {
        container(0x65, "sv", message) {
          append(name, message)
          append(variant: value, message)
        }
      }
      container(0x61, "s", message) {}
    }
  }

  private func append(_ text: String, _ message: OpaquePointer?) {
    sd_bus_message_append_basic(message, 0x73, text)
  }

  private func append(variant value: Value, _ message: OpaquePointer?) {
    switch value {
    case .truth(let isTrue):
      var word: UInt32 = isTrue ? 1 : 0
      container(0x76, "b", message) { sd_bus_message_append_basic(message, 0x62, &word) }
    case .number(var number):
      container(0x76, "u", message) { sd_bus_message_append_basic(message, 0x75, &number) }
    case .text(let text): container(0x76, "s", message) { append(text, message) }
    case .nested:
      container(0x76, "av", message) {
        container(0x61, "v", message) {
          container(0x76, "v", message) { append(variant: .truth(true), message) }
        }
      }
    }
  }

  private func append(_ settings: Settings, _ message: OpaquePointer?) {
    container(0x61, "{sa{sv}}", message) {
      for (namespace, values) in settings.sorted(by: { $0.key < $1.key }) {
        container(0x65, "sa{sv}", message) {
          append(namespace, message)
          container(0x61, "{sv}", message) {
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
              container(0x65, "sv", message) {
                append(key, message)
                append(variant: value, message)
              }
            }
          }
        }
      }
    }
  }

  private func container(_ letter: CChar, _ contents: String, _ message: OpaquePointer?, _ body: () -> Void) {
    sd_bus_message_open_container(message, letter, contents)
    body()
    sd_bus_message_close_container(message)
  }
}

extension StandInDesktop {
  /// The settings of a GNOME desktop on which nothing was changed.
  package static let usualSettings: Settings = [
    "org.gnome.desktop.interface": ["enable-animations": .truth(true), "text-scaling-factor": .text("1")],
    "org.gnome.desktop.sound": ["event-sounds": .truth(true)],
    "org.gnome.desktop.a11y.applications": ["screen-reader-enabled": .truth(false)],
    "org.freedesktop.appearance": ["reduced-motion": .number(0), "contrast": .number(0)],
  ]
}
