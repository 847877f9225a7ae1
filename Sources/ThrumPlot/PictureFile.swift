import Glibc

/// A thing that can be drawn.
protocol Drawing {
  /// What the picture shows, in a few words.
  var title: String { get }
  /// What the picture shows, in sentences for people who do not see it.
  var summary: String { get }
  /// Units across and down; a unit is a pixel at scale 1.
  var size: (width: Double, height: Double) { get }
  /// Draws on a canvas of that size.
  func draw(on canvas: Canvas)
}

extension Drawing {
  /// The bytes of the picture's file.
  func encoded(as format: PictureFormat, scale: Double) throws(PlotError) -> [UInt8] {
    let size = size
    let canvas = try Canvas(format: format, width: size.width, height: size.height, scale: scale)
    draw(on: canvas)
    let bytes = try canvas.finish()
    return format == .svg ? finishedSVG(bytes, title: title, summary: summary) : bytes
  }

  /// Writes the picture's file in the format its name asks for.
  func writeFile(to path: String, scale: Double) throws(PlotError) {
    guard let format = PictureFormat(path: path) else { throw .unknownFormat(path: path) }
    // Drawn before the file is opened, so that an error in the drawing leaves an older file as it was.
    let bytes = try encoded(as: format, scale: scale)
    try write(bytes, to: path)
  }
}

/// Writes a whole file, replacing what was there.
func write(_ bytes: [UInt8], to path: String) throws(PlotError) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { throw .unwritable(path: path, errno: errno) }
  var failure: Int32 = 0
  bytes.withUnsafeBytes { buffer in
    var written = 0
    while written < buffer.count, failure == 0 {
      let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      if count >= 0 { written += count } else if errno != EINTR { failure = errno }
    }
  }
  // A full disk may be told only when the file is closed.
  if close(descriptor) != 0, failure == 0 { failure = errno }
  guard failure == 0 else { throw .unwritable(path: path, errno: failure) }
}

/// Cairo's SVG with a title and a description for readers without a picture, and without the running number Cairo gives
/// each surface of a process, so that the same picture is the same file however many were drawn before.
private func finishedSVG(_ bytes: [UInt8], title: String, summary: String) -> [UInt8] {
  let about = "<title>\(escaped(title))</title>\n<desc>\(escaped(summary))</desc>\n"
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count + about.utf8.count)
  let surfaceName = Array("id=\"surface".utf8)
  let rootStart = Array("<svg ".utf8)
  var index = 0
  var isInRoot = false
  var hasAbout = false
  while index < bytes.count {
    if bytes[index] == surfaceName[0], bytes[index...].starts(with: surfaceName) {
      result += surfaceName
      index += surfaceName.count
      while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
      continue
    }
    if !hasAbout, bytes[index] == rootStart[0], bytes[index...].starts(with: rootStart) { isInRoot = true }
    result.append(bytes[index])
    if isInRoot, bytes[index] == UInt8(ascii: ">") {
      result.append(10)
      result += about.utf8
      isInRoot = false
      hasAbout = true
      if index + 1 < bytes.count, bytes[index + 1] == 10 { index += 1 }
    }
    index += 1
  }
  return result
}

private func escaped(_ text: String) -> String {
  var result = ""
  for character in printable(text) {
    switch character {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: result.append(character)
    }
  }
  return result
}

/// Sentences from the lines of a picture.
func sentences(_ lines: [String]) -> String {
  lines.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
}
