/// Text as a terminal counts it: in places.
enum CellText {
  /// The places that a character takes: 1 or 2.
  static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 1 }
    return isWide(first) ? 2 : 1
  }

  /// The places that a text takes.
  static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// What can be shown of a text: a terminal acts on nothing in it, and counts it as we do.
  ///
  /// Joined pictures and selectors, which terminals count differently, are reduced to their first character.
  static func clean(_ text: String, isUnicode: Bool) -> String {
    // The usual text needs no second look.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    for character in text {
      guard let first = character.unicodeScalars.first else { continue }
      if !isUnicode, !first.isASCII {
        result += plain(first)
        continue
      }
      if isControl(first) {
        result += isUnicode ? "\u{FFFD}" : "?"
      } else if isCombining(first) {
        continue
      } else {
        var kept = String.UnicodeScalarView([first])
        if isUnicode {
          kept.append(contentsOf: character.unicodeScalars.dropFirst().prefix(3).filter(isAccent))
        }
        result += String(kept)
      }
    }
    return result
  }

  /// A text of at most so many places; where something is lost it ends in an ellipsis.
  static func fit(_ text: String, width: Int, isUnicode: Bool) -> String {
    guard width > 0 else { return "" }
    if text.utf8.count <= width || self.width(of: text) <= width { return text }
    let ellipsis = isUnicode ? "…" : "~"
    var (result, used) = ("", 0)
    for character in text {
      let next = self.width(of: character)
      if used + next > width - 1 { break }
      result.append(character)
      used += next
    }
    return result + ellipsis
  }

  /// A text set to the left of so many places.
  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - self.width(of: text)))
  }

  /// What stands for a character where only ASCII can be shown.
  private static func plain(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "…": "~"
    case "×": "x"
    case "·", "●": "*"
    case "—", "–", "─", "−": "-"
    case "←": "<"
    case "→": ">"
    case "↑": "^"
    case "↓": "v"
    case "▶", "▸": ">"
    case "■": "#"
    case "○": "o"
    case "│": "|"
    case "√": "v"
    default: isWide(scalar) ? "??" : "?"
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      // Marks that turn the direction of what follows, separators of lines, and what no terminal agrees on.
      || (0x2028...0x202E).contains(scalar.value) || (0x2060...0x206F).contains(scalar.value)
      || (0xE000...0xF8FF).contains(scalar.value) || scalar.value >= 0xE0000
  }

  private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    isAccent(scalar) || (0x200B...0x200F).contains(scalar.value) || (0xFE00...0xFE0F).contains(scalar.value)
      || scalar.value == 0xFEFF || (0x1F3FB...0x1F3FF).contains(scalar.value)
  }

  /// Marks that stand over the character before them in every terminal.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value) || (0x1AB0...0x1AFF).contains(scalar.value)
      || (0x20D0...0x20FF).contains(scalar.value) || (0x3099...0x309A).contains(scalar.value)
  }

  /// Whether a scalar takes two places: East Asian wide and full-width, and the pictures of emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x1100 { return false }
    return (0x1100...0x115F).contains(value) || value == 0x2329 || value == 0x232A
      || (0x231A...0x231B).contains(value) || (0x23E9...0x23EC).contains(value)
      || (0x2E80...0x303E).contains(value) || (0x3041...0x33FF).contains(value)
      || (0x3400...0x4DBF).contains(value) || (0x4E00...0x9FFF).contains(value)
      || (0xA000...0xA4CF).contains(value) || (0xA960...0xA97C).contains(value)
      || (0xAC00...0xD7A3).contains(value) || (0xF900...0xFAFF).contains(value)
      || (0xFE10...0xFE19).contains(value) || (0xFE30...0xFE6F).contains(value)
      || (0xFF01...0xFF60).contains(value) || (0xFFE0...0xFFE6).contains(value)
      || (0x17000...0x18CFF).contains(value) || (0x1B000...0x1B2FF).contains(value)
      || (0x1F300...0x1F64F).contains(value) || (0x1F680...0x1F6FF).contains(value)
      || (0x1F900...0x1F9FF).contains(value) || (0x20000...0x3FFFD).contains(value)
  }
}
