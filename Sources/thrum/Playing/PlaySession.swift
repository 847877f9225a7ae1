import Glibc
import Synchronization
import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// One output for the time of a `play`: patterns go in, one at a time.
final class PlaySession {
  /// Why waiting ended.
  enum Event: Equatable {
    /// The pattern came to its end.
    case finished
    /// A signal asked for the end.
    case interrupted
    /// The watched file was saved.
    case saved
    /// The watched file has gone.
    case removed
    /// The device is gone for good.
    case failed
  }

  /// How long a drain may take beyond what the device holds and is about to take, seconds.
  private static let drainLimitSeconds = 2.0

  let output: Output
  /// The command that plays, for its messages.
  let command: String
  var progress = ProgressLine()
  private let engine: Engine
  private let log: PlayLog?
  /// The actuators that it drives.
  let actuators: ActuatorSetup
  /// How sounds are dealt with.
  let sounds: SoundSettings
  private let bell = Bell()
  private let passStarts = PassStarts()
  private let news = News()
  private var player: Player?
  /// The players of the same pattern on the buses after the first.
  private var otherPlayers: [Player] = []
  private let others = Others()
  private var current: Playing?
  private var isDelayTold = false

  /// The pattern that plays, as the progress line tells it.
  private struct Playing {
    var name: String
    var passes: Int
    var level: LevelTrack
    var shownSeconds = 0.0
  }

  /// What is told of the device: noted by the handler thread, written by the main thread, which has the progress line.
  private final class News: Sendable {
    let state = Mutex((device: DeviceNews(), lines: [String]()))
  }

  /// The numbers of the players on the buses after the first: of the main thread for the handler thread.
  private final class Others: Sendable {
    let players = Mutex<Set<Int>>([])
  }

  /// Makes an output on a device; it does not run yet.
  init(
    device: any OutputDevice, soundDevice: (any SoundDevice)? = nil, actuators: ActuatorSetup,
    soundOffset: Double = 0,
    sounds: SoundSettings = SoundSettings(isWanted: false), log: PlayLog?, command: String = "play"
  ) throws(CommandError) {
    self.command = command
    self.sounds = sounds
    self.log = log
    self.actuators = actuators
    var configuration = OutputConfiguration()
    configuration.profiles = actuators.buses
    configuration.map = actuators.map(channels: device.output.channels)
    configuration.soundOffsetSeconds = soundOffset
    output = Output(device: device, configuration: configuration, soundDevice: soundDevice)
    do throws(EngineError) {
      engine = try output.makeEngine()
    } catch {
      throw .failed(error.message)
    }
    tellOutages()
    output.observe { [log, passStarts, others] event in
      // What is told of one actuator's player holds for those of the others.
      if let player = event.player, others.players.withLock({ $0.contains(player) }) { return }
      if case .looped(_, let frame, _, _) = event { passStarts.latest.withLock { $0.append(frame.value) } }
      log?.write(event)
    }
  }

  /// Says when the device stops sounding and when it is back.
  private func tellOutages() {
    output.onOutage { [log, bell, news] outage in
      // What is final ends the command, which says so itself.
      if !outage.isFinal {
        news.state.withLock { news in
          let now = MonotonicClock.nanoseconds
          if let line = news.device.began(outage.message, frame: outage.frame, at: now) {
            news.lines.append(line)
          }
        }
        bell.ring()
      }
      log?.write(
        "outage",
        [
          ("cause", .string("\(outage.cause)")), ("final", .bool(outage.isFinal)),
          ("renderFrame", .integer(outage.frame.value)),
        ])
    }
    let device = output.device
    output.onReturn { [log, bell, news, device] back in
      news.state.withLock { news in
        let (now, skipped) = (MonotonicClock.nanoseconds, device.counters.skippedFrames)
        if let line = news.device.returned(frame: back.frame, skipped: skipped, at: now) {
          news.lines.append(line)
        }
      }
      bell.ring()
      log?.write(
        "return", [("cause", .string("\(back.cause)")), ("renderFrame", .integer(back.frame.value))])
    }
  }

  /// The outages of the device so far.
  var outages: Int { news.state.withLock { $0.device.outages } }

  /// Tells what has come up about the device since it was last looked at.
  func tellNews() {
    let device = output.device
    let skipped = device.counters.skippedFrames
    let lines = news.state.withLock { news in
      defer { news.lines = [] }
      let now = MonotonicClock.nanoseconds
      return news.lines + news.device.look(skipped: skipped, rate: device.output.rate, at: now)
    }
    if !lines.isEmpty { progress.clear() }
    for line in lines { StandardError.note(command, line) }
  }

  /// Plays a pattern from its beginning in place of what plays.
  func play(_ file: NamedPattern, passes: Int) throws(CommandError) {
    let schedule = try sounds.schedule(of: file, rate: output.soundRate, command: command)
    do throws(EngineError) {
      try player?.stop()
      for other in otherPlayers { try other.stop() }
      bell.take()
      let next = try engine.makePlayer(for: schedule)
      // The first bus has the sounds.
      let silent = actuators.buses.count > 1 ? ScheduleCompiler.compile(file.pattern) : schedule
      otherPlayers = try actuators.buses.indices.dropFirst().map { (bus) throws(EngineError) in
        try engine.makePlayer(for: silent, bus: bus)
      }
      others.players.withLock { numbers in
        // A number comes back once its player has ended.
        numbers.remove(next.number)
        numbers.formUnion(otherPlayers.map(\.number))
      }
      log?.name(player: next.number, file: file.path.text)
      next.onFinish = { [bell] _ in bell.ring() }
      let start = output.isRunning ? soonestFrame : firstFrame
      try next.play(passes: passes, at: start)
      for other in otherPlayers { try other.play(passes: passes, at: start) }
      player = next
      passStarts.latest.withLock { $0 = PassStarts.Latest(first: start?.value ?? 0) }
      if progress.isVisible {
        current = Playing(
          name: file.name, passes: passes, level: LevelTrack(of: file.pattern, profile: actuators.buses[0]))
      }
    } catch {
      throw .failed(error.message)
    }
    if !output.isRunning {
      do throws(OutputError) {
        try Interruption.withoutSignals { () throws(OutputError) in try output.start() }
      } catch {
        throw .failed(error.message)
      }
    }
  }

  /// A frame that has certainly not been rendered when the command arrives: two periods ahead.
  private var soonestFrame: RenderFrame {
    let device = output.device.output
    let periods = 2 * Int64(device.periodFrames) * Int64(RenderRate.framesPerSecond) / Int64(device.rate)
    return RenderFrame(output.status.playhead.value + periods + Int64(2 * quantumFrames))
  }

  /// Where the first pattern begins: at once, or when a device of the sound's own has had time to find its place.
  private var firstFrame: RenderFrame? {
    guard let sound = output.soundDevice?.output else { return nil }
    return Timeline.frame(atSeconds: max(0.05, 2 * Double(sound.bufferFrames) / Double(sound.rate)))
  }

  /// The scheduling of the render thread, once it runs.
  var scheduling: String? { output.device.scheduling }

  /// Waits for the pattern's end, a signal or a save.
  func wait(for watch: FileWatch?) -> Event {
    while true {
      if Interruption.caught != nil { return .interrupted }
      if output.device.end != nil { return .failed }
      tellHiddenDelay()
      tellNews()
      showProgress()
      let milliseconds = current == nil ? 500 : ProgressLine.periodMilliseconds
      let descriptors = [Interruption.descriptor, bell.descriptor] + (watch.map { [$0.descriptor] } ?? [])
      let isReadable = waitForReading(descriptors, milliseconds: milliseconds)
      if isReadable[1] {
        bell.take()
        // The ring may be that of a player that was stopped for another one.
        if player?.isActive == false {
          endProgress()
          return .finished
        }
      }
      if let watch, isReadable[2], let event = take(watch) { return event }
    }
  }

  /// Warns, once, of what a plug-in or a server holds back.
  func tellHiddenDelay() {
    guard !isDelayTold, let delay = (output.device as? ALSAOutput)?.hiddenDelaySeconds,
      delay > ALSARequest.hiddenDelayWarningSeconds
    else { return }
    isDelayTold = true
    let message =
      "the device holds back \(NumberText.fixed(delay * 1000, 0)) ms beyond its buffer; "
      + "what is felt comes later by as much"
    progress.clear()
    StandardError.note(command, message)
    log?.write("warning", [("message", .string(message))])
  }

  /// What a watched file has come to, once it has come to rest; nil where nothing has happened to it.
  private func take(_ watch: FileWatch) -> Event? {
    let change = watch.takeChange { milliseconds in
      let isReadable = waitForReading(
        [watch.descriptor, Interruption.descriptor], milliseconds: milliseconds)
      return isReadable[1] ? nil : isReadable[0]
    }
    switch change {
    case .nothing: return nil
    case .saved: return .saved
    case .removed: return .removed
    case nil: return .interrupted
    }
  }

  /// Fades what plays.
  func stop() {
    if let playing = current {
      progress.end(name: playing.name, outcome: "stopped at \(NumberText.fixed(position.seconds, 2)) s")
      current = nil
    }
    do throws(EngineError) {
      try player?.stop()
      for other in otherPlayers { try other.stop() }
    } catch {
      // A full queue or a closed output: closing the device ends the sound as well.
      output.close()
    }
  }

  /// Lets the device play what it holds, and closes it.
  func finish() -> OutputEnd {
    let device = output.device.output
    let held = Double(device.bufferFrames + device.periodFrames) / Double(device.rate)
    let end = output.drain(timeoutSeconds: held + Self.drainLimitSeconds)
    output.close()
    return end
  }

  /// Where the pattern is that is heard now: its pass, from 0, and the position in it.
  private var position: (pass: Int, seconds: Double) {
    let heard = output.currentFrame.value
    let (pass, start) = passStarts.latest.withLock { $0.pass(at: heard) }
    return (pass, max(0, Double(heard - start)) / Double(RenderRate.framesPerSecond))
  }

  private func showProgress() {
    guard let playing = current else { return }
    let (pass, seconds) = position
    let from = seconds < playing.shownSeconds ? 0 : playing.shownSeconds
    progress.show(
      name: playing.name, seconds: seconds, of: playing.level.soundSeconds,
      pass: playing.passes > 1 ? ", pass \(pass + 1) of \(playing.passes)" : "",
      level: playing.level.level(fromSeconds: from, toSeconds: seconds))
    current?.shownSeconds = seconds
  }

  /// Leaves a line about the pattern that has ended.
  private func endProgress() {
    guard let playing = current else { return }
    let passes = playing.passes > 1 ? " × \(playing.passes)" : ""
    let length = "\(NumberText.fixed(playing.level.soundSeconds, 2)) s\(passes)"
    progress.end(name: playing.name, outcome: "\(length), peak \(NumberText.level(playing.level.peak))")
    current = nil
  }
}

extension OutputEvent {
  /// The number of the player that it is about; nil where it is about none.
  fileprivate var player: Int? {
    switch self {
    case .eventStarted(let player, _, _, _, _, _), .looped(let player, _, _, _),
      .finished(let player, _, _, _, _):
      player
    case .commandApplied: nil
    }
  }
}
