import Glibc
import ThrumRealtime

extension PlaybackLoop {
  /// Starts the device on one period of silence, and finds out as which frame the next one will be heard.
  ///
  /// The first time that silence runs before timeline frame 0. After an outage it gives the time in which to
  /// skip what is late, and makes what follows land on its frame: where the device really is on the timeline
  /// is known only once it has started.
  func begin() -> Int32 {
    let prepared = prepareDevice()
    if prepared < 0 { return prepared }
    if !isFirstStart { catchUp() }
    memset(staging, 0, periodFrames * bytesPerFrame)
    let taken = device.write(staging, count: periodFrames)
    // Refused by an empty device that was just prepared: it is not going to play.
    if taken == 0 || taken == -Int(EAGAIN) { return -EIO }
    if taken < 0 { return Int32(clamping: taken) }
    var silence = taken
    // One that was dry again before it had a frame gets more of it, up to all but a period.
    for _ in 0..<min(outage.dryStarts, bufferFrames / periodFrames - 2) {
      let more = device.write(staging, count: periodFrames)
      if more <= 0 { break }
      silence += more
    }
    // A threshold that was not reached, or that the device does not have.
    if device.state() == .prepared {
      let code = device.start()
      if code < 0 { return code }
    }
    let now = device.now()
    outage.startedNanoseconds = now
    lastWriteNanoseconds = now
    outage.takenFrames = silence
    needsStart = false
    outage.hasStarted = true
    if isFirstStart {
      isFirstStart = false
      writeFrame = 0
    } else {
      realign(silence: Int64(silence), at: now)
      // Ordering: relaxed throughout, see LoopControl: each figure stands alone and none publishes memory.
      control.restarts.add(1, ordering: .relaxed)
    }
    return 0
  }

  private func prepareDevice() -> Int32 {
    let state = device.state()
    if state == .prepared && !needsPrepare { return 0 }
    if state == .running || state == .draining {
      let code = device.drop()
      if code < 0 { return code }
    }
    let code = device.prepare()
    if code >= 0 { needsPrepare = false }
    return code
  }

  /// Brings the source to the frame that comes after the silence on which the device started, and ramps it
  /// in.
  private func realign(silence: Int64, at now: Int64) {
    let next = source.nextFrame.value
    if case .loop = timekeeper {
      timekeeper = .loop(frame: next - silence, nanoseconds: now)
      writeFrame = next
    } else {
      let position = source.duePosition(atNanoseconds: now) ?? Double(writeFrame)
      writeFrame = Int64(position.rounded()) + silence
      gridNanoseconds = Int64((position - position.rounded()) * 1e9 / Double(rate))
      skipSource(to: writeFrame)
      // Ahead by more than the queue can have held, or behind by more than may be skipped: the timeline goes
      // on from where the source is.
      let difference = source.nextFrame.value - writeFrame
      if difference < 0 || difference > Int64(bufferFrames + periodFrames) {
        if difference < 0 { control.stoodStillFrames.add(-difference, ordering: .relaxed) }
        writeFrame = source.nextFrame.value
        gridNanoseconds = 0
        source.report(
          heard: DeviceFrame(writeFrame - silence - extraDelayFrames),
          leaving: DeviceFrame(writeFrame - silence), nanoseconds: now,
          delayFrames: Int(silence + extraDelayFrames))
      }
    }
    source.rampIn()
  }

  /// Skips what is late, and what has become late meanwhile: rendering a long time takes some itself.
  private func catchUp() {
    var late = Int64.max
    while true {
      let due = dueFrame(at: device.now())
      // Until a round brings no more: what is left is of the size of a buffer, or may not be skipped.
      if due - source.nextFrame.value >= late { return }
      late = due - source.nextFrame.value
      skipSource(to: due)
      if late <= Int64(bufferFrames) { return }
    }
  }

  /// Skips what is late: a minute at most in one outage, and nothing past the end.
  func skipSource(to frame: Int64) {
    let next = source.nextFrame.value
    let end = control.endFrame.load(ordering: .relaxed)
    var left = min(frame - next, rate * Outage.longestSkipSeconds - outage.skippedFrames, end - next)
    if left <= 0 { return }
    control.skippedFrames.add(left, ordering: .relaxed)
    outage.skippedFrames += left
    var rested = device.now()
    while left > 0 && !control.isClosing.load(ordering: .relaxed) {
      let frames = min(left, Int64(bufferFrames))
      source.skip(frames: Int(frames))
      source.tellNews()
      left -= frames
      // rtkit lets a thread run for 200 ms at most without sleeping.
      if device.now() - rested > 50_000_000 {
        let slept = device.sleep(nanoseconds: 1000)
        if slept < 0 && slept != -EINTR { break }
        rested = device.now()
      }
    }
    control.renderedFrame.store(source.nextFrame.value, ordering: .relaxed)
  }
}
