import CSndfile
import Foundation

@testable import ThrumSound

/// Sound files made for a test by libsndfile itself, in a folder of its own that goes with the object.
final class SoundFiles {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "thrum-sounds-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
  }

  struct CannotWrite: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes interleaved samples and returns the path.
  func write(_ samples: [Float], named name: String, channels: Int, rate: Int, format: Int) throws -> String {
    let path = folder.appendingPathComponent(name).path
    var info = SF_INFO()
    info.channels = Int32(channels)
    info.samplerate = Int32(rate)
    info.format = Int32(format)
    guard let file = sf_open(path, thrum_sndfile_write_mode(), &info) else {
      throw CannotWrite(description: "\(name): \(String(cString: sf_strerror(nil)))")
    }
    defer { sf_close(file) }
    let frames = samples.count / channels
    let written = sf_writef_float(file, samples, sf_count_t(frames))
    guard written == sf_count_t(frames) else { throw CannotWrite(description: "\(name): \(written) frames") }
    return path
  }

  /// Writes bytes and returns the path.
  func write(bytes: [UInt8], named name: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// A mono WAV file in Float32.
  func wav(_ samples: [Float], named name: String, rate: Int = 48_000, channels: Int = 1) throws -> String {
    try write(
      samples, named: name, channels: channels, rate: rate, format: Int(SF_FORMAT_WAV | SF_FORMAT_FLOAT))
  }
}

/// Two tones in each channel, faded in and out, interleaved.
func testSignal(rate: Int, channels: Int, seconds: Double = 0.5) -> [Float] {
  let frames = Int(Double(rate) * seconds)
  var samples: [Float] = []
  samples.reserveCapacity(frames * channels)
  for frame in 0..<frames {
    let t = Double(frame) / Double(rate)
    let fade = sin(.pi * Double(frame) / Double(frames))
    for channel in 0..<channels {
      let first = sin(2 * .pi * (440 + 110 * Double(channel)) * t)
      let second = sin(2 * .pi * (1870 + 70 * Double(channel)) * t)
      samples.append(Float(fade * (0.4 * first + 0.2 * second)))
    }
  }
  return samples
}

/// The level of what differs between two signals, in dB below the second.
func difference(_ actual: some Collection<Float>, from expected: some Collection<Float>) -> Double {
  var error = 0.0
  var power = 0.0
  for (a, b) in zip(actual, expected) {
    error += Double(a - b) * Double(a - b)
    power += Double(b) * Double(b)
  }
  return error == 0 ? -.infinity : 10 * log10(error / power)
}

/// The refusal that a call ends with, nil where it ends well.
func refusal(_ body: () throws -> Void) -> SoundError? {
  do {
    try body()
    return nil
  } catch { return error as? SoundError }
}
