import Glibc
import ThrumALSA
import ThrumDesktop
import ThrumEngine
import ThrumFeedback
import ThrumMIDI
import ThrumPattern
import ThrumRealtime
import ThrumSettings

/// `thrum serve`: what other programs ask for over D-Bus and OSC, and what controllers play.
struct ServeCommand: Command, ActuatorSettings, ControllerSettings {
  var operands: [FileName] = []
  var isOnBus = false
  var endpoint: OSCEndpoint?
  var patternFolder: FileName?
  var midi: MIDIChoice?
  var midiHolding = MIDIMapping.Holding.none
  var isMIDIFlat = false
  var gamePad: GamePadChoice?
  var learned: ControlTarget?
  var themePath: FileName?
  var profile: FeedbackProfile?
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: ALSARequest.Period?
  var channels: ChannelChoice?
  var gain: Double?
  var actuator: ActuatorName?
  var isVerbose = false

  static var form: CommandForm<ServeCommand> {
    CommandForm(
      name: "serve",
      summary: "Play what D-Bus, OSC, MIDI or a game pad asks for.",
      operandUsage: "", operandHelp: "", operandCount: 0...0, operandNoun: "",
      discussion: [
        "Answers org.sigxcpu.Feedback on the session bus, the interface of feedbackd, in the foreground. The theme says "
          + "what is felt for which event: the one of --theme, else of FEEDBACK_THEME, else theme.json beside the "
          + "configuration file, else the built-in one.",
        "With --osc it answers Open Sound Control over UDP: taps, continuous events and patterns that play at once or on the "
          + "frame of a bundle's time.",
        "With --midi and --gamepad it is played by hand: notes and buttons tap or hold, and two controls are the live "
          + "intensity and sharpness (docs/controllers.md). One that is not there is told of and used when it comes.",
        "OSC and controllers take the place of D-Bus; with --dbus they are beside it.",
        "The device is opened when something is first played, and given back after two minutes without. A theme that is "
          + "saved is read anew; SIGHUP reads it and the files of feedbacks anew, SIGTERM ends with a fade, and 0.",
      ],
      options: [
        .flag(
          "dbus", short: "b", \.isOnBus,
          "Answer on the session bus; so it is without --osc, --midi and --gamepad, too."),
        .value(
          "osc", short: "o", "PORT", \.endpoint, .oscEndpoint,
          "Answer Open Sound Control on this port of 127.0.0.1, or on ADDRESS:PORT."),
        .folder("patterns", \.patternFolder, "The folder whose files /thrum/play plays by their names."),
      ] + CommandOption.controllerOptions + [
        .value(
          "learn", "TARGET", \.learned, .controlTarget,
          "Have the next control that is moved be the intensity or the sharpness, and remember it."),
        .file("theme", short: "t", \.themePath, "A theme, in feedbackd's format."),
        .value(
          "profile", short: "P", "NAME", \.profile, .feedbackProfile,
          "The profile to begin with: full, quiet or silent; default the one that was set last, full at first."
        ),
      ] + CommandOption.actuatorOptions + [
        .flag("verbose", short: "v", \.isVerbose, "Tell every request, and show ALSA's own diagnostics.")
      ],
      examples: [
        .init(line: "thrum serve", effect: "Serves the session until it ends."),
        .init(
          line: "thrum serve --osc 9000 --midi all",
          effect: "Plays what comes by OSC, and what is played on any keyboard."),
        .init(
          line: "thrum serve --profile quiet --theme ~/felt.json -d hw:1",
          effect: "Serves by a theme of one's own, on the second card."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    let configuration = try Configuration.load()
    // A mistake is told now, not to the first program that asks.
    if let patternFolder, !PatternFolder.isFolder(patternFolder) {
      throw .usage("--patterns takes a folder, not '\(patternFolder)'")
    }
    for (name, isGiven) in [("theme", themePath != nil), ("profile", profile != nil)]
    where isGiven && !answersBus {
      throw .usage("--\(name) is for what comes over D-Bus; give --dbus, too")
    }
    if learned != nil, midi == nil, gamePad == nil {
      throw .usage("--learn is for controllers; give --midi or --gamepad, too")
    }
    let desktop = DesktopFollower()
    if let problem = FeedbackSettings.read().problems.first {
      throw .configuration("thrum: error: \(problem)")
    }
    ALSADiagnostics.isVerbose = isVerbose
    // Without the bus nobody asks for feedbacks, and no theme's mistake is in the way.
    let themeFiles = answersBus ? try ThemeFiles(themePath) : nil
    let actuators = try actuators(configuration)
    for notice in actuators.notices { StandardError.note("serve", notice) }
    let output = ServiceOutput(
      choice: DeviceChoice.choose(option: device, configuration: configuration.device),
      fallback: configuration.fallback,
      request: request(configuration, actuators), profile: try actuators.only("serve"))
    signal(SIGPIPE, SIG_IGN)
    Interruption.take()
    ReloadRequest.take()
    let remembered = RememberedProfile()
    let service = FeedbackService(
      output: output, profile: profile ?? remembered.profile ?? .full, theme: themeFiles?.theme ?? .builtIn
    ) { desktop.settings }
    let voices = OSCVoices(output: output)
    let osc = try endpoint.map { endpoint throws(CommandError) in
      try OSCService(
        endpoint, voices: voices, patterns: OSCPatterns(folder: patternFolder), isVerbose: isVerbose)
    }
    let bus = answersBus ? try makeBus(service, remembered) : nil
    let controllers = controllers(showsDiagnostics: isVerbose)
    controllers?.learn(learned)
    if let osc { StandardError.note("serve", "OSC on \(osc.name)") }
    Interruption.askFirst()
    // A tap by OSC or by hand is played by ear: the first must be as quick as the rest.
    if osc != nil || controllers != nil { try output.prepare() }
    let services = Services(
      output: output, feedback: service, bus: bus, osc: osc,
      controls: controllers.map { LiveControls($0, voices: voices, command: "serve") }, voices: voices,
      files: themeFiles)
    return try services.run { if let themeFiles { reload(service, themeFiles) } }
  }

  /// Whether it is on the session bus.
  private var answersBus: Bool { isOnBus || endpoint == nil && midi == nil && gamePad == nil }

  private func makeBus(
    _ service: FeedbackService, _ remembered: RememberedProfile
  ) throws(CommandError) -> BusServer {
    try BusServer(service, isVerbose: isVerbose) { profile in
      if let problem = remembered.remember(profile) {
        StandardError.note("serve", "the profile cannot be remembered: \(problem)")
      }
    }
  }

  private func reload(_ service: FeedbackService, _ files: ThemeFiles) {
    do throws(CommandError) {
      try files.read()
      service.change(to: files.theme)
      if isVerbose { StandardError.note("serve", "the theme was read anew") }
    } catch {
      if case .configuration(let message) = error {
        StandardError.write("\(message)\n")
        StandardError.note("serve", "the theme stays as it was")
      }
    }
  }
}

/// SIGHUP: a wish that files are read anew.
enum ReloadRequest {
  /// Rings when the signal has come.
  static let bell = Bell()

  /// Takes the signal over, from what else it means.
  static func take() {
    // Made before the handler can run.
    if bell.descriptor < 0 { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let saved = errno
      ReloadRequest.bell.ring()
      errno = saved
    }
    action.sa_flags = SA_RESTART
    if sigaction(SIGHUP, &action, nil) != 0 { return }
  }
}
