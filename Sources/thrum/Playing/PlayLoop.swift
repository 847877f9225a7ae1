import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// The course of a `play`: file after file, or save after save, to a clean end.
struct PlayLoop {
  let session: PlaySession
  let log: PlayLog?
  let passes: Int
  let isVerbose: Bool
  private var isAnnounced = false
  /// Whether to tell what the render thread measured of itself.
  var showsStatistics = false
  /// The processor that the render thread was to stay on.
  var processor: Int?

  init(session: PlaySession, log: PlayLog?, passes: Int, isVerbose: Bool) {
    self.session = session
    self.log = log
    self.passes = passes
    self.isVerbose = isVerbose
  }

  /// Plays files one after another.
  mutating func play(_ files: [NamedPattern]) throws(CommandError) -> PlaySession.Event {
    for file in files {
      try begin(file)
      let event = session.wait(for: nil)
      if event != .finished { return event }
    }
    return .finished
  }

  /// Plays a file, and again on every save, until a signal.
  mutating func watch(
    _ path: FileName, first: NamedPattern?, _ watch: FileWatch?
  ) throws(CommandError) -> PlaySession.Event {
    let name = path.lastPart.description
    var file = first
    while true {
      if let file { try begin(file) }
      // Without a running output there is nothing to wait on; the first good save starts it.
      var event = session.wait(for: watch)
      while event == .finished || event == .removed {
        if event == .removed {
          session.progress.clear()
          StandardError.note(session.command, "\(path) is gone; it plays again when it is back")
        } else {
          session.progress.show(name: name, state: "played; waiting for the next save, ctrl-C ends")
        }
        event = session.wait(for: watch)
      }
      session.progress.clear()
      guard event == .saved else { return event }
      do throws(Diagnostic) {
        file = try NamedPattern(reading: path)
      } catch {
        file = nil
        StandardError.write(error.text(Style.error) + "\n")
        session.progress.show(name: name, state: "not played; waiting for the next save, ctrl-C ends")
      }
    }
  }

  /// Ends the output and tells what happened to it.
  mutating func conclude(_ event: PlaySession.Event) throws(CommandError) -> ExitCode {
    // The next ctrl-C ends the process at once.
    Interruption.endAtOnce()
    if event == .interrupted { session.stop() }
    let end = session.finish()
    session.progress.end()
    session.tellHiddenDelay()
    session.tellNews()
    tellScheduling()
    tellDelay()
    let statistics = session.output.device.statistics
    if showsStatistics { StandardError.write(StatisticsReport.text(statistics, session.output)) }
    if let statistics {
      log?.write("statistics", StatisticsReport.members(statistics, session.output.status))
    }
    report()
    if let failure = log?.failure, failure != 0 { return StandardOutput.tell(failure: failure) }
    if event == .interrupted, let signal = Interruption.caught { return .interrupted(signal: signal) }
    switch end {
    case .drained: return .success
    case .timedOut:
      throw .failed("the device did not play what it holds in time; the end may be missing")
    case .failed(let message): throw .failed(message)
    }
  }

  private mutating func begin(_ file: NamedPattern) throws(CommandError) {
    let sounds = file.pattern.eventCount { !$0.isHaptic }
    if sounds > 0, !session.sounds.isWanted {
      let what = NumberText.count(sounds, "sound event")
      let reason =
        session.output.carriesSound
        ? "--haptics-only leaves them out" : "no channel carries sound, such as --channels haptic=1:audio=2"
      StandardError.note(session.command, "\(file.name): \(what) not played; \(reason)")
    }
    // Before anything of it can be told by the handler thread.
    if !isAnnounced {
      log?.write("device", session.output.device.members + [("actuator", .string(session.actuators.names))])
    }
    log?.write(
      "file",
      [
        ("file", .string(file.path.text)), ("durationSeconds", .number(file.pattern.duration)),
        ("passes", .count(passes)),
      ])
    try session.play(file, passes: passes)
    if !isAnnounced { announce() }
    isAnnounced = true
  }

  private func announce() {
    let device = session.output.device
    // Asked once it plays, so that nothing is later for it.
    if let output = device as? ALSAOutput, let warning = Mixer.read(name: output.mixerName).warning {
      StandardError.note(session.command, printable(warning))
      log?.write("warning", [("message", .string(warning))])
    }
    guard isVerbose || session.progress.isVisible else { return }
    StandardError.write(Style.error.faint(device.words) + "\n")
    if isVerbose {
      StandardError.write(Style.error.faint("actuator: \(printable(session.actuators.names))") + "\n")
    }
  }

  /// Tells of the render thread, once: on request, or where a person at a card should know that it is not real-time.
  private func tellScheduling() {
    guard let scheduling = session.output.scheduling else { return }
    if let processor, !scheduling.hasSuffix(", processor \(processor)") {
      let why =
        session.output.device is ALSAOutput
        ? "it has \(scheduling)" : "the virtual actuator leaves its place to the system"
      StandardError.note("play", "the render thread was not kept on processor \(processor): \(why)")
    }
    if isVerbose {
      StandardError.write(Style.error.faint("render thread: \(scheduling)") + "\n")
    } else if session.progress.isVisible, session.output.device is ALSAOutput,
      !Scheduling.isRealTime(scheduling)
    {
      StandardError.note(
        session.command,
        "the render thread has \(scheduling); dropouts are likelier when the machine is busy\n"
          + Scheduling.howToGrant)
    }
  }

  /// Tells how far behind the write what is heard is, on request; what is worth a warning was told while it played.
  private func tellDelay() {
    guard isVerbose, let output = session.output.device as? ALSAOutput, let hidden = output.hiddenDelaySeconds
    else { return }
    let buffer = Double(output.output.bufferFrames) / Double(output.output.rate)
    StandardError.write(
      Style.error.faint(
        "delay: \(NumberText.short(buffer * 1000)) ms of buffer, \(NumberText.fixed(hidden * 1000, 1)) ms beyond it"
      )
        + "\n")
  }

  /// Counts worth knowing, where there are any.
  private func report() {
    let status = session.output.status
    let counters = session.output.device.counters
    log?.write(
      "end",
      [
        ("scheduling", .optional(session.output.scheduling)),
        (
          "hiddenDelaySeconds",
          (session.output.device as? ALSAOutput)?.hiddenDelaySeconds.map(JSONValue.number) ?? .null
        ), ("lateCommands", .count(status.lateCommands)), ("xruns", .count(counters.xruns)),
        ("outages", .count(session.outages)), ("suspends", .count(counters.suspends)),
        ("skippedFrames", .integer(counters.skippedFrames)),
        ("writtenFrames", .integer(counters.writtenFrames)),
        ("clippedSamples", .count(status.saturatedSamples)), ("limitedFrames", .count(status.limitedFrames)),
        ("stolenVoices", .count(status.stolenVoices)), ("starvedEvents", .count(status.starvedEvents)),
      ])
    var parts: [String] = []
    if counters.xruns > 0 {
      parts.append("\(NumberText.count(counters.xruns, "xrun")) (try a longer --period)")
    }
    if session.outages > 0 { parts.append(NumberText.count(session.outages, "outage")) }
    if counters.skippedFrames > 0 {
      let seconds = Double(counters.skippedFrames) / Double(session.output.device.output.rate)
      parts.append("\(NumberText.fixed(seconds, 3)) s not played")
    }
    if counters.suspends > 0 { parts.append(NumberText.count(counters.suspends, "suspend")) }
    if status.saturatedSamples > 0 {
      parts.append("\(NumberText.count(status.saturatedSamples, "sample")) clipped (lower --gain)")
    }
    if status.limitedFrames > 0 { parts.append("\(NumberText.count(status.limitedFrames, "frame")) limited") }
    if status.stolenVoices > 0 { parts.append("\(NumberText.count(status.stolenVoices, "voice")) stolen") }
    if status.starvedEvents > 0 {
      parts.append(
        "\(NumberText.count(status.starvedEvents, "event")) left out (too many at once to be read in time)")
    }
    if !parts.isEmpty { StandardError.note(session.command, parts.joined(separator: ", ")) }
  }
}
