/// Reads AHAP text into a pattern.
public enum AHAPDecoder {
  /// A pattern and what is worth knowing about its file.
  public struct Result: Sendable {
    /// The pattern, values in range, control points in order.
    public var pattern: Pattern
    /// Warnings and notes, in file order.
    public var diagnostics: [Diagnostic]
  }

  /// Decodes the bytes of an AHAP file.
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - file: The name to give in diagnostics.
  /// - Throws: A ``Diagnostic`` of severity error; nothing else is kept.
  ///
  /// Threads: any. Real-time: no.
  public static func decode(_ bytes: UnsafeRawBufferPointer, file: String) throws(Diagnostic) -> Result {
    Result(pattern: Pattern(), diagnostics: [])
  }
}
