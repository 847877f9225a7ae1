import Glibc
import ThrumEngine
import ThrumRealtime

/// A time in which there is no device to play on, and the loop keeps the timeline.
struct Absence {
  /// Why the device went, as libasound's error number.
  var code: Int32
  /// When it was missed.
  var sinceNanoseconds: Int64
  /// The timeline frame that was due then.
  var sinceFrame: Int64
  /// When to look for it next.
  var nextLookNanoseconds: Int64
  /// Times it was looked for.
  var looks = 0

  /// The time between two looks: short while a cable is being plugged in again, and never so long that a device is
  /// back for a second without being played on.
  var pauseNanoseconds: Int64 { min(250_000_000, 20_000_000 << Int64(min(looks, 4))) }

  /// How far the timeline runs in one step: about a period, so that players end and handlers are called in time.
  static let stepNanoseconds: Int64 = 10_000_000
}

/// An outage that the control side was told of, and has not been told the end of.
struct ToldOutage {
  /// Why.
  var cause: OutageCause
  /// The first frame that was not heard.
  var frame: Int64
  /// The first frame that may be heard again, and how many the device has taken from there on.
  var back: (frame: Int64, taken: Int)?
}

extension PlaybackLoop {
  /// Closes a device that is gone, and waits for it where that was asked for.
  ///
  /// Closed, so that the kernel can give its number away, and the name finds whatever comes back.
  func lose(_ code: Int32) -> LoopEnd? {
    let now = device.now()
    if outage.hasWritten { dropQueue(after: code, at: now) }
    outage.hasWritten = false
    let cause = PlaybackLoop.cause(of: code)
    // A server that does not answer at once is given some time whatever was asked for.
    let patience =
      cause == .error ? max(control.awayLimit, Outage.patienceNanoseconds) : control.awayLimit
    if patience <= 0 { return .failed(code) }
    device.close()
    let frame = dueFrame(at: now)
    tellOutage(cause, code, frame: frame)
    awayLimitNanoseconds = patience
    away = Absence(code: code, sinceNanoseconds: now, sinceFrame: frame, nextLookNanoseconds: now)
    timekeeper = .unknown(emptyWrites: 0)
    return nil
  }

  /// One step of waiting: the timeline goes on in real time, and now and then the device is looked for.
  func waitForReturn(_ absence: Absence) -> LoopEnd? {
    var absence = absence
    let now = device.now()
    let frame = absentFrame(absence, at: now)
    writeFrame = frame
    // Late by a step at most, so never by more than may be skipped at once.
    outage.skippedFrames = 0
    skipSource(to: frame)
    // Ordering: relaxed throughout, see LoopControl: each figure stands alone and none publishes memory.
    if frame >= control.endFrame.load(ordering: .relaxed) { return .failed(absence.code) }
    if now - absence.sinceNanoseconds > awayLimitNanoseconds { return .failed(absence.code) }
    if now >= absence.nextLookNanoseconds {
      absence.looks += 1
      let code = device.reopen()
      if code >= 0 {
        control.reopenings.add(1, ordering: .relaxed)
        away = nil
        needsStart = true
        needsPrepare = false
        outage.attempts = 1
        outage.firstAttemptNanoseconds = device.now()
        return nil
      }
      // Back as something else: frames are made for what it was.
      if code == -EINVAL { return .failed(code) }
      absence.nextLookNanoseconds = device.now() + absence.pauseNanoseconds
    }
    away = absence
    let pause = min(Absence.stepNanoseconds, max(1_000_000, absence.nextLookNanoseconds - device.now()))
    let slept = device.sleep(nanoseconds: pause)
    return slept < 0 && slept != -EINTR ? .failed(slept) : nil
  }

  private func absentFrame(_ absence: Absence, at now: Int64) -> Int64 {
    if let due = source.duePosition(atNanoseconds: now) { return Int64(due.rounded()) }
    let (seconds, rest) = (now - absence.sinceNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    return absence.sinceFrame + seconds * rate + rest * rate / 1_000_000_000
  }

  /// Sleeps, while the timeline goes on.
  func keepTime(nanoseconds: Int64) -> Int32 {
    let start = device.now()
    while true {
      let left = start + nanoseconds - device.now()
      if left <= 0 || control.isClosing.load(ordering: .relaxed) { return 0 }
      let slept = device.sleep(nanoseconds: min(left, Absence.stepNanoseconds))
      if slept < 0 && slept != -EINTR { return slept }
      outage.skippedFrames = 0
      let now = device.now()
      if isFirstStart || timekeeper.frame(at: now, rate: rate) != nil
        || source.duePosition(atNanoseconds: now) != nil
      {
        outage.unclocked = nil
        skipSource(to: dueFrame(at: now))
      } else {
        // It failed before anybody could tell which frame is due: the timeline goes on from the next one.
        let origin = outage.unclocked ?? (source.nextFrame.value, start)
        outage.unclocked = origin
        let (seconds, rest) = (now - origin.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        skipSource(to: origin.frame + seconds * rate + rest * rate / 1_000_000_000)
        writeFrame = max(writeFrame, source.nextFrame.value)
      }
    }
  }

  /// Why a device is out, by its error number.
  static func cause(of code: Int32) -> OutageCause {
    switch -code {
    case ENODEV, ENXIO, ENOENT: .unplugged
    case ESTRPIPE: .suspended
    default: .error
    }
  }

  /// Tells that the device stopped sounding, once in an outage.
  func tellOutage(_ cause: OutageCause, _ code: Int32, frame: Int64) {
    toldOutage?.back = nil
    if toldOutage != nil { return }
    toldOutage = ToldOutage(cause: cause, frame: frame)
    source.tell(OutageChange(kind: .began, cause: cause, code: code, frame: DeviceFrame(frame)))
  }

  /// Notes frames that the device took in an outage that was told of, and tells that it sounds again once a whole buffer has
  /// been played: what it holds at most is given twice then.
  func noteReturn(frame: Int64, _ taken: Int) {
    guard var told = toldOutage else { return }
    var back = told.back ?? (frame, 0)
    back.taken += taken
    told.back = back
    toldOutage = told
    if back.taken < 2 * bufferFrames { return }
    toldOutage = nil
    source.tell(OutageChange(kind: .returned, cause: told.cause, frame: DeviceFrame(back.frame)))
  }

  /// Tells that it was given up.
  func tellEnd(_ code: Int32) {
    let frame = DeviceFrame(max(0, dueFrame(at: device.now())))
    source.tell(
      OutageChange(kind: .givenUp, cause: PlaybackLoop.cause(of: code), code: code, frame: frame))
  }
}
