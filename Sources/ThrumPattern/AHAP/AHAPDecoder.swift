/// Reads AHAP text into a pattern.
///
/// The text is UTF-8 JSON, with or without a byte order mark; a comma before a closing bracket is accepted,
/// comments are not. Unknown keys are skipped with a warning, values out of range are clamped with one, and
/// whatever is read but will not be felt is warned of. Time and memory are linear in the size of the text
/// whatever it holds.
public enum AHAPDecoder {
  /// The largest text that is read, in bytes: 1 GiB.
  public static let maximumBytes = 1 << 30

  /// A pattern and what is worth knowing about its file.
  public struct Result: Sendable, Equatable {
    /// The pattern, values in range, control points in order.
    public var pattern: Pattern
    /// Warnings and notes, in file order.
    public var diagnostics: [Diagnostic]
  }

  /// Everything there is to say about a file, also where it is refused.
  public struct Report: Sendable, Equatable {
    /// The pattern, nil where the file is refused.
    public var pattern: Pattern?
    /// Errors, warnings and notes, in file order.
    public var diagnostics: [Diagnostic]
  }

  /// Decodes the bytes of an AHAP file.
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - file: The name to give in diagnostics.
  ///   - soundFolder: The folder in which to look for sound files with a relative path; nil where there is
  ///     none, which is worth a warning to a pattern that names one.
  /// - Throws: A ``Diagnostic`` of severity error, the first found; nothing else is kept.
  ///
  /// Threads: any. Real-time: no. Next: `ScheduleCompiler.compile`.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, file: String, soundFolder: FileName? = nil
  ) throws(Diagnostic) -> Result {
    let (pattern, diagnostics) = read(bytes, file: file, soundFolder: soundFolder, collectsErrors: false)
    if let error = diagnostics.first(where: { $0.severity == .error }) { throw error }
    return Result(pattern: pattern, diagnostics: diagnostics)
  }

  /// Decodes the bytes of an AHAP file and lists every error of meaning in it, not only the first.
  ///
  /// What is not JSON ends the list, as nothing behind it can be told.
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - file: The name to give in diagnostics.
  ///   - soundFolder: As for ``decode(_:file:soundFolder:)``.
  ///
  /// Threads: any. Real-time: no.
  public static func check(
    _ bytes: UnsafeRawBufferPointer, file: String, soundFolder: FileName? = nil
  ) -> Report {
    let (pattern, diagnostics) = read(bytes, file: file, soundFolder: soundFolder, collectsErrors: true)
    let isRefused = diagnostics.contains { $0.severity == .error }
    return Report(pattern: isRefused ? nil : pattern, diagnostics: diagnostics)
  }

  /// Decodes a text that is not held whole; as ``decode(_:file:soundFolder:)``.
  static func decode(
    _ feed: TextFeed, file: String, soundFolder: FileName? = nil
  ) throws(Diagnostic) -> Result {
    let (pattern, diagnostics) = read(feed, file: file, soundFolder: soundFolder, collectsErrors: false)
    if let error = diagnostics.first(where: { $0.severity == .error }) { throw error }
    return Result(pattern: pattern, diagnostics: diagnostics)
  }

  /// Decodes a text that is not held whole; as ``check(_:file:soundFolder:)``.
  static func check(_ feed: TextFeed, file: String, soundFolder: FileName? = nil) -> Report {
    let (pattern, diagnostics) = read(feed, file: file, soundFolder: soundFolder, collectsErrors: true)
    let isRefused = diagnostics.contains { $0.severity == .error }
    return Report(pattern: isRefused ? nil : pattern, diagnostics: diagnostics)
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, file: String, soundFolder: FileName?, collectsErrors: Bool
  ) -> (Pattern, [Diagnostic]) {
    if let refusal = refusal(of: bytes, file: file) { return (Pattern(), [refusal]) }
    // Columns are counted from behind the mark, as editors do.
    let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(markLength(of: bytes)))
    var reader = AHAPReader(text, file: file, soundFolder: soundFolder, collectsErrors: collectsErrors)
    reader.readAll()
    return (
      reader.pattern, reader.remarks.placed { UnsafeRawBufferPointer(rebasing: text.dropFirst($0)) }
    )
  }

  private static func read(
    _ feed: TextFeed, file: String, soundFolder: FileName?, collectsErrors: Bool
  ) -> (Pattern, [Diagnostic]) {
    if let refusal = feed.failure ?? refusal(of: feed.bytes, file: file) { return (Pattern(), [refusal]) }
    feed.drop(first: markLength(of: feed.bytes))
    while true {
      var reader = AHAPReader(
        feed.bytes, feed: feed, file: file, soundFolder: soundFolder, collectsErrors: collectsErrors)
      if reader.readAll(), !feed.isAtEnd {
        // What is before the list is longer than the feed holds, or there is no list: it is read again, whole.
        feed.holdRest(from: 0)
        continue
      }
      if let failure = feed.failure { return (Pattern(), [failure]) }
      return (reader.pattern, reader.remarks.placed(in: feed.look(again:)))
    }
  }

  private static func refusal(of bytes: UnsafeRawBufferPointer, file: String) -> Diagnostic? {
    refusalOfEncoding(bytes).map { message in
      Diagnostic(
        severity: .error, code: .invalidPatternData, file: file, position: .init(line: 1, column: 1),
        message: message)
    }
  }

  /// The length of a byte order mark, 0 where there is none.
  private static func markLength(of bytes: UnsafeRawBufferPointer) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Why the bytes cannot be UTF-8 text of a size that is read, nil where they may be.
  private static func refusalOfEncoding(_ bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.count > maximumBytes { return "larger than 1 GiB, the most that is read" }
    let encoding: String? =
      if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
        "UTF-32"
      } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        "UTF-16"
      } else if bytes.starts(with: [0x7B, 0, 0, 0]) || bytes.starts(with: [0, 0, 0, 0x7B]) {
        "UTF-32"
      } else if bytes.starts(with: [0x7B, 0]) || bytes.starts(with: [0, 0x7B]) {
        "UTF-16"
      } else {
        nil
      }
    return encoding.map { "this is \($0) text; an AHAP file is UTF-8" }
  }
}
