/// A value of a JSON text and where it stands, for messages that name the place.
///
/// For small files of settings that are read whole; patterns have a reader of their own, which streams.
public struct LocatedJSON: Sendable {
  /// What a value holds.
  public indirect enum Value: Sendable {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
    case bool(Bool)
    /// A number, which is finite.
    case number(Double)
    /// A text, its escapes replaced.
    case string(String)
    /// A list.
    case array([LocatedJSON])
    /// An object, its members in the order of the text, no key twice.
    case object([Member])
  }

  /// A member of an object.
  public struct Member: Sendable {
    /// The key, its escapes replaced.
    public var key: String
    /// Bytes from the start of the text to the key's first quote.
    public var offset: Int
    /// What it is set to.
    public var value: LocatedJSON
  }

  /// Why a text is not JSON, and where that shows.
  public struct Fault: Error, Equatable, Sendable {
    /// Bytes from the start of the text.
    public var offset: Int
    /// What is wrong, such as `a comma or } belongs here`; may quote the text.
    public var message: String
  }

  /// What it holds.
  public var value: Value
  /// Bytes from the start of the text.
  public var offset: Int

  /// Reads a text: UTF-8, with or without a byte-order mark, by RFC 8259 to the letter.
  /// - Parameters:
  ///   - bytes: The whole text.
  ///   - mostBytes: The longest text that is read; default 1 MiB.
  ///   - deepest: The deepest nesting that is read, at most 64; default 32.
  /// - Throws: ``Fault`` at the first place that is not JSON, that repeats a key or passes a bound.
  ///
  /// Threads: any. Real-time: no.
  public static func parse(
    _ bytes: [UInt8], mostBytes: Int = 1 << 20, deepest: Int = 32
  ) throws(Fault) -> LocatedJSON {
    if bytes.count > mostBytes {
      throw Fault(offset: 0, message: "the text has \(bytes.count) bytes; at most \(mostBytes) are read")
    }
    var reader = JSONReader(bytes: bytes, deepest: min(deepest, 64))
    return try reader.document()
  }

  /// The line and the column, in bytes, of an offset, both from 1.
  public static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes.prefix(offset)
    let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (line, before.count - start + 1)
  }
}

extension LocatedJSON {
  /// What the value is, for a message, such as `a number`.
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// A member of an object; nil for none, and for what is no object.
  public subscript(key: String) -> LocatedJSON? { members?.first { $0.key == key }?.value }

  /// The text, nil for others.
  public var text: String? { if case .string(let text) = value { text } else { nil } }
  /// The number, nil for others.
  public var number: Double? { if case .number(let number) = value { number } else { nil } }
  /// The truth of the word `true` or `false`, nil for others.
  public var flag: Bool? { if case .bool(let flag) = value { flag } else { nil } }
  /// The elements of a list, nil for others.
  public var elements: [LocatedJSON]? { if case .array(let elements) = value { elements } else { nil } }
  /// The members of an object, nil for others.
  public var members: [Member]? { if case .object(let members) = value { members } else { nil } }
}
