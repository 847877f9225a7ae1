import ThrumRealtime

/// The bytes around the frames of a WAV file whose length is known.
///
/// Nothing in them depends on the time or the machine, so two renders are equal; and since the length comes
/// first, the file can go into a pipe. 16-bit samples make a plain PCM file; Float32 is format 3 with the
/// `fact` chunk it asks for; what plain files leave open (more than 16 bits, more than two channels) is
/// WAVE_FORMAT_EXTENSIBLE.
public struct WAVWriter: Sendable, Equatable {
  /// All that stands before the frames.
  public let header: [UInt8]
  /// All that stands after them: nothing, or one zero where the frames take an odd number of bytes.
  public let trailer: [UInt8]

  /// Lays a file out.
  /// - Parameters:
  ///   - format: Any but `s24`, for which WAV has no layout.
  ///   - channels: 1…65,535.
  ///   - rate: Frames a second.
  ///   - frames: The length, 0 or more.
  /// - Throws: ``WAVError`` when the format is not one of WAV's, or the file would pass 4 GiB.
  public init(format: SampleFormat, channels: Int, rate: Int, frames: Int64) throws(WAVError) {
    guard format != .s24 else { throw WAVError.noLayout }
    guard (1...65_535).contains(channels), rate > 0, frames >= 0 else {
      throw WAVError("a WAV file has 1 to 65535 channels, a rate above 0 and a length of 0 or more frames")
    }
    let layout = Layout(format: format, channels: channels)
    let frameBytes = Int64(channels * format.bytesPerSample)
    // Compared before it is multiplied: the product of a hostile length would overflow.
    guard frames <= (Int64(UInt32.max) - 1 - Int64(layout.chunkBytes)) / frameBytes else {
      throw WAVError.tooLong(frames: frames, frameBytes: frameBytes)
    }
    let byteCount = frames * frameBytes
    let padding = byteCount % 2
    var bytes = Bytes()
    bytes.put("RIFF")
    bytes.put(UInt32(Int64(layout.chunkBytes) + byteCount + padding))
    bytes.put("WAVE")
    layout.putFormat(into: &bytes, rate: rate, frames: frames)
    bytes.put("data")
    bytes.put(UInt32(byteCount))
    header = bytes.values
    trailer = Array(repeating: 0, count: Int(padding))
  }
}

/// A WAV file that cannot be.
public struct WAVError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What cannot be, and what can.
  public var message: String

  /// Creates an error from its message.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }

  static let noLayout = WAVError(
    "WAV has no layout for 24 bits in a 32-bit word; use s24_3 (24 bits in three bytes) or s32")

  static func tooLong(frames: Int64, frameBytes: Int64) -> WAVError {
    // Callers who only know that a length is beyond counting name the least that it can be.
    let most: Int64 = 1_000_000_000_000
    let count = frames > most ? "more than \(most)" : "\(frames)"
    return WAVError(
      "\(count) frames of \(frameBytes) bytes are more than the 4 GiB that a WAV file can hold; "
        + "use a lower rate, a smaller format, or a shorter pattern")
  }
}

/// Which chunks a format needs.
private struct Layout {
  let format: SampleFormat
  let channels: Int

  var isFloat: Bool { format == .float }
  var isExtensible: Bool { channels > 2 || !isFloat && format != .s16 }

  /// Bytes of the `fmt ` chunk's content: plain PCM has no extension, format 3 has one of no bytes.
  var formatBytes: Int { isExtensible ? 40 : isFloat ? 18 : 16 }

  /// What the RIFF chunk holds apart from the frames: its type, the `fmt ` and `fact` chunks, and `data`'s
  /// own head.
  var chunkBytes: Int { 4 + 8 + formatBytes + (isFloat ? 12 : 0) + 8 }

  func putFormat(into bytes: inout Bytes, rate: Int, frames: Int64) {
    let sampleBytes = format.bytesPerSample
    let tag: UInt16 = isFloat ? 3 : 1
    bytes.put("fmt ")
    bytes.put(UInt32(formatBytes))
    bytes.put(isExtensible ? 0xFFFE : tag)
    bytes.put(UInt16(channels))
    bytes.put(UInt32(truncatingIfNeeded: rate))
    bytes.put(UInt32(truncatingIfNeeded: rate * channels * sampleBytes))
    bytes.put(UInt16(truncatingIfNeeded: channels * sampleBytes))
    bytes.put(UInt16(sampleBytes * 8))
    if isExtensible {
      bytes.put(UInt16(22))
      bytes.put(UInt16(sampleBytes * 8))
      // Front centre, front left and right; actuators beyond have no place in a room.
      bytes.put(UInt32(channels == 1 ? 0x4 : channels == 2 ? 0x3 : 0))
      // The sub-format's GUID: the tag and then the fixed part that all such GUIDs share.
      bytes.put(tag)
      bytes.values += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    } else if isFloat {
      bytes.put(UInt16(0))
    }
    if isFloat {
      bytes.put("fact")
      bytes.put(UInt32(4))
      bytes.put(UInt32(frames))
    }
  }
}

/// Little-endian bytes.
private struct Bytes {
  var values: [UInt8] = []

  mutating func put(_ text: StaticString) {
    values += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  mutating func put<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { values += $0 }
  }
}
