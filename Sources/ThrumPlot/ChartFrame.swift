/// What all charts have around their panel: the title, lines below it, and the legend.
struct ChartFrame {
  static let width = 960.0
  static let left = 92.0
  static let right = 28.0
  static let panelHeight = 380.0
  private static let lineHeight = 19.0

  var title: String
  var subtitle: [String]
  var legend: [Legend.Entry]

  private var headHeight: Double {
    42 + Double(subtitle.count) * Self.lineHeight + (legend.isEmpty ? 24 : 44)
  }

  /// Where the panel stands.
  var panelBox: Box {
    Box(
      left: Self.left, top: headHeight, width: Self.width - Self.left - Self.right, height: Self.panelHeight)
  }

  /// Units across and down.
  var size: (width: Double, height: Double) { (Self.width, headHeight + Self.panelHeight + 38 + 14) }

  /// Draws all but the panel.
  func draw(on canvas: Canvas) {
    let room = Self.width - 48
    let heading = canvas.fitted(title, width: room, size: Style.titleSize, bold: true)
    canvas.text(heading, at: Point(x: 24, y: 38), size: Style.titleSize, bold: true)
    for (index, line) in subtitle.enumerated() {
      let text = canvas.fitted(line, width: room, size: Style.textSize)
      let baseline = 42 + Double(index + 1) * Self.lineHeight
      canvas.text(text, at: Point(x: 24, y: baseline), size: Style.textSize, Style.quietInk)
    }
    Legend(entries: legend).draw(on: canvas, left: Self.left, baseline: headHeight - 13)
  }

  /// Says in the middle of the panel that there is nothing to show.
  func drawEmpty(_ text: String, on canvas: Canvas) {
    let box = panelBox
    let middle = Point(x: box.left + box.width / 2, y: box.top + box.height / 2)
    canvas.text(text, at: middle, size: Style.textSize, Style.quietInk, align: .centre)
  }
}
