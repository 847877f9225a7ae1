internal import CSystemd

/// The steps of reading what a desktop says. Whatever is not of the type that it should be is passed over.
enum DesktopMessage {
  /// A value of the few types that settings of interest have.
  enum Value: Equatable {
    case truth(Bool)
    case number(UInt32)
    /// Of another type.
    case other
  }

  static let (array, entry, variant) = (
    CChar(UInt8(ascii: "a")), CChar(UInt8(ascii: "e")), CChar(UInt8(ascii: "v"))
  )

  /// The text that comes next; nil where none does.
  static func text(_ message: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0, let text else {
      return nil
    }
    return String(cString: text)
  }

  /// The variant that comes next, with what is in it.
  /// - Returns: Nil where none does, or the message is broken.
  static func value(_ message: OpaquePointer) -> Value? {
    var letter: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(message, &letter, &contents) > 0, letter == variant, let contents else {
      return nil
    }
    var word: UInt32 = 0
    switch String(cString: contents) {
    case "b":
      // sd-bus has truth as a word of 32 bits.
      guard read("b", &word, message) else { return nil }
      return .truth(word != 0)
    case "u":
      guard read("u", &word, message) else { return nil }
      return .number(word)
    default:
      return sd_bus_message_skip(message, "v") >= 0 ? .other : nil
    }
  }

  private static func read(_ type: StaticString, _ word: inout UInt32, _ message: OpaquePointer) -> Bool {
    guard sd_bus_message_enter_container(message, variant, type.description) > 0,
      sd_bus_message_read_basic(message, CChar(type.utf8Start.pointee), &word) > 0
    else { return false }
    return sd_bus_message_exit_container(message) >= 0
  }

  /// Goes through all settings of an answer.
  /// - Returns: Whether it could be read to its end.
  static func forEachSetting(_ message: OpaquePointer, _ body: (_ name: SettingName, Value) -> Void) -> Bool {
    guard sd_bus_message_has_signature(message, "a{sa{sv}}") > 0,
      sd_bus_message_enter_container(message, array, "{sa{sv}}") >= 0
    else { return false }
    while sd_bus_message_enter_container(message, entry, "sa{sv}") > 0 {
      guard let namespace = text(message), sd_bus_message_enter_container(message, array, "{sv}") >= 0 else {
        return false
      }
      while sd_bus_message_enter_container(message, entry, "sv") > 0 {
        guard let key = text(message), let value = value(message), sd_bus_message_exit_container(message) >= 0
        else { return false }
        body(SettingName(namespace: namespace, key: key), value)
      }
      guard sd_bus_message_exit_container(message) >= 0, sd_bus_message_exit_container(message) >= 0 else {
        return false
      }
    }
    return true
  }
}

/// What a setting is called.
struct SettingName: Hashable {
  var namespace: String
  var key: String
}
