/// The row that says what the shapes of a picture stand for.
struct Legend {
  /// One shape and its meaning.
  struct Entry {
    /// How the shape looks.
    enum Shape {
      case line(Colour)
      case dashes(Colour)
      case dots(Colour)
      case stem(Colour)
      case area(Colour)
    }

    var shape: Shape
    var text: String
  }

  var entries: [Entry]

  /// Draws the row from the left, as many entries as fit; each is 22 units of shape, its text and a gap.
  func draw(on canvas: Canvas, left: Double, baseline: Double) {
    var x = left
    for entry in entries {
      let text = canvas.fitted(entry.text, width: 320)
      let width = 28 + canvas.textWidth(text)
      guard x + width <= canvas.width - 12 else { return }
      draw(entry.shape, on: canvas, left: x, middle: baseline - 4.5)
      canvas.text(text, at: Point(x: x + 28, y: baseline), Style.quietInk)
      x += width + 22
    }
  }

  private func draw(_ shape: Entry.Shape, on canvas: Canvas, left: Double, middle: Double) {
    let start = Point(x: left, y: middle)
    let end = Point(x: left + 22, y: middle)
    switch shape {
    case .line(let colour): canvas.line(start, end, colour, width: 2.4)
    case .dashes(let colour): canvas.line(start, end, colour, width: 1.4, dashes: [5, 3])
    case .dots(let colour): canvas.line(start, end, colour, width: 1.2, dashes: [1.5, 3])
    case .stem(let colour):
      canvas.line(Point(x: left + 11, y: middle + 6), Point(x: left + 11, y: middle - 4), colour, width: 1.6)
      canvas.disc(Point(x: left + 11, y: middle - 4), radius: 3.2, colour)
    case .area(let colour):
      let box = Box(left: left + 2, top: middle - 5, width: 18, height: 10)
      canvas.fill(box, colour.opacity(0.24))
      canvas.line(Point(x: box.left, y: box.top), Point(x: box.right, y: box.top), colour, width: 1.8)
    }
  }
}
