import Glibc
import ThrumALSA
import ThrumEngine
import ThrumMIDI
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum audition`: patterns on a bench, on a screen of their own.
struct AuditionCommand: Command, ActuatorSettings, HeardSettings, ControllerSettings {
  var operands: [FileName] = []
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  var gain: Double?
  var actuator: ActuatorName?
  var allowedPaths: [String]?
  var soundOffset: Double?
  var isHapticsOnly = false
  var midi: MIDIChoice?
  var midiHolding = MIDIMapping.Holding.none
  var isMIDIFlat = false
  var gamePad: GamePadChoice?
  var endpoint: OSCEndpoint?

  static var form: CommandForm<AuditionCommand> {
    CommandForm(
      name: "audition", summary: "Play, compare and edit patterns on a screen of their own.",
      operandUsage: "[FILE|FOLDER…]",
      operandHelp: "Each FILE is an AHAP file, each FOLDER is searched for them, with all folders in it; "
        + "without any, the current folder is.",
      operandCount: 0...Int.max, operandNoun: "a FILE",
      discussion: [
        "A file that is saved is felt at once, or where the loop begins again. Intensity and sharpness move under keys, "
          + "two versions are compared, openly or blind, events are moved in place, and what is played by hand "
          + "becomes a pattern. ? shows all keys, q quits.",
        "It takes a terminal of at least 80 by 24 characters. ctrl-Z stops it in silence; the terminal is left as it was "
          + "found, whatever ends the command.",
      ],
      options: CommandOption.actuatorOptions + CommandOption.soundOptions + CommandOption.controllerOptions
        + [
          .value(
            "osc", short: "o", "PORT", \.endpoint, .oscEndpoint,
            "Answer Open Sound Control on this port of 127.0.0.1, or on ADDRESS:PORT.")
        ],
      examples: [
        .init(
          line: "thrum audition ~/patterns",
          effect: "Lists the patterns of a folder, and those saved to it later."),
        .init(
          line: "thrum audition draft.ahap -d hw:1",
          effect: "Feels each save of the draft on the second card."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    if operands.contains("-") { throw .usage("takes no pattern from standard input, which is for keys") }
    // Before folders are looked through, which may take a while.
    try TerminalScreen.expectTerminal()
    for path in operands where path.withPath({ access($0, R_OK) }) != 0 {
      throw .failed("cannot read \(path): \(errorText(errno))")
    }
    let configuration = try Configuration.load()
    // What others write would be written over the screen; it comes as a message there.
    Interruption.take()
    Interruption.askFirst()
    let actuators = try actuators(configuration)
    let profile = try actuators.only("audition")
    let bench = try Bench(settings(configuration, actuators, profile))
    let library = try PatternLibrary(operands.isEmpty ? ["."] : operands)
    // /thrum/play finds what is in the first folder.
    let folder = operands.isEmpty ? "." : operands.first(where: PatternFolder.isFolder)
    let osc = try endpoint.map { endpoint throws(CommandError) in
      try OSCService(
        endpoint, voices: OSCVoices(output: BenchLiveOutput(bench)), patterns: OSCPatterns(folder: folder),
        isVerbose: false)
    }
    let controls = controllers(showsDiagnostics: false)
    let session = AuditionSession(
      bench: bench, library: library, profile: profile,
      controls: controls.map { [$0] } ?? [], osc: osc)
    return try session.run()
  }

  private func settings(
    _ configuration: Configuration, _ actuators: ActuatorSetup, _ profile: BusProfile
  ) -> BenchSettings {
    let choice = DeviceChoice.choose(option: device, configuration: configuration.device)
    var settings = BenchSettings(
      choice: choice, request: request(configuration, actuators), fallback: configuration.fallback)
    settings.profile = profile
    let isMapped = channels?.audio.isEmpty == false
    settings.soundDevice = isMapped || isHapticsOnly ? nil : configuration.soundDevice
    let carriesSound = settings.soundDevice != nil || settings.channels?.audio.isEmpty == false
    settings.sounds = SoundSettings(
      isWanted: !isHapticsOnly && carriesSound, allowed: allowedPaths, memory: configuration.soundMemory)
    settings.soundOffsetSeconds = (soundOffset ?? configuration.soundOffset ?? 0) / 1000
    return settings
  }
}
