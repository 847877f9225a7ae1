/// Levels drawn in text.
enum Bars {
  /// Whether the terminal can show block elements.
  static var hasBlocks: Bool {
    let locale = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? ""
    let lower = locale.lowercased()
    return lower.contains("utf-8") || lower.contains("utf8")
  }

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let heights = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let plainHeights = [" ", ".", ".", ":", ":", "|", "|", "#", "#"]

  /// A bar from the left, filled to a fraction of its width.
  static func horizontal(_ fraction: Double, width: Int, blocks: Bool) -> String {
    let clamped = min(max(fraction, 0), 1)
    if !blocks {
      let filled = Int((clamped * Double(width)).rounded())
      return String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    }
    let parts = Int((clamped * Double(width * 8)).rounded())
    let bar = String(repeating: "█", count: parts / 8) + eighths[parts % 8]
    return bar + String(repeating: " ", count: width - bar.count)
  }

  /// One character a value, 0…1 each; a value above 0 always shows.
  static func column(_ values: [Double], blocks: Bool) -> String {
    values.reduce(into: "") { text, value in
      let height = value > 0 ? min(8, max(1, Int((value * 8).rounded()))) : 0
      text += blocks ? heights[height] : plainHeights[height]
    }
  }
}
