import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum render`: a pattern as a WAV file, the same samples that a device gets.
struct RenderCommand: Command, HeardSettings {
  var operands: [FileName] = []
  var output: FileName?
  var rate = RenderRate.framesPerSecond
  var format = SampleFormat.float
  var actuator = ActuatorName.none
  var gain = 0.0
  var passes = 1
  var blockFrames = 1024
  var isHeard = false
  var allowedPaths: [String]?
  var soundOffset: Double?
  var isHapticsOnly = false
  var isJSON = false

  static var form: CommandForm<RenderCommand> {
    CommandForm(
      name: "render", summary: "Render a pattern to a WAV file, as a device would get it.",
      operandUsage: "-o OUT.wav FILE", operandHelp: "FILE is an AHAP file; - is standard input.",
      operandCount: 1...1, operandNoun: "a FILE",
      discussion: [
        "The file has one channel, the haptic signal, and with --audio three: haptic, left, right. Two renders of one pattern are equal to the last byte. The "
          + "output appears whole or not at all."
      ],
      options: [
        .file(
          "output", short: "o", \.output,
          "Where to write the WAV file; - is standard output. Required."),
        .value("rate", short: "r", "HZ", \.rate, .rate, "Frames a second; default 8000."),
        .value(
          "format", short: "f", "FORMAT", \.format, .fileFormat, "s16, s24_3, s32 or float; default float."),
        .value(
          "actuator", short: "a", "NAME", \.actuator, .actuator,
          "The actuator's profile, by its name or its file, as for play; default none: no filter, no limiter."
        ),
        .value("gain", short: "g", "DB", \.gain, .gain, "Level, before any limiter; default 0 dB."),
        .value(
          "loop", short: "l", "N", \.passes, .whole(1...1_000_000, "a number"), "N passes in all; default 1."),
        .value(
          "block", "N", \.blockFrames, .whole(1...1_048_576, "frames"),
          "Frames made at a time; the samples do not depend on it. Default 1024."),
        .flag("audio", \.isHeard, "Add the sound, as two more channels: left and right."),
      ] + CommandOption.soundOptions + [
        .flag("json", \.isJSON, "Write a summary as one JSON object to standard output.")
      ],
      examples: [
        .init(line: "thrum render tap.ahap -o tap.wav", effect: "Writes 8000 Hz, 32-bit floating point."),
        .init(
          line: "thrum render tap.ahap -r 48000 -f s16 -o - | aplay",
          effect: "Plays it through another program."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    guard let output else {
      throw .usage("where to write is missing; give -o OUT.wav, or -o - for standard output")
    }
    if output == "-" && isJSON { throw .usage("--json and -o - both write to standard output; choose one") }
    if output == "-" && StandardOutput.isTerminal {
      throw .usage("-o - would write sound to the terminal; send it to a file or a pipe")
    }
    if OutputFile.isSame(operands[0], output) {
      throw .usage("\(output) is the pattern itself; name another output")
    }
    let described = try actuator.profile()
    if let notice = described.voltsNotice { StandardError.note("render", notice) }
    var profile = described.busProfile
    let file = try NamedPattern.readOrReport(operands[0])
    profile.gain *= Float(linearGain(decibels: gain))
    let hasSound = isHeard && !isHapticsOnly
    let sounds = SoundSettings(
      isWanted: hasSound, allowed: allowedPaths, memory: hasSound ? try Configuration.load().soundMemory : nil
    )
    tellOfSounds(in: file)
    let wave = WaveFile(
      schedule: try sounds.schedule(of: file, rate: rate, command: "render"), profile: profile, rate: rate,
      format: format,
      map: isHeard ? ChannelMap([.haptic(0), .soundLeft, .soundRight]) : .allHaptic(channels: 1),
      soundOffset: (soundOffset ?? 0) / 1000, passes: passes, blockFrames: blockFrames, name: file.name)
    try wave.check()
    report(output == "-" ? try writeToPipe(wave) : try write(wave, to: output), output, profile.name)
    return .success
  }

  /// Says what is left out, so that no sound is missing without a word.
  private func tellOfSounds(in file: NamedPattern) {
    let count = file.pattern.eventCount { !$0.isHaptic }
    if count == 0 || isHeard && !isHapticsOnly { return }
    let what = NumberText.count(count, "sound event")
    let reason = isHapticsOnly ? "--haptics-only leaves them out" : "--audio adds them"
    StandardError.note("render", "\(file.name): \(what) left out; \(reason)")
  }

  private var channelNames: [String] { isHeard ? ["haptic", "left", "right"] : ["haptic"] }

  private func writeToPipe(_ wave: WaveFile) throws(CommandError) -> OfflineRender.Result {
    let sink = OutputSink.standardOutput()
    let result = try wave.write(to: sink)
    try sink.flush()
    return result
  }

  private func write(_ wave: WaveFile, to output: FileName) throws(CommandError) -> OfflineRender.Result {
    try OutputFile.write(to: output) { (sink) throws(CommandError) in
      // The render looks between two blocks; one at a pipe would wait there.
      if sink.isTemporary { Interruption.askFirst() }
      return try wave.write(to: sink)
    }
  }

  private func report(_ result: OfflineRender.Result, _ output: FileName, _ actuatorName: String) {
    let seconds = Double(result.deviceFrames) / Double(rate)
    if isJSON {
      let summary = JSONValue.object([
        ("file", .string(operands[0].text)), ("output", .string(output.text)), ("rate", .count(rate)),
        ("format", .string(format.word)), ("channels", .count(channelNames.count)),
        ("channelNames", .array(channelNames.map { .string($0) })), ("frames", .integer(result.deviceFrames)),
        ("seconds", .number(seconds)), ("peak", .float(result.peak)), ("rms", .number(result.levels.rms)),
        ("actuator", .string(actuatorName)), ("clippedSamples", .count(result.saturatedSamples)),
        ("limitedFrames", .count(result.limitedFrames)), ("limits", result.limits.json),
        ("stolenVoices", .count(result.stolenVoices)),
      ])
      StandardOutput.write(summary.text + "\n")
    } else if output != "-" && StandardError.isTerminal {
      let level = NumberText.level(Double(result.peak))
      StandardError.write(
        "\(output): \(NumberText.fixed(seconds, 3)) s, \(rate) Hz, \(format.word), \(channelNames.joined(separator: ", ")), "
          + "peak \(level)\n")
    }
    var parts: [String] = []
    if result.saturatedSamples > 0 {
      parts.append("\(NumberText.count(result.saturatedSamples, "sample")) clipped (lower --gain)")
    }
    if result.limitedFrames > 0 { parts.append(result.limits.words(of: result.limitedFrames)) }
    if result.stolenVoices > 0 { parts.append("\(NumberText.count(result.stolenVoices, "voice")) stolen") }
    if !parts.isEmpty { StandardError.note("render", parts.joined(separator: ", ")) }
  }
}
