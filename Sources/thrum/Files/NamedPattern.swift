import ThrumPattern

/// A pattern that came from a file, with what is worth knowing about it.
struct NamedPattern {
  /// The name it was given by.
  let path: FileName
  /// What it says.
  let pattern: Pattern
  /// Warnings and notes, in file order.
  let diagnostics: [Diagnostic]

  /// Reads and decodes a file.
  /// - Throws: The ``Diagnostic`` that says why it is refused.
  init(reading path: FileName) throws(Diagnostic) {
    let decoded = try PatternFile.read(path)
    self.path = path
    pattern = decoded.pattern
    diagnostics = decoded.diagnostics
  }

  /// Takes a pattern that is there already.
  /// - Parameter path: What it is called; its folder is where relative sounds are.
  init(path: FileName, pattern: Pattern) {
    self.path = path
    self.pattern = pattern
    diagnostics = []
  }

  /// Reads the one file of a command; where it is refused, tells why on standard error.
  /// - Throws: `CommandError.reported`.
  static func readOrReport(_ path: FileName) throws(CommandError) -> NamedPattern {
    do throws(Diagnostic) {
      return try NamedPattern(reading: path)
    } catch {
      StandardError.write(error.text(Style.error) + "\n")
      throw .reported
    }
  }

  /// The last part of the path, which is what a person calls the pattern, fit to be printed.
  var name: String { path == "-" ? "standard input" : path.lastPart.description }
}

extension Diagnostic {
  /// The line for a person, the severity in its colour.
  func text(_ style: Style) -> String {
    guard style.isColoured else { return description }
    let word = "\(severity.rawValue):"
    let painted =
      switch severity {
      case .error: style.red(word)
      case .warning: style.yellow(word)
      case .note: style.faint(word)
      }
    // The severity follows the place, which is the first thing in the line that can be told apart.
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    let start = "\(printable(file))\(place): "
    return style.bold(start) + painted + description.dropFirst(start.count + word.count)
  }

  /// The members a script reads.
  var json: JSONValue {
    .object([
      ("file", .string(file)),
      ("line", position.map { .count($0.line) } ?? .null),
      ("column", position.map { .count($0.column) } ?? .null),
      ("severity", .string(severity.rawValue)),
      ("code", code.map { .count($0.rawValue) } ?? .null),
      ("keyPath", .string(keyPath)),
      ("message", .string(message)),
    ])
  }
}
