/// The name of a file as Linux knows it: bytes of no encoding, none of them zero.
///
/// A name that is kept as text is lost where it is not UTF-8; one that is printed as it is can hold line ends and commands
/// to a terminal. So it is opened by its bytes, printed by its description, and written into JSON by its text.
public struct FileName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes, without the zero that ends them in C.
  public let bytes: [UInt8]

  /// Creates a name from its bytes; a zero ends it.
  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

  /// Creates the name that is a text in UTF-8.
  public init(_ text: String) { self.init(bytes: text.utf8) }

  /// Creates a name from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The name as text; what is not UTF-8 shows as U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The name as it may be printed: its text, control characters escaped.
  public var description: String { printable(text) }

  /// The part behind the last slash; the whole name where there is none.
  public var lastPart: FileName {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return self }
    return FileName(bytes: bytes[(slash + 1)...])
  }

  /// The folder it is in: what is before the last slash, `.` where there is none, `/` for what is at the root.
  public var folder: FileName {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return "." }
    return slash == 0 ? "/" : FileName(bytes: bytes[..<slash])
  }

  /// The name of something in this folder; a name from the root on stays as it is.
  public func appending(_ part: FileName) -> FileName {
    if part.bytes.first == Self.slash || bytes.isEmpty { return part }
    return FileName(bytes: bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + part.bytes)
  }

  /// Lends the name to a call of C.
  public func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // An array is lent to a pointer parameter for the time of the call.
    body(bytes.map { CChar(bitPattern: $0) } + [0])
  }

  /// By bytes, the same in every locale.
  public static func < (left: FileName, right: FileName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static let slash = UInt8(ascii: "/")
}
