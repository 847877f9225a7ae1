import CSndfile
import Foundation
import Testing

@testable import ThrumSound

/// One row of the format matrix.
struct FormatRow: CustomTestStringConvertible, Sendable {
  let file: String
  let format: Int
  let rate: Int
  let channels: Int
  /// The most that may differ, dB below the signal.
  let bound: Double

  var testDescription: String { file }
}

private let rows = [
  FormatRow(
    file: "a.wav", format: Int(SF_FORMAT_WAV | SF_FORMAT_PCM_16), rate: 44_100, channels: 2, bound: -80),
  FormatRow(
    file: "b.wav", format: Int(SF_FORMAT_WAVEX | SF_FORMAT_PCM_24), rate: 48_000, channels: 2, bound: -125),
  FormatRow(
    file: "c.wav", format: Int(SF_FORMAT_WAV | SF_FORMAT_FLOAT), rate: 96_000, channels: 1, bound: -.infinity),
  FormatRow(
    file: "d.wav", format: Int(SF_FORMAT_WAV | SF_FORMAT_PCM_U8), rate: 22_050, channels: 1, bound: -35),
  FormatRow(
    file: "e.aiff", format: Int(SF_FORMAT_AIFF | SF_FORMAT_PCM_24), rate: 44_100, channels: 2, bound: -125),
  FormatRow(
    file: "f.flac", format: Int(SF_FORMAT_FLAC | SF_FORMAT_PCM_24), rate: 48_000, channels: 2, bound: -125),
  FormatRow(
    file: "g.caf", format: Int(SF_FORMAT_CAF | SF_FORMAT_PCM_16), rate: 44_100, channels: 1, bound: -80),
  FormatRow(
    file: "h.ogg", format: Int(SF_FORMAT_OGG) | 0x60, rate: 44_100, channels: 2, bound: -20),
  FormatRow(
    file: "i.opus", format: Int(SF_FORMAT_OGG) | 0x64, rate: 48_000, channels: 1, bound: -20),
  FormatRow(
    file: "j.mp3", format: 0x230000 | 0x82, rate: 44_100, channels: 2, bound: -20),
  FormatRow(
    file: "k.au", format: Int(SF_FORMAT_AU | SF_FORMAT_PCM_16), rate: 32_000, channels: 6, bound: -80),
  FormatRow(
    file: "l.w64", format: Int(SF_FORMAT_W64 | SF_FORMAT_DOUBLE), rate: 8_000, channels: 2, bound: -.infinity),
]

@Suite("Formats")
struct FormatTests {
  @Test("Every format gives the samples that were written", arguments: rows)
  func reads(_ row: FormatRow) throws {
    let files = try SoundFiles()
    let signal = testSignal(rate: row.rate, channels: row.channels)
    let path = try files.write(
      signal, named: row.file, channels: row.channels, rate: row.rate, format: row.format)
    let library = SoundLibrary()
    let sound = try library.registered(library.register(path: path)).sound
    #expect(sound.original.rate == row.rate)
    #expect(sound.original.channels == row.channels)
    #expect(sound.original.frames >= signal.count / row.channels)
    #expect(!sound.isCutShort)
    let level = difference(sound.original.samples, from: signal)
    print("\(row.file): \(level) dB")
    #expect(level <= row.bound)
  }
}
