import Glibc
import ThrumEngine

/// The one loop of `thrum serve`: what comes by D-Bus, by OSC, from controllers and by signals, and what is due.
struct Services {
  let output: ServiceOutput
  let feedback: FeedbackService
  let bus: BusServer?
  let osc: OSCService?
  let controls: LiveControls?
  let voices: OSCVoices
  /// The theme's; nil where nobody asks for feedbacks.
  let files: ThemeFiles?

  /// Serves until a signal asks for the end.
  /// - Parameter reload: Called on SIGHUP, and when the theme's file has changed.
  /// - Throws: `CommandError.failed` when the bus has gone; all is silent then.
  func run(reload: () -> Void) throws(CommandError) -> ExitCode {
    output.onLoss = {
      feedback.dropFailed()
      voices.sweep()
    }
    defer { output.onLoss = {} }
    while Interruption.caught == nil {
      do throws(CommandError) {
        try bus?.process()
      } catch {
        stop()
        throw error
      }
      osc?.process()
      controls?.process()
      output.bell.take()
      feedback.advance()
      bus?.tellEnded()
      osc?.advance()
      controls?.advance()
      output.tellNews()
      giveBackIdle()
      files?.take()
      if ReloadRequest.bell.isTaken() || files?.isDue == true { reload() }
      wait()
    }
    Interruption.endAtOnce()
    stop()
    bus?.tellEnded()
    // SIGTERM is how a session ends its services: nothing went wrong.
    let signal = Interruption.caught ?? SIGTERM
    return signal == SIGTERM ? .success : .interrupted(signal: signal)
  }

  /// Waits for something to come, to ring or to be due.
  private func wait() {
    let idle = isIdle ? output.idleDue : nil
    let due = [bus?.due, feedback.due, osc?.due, controls?.due, files?.due, idle, output.newsDue]
      .compactMap { $0 }.min()
    let descriptors = [
      osc?.descriptor, output.bell.descriptor, Interruption.descriptor, ReloadRequest.bell.descriptor,
    ]
    var entries = (descriptors.compactMap { $0 } + (files?.descriptors ?? [])).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    entries += controls?.descriptors ?? []
    if let bus { entries.append(bus.descriptor) }
    // A signal, too, ends the wait; what it means is seen by the loop.
    poll(&entries, nfds_t(entries.count), Self.milliseconds(until: due))
  }

  private var isIdle: Bool { feedback.count == 0 && voices.isSilent && osc?.waitingCount ?? 0 == 0 }

  private func giveBackIdle() {
    if isIdle, let due = output.idleDue, MonotonicClock.nanoseconds >= due { output.finish() }
  }

  private func stop() {
    feedback.stop()
    osc?.forgetWaiting()
    voices.cancel()
    output.finish()
    feedback.forget()
  }

  /// Milliseconds of a wait, rounded upwards; -1 for one without end.
  private static func milliseconds(until due: Int64?) -> Int32 {
    guard let due else { return -1 }
    let nanoseconds = max(0, due - MonotonicClock.nanoseconds)
    return Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
  }
}
