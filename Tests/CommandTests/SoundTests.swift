import Foundation
import TestSupport
import Testing

/// What is heard, from the command line to the frames that a card gets.
@Suite("Sound")
struct SoundTests {
  private let folder: TemporaryFolder
  private let pattern: String

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url("snd"), withIntermediateDirectories: true)
    // 10 ms.
    try Data(Self.wave(frames: 480)).write(to: folder.url("snd/step.wav"))
    pattern = try folder.write(
      """
      {"Pattern": [
        {"Event": {"EventType": "HapticTransient", "Time": 0}},
        {"Event": {"EventType": "AudioCustom", "Time": 0.05, "EventWaveformPath": "snd/step.wav",
                   "EventWaveformUseVolumeEnvelope": false, "EventParameters": [
          {"ParameterID": "AudioPan", "ParameterValue": -1}]}},
        {"Event": {"EventType": "HapticTransient", "Time": 0.05}},
        {"Event": {"EventType": "AudioContinuous", "Time": 0.1, "EventDuration": 0.05}}]}
      """, to: "pattern.ahap")
  }

  /// Half of full scale, 16 bits, one channel.
  private static func wave(frames: Int, rate: Int = 48_000) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    var bytes: [UInt8] = Array("RIFF".utf8) + word(36 + 2 * frames) + Array("WAVEfmt ".utf8)
    bytes += [16, 0, 0, 0, 1, 0, 1, 0] + word(rate) + word(2 * rate) + [2, 0, 16, 0]
    bytes += Array("data".utf8) + word(2 * frames)
    for _ in 0..<frames { bytes += [0, 0x40] }
    return bytes
  }

  /// Cards that play from a full buffer: with periods of 0.1 s, one holds all there is to feel, and no program is
  /// late for that. The one for sound alone is given frames as time goes.
  private func cards(_ names: [String]) throws -> [String: String] {
    let library = URL(fileURLWithPath: ThrumProcess.path).deletingLastPathComponent()
      .appendingPathComponent("libThrumTestCard.so").path
    let script = try folder.write("", to: "faults.txt")
    var text = "pcm_type.thrum_test_card { lib \"\(library)\" }\n"
    for name in names {
      text += """
        pcm.\(name) {
          type thrum_test_card
          frames "\(folder.url("\(name).frames").path)" log "\(folder.url("\(name).log").path)" script "\(script)"
          rates "48000" channels "\(name == "pad" ? 4 : 2)" formats "S32_LE"
          \(name == "sound" ? "period_bytes \"7680\"" : "start \"full\"")
        }

        """
    }
    return ["ALSA_CONFIG_PATH": try folder.write(text, to: "asound.conf")]
  }

  private func samples(of name: String, channels: Int) throws -> [[Int32]] {
    let data = try Data(contentsOf: folder.url("\(name).frames"))
    let values = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
    return (0..<channels).map { channel in
      stride(from: channel, to: values.count, by: channels).map { values[$0] }
    }
  }

  /// The channels of `thrum render --audio` at the cards' rate and format.
  private func rendered() throws -> [[Int32]] {
    let path = folder.url("render.wav").path
    let outcome = try ThrumProcess.run(
      ["render", "--audio", "-r", "48000", "-f", "s32", "-a", "safe", "-o", path, "--json", pattern])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\"channelNames\":[\"haptic\",\"left\",\"right\"]"))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // What other programs go by: frames of three samples, and where they are.
    let layout = try #require(bytes.firstRange(of: Array("fmt ".utf8))?.upperBound) + 4
    let start = try #require(bytes.firstRange(of: Array("data".utf8))?.upperBound) + 4
    let (channels, frameBytes, dataBytes) = bytes.withUnsafeBytes { raw in
      (
        raw.loadUnaligned(fromByteOffset: layout + 2, as: UInt16.self),
        raw.loadUnaligned(fromByteOffset: layout + 12, as: UInt16.self),
        raw.loadUnaligned(fromByteOffset: start - 4, as: UInt32.self)
      )
    }
    #expect(channels == 3 && frameBytes == 12 && Int(dataBytes) == bytes.count - start)
    let values = bytes.withUnsafeBytes { raw in
      stride(from: start, to: raw.count - 3, by: 4).map {
        raw.loadUnaligned(fromByteOffset: $0, as: Int32.self)
      }
    }
    return (0..<3).map { channel in stride(from: channel, to: values.count, by: 3).map { values[$0] } }
  }

  @Test("A card with actuators and loudspeakers gets what a render writes, frame by frame")
  func onePad() throws {
    let environment = try cards(["pad"])
    let outcome = try ThrumProcess.run(
      ["play", "-d", "pad", "-p", "100", "--channels", "haptic=3,4:audio=1,2", pattern],
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let played = try samples(of: "pad", channels: 4)
    let render = try rendered()
    let first = try #require(render[0].firstIndex { $0 != 0 })
    let start = try #require(played[2].firstIndex { $0 != 0 }) - first
    for (channel, source) in [(0, 1), (1, 2), (2, 0), (3, 0)] {
      // Whole channels in the message would be pages of numbers.
      let isEqual = played[channel].dropFirst(start).starts(with: render[source])
      #expect(isEqual, "channel \(channel + 1)")
    }
    #expect(render[1].contains { $0 != 0 } && render[2].contains { $0 != 0 })
  }

  @Test(
    "Touch on one card and sound on another: the haptic one gets what it would alone",
    arguments: ["100", "500"])
  func twoCards(period: String) throws {
    let environment = try cards(["touch", "sound"])
    let render = try rendered()
    let first = try #require(render[0].firstIndex { $0 != 0 })
    // Sound is the second thing: a machine that is held up for the 60 ms that its card holds may lose it, and plays again.
    var isHeard = false
    var plays = 0
    while !isHeard && plays < 10 {
      plays += 1
      for name in ["touch", "sound"] { try Data().write(to: folder.url("\(name).frames")) }
      let outcome = try ThrumProcess.run(
        ["play", "-d", "touch", "-p", period, "-r", "48000", "--audio-device", "sound", pattern],
        environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let touch = try samples(of: "touch", channels: 2)
      let sound = try samples(of: "sound", channels: 2)
      let start = try #require(touch[0].firstIndex { $0 != 0 }) - first
      let isEqual = touch[0].dropFirst(start).starts(with: render[0])
      #expect(isEqual && touch[0] == touch[1])
      // The step of 10 ms at half of full scale, and the built-in sound behind it.
      let loudest = sound[0].map { abs(Int($0)) }.max() ?? 0
      isHeard = abs(Double(loudest) / 2_147_483_520 - 0.5) < 0.1 && sound[1].contains { $0 != 0 }
    }
    #expect(isHeard)
  }

  @Test("The first pattern waits until a device of the sound's own has found its place")
  func waitsForTheSecondCard() throws {
    let outcome = try ThrumProcess.run(
      ["play", "-d", "virtual", "--json", "--audio-device", "sound", pattern],
      environment: try cards(["sound"]))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let started = outcome.output.split(separator: "\n").first { $0.contains("\"event\":\"started\"") }
    // Twice the 60 ms that the device holds.
    #expect(started?.contains("\"renderFrame\":960,") == true, "\(outcome.output)")
  }

  @Test(
    "Through ALSA's file plug-in a tap and a click of one time leave together (bar 12)",
    arguments: [48_000, 44_100])
  func pairs(rate: Int) throws {
    let seed: UInt64 = 12
    var random = SeededGenerator(seed: seed)
    try Data(Self.wave(frames: 1, rate: rate)).write(to: folder.url("click.wav"))
    // The pair at 0 gives the stated delays; both of its events are exactly on their grids.
    let times = [0.0] + (1...100).map { Double($0) * 0.06 + random.number(in: 0..<0.03) }
    let events = times.map { time in
      """
      {"Event": {"EventType": "HapticTransient", "Time": \(time), "EventParameters": [
        {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}},
      {"Event": {"EventType": "AudioCustom", "Time": \(time), "EventWaveformPath": "click.wav",
                 "EventWaveformUseVolumeEnvelope": false}}
      """
    }
    let pairs = try folder.write(
      "{\"Pattern\": [\(events.joined(separator: ","))]}", to: "pairs.ahap")
    let captured = folder.url("captured.raw")
    let configuration = try folder.write(
      "pcm.silent { type null }\npcm.captured { type file slave.pcm \"silent\" file \"\(captured.path)\" format raw }\n",
      to: "asound.conf")
    let outcome = try ThrumProcess.run(
      [
        "play", "-d", "captured", "-a", "none", "-r", "\(rate)", "-f", "s32", "-p", "20",
        "--channels", "haptic=1:audio=2", pairs,
      ], environment: ["ALSA_CONFIG_PATH": configuration])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let bytes = try Data(contentsOf: captured)
    let values = bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 7, by: 8).map {
        (
          Double(raw.loadUnaligned(fromByteOffset: $0, as: Int32.self)),
          raw.loadUnaligned(fromByteOffset: $0 + 4, as: Int32.self)
        )
      }
    }
    let clicks = values.indices.filter { values[$0].1 != 0 }
    try #require(clicks.count == times.count, "seed \(seed)")
    let skew = PairSkew(touch: values.map(\.0), clicks: clicks, rate: rate)
    print("through ALSA, \(rate) Hz: worst \(skew.worst * 1e6) µs, mean \(skew.mean * 1e6) µs")
    #expect(skew.worst <= 1 / Double(rate) + 62.5e-6, "seed \(seed)")
    #expect(skew.mean <= 10e-6, "seed \(seed)")
  }

  @Test("A check tells of a file that is there and is no sound")
  func unplayable() throws {
    try Data("not a sound".utf8).write(to: folder.url("snd/step.wav"))
    let outcome = try ThrumProcess.run(["check", pattern])
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains("EventWaveformPath: \"snd/step.wav\"") && outcome.output.contains("(-4824)"))
  }

  @Test("The most that sounds take is that of the configuration file")
  func memory() throws {
    try FileManager.default.createDirectory(
      at: folder.url("home/thrum"), withIntermediateDirectories: true)
    try Data("sound-memory = 1\n".utf8).write(to: folder.url("home/thrum/config"))
    try Data(Self.wave(frames: 300_000)).write(to: folder.url("snd/step.wav"))
    let outcome = try ThrumProcess.run(
      ["render", "--audio", "-o", folder.url("out.wav").path, pattern],
      environment: ["XDG_CONFIG_HOME": folder.url("home").path])
    #expect(outcome.status == 1 && outcome.errors.contains("1.0 MB"), "\(outcome.errors)")
  }

  @Test("What is missing is an error with its name, unless sound is left out")
  func missing() throws {
    try FileManager.default.removeItem(at: folder.url("snd/step.wav"))
    let out = folder.url("out.wav").path
    let refused = try ThrumProcess.run(["render", "--audio", "-o", out, pattern])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("no file \"snd/step.wav\"") && refused.errors.contains("-4851"))
    let felt = try ThrumProcess.run(["render", "--audio", "--haptics-only", "-o", out, pattern])
    #expect(felt.status == 0)
    #expect(
      felt.errors == "thrum render: pattern.ahap: 2 sound events left out; --haptics-only leaves them out\n")
  }

  @Test("--allow-path holds sounds within folders")
  func allowed() throws {
    let out = folder.url("out.wav").path
    let inside = try ThrumProcess.run(
      ["render", "--audio", "--allow-path", folder.url("snd").path, "-o", out, pattern])
    #expect(inside.status == 0, "\(inside.errors)")
    let outside = try ThrumProcess.run(
      [
        "render", "--audio", "--allow-path", "/usr", "--allow-path", folder.url("none").path, "-o", out,
        pattern,
      ])
    #expect(outside.status == 1)
    #expect(outside.errors.contains("outside what is allowed") && outside.errors.contains("-4806"))
  }
}
