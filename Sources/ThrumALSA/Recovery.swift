import Glibc

/// A time in which the device could not play.
struct Outage {
  /// Attempts to go on since the device last played for a whole buffer.
  var attempts = 0
  /// When the first of them was made.
  var firstAttemptNanoseconds: Int64 = 0
  /// When the device was last started.
  var startedNanoseconds: Int64 = 0
  /// Frames that it has taken since then.
  var takenFrames = 0
  /// Whether it has taken a frame of ours since the last outage.
  var hasWritten = false
  /// Whether it was started and has not failed since.
  var hasStarted = false
  /// Times in a row that it was dry again before it was given a frame: the program was held up in between.
  var dryStarts = 0
  /// The frame that was due, and when, at the first failure before anybody could tell; nil where somebody can.
  var unclocked: (frame: Int64, nanoseconds: Int64)?
  /// Frames that were skipped in this outage.
  var skippedFrames: Int64 = 0

  /// Attempts in a row after which the device is closed and opened again.
  static let attemptsBeforeReopening = 4
  /// Nanoseconds for which a server that does not answer is waited for, whatever was asked for.
  static let patienceNanoseconds: Int64 = 5_000_000_000
  /// Seconds of frames that are rendered and thrown away after a program was held up; the timeline stands still for
  /// the rest.
  static let longestSkipSeconds: Int64 = 60
}

extension PlaybackLoop {
  /// Takes the one step that a fault asks for; what follows from it is left to the next start.
  /// - Returns: The end of the loop where the device is lost, else nil.
  ///
  /// Threads: render. Real-time: no; the device is not playing.
  func recover(from code: Int32) -> LoopEnd? {
    switch -code {
    case EINTR:
      // Ordering: relaxed throughout, see LoopControl: each figure stands alone and none publishes memory.
      control.interruptions.add(1, ordering: .relaxed)
      return nil
    case EAGAIN:
      // A driver that is not awake yet, or a server: asked again later.
      if needsStart { return restart(after: code) }
      control.refusedWrites.add(1, ordering: .relaxed)
      idleWakes += 1
      return isStuck ? restart(after: -ETIMEDOUT) : nil
    case ENODEV, ENXIO, ENOENT:
      return lose(code)
    case EOVERFLOW:
      // Nothing that comes back is any different.
      return .failed(code)
    case ESTRPIPE:
      if outage.hasWritten { control.suspends.add(1, ordering: .relaxed) }
      tellOutage(.suspended, code, frame: dueFrame(at: device.now()))
      return wakeUp()
    case EPIPE:
      if outage.hasWritten || outage.hasStarted { control.xruns.add(1, ordering: .relaxed) }
      return restart(after: code)
    default:
      return restart(after: code)
    }
  }

  // Drivers that can, go on where they were; the others, and those that only say so, are prepared.
  private func wakeUp() -> LoopEnd? {
    var code = device.resume()
    for _ in 0..<100 where code == -EAGAIN && !control.isClosing.load(ordering: .relaxed) {
      let slept = device.sleep(nanoseconds: 10_000_000)
      if slept < 0 && slept != -EINTR { return restart(after: slept) }
      code = device.resume()
    }
    if code == -ENODEV { return lose(code) }
    if code >= 0 && device.state() == .running {
      outage.hasWritten = false
      return nil
    }
    return restart(after: -ESTRPIPE)
  }

  /// Arranges for the device to be prepared and started again, at once the first time, then later and later,
  /// and after some attempts opened anew.
  private func restart(after code: Int32) -> LoopEnd? {
    let now = device.now()
    let hasPlayed = outage.hasWritten && now - outage.startedNanoseconds >= bufferNanoseconds
    toldOutage?.back = nil
    if outage.hasStarted && code == -EPIPE {
      // Not refused: late. It is started again at once; where it has not played for long, on more silence, which gives
      // more time.
      if outage.hasWritten { dropQueue(after: code, at: now) }
      outage.dryStarts = hasPlayed ? 0 : outage.dryStarts + 1
      outage.attempts = 0
      outage.skippedFrames = 0
      outage.hasWritten = false
      outage.hasStarted = false
      staged = 0..<0
      needsStart = true
      needsPrepare = true
      idleWakes = 0
      return nil
    }
    outage.hasStarted = false
    if outage.attempts == 0 || hasPlayed {
      outage.attempts = 0
      outage.firstAttemptNanoseconds = now
      outage.skippedFrames = 0
    }
    if outage.hasWritten { dropQueue(after: code, at: now) }
    outage.hasWritten = false
    outage.attempts += 1
    needsStart = true
    needsPrepare = true
    idleWakes = 0
    if outage.attempts == 1 && isPreparable(code) { return nil }
    let due = dueFrame(at: now)
    tellOutage(PlaybackLoop.cause(of: code), code, frame: due)
    // What is missing of the end does not come any more.
    let end = control.endFrame.load(ordering: .relaxed)
    if due >= end, let told = toldOutage, told.frame < end { return .failed(code) }
    let waited = now - outage.firstAttemptNanoseconds
    if waited > max(control.awayLimit, Outage.patienceNanoseconds) { return .failed(code) }
    // 10 ms, then twice as long each time, up to half a second: the program stays asleep however long it
    // lasts.
    if outage.attempts > 1 {
      let slept = keepTime(nanoseconds: min(500_000_000, 10_000_000 << Int64(min(outage.attempts - 2, 6))))
      if slept < 0 { return .failed(slept) }
    }
    if isPreparable(code) && outage.attempts < Outage.attemptsBeforeReopening { return nil }
    return openAgain(after: code)
  }

  private func isPreparable(_ code: Int32) -> Bool {
    code == -EPIPE || code == -ESTRPIPE || code == -EBADFD || code == -EAGAIN
  }

  private func openAgain(after fault: Int32) -> LoopEnd? {
    let code = device.reopen()
    needsPrepare = false
    timekeeper = .unknown(emptyWrites: 0)
    if code >= 0 {
      control.reopenings.add(1, ordering: .relaxed)
      return nil
    }
    // Back as something else: frames are made for what it was.
    return code == -EINVAL ? .failed(code) : lose(code)
  }

  /// Gives up what was made and not heard.
  func dropQueue(after code: Int32, at now: Int64) {
    var lost = Int64(staged.clamped(to: stagedSound).count)
    var queued = min(max(0, writeFrame - dueFrame(at: now)), Int64(bufferFrames))
    // A device that ran dry lost nothing, but for what the clock's jitter makes of it; some stop before they are dry.
    if code == -EPIPE && queued <= Int64(periodFrames / 2) { queued = 0 }
    // One whose clock stands, or that is paused, holds what it says it holds, whatever should have been heard of it.
    let free = code == -ETIMEDOUT || code == -EBADFD ? device.avail() : -1
    lost += free >= 0 ? Int64(bufferFrames - free) : queued
    staged = 0..<0
    control.skippedFrames.add(lost, ordering: .relaxed)
  }
}
