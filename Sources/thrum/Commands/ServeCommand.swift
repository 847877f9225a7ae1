import Glibc
import ThrumALSA
import ThrumDesktop
import ThrumEngine
import ThrumFeedback
import ThrumPattern
import ThrumRealtime

/// `thrum serve`: feedback for other programs, over D-Bus.
struct ServeCommand: Command, ActuatorSettings {
  var operands: [FileName] = []
  var themePath: FileName?
  var profile: FeedbackProfile?
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
        "The device is opened when something is first played, and given back after two minutes without. A theme that is "
          + "saved is read anew; SIGHUP reads it and the files of feedbacks anew, SIGTERM ends with a fade, and 0.",
      ],
      options: [
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
          line: "thrum serve --profile quiet --theme ~/felt.json -d hw:1",
          effect: "Serves by a theme of one's own, on the second card."),
      ])
  }

  func run() throws(CommandError) -> ExitCode {
    let configuration = try Configuration.load()
    // A mistake is told now, not to the first program that asks.
    let desktop = DesktopFollower()
    if let problem = FeedbackSettings.read().problems.first {
      throw .configuration("thrum: error: \(problem)")
    }
    ALSADiagnostics.isVerbose = isVerbose
    let themeFiles = try ThemeFiles(themePath)
    let output = ServiceOutput(
      choice: DeviceChoice.choose(option: device, configuration: configuration.device),
      fallback: configuration.fallback,
      request: request(configuration), profile: self.profile(configuration))
    signal(SIGPIPE, SIG_IGN)
    Interruption.take()
    ReloadRequest.take()
    let remembered = RememberedProfile()
    let service = FeedbackService(
      output: output, profile: profile ?? remembered.profile ?? .full, theme: themeFiles.theme
    ) { desktop.settings }
    let server = try BusServer(service, isVerbose: isVerbose) { profile in
      if let problem = remembered.remember(profile) {
        StandardError.note("serve", "the profile cannot be remembered: \(problem)")
      }
    }
    Interruption.askFirst()
    return try serve(service, server, themeFiles)
  }

  private func serve(
    _ service: FeedbackService, _ server: BusServer, _ files: ThemeFiles
  ) throws(CommandError) -> ExitCode {
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
      files.take()
      if ReloadRequest.bell.isTaken() || files.isDue { reload(service, files) }
      let due = [server.due, service.due, files.due].compactMap { $0 }.min()
      var entries = [server.descriptor]
      let others = [service.output.bell.descriptor, Interruption.descriptor, ReloadRequest.bell.descriptor]
      entries += (others + files.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
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
