import CSystemd
import ThrumEngine

// The property.
extension BusServer {
  func get(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard sd_bus_message_has_signature(message, "ss") > 0, isOurs(BusMessage.string(message)),
      BusMessage.string(message) == "Profile"
    else { return unknownProperty(error) }
    return reply(to: message) { [service] in BusMessage.append(variant: service.profile.rawValue, to: $0) }
  }

  func getAll(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard sd_bus_message_has_signature(message, "s") > 0 else { return unknownProperty(error) }
    // The other interfaces of the object have none, which is no mistake of who asks for all.
    let isOurs = isOurs(BusMessage.string(message))
    return reply(to: message) { [service] in
      BusMessage.append(properties: isOurs ? [("Profile", service.profile.rawValue)] : [], to: $0)
    }
  }

  func set(_ message: OpaquePointer, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard sd_bus_message_has_signature(message, "ssv") > 0, isOurs(BusMessage.string(message)),
      BusMessage.string(message) == "Profile"
    else { return unknownProperty(error) }
    guard sd_bus_message_enter_container(message, BusMessage.type("v"), "s") > 0,
      let word = BusMessage.string(message), let profile = FeedbackProfile(rawValue: word)
    else { return invalid(error, "Profile takes \(FeedbackProfile.words)") }
    if service.change(to: profile) {
      tellProfile()
      remember(profile)
    }
    return reply(to: message) { _ in 0 }
  }

  private func isOurs(_ interface: String?) -> Bool { interface == Self.name || interface == "" }

  private func unknownProperty(_ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    refuse(
      error, "org.freedesktop.DBus.Error.UnknownProperty",
      "there is the property Profile of \(Self.name) alone")
  }

  private func tellProfile() {
    note("the profile is \(service.profile.rawValue)")
    var signal: OpaquePointer?
    defer { sd_bus_message_unref(signal) }
    var code = sd_bus_message_new_signal(bus, &signal, Self.path, Self.properties, "PropertiesChanged")
    if code >= 0 { code = BusMessage.append(Self.name, to: signal) }
    if code >= 0 {
      code = BusMessage.append(properties: [("Profile", service.profile.rawValue)], to: signal)
    }
    if code >= 0 { code = BusMessage.container("a", "s", in: signal) { 0 } }
    if code >= 0 { code = sd_bus_send(bus, signal, nil) }
    if code < 0 { StandardError.note("serve", "the profile cannot be told: \(errorText(-code))") }
  }

  /// What a client may ask the object about itself.
  static let introspection = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
      <interface name="org.sigxcpu.Feedback">
        <method name="TriggerFeedback">
          <arg name="app_id" type="s" direction="in"/>
          <arg name="event" type="s" direction="in"/>
          <arg name="hints" type="a{sv}" direction="in"/>
          <arg name="timeout" type="i" direction="in"/>
          <arg name="id" type="u" direction="out"/>
        </method>
        <method name="EndFeedback"><arg name="id" type="u" direction="in"/></method>
        <signal name="FeedbackEnded"><arg name="id" type="u"/><arg name="reason" type="u"/></signal>
        <property name="Profile" type="s" access="readwrite"/>
      </interface>
      <interface name="org.sigxcpu.Feedback.Haptic">
        <method name="Vibrate">
          <arg name="app_id" type="s" direction="in"/>
          <arg name="pattern" type="a(du)" direction="in"/>
          <arg name="success" type="b" direction="out"/>
        </method>
      </interface>
      <interface name="org.freedesktop.DBus.Properties">
        <method name="Get">
          <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
        </method>
        <method name="GetAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="out"/></method>
        <method name="Set">
          <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/>
        </method>
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
      </interface>
      <interface name="org.freedesktop.DBus.Introspectable">
        <method name="Introspect"><arg type="s" direction="out"/></method>
      </interface>
    </node>
    """
}
