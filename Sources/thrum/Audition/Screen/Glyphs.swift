/// The characters a screen is drawn with, in Unicode or in ASCII.
struct Glyphs {
  let isUnicode: Bool

  private func pick(_ unicode: Character, _ ascii: Character) -> Character { isUnicode ? unicode : ascii }

  var horizontal: Character { pick("─", "-") }
  var vertical: Character { pick("│", "|") }
  var teeUp: Character { pick("┴", "+") }
  var chosen: Character { pick("▸", ">") }
  var playing: Character { pick("▶", ">") }
  var stopped: Character { pick("■", "#") }
  var bar: Character { pick("━", "=") }
  var tap: Character { pick("◆", "*") }
  var stem: Character { pick("┃", "|") }
  var sound: Character { pick("♪", "n") }
  var soundBar: Character { pick("┄", "~") }
  var point: Character { pick("◇", "o") }
  var playhead: Character { pick("▼", "v") }
  var region: Character { pick("═", "=") }
  var dot: Character { pick("●", "*") }
  var ring: Character { pick("○", "o") }
  var tick: Character { pick("╵", "'") }
  var light: Character { pick("·", ".") }

  /// The head of a tap's pin, from round to sharp.
  func head(sharpness: Double) -> Character {
    sharpness < 1 / 3 ? pick("●", "o") : sharpness < 2 / 3 ? pick("◆", "*") : pick("▲", "^")
  }

  /// A place that is filled to so many eighths from below, 1…8.
  func eighths(_ count: Int) -> Character {
    let unicode: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    let ascii: [Character] = [".", ".", ".", ":", ":", "|", "#", "#"]
    return (isUnicode ? unicode : ascii)[min(max(count, 1), 8) - 1]
  }

  /// A bar from the left, filled to a share of its width.
  func meter(_ share: Double, width: Int) -> String {
    let clamped = share.isFinite ? min(max(share, 0), 1) : 0
    let filled = Int((clamped * Double(width)).rounded())
    return String(repeating: String(pick("█", "#")), count: filled)
      + String(repeating: String(pick("░", "-")), count: width - filled)
  }

  /// A mark on a line from −1 to 1, the middle shown.
  func balance(_ value: Double, width: Int) -> String {
    var places = [Character](repeating: pick("─", "-"), count: width)
    places[width / 2] = pick("┼", "+")
    let place = Int(((min(max(value, -1), 1) + 1) / 2 * Double(width - 1)).rounded())
    places[place] = dot
    return String(places)
  }
}
