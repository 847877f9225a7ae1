/// A packet of Open Sound Control 1.0, read with bounds.
///
/// Bundles are laid flat: each message with the time of the innermost bundle around it, in the order of the packet. A
/// packet is read as a whole or not at all.
public struct OSCPacket: Sendable, Equatable {
  /// A message and when it is meant.
  public struct Timed: Sendable, Equatable {
    /// ``OSCTimeTag/immediately`` outside bundles.
    public var time: OSCTimeTag
    /// What is meant.
    public var message: OSCMessage
  }

  /// The largest payload of UDP over IPv4, bytes.
  public static let largestSize = 65_507
  /// The most messages of a packet.
  public static let mostMessages = 1024
  /// The most arguments of a message.
  public static let mostArguments = 64
  /// The most bundles around a message.
  public static let deepestBundle = 8

  /// At least one message, unless all bundles are empty.
  public private(set) var messages: [Timed] = []

  /// Reads a packet.
  ///
  /// Threads: any. Real-time: no, allocates; in all at most some ten times the packet's size.
  public init(reading bytes: UnsafeRawBufferPointer) throws(OSCProblem) {
    guard bytes.count <= Self.largestSize else {
      throw OSCProblem(Self.largestSize, "a packet takes at most \(Self.largestSize) bytes")
    }
    var reader = OSCReader(bytes)
    try readElement(&reader, time: .immediately, depth: 0)
  }

  /// Reads a packet.
  public init(reading bytes: [UInt8]) throws(OSCProblem) {
    // A closure of `withUnsafeBytes` cannot throw a type of its own through it.
    let result: Result<OSCPacket, OSCProblem> = bytes.withUnsafeBytes { bytes in
      do throws(OSCProblem) { return .success(try OSCPacket(reading: bytes)) } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Reads what is left of a reader as one element: a message or a bundle.
  private mutating func readElement(
    _ reader: inout OSCReader, time: OSCTimeTag, depth: Int
  ) throws(OSCProblem) {
    let start = reader.offset
    guard reader.left > 0, reader.left.isMultiple(of: 4) else {
      throw OSCProblem(start, "\(reader.left) bytes are no message; its size is a multiple of 4 and not 0")
    }
    let address = try reader.text("the address")
    if address == "#bundle" { return try readBundle(&reader, within: time, depth: depth) }
    guard address.utf8.first == UInt8(ascii: "/") else {
      throw OSCProblem(start, "an address begins with / and a bundle with #bundle")
    }
    guard messages.count < Self.mostMessages else {
      throw OSCProblem(start, "a packet takes at most \(Self.mostMessages) messages")
    }
    messages.append(Timed(time: time, message: OSCMessage(address, try Self.arguments(&reader))))
  }

  private mutating func readBundle(
    _ reader: inout OSCReader, within outer: OSCTimeTag, depth: Int
  ) throws(OSCProblem) {
    let start = reader.offset
    guard depth < Self.deepestBundle else {
      throw OSCProblem(start, "bundles are within each other at most \(Self.deepestBundle) deep")
    }
    var time = OSCTimeTag(rawValue: try reader.integer(UInt64.self, "the time of a bundle"))
    // Inside another bundle, at once is with that one.
    if time == .immediately { time = outer }
    // Within one that is meant at once any time is later, also 0, which is none and whoever does it may tell so.
    guard outer == .immediately || time.rawValue >= outer.rawValue else {
      throw OSCProblem(start, "a bundle within another one is not meant earlier than that one")
    }
    while reader.left > 0 {
      let place = reader.offset
      let size = try reader.integer(UInt32.self, "the size of an element")
      guard size > 0, size <= reader.left else {
        throw OSCProblem(place, "an element of \(size) bytes is not within the \(reader.left) that follow")
      }
      var element = reader.part(Int(size))
      try readElement(&element, time: time, depth: depth + 1)
    }
  }

  private static func arguments(_ reader: inout OSCReader) throws(OSCProblem) -> [OSCArgument] {
    // Old senders leave the types out where there are no arguments.
    guard reader.left > 0 else { return [] }
    let start = reader.offset
    let tags = try reader.text("the types").utf8
    guard tags.first == UInt8(ascii: ",") else { throw OSCProblem(start, "the types begin with a comma") }
    guard tags.count - 1 <= mostArguments else {
      throw OSCProblem(start, "a message takes at most \(mostArguments) arguments")
    }
    var arguments: [OSCArgument] = []
    arguments.reserveCapacity(tags.count - 1)
    for (index, tag) in tags.enumerated().dropFirst() {
      arguments.append(try argument(tag, at: start + index, &reader))
    }
    guard reader.left == 0 else {
      throw OSCProblem(reader.offset, "\(reader.left) bytes follow the last argument; none may")
    }
    return arguments
  }

  private static func argument(
    _ tag: UInt8, at place: Int, _ reader: inout OSCReader
  ) throws(OSCProblem) -> OSCArgument {
    switch tag {
    case UInt8(ascii: "i"): return .int(Int32(bitPattern: try reader.integer(UInt32.self, "an int")))
    case UInt8(ascii: "h"): return .long(Int64(bitPattern: try reader.integer(UInt64.self, "a long")))
    case UInt8(ascii: "f"): return .float(Float(bitPattern: try reader.integer(UInt32.self, "a float")))
    case UInt8(ascii: "d"): return .double(Double(bitPattern: try reader.integer(UInt64.self, "a double")))
    case UInt8(ascii: "s"), UInt8(ascii: "S"): return .text(try reader.text("a text"))
    case UInt8(ascii: "b"): return .blob(try reader.blob())
    case UInt8(ascii: "t"): return .time(OSCTimeTag(rawValue: try reader.integer(UInt64.self, "a time")))
    case UInt8(ascii: "c"): return .character(try reader.integer(UInt32.self, "a character"))
    case UInt8(ascii: "r"), UInt8(ascii: "m"):
      return .quartet(try reader.integer(UInt32.self, "four bytes"))
    case UInt8(ascii: "T"): return .flag(true)
    case UInt8(ascii: "F"): return .flag(false)
    case UInt8(ascii: "N"): return .null
    case UInt8(ascii: "I"): return .impulse
    default:
      let shown = (0x21..<0x7F).contains(tag) ? String(UnicodeScalar(tag)) : "of number \(tag)"
      throw OSCProblem(place, "the type \(shown) is not known; there are i h f d s S b t c r m T F N I")
    }
  }
}
