import Glibc
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
    /// The device is gone for good.
    case failed
  }

  /// How long a drain may take beyond what the device holds, seconds.
  private static let drainLimitSeconds = 2.0

  let output: Output
  var progress = ProgressLine()
  private let engine: Engine
  private let log: PlayLog?
  private let profile: BusProfile
  private let bell = Bell()
  private var player: Player?
  private var current: Playing?

  /// The pattern that plays, as the progress line tells it.
  private struct Playing {
    var name: String
    var startFrame: Int64
    var passSeconds: Double
    var passes: Int
    var level: LevelTrack?
  }

  /// Makes an output on a device; it does not run yet.
  init(device: any OutputDevice, profile: BusProfile, log: PlayLog?) throws(CommandError) {
    self.log = log
    self.profile = profile
    var configuration = OutputConfiguration()
    configuration.profiles = [profile]
    output = Output(device: device, configuration: configuration)
    do throws(EngineError) {
      engine = try output.makeEngine()
    } catch {
      throw .failed(error.message)
    }
    if let log { output.observe { log.write($0) } }
  }

  /// Plays a pattern from its beginning in place of what plays.
  func play(_ file: PatternFile, passes: Int) throws(CommandError) {
    do throws(EngineError) {
      try player?.stop()
      bell.take()
      let next = try engine.makePlayer(for: ScheduleCompiler.compile(file.pattern))
      log?.name(player: next.number, file: file.path)
      next.onFinish = { [bell] _ in bell.ring() }
      let start = output.isRunning ? soonestFrame : nil
      try next.play(passes: passes, at: start)
      player = next
      let frames = Double(next.schedule.durationFrames)
      current = Playing(
        name: file.name, startFrame: start?.value ?? 0, passSeconds: frames / Double(RenderRate.framesPerSecond),
        passes: passes, level: progress.isVisible ? LevelTrack(of: file.pattern, profile: profile) : nil)
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

  /// Waits for the pattern's end, a signal or a save.
  func wait(for watch: FileWatch?) -> Event {
    while true {
      if Interruption.caught != nil { return .interrupted }
      if !output.isRunning { return .failed }
      showProgress()
      let milliseconds = progress.isVisible && current != nil ? ProgressLine.periodMilliseconds : 500
      let descriptors = [Interruption.descriptor, bell.descriptor] + (watch.map { [$0.descriptor] } ?? [])
      let isReadable = waitForReading(descriptors, milliseconds: milliseconds)
      if isReadable[1] {
        bell.take()
        // The ring may be that of a player that was stopped for another one.
        if player?.isActive == false {
          showProgress()
          current = nil
          return .finished
        }
      }
      if let watch, isReadable[2], watch.takeSave() {
        // Editors save in several steps; the last one counts.
        while waitForReading([watch.descriptor], milliseconds: 30)[0] { watch.discard() }
        return .saved
      }
    }
  }

  /// Fades what plays; ctrl-C ends the process at once from here on.
  func stop() {
    Interruption.endAtOnce()
    do throws(EngineError) {
      try player?.stop()
    } catch {
      // A full queue or a closed output: closing the device ends the sound as well.
      output.close()
    }
  }

  /// Lets the device play what it holds, and closes it.
  func finish() -> OutputEnd {
    let end = output.drain(timeoutSeconds: Self.drainLimitSeconds)
    output.close()
    return end
  }

  private func showProgress() {
    guard let current, progress.isVisible else { return }
    let frame = max(0, output.currentFrame.value - current.startFrame)
    let seconds = Double(frame) / Double(RenderRate.framesPerSecond)
    let pass = current.passSeconds > 0 ? min(current.passes - 1, Int(seconds / current.passSeconds)) : 0
    let position = seconds - Double(pass) * current.passSeconds
    progress.show(
      name: current.name, seconds: position, of: current.passSeconds,
      pass: current.passes > 1 ? "  pass \(pass + 1) of \(current.passes)" : "",
      level: current.level?.level(atSeconds: position) ?? 0)
  }
}
