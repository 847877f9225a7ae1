import Glibc
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// `thrum serve`: feedback for other programs, over D-Bus.
struct ServeCommand: Command, ActuatorSettings {
  var operands: [FileName] = []
  var themePath: FileName?
  var profile = FeedbackProfile.full
  var device: String?
  var rate: Int?
  var format: SampleFormat?
  var period: Period?
  var channels: ChannelChoice?
  var gain: Double?
  var actuator: BusProfile?
  var isVerbose = false

  static var form: CommandForm<ServeCommand> {
    CommandForm(
      name: "serve", summary: "Play the feedback that programs ask for over D-Bus.",
      operandUsage: "", operandHelp: "", operandCount: 0...0, operandNoun: "",
      discussion: [
        "Answers org.sigxcpu.Feedback on the session bus, the interface of feedbackd, in the foreground. The theme says "
          + "what is felt for which event: the one of --theme, else of FEEDBACK_THEME, else theme.json beside the "
          + "configuration file, else the built-in one.",
        "The device is opened when something is first played, and given back after two minutes without. SIGHUP reads "
          + "the theme and files anew; SIGTERM ends with a fade, and 0.",
      ],
      options: [
        .file("theme", short: "t", \.themePath, "A theme, in feedbackd's format."),
        .value(
          "profile", short: "P", "NAME", \.profile, .feedbackProfile,
          "The profile to begin with: full (the default), quiet or silent."),
      ] + CommandOption.actuatorOptions + [
        .flag("verbose", short: "v", \.isVerbose, "Tell every request, and show ALSA's own diagnostics.")
      ],
      examples: [
        .init(line: "thrum serve", effect: "Serves the session until it ends."),
        .init(
          line: "thrum serve --profile quiet --theme ~/felt.json -d hw:1",
          effect: "Serves by a theme of one's own, on the second card."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    let configuration = try Configuration.load()
    // A mistake is told now, not to the first program that asks.
    guard try FeedbackCommand.settings().ceiling > 0 else { throw .reported }
    ALSADiagnostics.isVerbose = isVerbose
    let theme = try readTheme()
    let output = ServiceOutput(
      choice: DeviceChoice.choose(option: device, configuration: configuration.device),
      fallback: configuration.fallback,
      request: request(configuration), profile: profile(configuration))
    signal(SIGPIPE, SIG_IGN)
    Interruption.take()
    ReloadRequest.take()
    let service = FeedbackService(output: output, profile: profile, theme: theme)
    let server = try BusServer(service, isVerbose: isVerbose)
    Interruption.askFirst()
    return try serve(service, server)
  }

  private func serve(_ service: FeedbackService, _ server: BusServer) throws(CommandError) -> ExitCode {
    while Interruption.caught == nil {
      do throws(CommandError) {
        try server.process()
      } catch {
        service.stop()
        throw error
      }
      service.output.bell.take()
      service.advance()
      server.tellEnded()
      if ReloadRequest.bell.isTaken() { reload(service) }
      let due = [server.due, service.due].compactMap { $0 }.min()
      var entries = [server.descriptor]
      entries += [service.output.bell.descriptor, Interruption.descriptor, ReloadRequest.bell.descriptor]
        .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // A signal, too, ends the wait; what it means is seen above.
      poll(&entries, nfds_t(entries.count), Self.milliseconds(until: due))
    }
    Interruption.endAtOnce()
    service.stop()
    server.tellEnded()
    // SIGTERM is how a session ends its services: nothing went wrong.
    let signal = Interruption.caught ?? SIGTERM
    return signal == SIGTERM ? .success : .interrupted(signal: signal)
  }

  /// Milliseconds of a wait, rounded upwards; -1 for one without end.
  private static func milliseconds(until due: Int64?) -> Int32 {
    guard let due else { return -1 }
    let nanoseconds = max(0, due - MonotonicClock.nanoseconds)
    return Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
  }

  private func reload(_ service: FeedbackService) {
    do throws(CommandError) {
      service.change(to: try readTheme())
      if isVerbose { StandardError.note("serve", "the theme was read anew") }
    } catch {
      if case .configuration(let message) = error {
        StandardError.write("\(message)\n")
        StandardError.note("serve", "the theme stays as it was")
      }
    }
  }

  /// The theme that is to be used.
  /// - Throws: `CommandError.configuration`.
  private func readTheme() throws(CommandError) -> Theme {
    var path = themePath ?? fileName(inEnvironment: "FEEDBACK_THEME")
    if path == nil, let own = Configuration.standardPath?.folder.appending("theme.json"),
      own.withPath({ access($0, F_OK) }) == 0
    {
      path = own
    }
    guard let path else { return .builtIn }
    do throws(ThemeProblem) {
      return try Theme.read(path)
    } catch {
      throw .configuration(error.message)
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
