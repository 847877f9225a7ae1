internal import CSystemd
internal import Glibc

/// A connection to the session bus that asks the desktop what it has settled, and hears of changes.
///
/// Nothing is started by asking, neither a portal nor a bus of accessibility: what comes later is heard of and
/// asked then. Nothing here waits for an answer, so that a portal that hangs holds nobody up.
///
/// Lives on one thread: sd-bus calls back only from within ``process()``.
final class DesktopBus {
  private static let portal = "org.freedesktop.portal.Desktop"
  private static let portalPath = "/org/freedesktop/portal/desktop"
  private static let settings = "org.freedesktop.portal.Settings"
  private static let power = "org.freedesktop.portal.PowerProfileMonitor"
  private static let accessibility = "org.a11y.Bus"
  private static let accessibilityPath = "/org/a11y/bus"
  private static let status = "org.a11y.Status"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// What was heard so far.
  private(set) var facts = DesktopFacts()
  /// The answers that are still to come of the first questions.
  private var openQuestions = 0
  private var bus: OpaquePointer?

  /// Connects.
  /// - Parameter address: A bus in place of the session's; for tests.
  /// - Returns: Nil where there is none.
  init?(address: String?) {
    var code = address.map { thrum_bus_open_address(&bus, $0) } ?? sd_bus_open_user(&bus)
    if code >= 0 { code = listen() }
    // The end of the object closes what there is.
    if code < 0 { return nil }
    askPortal()
    askAccessibility()
  }

  deinit { sd_bus_close_unref(bus) }

  /// Whether everything that was asked at first is answered, or refused.
  var isAnswered: Bool { openQuestions == 0 }

  /// What to poll for.
  var descriptor: pollfd {
    pollfd(
      fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: max(0, sd_bus_get_events(bus))), revents: 0)
  }

  /// Milliseconds until the bus wants to be processed whatever it says; -1 for never.
  var timeout: Int32 {
    var due: UInt64 = .max
    guard sd_bus_get_timeout(bus, &due) >= 0, due != .max else { return -1 }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    return due <= microseconds ? 0 : Int32(clamping: (due - microseconds + 999) / 1000)
  }

  /// Does one thing that has come.
  /// - Returns: Whether there may be more; nil when the bus has gone.
  func process() -> Bool? {
    let code = sd_bus_process(bus, nil)
    return code < 0 ? nil : code > 0
  }

  // MARK: Hearing

  private func listen() -> Int32 {
    let portal = "type='signal',sender='\(Self.portal)',path='\(Self.portalPath)'"
    let changes = "interface='\(Self.properties)',member='PropertiesChanged'"
    var code = hear("\(Self.ownerChange),arg0='\(Self.portal)'", Self.onPortalOwner)
    if code >= 0 {
      code = hear("\(Self.ownerChange),arg0='\(Self.accessibility)'", Self.onAccessibilityOwner)
    }
    for name in DesktopFacts.names where code >= 0 {
      // Of no other setting, so that nobody is woken by the others.
      code = hear(
        "\(portal),interface='\(Self.settings)',member='SettingChanged',arg0='\(name.namespace)',"
          + "arg1='\(name.key)'", Self.onSetting)
    }
    if code >= 0 { code = hear("\(portal),\(changes),arg0='\(Self.power)'", Self.onPower) }
    if code >= 0 {
      code = hear(
        "type='signal',sender='\(Self.accessibility)',path='\(Self.accessibilityPath)',\(changes),"
          + "arg0='\(Self.status)'", Self.onStatus)
    }
    return code
  }

  private static let ownerChange =
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged'"

  private func hear(_ match: String, _ handler: @escaping sd_bus_message_handler_t) -> Int32 {
    // What says that it is installed has to be there, or sd-bus closes the connection of who is refused.
    sd_bus_add_match_async(bus, nil, match, handler, Self.onInstalled, own)
  }

  private var own: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  // Safety: sd-bus hands on the pointer that `own` gave it; the connection is closed before the object goes.
  private static func of(_ pointer: UnsafeMutableRawPointer?) -> DesktopBus? {
    pointer.map { Unmanaged<DesktopBus>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let onInstalled: sd_bus_message_handler_t = { _, _, _ in 0 }

  private static let onPortalOwner: sd_bus_message_handler_t = { message, own, _ in
    // What was said holds while the portal is away: it is about to be started anew.
    if isNewOwner(message) { of(own)?.askPortal() }
    return 0
  }

  private static let onAccessibilityOwner: sd_bus_message_handler_t = { message, own, _ in
    if isNewOwner(message) { of(own)?.askAccessibility() }
    return 0
  }

  private static func isNewOwner(_ message: OpaquePointer?) -> Bool {
    guard let message, DesktopMessage.text(message) != nil, DesktopMessage.text(message) != nil,
      let owner = DesktopMessage.text(message)
    else { return false }
    return !owner.isEmpty
  }

  private static let onSetting: sd_bus_message_handler_t = { message, own, _ in
    guard let message, sd_bus_message_has_signature(message, "ssv") > 0,
      let namespace = DesktopMessage.text(message), let key = DesktopMessage.text(message),
      let value = DesktopMessage.value(message)
    else { return 0 }
    of(own)?.facts.settings[SettingName(namespace: namespace, key: key)] = value
    return 0
  }

  private static let onPower: sd_bus_message_handler_t = { _, own, _ in
    of(own)?.askPower()
    return 0
  }

  private static let onStatus: sd_bus_message_handler_t = { _, own, _ in
    of(own)?.askAccessibility()
    return 0
  }

  // MARK: Asking

  private func askPortal() {
    ask(Self.portal, Self.portalPath, Self.settings, "ReadAll", Self.onSettings) { message in
      guard sd_bus_message_open_container(message, DesktopMessage.array, "s") >= 0 else { return false }
      for namespace in Set(DesktopFacts.names.map(\.namespace)).sorted() {
        guard Self.append(namespace, message) else { return false }
      }
      return sd_bus_message_close_container(message) >= 0
    }
    askPower()
  }

  private func askPower() {
    ask(Self.portal, Self.portalPath, Self.properties, "Get", Self.onPowerAnswer) {
      Self.append(Self.power, $0) && Self.append("power-saver-enabled", $0)
    }
  }

  private func askAccessibility() {
    ask(Self.accessibility, Self.accessibilityPath, Self.properties, "Get", Self.onStatusAnswer) {
      Self.append(Self.status, $0) && Self.append("ScreenReaderEnabled", $0)
    }
  }

  private static func append(_ text: String, _ message: OpaquePointer) -> Bool {
    sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text) >= 0
  }

  private func ask(
    _ service: String, _ path: String, _ interface: String, _ member: String,
    _ handler: @escaping sd_bus_message_handler_t, _ arguments: (OpaquePointer) -> Bool
  ) {
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    guard sd_bus_message_new_method_call(bus, &message, service, path, interface, member) >= 0,
      let message, sd_bus_message_set_auto_start(message, 0) >= 0, arguments(message)
    else { return }
    // Without a limit: nobody waits, and an answer that comes late is as good. The bus answers for who goes.
    if sd_bus_call_async(bus, nil, message, handler, own, .max) >= 0 { openQuestions += 1 }
  }

  /// Notes an answer.
  /// - Returns: Nil for one that refuses.
  private static func answer(
    _ message: OpaquePointer?, _ own: UnsafeMutableRawPointer?
  ) -> (message: OpaquePointer, bus: DesktopBus)? {
    guard let message, let bus = of(own) else { return nil }
    bus.openQuestions -= 1
    return sd_bus_message_is_method_error(message, nil) > 0 ? nil : (message, bus)
  }

  private static let onSettings: sd_bus_message_handler_t = { message, own, _ in
    guard let (message, bus) = answer(message, own) else { return 0 }
    var settings: [SettingName: DesktopMessage.Value] = [:]
    let isWhole = DesktopMessage.forEachSetting(message) { name, value in
      if DesktopFacts.names.contains(name) { settings[name] = value }
    }
    if isWhole { bus.facts.settings = settings }
    return 0
  }

  private static let onPowerAnswer: sd_bus_message_handler_t = { message, own, _ in
    guard let (message, bus) = answer(message, own) else { return 0 }
    if case .truth(let isSaved) = DesktopMessage.value(message) { bus.facts.savesPower = isSaved }
    return 0
  }

  private static let onStatusAnswer: sd_bus_message_handler_t = { message, own, _ in
    guard let (message, bus) = answer(message, own) else { return 0 }
    if case .truth(let isOn) = DesktopMessage.value(message) { bus.facts.isScreenReaderEnabled = isOn }
    return 0
  }
}
