/// The published error codes that a pattern file can meet (Core Haptics error list).
public enum PatternErrorCode: Int, Sendable {
  case invalidPatternData = -4813
  case invalidPatternDictionary = -4814
  case invalidParameterType = -4820
  case invalidEventType = -4821
  case invalidEventTime = -4822
  case invalidEventDuration = -4823
  case invalidAudioResource = -4824
  case badEventEntry = -4830
  case badParameterEntry = -4831
  case fileNotFound = -4851
}

/// Something worth telling about a pattern file: where it is, what was found, and what would be right.
public struct Diagnostic: Error, Sendable, Equatable, CustomStringConvertible {
  /// How much it matters.
  public enum Severity: String, Sendable {
    /// The file is refused.
    case error
    /// The file loads, but not everything in it has the effect its author may expect.
    case warning
    /// Nothing is wrong; worth knowing.
    case note
  }

  /// How much it matters.
  public var severity: Severity
  /// The published error code; nil on warnings and notes.
  public var code: PatternErrorCode?
  /// The name the file was given by, `-` for standard input.
  public var file: String
  /// Line and column of the place, both from 1, the column in bytes; nil where the whole file is meant.
  public var position: Position?
  /// The path to the value, such as `Pattern[1].Event.EventType`; empty for the top level.
  public var keyPath: String
  /// What was found and what would be right, such as `"Buzz" is not an event type; use HapticTransient, …`.
  public var message: String

  /// A place in a file.
  public struct Position: Sendable, Equatable {
    /// From 1.
    public var line: Int
    /// From 1, in bytes.
    public var column: Int

    /// Creates a place.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// Creates a diagnostic.
  public init(
    severity: Severity, code: PatternErrorCode? = nil, file: String, position: Position? = nil,
    keyPath: String = "", message: String
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.position = position
    self.keyPath = keyPath
    self.message = message
  }

  /// One line, whatever the file's name holds: `file:line:column: error: keyPath: message (code)`.
  public var description: String {
    var line = printable(file)
    if let position { line += ":\(position.line):\(position.column)" }
    line += ": \(severity.rawValue): "
    if !keyPath.isEmpty { line += "\(keyPath): " }
    line += message
    if let code { line += " (\(code.rawValue))" }
    return line
  }
}
