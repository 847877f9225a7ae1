import Glibc

/// One line on the terminal that is written over as time goes on; nothing where there is no terminal.
///
/// On a terminal that understands no escape sequences only what became of a pattern is written, a line each.
struct ProgressLine {
  /// How often it is worth writing, milliseconds.
  static let periodMilliseconds: Int32 = 50
  /// Columns of the meter, and the level at its left end.
  private static let meterWidth = 20
  private static let meterFloor = -48.0
  /// How far the meter falls from one writing to the next: a tap is over before an eye has seen it.
  private static let meterFall = 0.75

  private let isShown: Bool
  private let isRewritable: Bool
  private let style: Style
  private let blocks: Bool
  private var isDrawn = false
  private var meterLevel = 0.0

  init() {
    isShown = StandardError.isTerminal
    isRewritable = isShown && Style.obeysEscapes
    style = .error
    blocks = Bars.hasBlocks
  }

  /// Whether there is a terminal to write on.
  var isVisible: Bool { isShown }

  /// Writes the line.
  mutating func show(name: String, seconds: Double, of length: Double, pass: String, level: Double) {
    guard isRewritable else { return }
    meterLevel = max(level, meterLevel * Self.meterFall)
    let fraction = meterLevel > 0 ? 1 - decibels(meterLevel) / Self.meterFloor : 0
    let bar = Bars.horizontal(fraction, width: Self.meterWidth, blocks: blocks)
    let time = "\(NumberText.fixed(min(seconds, length), 1)) / \(NumberText.fixed(length, 1)) s\(pass)"
    let meter = NumberText.right(fraction > 0 ? NumberText.level(meterLevel) : "", 9)
    draw("\(name)  \(time)  \(blocks ? "▕" : "[")\(style.green(bar))\(blocks ? "▏" : "]")\(meter)")
  }

  /// Writes a word in place of the time and the meter.
  mutating func show(name: String, state: String) {
    guard isRewritable else { return }
    draw("\(name)  \(style.faint(state))")
  }

  /// Writes what became of the pattern and goes to the next line.
  mutating func end(name: String, outcome: String) {
    guard isShown else { return }
    meterLevel = 0
    guard isRewritable else { return StandardError.write("\(name)  \(outcome)\n") }
    draw("\(name)  \(outcome)")
    end()
  }

  /// Leaves the line as it stands and goes to the next one.
  mutating func end() {
    if isDrawn { StandardError.write("\n") }
    isDrawn = false
  }

  /// Takes the line away, for other text in its place.
  mutating func clear() {
    if isDrawn { StandardError.write("\r\u{1B}[K") }
    isDrawn = false
  }

  private mutating func draw(_ text: String) {
    // A line that wraps could not be written over.
    StandardError.write("\r\u{1B}[?7l\(text)\u{1B}[K\u{1B}[?7h")
    isDrawn = true
  }
}
