/// What a WAV file holds; for tests only, and only what our own writer can write: PCM of 16, 24 and 32 bits
/// and Float32, plain or extensible.
public struct WAVFile: Sendable {
  /// What keeps bytes from being read.
  public enum Failure: Error, Equatable {
    /// No RIFF/WAVE header, or a chunk that runs past the end.
    case malformed(String)
    /// A format that our writer does not write.
    case unsupported(format: Int, bits: Int)
  }

  /// Frames in a second.
  public let rate: Int
  /// Samples in a frame.
  public let channels: Int
  /// Bits of a sample, the container's.
  public let bits: Int
  /// Whether samples are Float32.
  public let isFloat: Bool
  /// The bytes of the samples.
  public let bytes: [UInt8]

  /// Reads a file's bytes.
  public init(_ file: [UInt8]) throws(Failure) {
    func word(_ offset: Int, bytes: Int) -> Int {
      (0..<bytes).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }
    func tag(_ offset: Int) -> String { String(decoding: file[offset..<(offset + 4)], as: UTF8.self) }

    guard file.count >= 12, tag(0) == "RIFF", tag(8) == "WAVE" else {
      throw .malformed("no RIFF/WAVE header")
    }
    guard word(4, bytes: 4) + 8 == file.count else { throw .malformed("the RIFF size is not the file's") }
    var format: (code: Int, channels: Int, rate: Int, bits: Int)?
    var samples: ArraySlice<UInt8>?
    var offset = 12
    while offset + 8 <= file.count {
      let size = word(offset + 4, bytes: 4)
      let start = offset + 8
      guard start + size <= file.count else { throw .malformed("\(tag(offset)) runs past the end") }
      if tag(offset) == "fmt " {
        guard size >= 16 else { throw .malformed("a fmt of \(size) bytes") }
        var code = word(start, bytes: 2)
        // Extensible: the real code is the first word of the sub-format.
        if code == 0xFFFE, size >= 40 { code = word(start + 24, bytes: 2) }
        format = (
          code, word(start + 2, bytes: 2), word(start + 4, bytes: 4), word(start + 14, bytes: 2)
        )
      } else if tag(offset) == "data" {
        samples = file[start..<(start + size)]
      }
      offset = start + size + size % 2
    }
    guard let format, let samples else { throw .malformed("no fmt or no data") }
    guard (format.code == 3 && format.bits == 32) || (format.code == 1 && [16, 24, 32].contains(format.bits))
    else {
      throw .unsupported(format: format.code, bits: format.bits)
    }
    rate = format.rate
    channels = format.channels
    bits = format.bits
    isFloat = format.code == 3
    bytes = Array(samples)
  }

  /// Frames in the file.
  public var frames: Int { bytes.count / (bits / 8 * max(channels, 1)) }

  /// The samples of a channel as they stand: integers as whole numbers, not scaled to 1.
  public func values(ofChannel channel: Int = 0) -> [Double] {
    let width = bits / 8
    return (0..<frames).map { frame in
      let offset = (frame * channels + channel) * width
      let word = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
      if isFloat { return Double(Float(bitPattern: word)) }
      // The sign bit goes to the top and comes back down.
      let shift = UInt32(32 - bits)
      return Double(Int32(bitPattern: word << shift) >> Int32(shift))
    }
  }
}
