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

  static func append(_ isTrue: Bool, to message: OpaquePointer?) -> Int32 {
    // D-Bus has truth as a word of 32 bits.
    var word: UInt32 = isTrue ? 1 : 0
    return sd_bus_message_append_basic(message, type("b"), &word)
  }

  /// The value of a hint.
  enum Hint: Equatable {
    case text(String)
    case truth(Bool)
    /// Of another type.
    case other(String)

    /// Its D-Bus type.
    var type: String {
      switch self {
      case .text: "s"
      case .truth: "b"
      case .other(let type): type
      }
    }
  }

  /// The hints of a request.
  /// - Returns: nil where the message does not hold a dictionary, or one of more than `limit`.
  static func hints(_ message: OpaquePointer, limit: Int) -> [String: Hint]? {
    var hints: [String: Hint] = [:]
    guard sd_bus_message_enter_container(message, type("a"), "{sv}") >= 0 else { return nil }
    var count = 0
    while sd_bus_message_enter_container(message, type("e"), "sv") > 0 {
      count += 1
      guard count <= limit, let name = string(message), let hint = hint(message),
        sd_bus_message_exit_container(message) >= 0
      else { return nil }
      hints[name] = hint
    }
    return sd_bus_message_exit_container(message) >= 0 ? hints : nil
  }

  private static func hint(_ message: OpaquePointer) -> Hint? {
    var letter: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(message, &letter, &contents) > 0, let contents else { return nil }
    let signature = String(cString: contents)
    switch signature {
    case "s":
      guard sd_bus_message_enter_container(message, type("v"), "s") > 0, let text = string(message),
        sd_bus_message_exit_container(message) >= 0
      else { return nil }
      return .text(text)
    case "b":
      var word: UInt32 = 0
      guard sd_bus_message_enter_container(message, type("v"), "b") > 0,
        sd_bus_message_read_basic(message, type("b"), &word) > 0, sd_bus_message_exit_container(message) >= 0
      else { return nil }
      return .truth(word != 0)
    default: return sd_bus_message_skip(message, "v") >= 0 ? .other(signature) : nil
    }
  }

  /// The stretches of a pattern, no more than `limit` of them.
  /// - Returns: nil where the message does not hold a list of them.
  static func pulses(_ message: OpaquePointer, limit: Int) -> [FeedbackService.Pulse]? {
    var pulses: [FeedbackService.Pulse] = []
    guard sd_bus_message_enter_container(message, type("a"), "(du)") >= 0 else { return nil }
    while pulses.count < limit, sd_bus_message_enter_container(message, type("r"), "du") > 0 {
      var (magnitude, milliseconds): (Double, UInt32) = (0, 0)
      guard sd_bus_message_read_basic(message, type("d"), &magnitude) > 0,
        sd_bus_message_read_basic(message, type("u"), &milliseconds) > 0,
        sd_bus_message_exit_container(message) >= 0
      else { return nil }
      pulses.append(FeedbackService.Pulse(magnitude: magnitude, milliseconds: milliseconds))
    }
    return pulses
  }
}
