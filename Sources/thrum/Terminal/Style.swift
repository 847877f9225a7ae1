/// Colours and weights for a terminal; plain text everywhere else.
struct Style {
  /// Whether escape sequences are written.
  let isColoured: Bool

  /// The style for standard output, or for standard error.
  static func forStream(isTerminal: Bool) -> Style {
    // no-color.org: any non-empty value means none.
    Style(isColoured: isTerminal && obeysEscapes && environment("NO_COLOR") == nil)
  }

  /// Whether a terminal, where there is one, says that it understands escape sequences.
  static var obeysEscapes: Bool { environment("TERM").map { $0 != "dumb" } ?? false }

  static var output: Style { forStream(isTerminal: StandardOutput.isTerminal) }
  static var error: Style { forStream(isTerminal: StandardError.isTerminal) }

  func red(_ text: String) -> String { paint(text, "1;31") }
  func yellow(_ text: String) -> String { paint(text, "1;33") }
  func green(_ text: String) -> String { paint(text, "32") }
  func bold(_ text: String) -> String { paint(text, "1") }
  func faint(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
