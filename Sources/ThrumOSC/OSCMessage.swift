/// One argument of a message.
public enum OSCArgument: Sendable, Equatable {
  /// `i`.
  case int(Int32)
  /// `h`.
  case long(Int64)
  /// `f`.
  case float(Float)
  /// `d`.
  case double(Double)
  /// `s` and `S`.
  case text(String)
  /// `b`.
  case blob([UInt8])
  /// `t`.
  case time(OSCTimeTag)
  /// `c`, the code of a character.
  case character(UInt32)
  /// `r` and `m`: four bytes, of a colour or a MIDI message.
  case quartet(UInt32)
  /// `T` and `F`.
  case flag(Bool)
  /// `N`.
  case null
  /// `I`.
  case impulse

  /// The argument as a number, where it is one: `i`, `h`, `f`, `d`.
  public var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .long(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The argument as a yes or no, where it is one: `T`, `F`, and numbers, of which 0 is no.
  public var truth: Bool? {
    if case .flag(let value) = self { return value }
    return number.map { $0 != 0 }
  }

  /// The argument as text, where it is text.
  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The letter by which a message declares it.
  var tag: UInt8 {
    switch self {
    case .int: UInt8(ascii: "i")
    case .long: UInt8(ascii: "h")
    case .float: UInt8(ascii: "f")
    case .double: UInt8(ascii: "d")
    case .text: UInt8(ascii: "s")
    case .blob: UInt8(ascii: "b")
    case .time: UInt8(ascii: "t")
    case .character: UInt8(ascii: "c")
    case .quartet: UInt8(ascii: "r")
    case .flag(let value): value ? UInt8(ascii: "T") : UInt8(ascii: "F")
    case .null: UInt8(ascii: "N")
    case .impulse: UInt8(ascii: "I")
    }
  }
}

/// A message of Open Sound Control 1.0: an address, or a pattern of addresses, and its arguments.
public struct OSCMessage: Sendable, Equatable {
  /// Begins with `/`; may hold the signs of ``OSCAddressPattern``.
  public var address: String
  /// In the order of the message.
  public var arguments: [OSCArgument]

  /// Creates a message.
  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    self.address = address
    self.arguments = arguments
  }

  /// The message as it goes over the wire: a multiple of four bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    Self.append(address, to: &bytes)
    Self.append("," + String(decoding: arguments.map(\.tag), as: UTF8.self), to: &bytes)
    for argument in arguments { Self.append(argument, to: &bytes) }
    return bytes
  }

  private static func append(_ argument: OSCArgument, to bytes: inout [UInt8]) {
    switch argument {
    case .int(let value): append(UInt32(bitPattern: value), to: &bytes)
    case .long(let value): append(UInt64(bitPattern: value), to: &bytes)
    case .float(let value): append(value.bitPattern, to: &bytes)
    case .double(let value): append(value.bitPattern, to: &bytes)
    case .text(let value): append(value, to: &bytes)
    case .blob(let value):
      append(UInt32(truncatingIfNeeded: value.count), to: &bytes)
      bytes += value
      pad(&bytes)
    case .time(let value): append(value.rawValue, to: &bytes)
    case .character(let value), .quartet(let value): append(value, to: &bytes)
    case .flag, .null, .impulse: break
    }
  }

  /// Text ends at its first zero byte: what comes after could not be read back.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes += text.utf8.prefix { $0 != 0 }
    bytes.append(0)
    pad(&bytes)
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
  }

  private static func pad(_ bytes: inout [UInt8]) {
    while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
  }
}
