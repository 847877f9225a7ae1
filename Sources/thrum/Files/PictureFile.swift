import ThrumPattern
import ThrumPlot
import ThrumSettings

extension PictureFormat {
  /// The format of a picture that a command writes.
  /// - Parameters:
  ///   - type: What the command line says; nil goes by the name.
  ///   - output: Where it is to go; `-` is standard output.
  ///   - operands: What it is drawn of, which it must not take the place of.
  /// - Throws: `CommandError.usage`.
  static func chosen(
    _ type: PictureFormat?, for output: FileName, of operands: [FileName]
  ) throws(CommandError) -> PictureFormat {
    guard let format = type ?? PictureFormat(path: output.text) else {
      throw .usage(
        output == "-"
          ? "-o - needs --type png or --type svg"
          : "cannot tell the type of \"\(output)\"; use a name that ends in .png or .svg, or give --type")
    }
    if output == "-" && format == .png && StandardOutput.isTerminal {
      throw .usage("-o - would write a picture to the terminal; send it to a file or a pipe")
    }
    for operand in operands where OutputFile.isSame(operand, output) {
      throw .usage("\(output) is the pattern itself; name another output")
    }
    return format
  }

  /// The format that a file's name ends in.
  /// - Throws: `CommandError.usage` for another ending.
  @discardableResult
  static func named(_ file: FileName) throws(CommandError) -> PictureFormat {
    if let format = PictureFormat(path: file.text) { return format }
    throw .usage("cannot tell the type of \"\(file)\"; use a name that ends in .png or .svg")
  }

  /// Writes a picture.
  /// - Parameters:
  ///   - output: Where to; `-` is standard output.
  ///   - draw: Gives its bytes.
  /// - Throws: `CommandError.failed`, where it cannot be drawn or written.
  static func write(
    to output: FileName, _ draw: () throws(PlotError) -> [UInt8]
  ) throws(CommandError) {
    let bytes: [UInt8]
    do throws(PlotError) { bytes = try draw() } catch { throw .failed(error.description) }
    if output == "-" {
      bytes.withUnsafeBytes { StandardOutput.write($0) }
    } else {
      try OutputFile.write(bytes, to: output)
    }
  }
}

extension ValueParser where Value == PictureFormat {
  /// A format of pictures.
  static var pictureFormat: ValueParser {
    ValueParser(oneOf: ["png", "svg"]) { PictureFormat(rawValue: $0) }
  }
}
