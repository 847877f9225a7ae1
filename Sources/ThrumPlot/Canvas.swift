import CCairo

/// The formats a picture can have.
public enum PictureFormat: String, Sendable, CaseIterable {
  /// Pixels, two for each unit of the drawing unless asked otherwise.
  case png
  /// Lines and outlines of letters, so that it looks the same wherever it is shown.
  case svg

  /// The format that the ending of a name asks for, in capitals or not; nil where it is another.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }
}

/// A point of a drawing, in units from its upper left corner.
struct Point: Equatable {
  var x: Double
  var y: Double
}

/// A rectangle of a drawing.
struct Box: Equatable {
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  var right: Double { left + width }
  var bottom: Double { top + height }
}

/// A drawing that Cairo makes, in memory.
///
/// Cairo keeps the first error of a drawing and ignores what follows, so it is asked once, in ``finish()``, and no
/// drawing call in between can be lost without its being told.
final class Canvas {
  /// The most pixels on a side: Cairo's own limit.
  static let largestSide = 32_767

  /// Where a text stands against its point.
  enum Alignment { case left, centre, right }

  let width: Double
  let height: Double
  private let format: PictureFormat
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let output = CollectedBytes()

  /// Begins an empty drawing on white.
  /// - Parameters:
  ///   - width: In units, 1 or more.
  ///   - height: In units, 1 or more.
  ///   - scale: Pixels for each unit; an SVG takes no notice of it.
  init(format: PictureFormat, width: Double, height: Double, scale: Double) throws(PlotError) {
    let factor = format == .png ? scale : 1
    let pixels = (width: (width * factor).rounded(.up), height: (height * factor).rounded(.up))
    let allowed = 1...Double(Self.largestSide)
    guard allowed.contains(pixels.width), allowed.contains(pixels.height) else {
      throw .sizeOutOfRange(width: pixels.width, height: pixels.height)
    }
    try CairoLibrary.load()
    self.width = width
    self.height = height
    self.format = format
    let surface: OpaquePointer
    switch format {
    case .png:
      surface = thrum_cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(pixels.width), Int32(pixels.height))
    case .svg:
      surface = thrum_cairo_svg_surface_create_for_stream(appendBytes, output.closure, width, height)
    }
    self.surface = surface
    context = thrum_cairo_create(surface)
    try check(thrum_cairo_surface_status(surface), "make a surface for \(format.rawValue)")
    try check(thrum_cairo_status(context), "begin the drawing")
    if format == .svg { thrum_cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX) }
    // The whole surface, the part of a pixel that the scale may leave over included.
    use(Style.paper)
    thrum_cairo_paint(context)
    thrum_cairo_scale(context, factor, factor)
    useUnhintedText()
  }

  deinit {
    thrum_cairo_destroy(context)
    thrum_cairo_surface_destroy(surface)
  }

  /// Ends the drawing and gives its bytes; nothing may be drawn afterwards.
  func finish() throws(PlotError) -> [UInt8] {
    try check(thrum_cairo_status(context), "draw")
    thrum_cairo_surface_flush(surface)
    if format == .png {
      try check(
        thrum_cairo_surface_write_to_png_stream(surface, appendBytes, output.closure), "encode the PNG")
    }
    thrum_cairo_surface_finish(surface)
    try check(thrum_cairo_surface_status(surface), "end the \(format.rawValue)")
    return output.bytes
  }

  // MARK: Shapes

  /// Fills a rectangle.
  func fill(_ box: Box, _ colour: Colour) {
    use(colour)
    thrum_cairo_rectangle(context, box.left, box.top, box.width, box.height)
    thrum_cairo_fill(context)
  }

  /// Fills the area inside a line that closes itself.
  func fill(_ points: [Point], _ colour: Colour) {
    guard points.count > 2 else { return }
    use(colour)
    trace(points)
    thrum_cairo_close_path(context)
    thrum_cairo_fill(context)
  }

  /// Draws a rectangle's edge.
  func stroke(_ box: Box, _ colour: Colour, width: Double = 1) {
    use(colour)
    thrum_cairo_set_line_width(context, width)
    thrum_cairo_rectangle(context, box.left, box.top, box.width, box.height)
    thrum_cairo_stroke(context)
  }

  /// Draws a line through points, with dashes of the given lengths where there are any.
  func stroke(_ points: [Point], _ colour: Colour, width: Double = 1, dashes: [Double] = []) {
    guard points.count > 1 else { return }
    use(colour)
    thrum_cairo_set_line_width(context, width)
    thrum_cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    thrum_cairo_set_dash(context, dashes, Int32(dashes.count), 0)
    trace(points)
    thrum_cairo_stroke(context)
    thrum_cairo_set_dash(context, nil, 0, 0)
  }

  /// Draws a straight line.
  func line(_ start: Point, _ end: Point, _ colour: Colour, width: Double = 1, dashes: [Double] = []) {
    stroke([start, end], colour, width: width, dashes: dashes)
  }

  /// Draws a filled disc.
  func disc(_ centre: Point, radius: Double, _ colour: Colour) {
    use(colour)
    thrum_cairo_new_path(context)
    thrum_cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
    thrum_cairo_fill(context)
  }

  /// Draws what the body draws, cut off at the box.
  func clipped(to box: Box, _ body: () -> Void) {
    thrum_cairo_save(context)
    thrum_cairo_rectangle(context, box.left, box.top, box.width, box.height)
    thrum_cairo_clip(context)
    body()
    thrum_cairo_restore(context)
  }

  private func trace(_ points: [Point]) {
    thrum_cairo_new_path(context)
    for (index, point) in points.enumerated() {
      if index == 0 {
        thrum_cairo_move_to(context, point.x, point.y)
      } else {
        thrum_cairo_line_to(context, point.x, point.y)
      }
    }
  }

  private func use(_ colour: Colour) {
    thrum_cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha)
  }

  // MARK: Text

  /// Writes a line of text with its baseline through the point.
  func text(
    _ text: String, at point: Point, size: Double = Style.labelSize, _ colour: Colour = Style.ink,
    align: Alignment = .left, bold: Bool = false
  ) {
    let shift: Double
    switch align {
    case .left: shift = 0
    case .centre: shift = -textWidth(text, size: size, bold: bold) / 2
    case .right: shift = -textWidth(text, size: size, bold: bold)
    }
    chooseFont(size: size, bold: bold)
    use(colour)
    thrum_cairo_move_to(context, point.x + shift, point.y)
    thrum_cairo_show_text(context, printable(text))
    thrum_cairo_new_path(context)
  }

  /// Writes a line of text upwards, centred on the point.
  func uprightText(
    _ text: String, at point: Point, size: Double = Style.labelSize, _ colour: Colour = Style.ink
  ) {
    thrum_cairo_save(context)
    thrum_cairo_translate(context, point.x, point.y)
    thrum_cairo_rotate(context, -.pi / 2)
    self.text(text, at: Point(x: 0, y: 0), size: size, colour, align: .centre)
    thrum_cairo_restore(context)
  }

  /// How wide a line of text is.
  func textWidth(_ text: String, size: Double = Style.labelSize, bold: Bool = false) -> Double {
    chooseFont(size: size, bold: bold)
    var extents = cairo_text_extents_t()
    thrum_cairo_text_extents(context, printable(text), &extents)
    return extents.x_advance
  }

  /// The text, or as much of its beginning as fits, with an ellipsis.
  func fitted(_ text: String, width: Double, size: Double = Style.labelSize, bold: Bool = false) -> String {
    let text = printable(text)
    if textWidth(text, size: size, bold: bold) <= width { return text }
    // Halving: a name of a hundred thousand letters costs seventeen looks.
    var fits = 0
    var tooMany = text.count
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      let isShort = textWidth(text.prefix(middle) + "…", size: size, bold: bold) <= width
      if isShort { fits = middle } else { tooMany = middle }
    }
    return text.prefix(fits) + "…"
  }

  private func chooseFont(size: Double, bold: Bool) {
    let weight = bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
    thrum_cairo_select_font_face(context, Style.family, CAIRO_FONT_SLANT_NORMAL, weight)
    thrum_cairo_set_font_size(context, size)
  }

  /// Letters without hints have the same widths in pixels and in outlines, so both formats are laid out alike.
  private func useUnhintedText() {
    let options = thrum_cairo_font_options_create()
    thrum_cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    thrum_cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    thrum_cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    thrum_cairo_set_font_options(context, options)
    thrum_cairo_font_options_destroy(options)
  }
}

/// The text without control characters, which have no picture and would end it early.
func printable(_ text: String) -> String {
  let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
  if isPlain { return text }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    result.append(scalar.value >= 32 && scalar.value != 127 ? scalar : " ")
  }
  return String(result)
}

private func check(_ status: cairo_status_t, _ operation: String) throws(PlotError) {
  guard status == CAIRO_STATUS_SUCCESS else {
    throw .cairo(operation: operation, reason: String(cString: thrum_cairo_status_to_string(status)))
  }
}

/// Where Cairo's output goes.
private final class CollectedBytes {
  var bytes: [UInt8] = []

  /// Safety: unretained; the canvas owns this object and destroys the surface, the closure's only user, first.
  var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

private func appendBytes(
  closure: UnsafeMutableRawPointer?, bytes: UnsafePointer<UInt8>?, count: UInt32
) -> cairo_status_t {
  guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
  // Safety: the closure is a CollectedBytes that outlives the surface (above).
  let output = Unmanaged<CollectedBytes>.fromOpaque(closure).takeUnretainedValue()
  output.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
  return CAIRO_STATUS_SUCCESS
}
