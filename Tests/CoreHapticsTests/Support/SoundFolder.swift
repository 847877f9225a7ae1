import CoreHaptics
import CoreHapticsTesting
import Testing

/// Sound files made for a test, in a folder of its own that goes with the object.
final class SoundFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("sounds-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      Issue.record(error)
    }
  }

  /// Writes a WAV file of 32-bit floating point samples, interleaved; its folder is made.
  @discardableResult
  func wav(
    _ samples: [Float], named name: String = "sound.wav", rate: Int = 8000, channels: Int = 1
  ) throws -> URL {
    var bytes = Data()
    func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func append(_ number: Int, bytes count: Int) {
      for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
    append("RIFF")
    append(36 + samples.count * 4, bytes: 4)
    append("WAVEfmt ")
    append(16, bytes: 4)
    append(3, bytes: 2)
    append(channels, bytes: 2)
    append(rate, bytes: 4)
    append(rate * channels * 4, bytes: 4)
    append(channels * 4, bytes: 2)
    append(32, bytes: 2)
    append("data")
    append(samples.count * 4, bytes: 4)
    for sample in samples { append(Int(sample.bitPattern), bytes: 4) }
    return try write(bytes, named: name)
  }

  /// Writes a file; its folder is made.
  @discardableResult
  func write(_ bytes: Data, named name: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
    return file
  }

  /// Writes a pattern of a tap and a sound by path, both at a time.
  @discardableResult
  func pattern(_ path: String, at time: Double = 0, named name: String = "pattern.ahap") throws -> URL {
    try write(Self.pattern(path, at: time), named: name)
  }

  /// The bytes of a pattern of a tap and a sound by path, both at a time; without a ramp.
  static func pattern(_ path: String, at time: Double = 0) -> Data {
    Data(
      """
      {"Pattern": [
        {"Event": {"Time": \(time), "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1}]}},
        {"Event": {"Time": \(time), "EventType": "AudioCustom", "EventWaveformPath": "\(path)",
          "EventWaveformUseVolumeEnvelope": false}}]}
      """.utf8)
  }
}

/// A saw-tooth of so many samples, none of them 0.
func saw(_ count: Int, _ level: Float = 0.5) -> [Float] {
  (0..<count).map { level * (Float($0 % 50 + 1) / 50) }
}

extension CHHapticEvent {
  /// A registered sound.
  static func sound(
    _ number: Int, at time: Double = 0, for duration: Double = 0,
    _ parameters: [CHHapticEvent.ParameterID: Float] = [:]
  ) -> CHHapticEvent {
    CHHapticEvent(
      audioResourceID: number,
      parameters: parameters.map { CHHapticEventParameter(parameterID: $0.key, value: $0.value) },
      relativeTime: time, duration: duration)
  }

  /// The built-in sound.
  static func tone(
    at time: Double = 0, for duration: Double, _ parameters: [CHHapticEvent.ParameterID: Float] = [:]
  ) -> CHHapticEvent {
    CHHapticEvent(
      eventType: .audioContinuous,
      parameters: parameters.map { CHHapticEventParameter(parameterID: $0.key, value: $0.value) },
      relativeTime: time, duration: duration)
  }
}

extension Scene {
  /// What was heard so far, at 8,000 samples a second.
  func sound(_ side: VirtualHaptics.Side = .left) -> [Float] { haptics.sound(side: side) }

  /// Registers a sound without its ramps.
  func register(_ file: URL, isLooped: Bool = false) throws -> CHHapticAudioResourceID {
    try engine.registerAudioResource(
      file,
      options: [
        CHHapticAudioResourceKeyUseVolumeEnvelope: false, CHHapticAudioResourceKeyLoopEnabled: isLooped,
      ])
  }
}
