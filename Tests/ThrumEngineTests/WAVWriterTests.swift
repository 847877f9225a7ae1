import Testing
import ThrumRealtime

@testable import ThrumEngine

/// Headers, byte by byte.
@Suite struct WAVWriterTests {
  @Test func sixteenBitsArePlainPCM() throws {
    let writer = try WAVWriter(format: .s16, channels: 2, rate: 48_000, frames: 3)
    #expect(
      writer.header == Array("RIFF".utf8) + [48, 0, 0, 0] + Array("WAVEfmt ".utf8)
        + [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0x00, 0xEE, 0x02, 0, 4, 0, 16, 0]
        + Array("data".utf8) + [12, 0, 0, 0])
    #expect(writer.trailer == [])
  }

  @Test func floatHasAFactChunk() throws {
    let writer = try WAVWriter(format: .float, channels: 1, rate: 8000, frames: 0x0102)
    #expect(
      writer.header == Array("RIFF".utf8) + [0x3A, 4, 0, 0] + Array("WAVEfmt ".utf8)
        + [18, 0, 0, 0, 3, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x00, 0x7D, 0, 0, 4, 0, 32, 0, 0, 0]
        + Array("fact".utf8) + [4, 0, 0, 0, 2, 1, 0, 0] + Array("data".utf8) + [8, 4, 0, 0])
  }

  @Test func twentyFourBitsAreExtensibleAndPadded() throws {
    let writer = try WAVWriter(format: .s24in3, channels: 1, rate: 8000, frames: 1)
    #expect(
      writer.header == Array("RIFF".utf8) + [64, 0, 0, 0] + Array("WAVEfmt ".utf8)
        + [40, 0, 0, 0, 0xFE, 0xFF, 1, 0, 0x40, 0x1F, 0, 0, 0xC0, 0x5D, 0, 0, 3, 0, 24, 0]
        + [22, 0, 24, 0, 4, 0, 0, 0]
        + [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        + Array("data".utf8) + [3, 0, 0, 0])
    #expect(writer.trailer == [0])
  }

  @Test(arguments: [SampleFormat.s16, .s24in3, .s32, .float], [1, 2, 4])
  func sizesAddUp(_ format: SampleFormat, _ channels: Int) throws {
    let writer = try WAVWriter(format: format, channels: channels, rate: 44_100, frames: 5)
    let bytes = 5 * channels * format.bytesPerSample
    let size = writer.header.count + bytes + writer.trailer.count
    #expect(number(writer.header, at: 4) == size - 8)
    #expect(number(writer.header, at: writer.header.count - 4) == bytes)
    #expect(size % 2 == 0)
    #expect(number(writer.header, at: 28) == 44_100 * channels * format.bytesPerSample)
  }

  @Test func fourGigabytesAreTheLimit() throws {
    let most = (Int64(UInt32.max) - 1 - 36) / 2
    let writer = try WAVWriter(format: .s16, channels: 1, rate: 8000, frames: most)
    #expect(number(writer.header, at: 40) == Int(most) * 2)
    #expect(throws: WAVError.tooLong(frames: most + 1, frameBytes: 2)) {
      try WAVWriter(format: .s16, channels: 1, rate: 8000, frames: most + 1)
    }
    #expect(throws: WAVError.self) {
      try WAVWriter(format: .float, channels: 8, rate: 8000, frames: .max)
    }
  }

  @Test func wordsOf24BitsAreRefused() {
    #expect(throws: WAVError.noLayout) {
      try WAVWriter(format: .s24, channels: 1, rate: 8000, frames: 1)
    }
  }

  private func number(_ bytes: [UInt8], at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
