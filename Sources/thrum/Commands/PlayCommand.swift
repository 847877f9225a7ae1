import Glibc
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum play`: patterns on a device, in real time.
struct PlayCommand: Command, DeviceSettings, HeardSettings {
  var operands: [FileName] = []
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  var gain: Double?
  var passes = 1
  var actuator: ActuatorName?
  var allowedPaths: [String]?
  var soundDevice: String?
  var soundOffset: Double?
  var isHapticsOnly = false
  var isWatching = false
  var isWaiting = false
  var showsStatistics = false
  var processor: Int?
  var delayLimit: Double?
  var isJSON = false
  var isVerbose = false

  static var form: CommandForm<PlayCommand> {
    CommandForm(
      name: "play", summary: "Play patterns on a sound card, or on the virtual actuator.",
      operandUsage: "FILE…",
      operandHelp: "Each FILE is an AHAP file; - is standard input. Several are played one after another.",
      operandCount: 1...Int.max, operandNoun: "a FILE",
      discussion: [
        "The device is the one named by --device, else by THRUM_DEVICE, else by the configuration file "
          + "(~/.config/thrum/config), else ALSA's default. With no sound card and no device named, patterns play on "
          + "the virtual actuator, in real time.",
        "ctrl-C fades to silence, closes the device and ends with exit code 130; a second one ends at once.",
      ],
      options: [
        .value(
          "device", short: "d", "NAME", \.device, .text("the name of a device"),
          "An ALSA PCM, such as hw:1 or pipewire, or virtual. \"thrum devices\" lists them.")
      ] + CommandOption.deviceOptions + [
        .value(
          "channels", short: "c", "MAP", \.channels, .channels,
          "Which channels have actuators and which loudspeakers, such as haptic=3,4:audio=1,2; default actuators on all of "
            + "one or two. haptic=1@lra-175,2@wideband gives each its own profile."),
        .value("gain", short: "g", "DB", \.gain, .gain, "Level, before any limiter; default 0 dB."),
        .value(
          "loop", short: "l", "N", \.passes, .whole(1...1_000_000, "a number"),
          "Play N passes in all; default 1."),
        .value(
          "actuator", short: "a", "NAME", \.actuator, .actuator,
          "The actuator's profile, by its name (none, safe, wideband, lra-175, lra-235, speaker, dualsense, or one of "
            + "~/.config/thrum/actuators) or its file; default safe: half level, high-pass, limiters."),
        .value(
          "audio-device", "NAME", \.soundDevice, .text("the name of a device"),
          "Play sound on this ALSA PCM instead, in step with the haptic device."),
      ] + CommandOption.soundOptions + [
        .flag(
          "watch", short: "w", \.isWatching,
          "Play again on every save of the FILE, and when it is back where it or its folder was removed."),
        .flag("stats", \.showsStatistics, "Tell at the end how late and how long the render thread was."),
        .value(
          "cpu", "N", \.processor, .whole(0...1023, "a processor"), "Keep the render thread on one processor."
        ),
        .value(
          "max-delay", "MS", \.delayLimit, .delayLimit,
          "Refuse a device that holds back more than that beyond its buffer; default 2000."),
        .flag("wait", \.isWaiting, "Wait for a device that is busy or not there."),
        .flag(
          "json", \.isJSON,
          "Log every event, a JSON object a line, with its seconds, render frame and device frame."),
        .flag(
          "verbose", short: "v", \.isVerbose, "Show the device, its scheduling and ALSA's own diagnostics."),
      ],
      examples: [
        .init(line: "thrum play patterns/heartbeat.ahap", effect: "Plays one pattern."),
        .init(
          line: "thrum play --device hw:1 --loop 3 tap.ahap", effect: "Plays three passes on the second card."
        ),
        .init(line: "thrum play --watch draft.ahap", effect: "Plays the draft each time an editor saves it."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    if isWatching && (operands.count > 1 || operands[0] == "-") {
      throw .usage("--watch takes one FILE, not \(operands.count > 1 ? "several" : "standard input")")
    }
    if operands.count(where: { $0 == "-" }) > 1 { throw .usage("- can be read only once") }
    let configuration = try Configuration.load()
    ALSADiagnostics.isVerbose = isVerbose
    let actuators = try ActuatorSetup(
      actuator, channels: channels, configuration: configuration, gain: gain ?? configuration.gain ?? 0)
    for notice in actuators.notices { StandardError.note("play", notice) }
    let watch = isWatching ? try FileWatch(operands[0]) : nil
    let files = load(operands)
    if files.isEmpty && watch == nil { throw .reported }

    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    var request = DeviceRequest(
      rate: rate, format: format, period: period, channels: actuators.channels, configuration: configuration)
    request.processor = processor
    request.delayLimit = delayLimit ?? request.delayLimit
    let opened = try OpenedDevice.open(
      choice, request, act: "playing", waits: isWaiting, fallback: configuration.fallback)
    if let notice = opened.notice { StandardError.note("play", notice) }

    // A reader of the log that goes away must not end the process before the output is silent.
    signal(SIGPIPE, SIG_IGN)
    Interruption.take()
    let log = isJSON ? PlayLog() : nil
    // Loudspeakers that the command line names are meant in place of the file's device.
    let isMapped = channels?.audio.isEmpty == false
    let sound = try openSoundDevice(
      named: soundDevice ?? (isMapped ? nil : configuration.soundDevice), closing: opened.device)
    let session = try PlaySession(
      device: opened.device, soundDevice: sound, actuators: actuators,
      soundOffset: (soundOffset ?? configuration.soundOffset ?? 0) / 1000,
      sounds: SoundSettings(
        isWanted: !isHapticsOnly && (sound != nil || request.channels?.audio.isEmpty == false),
        allowed: allowedPaths, memory: configuration.soundMemory), log: log
    )
    Interruption.askFirst()
    var player = PlayLoop(session: session, log: log, passes: passes, isVerbose: isVerbose)
    player.showsStatistics = showsStatistics
    player.processor = processor
    let end = watch == nil ? try player.play(files) : try player.watch(operands[0], first: files.first, watch)
    let code = try player.conclude(end)
    return code == .success && files.count < operands.count && !isWatching ? .failure : code
  }

  /// Opens the device for sound, where one is named.
  private func openSoundDevice(
    named name: String?, closing device: any OutputDevice
  ) throws(CommandError) -> ALSAOutput? {
    guard let name, !isHapticsOnly else { return nil }
    do throws(OutputError) {
      return try ALSAOutput.open(name: name, request: .sound)
    } catch {
      device.close()
      throw error.cause == .request ? .usage(error.message) : .failed(error.message)
    }
  }

  /// Reads the files and tells of those that are refused, and of sound.
  private func load(_ paths: [FileName]) -> [NamedPattern] {
    paths.compactMap { path in
      do throws(Diagnostic) {
        return try NamedPattern(reading: path)
      } catch {
        StandardError.write(error.text(Style.error) + "\n")
        return nil
      }
    }
  }
}
