import CSystemd

/// The steps of reading and writing a message of D-Bus; each gives back less than 0 where it failed.
enum BusMessage {
  /// The letter of a D-Bus type.
  static func type(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }

  /// The text that comes next; nil where none does. The bus lets through only what is UTF-8.
  static func string(_ message: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, type("s"), &text) > 0, let text else { return nil }
    return String(cString: text)
  }

  /// The unsigned number that comes next.
  static func unsigned(_ message: OpaquePointer) -> UInt32? {
    var number: UInt32 = 0
    return sd_bus_message_read_basic(message, type("u"), &number) > 0 ? number : nil
  }

  /// The signed number that comes next.
  static func signed(_ message: OpaquePointer) -> Int32? {
    var number: Int32 = 0
    return sd_bus_message_read_basic(message, type("i"), &number) > 0 ? number : nil
  }

  static func append(_ text: String, to message: OpaquePointer?) -> Int32 {
    text.withCString { sd_bus_message_append_basic(message, type("s"), $0) }
  }

  static func append(_ number: UInt32, to message: OpaquePointer?) -> Int32 {
    var number = number
    return sd_bus_message_append_basic(message, type("u"), &number)
  }

  /// Appends a text in a variant.
  static func append(variant text: String, to message: OpaquePointer?) -> Int32 {
    container("v", "s", in: message) { append(text, to: message) }
  }

  /// Appends a list of names and texts in variants.
  static func append(properties: [(String, String)], to message: OpaquePointer?) -> Int32 {
    container("a", "{sv}", in: message) {
      for (name, text) in properties {
        let code = container("e", "sv", in: message) {
          let code = append(name, to: message)
          return code < 0 ? code : append(variant: text, to: message)
        }
        if code < 0 { return code }
      }
      return 0
    }
  }

  static func container(
    _ letter: Unicode.Scalar, _ contents: String, in message: OpaquePointer?, _ body: () -> Int32
  ) -> Int32 {
    let opened = sd_bus_message_open_container(message, type(letter), contents)
    if opened < 0 { return opened }
    let code = body()
    return code < 0 ? code : sd_bus_message_close_container(message)
  }

  /// The hints of a request: the texts of those that have one, and what is wrong.
  /// - Returns: nil where the message does not hold a dictionary.
  static func hints(_ message: OpaquePointer, limit: Int) -> (
    texts: [String: String], others: [String: String]
  )? {
    var texts: [String: String] = [:]
    // Names of hints that are no text, with their types.
    var others: [String: String] = [:]
    guard sd_bus_message_enter_container(message, type("a"), "{sv}") >= 0 else { return nil }
    var count = 0
    while sd_bus_message_enter_container(message, type("e"), "sv") > 0 {
      count += 1
      guard count <= limit, let name = string(message) else { return nil }
      var letter: CChar = 0
      var contents: UnsafePointer<CChar>?
      guard sd_bus_message_peek_type(message, &letter, &contents) > 0, let contents else { return nil }
      let signature = String(cString: contents)
      if signature == "s" {
        guard sd_bus_message_enter_container(message, type("v"), "s") > 0, let text = string(message),
          sd_bus_message_exit_container(message) >= 0
        else { return nil }
        texts[name] = text
      } else {
        guard sd_bus_message_skip(message, "v") >= 0 else { return nil }
        others[name] = signature
      }
      guard sd_bus_message_exit_container(message) >= 0 else { return nil }
    }
    return sd_bus_message_exit_container(message) >= 0 ? (texts, others) : nil
  }
}
