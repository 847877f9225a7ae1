import Glibc
import ThrumEngine
import ThrumRealtime

/// How the loop ended.
enum LoopEnd: Equatable, Sendable {
  /// Everything up to the end frame was heard.
  case drained
  /// The control side asked for the end.
  case closed
  /// The device is lost, with libasound's error number.
  case failed(Int32)
}

/// Carries frames from a source to a device: wait, make a period, write it, recover.
///
/// Made by the control side, then run on the render thread alone. Generic, so that a test runs the same code
/// on a device that is not there; what it calls of the source is the real-time core, what it calls of the
/// device is libasound, which promises nothing about time.
///
/// `docs/output.md` tells what it does in each state of a PCM.
final class PlaybackLoop<Device: PCMCalls, Source: FrameSource> {
  let device: Device
  let source: Source
  let control: LoopControl
  let rate: Int64
  let periodFrames: Int
  let bufferFrames: Int
  let bytesPerFrame: Int
  let format: SampleFormat
  let bufferNanoseconds: Int64
  var periodNanoseconds: Int64 { Int64(periodFrames) * 1_000_000_000 / rate }

  // Safety: one period of frames, allocated before the thread starts and freed after it has ended.
  let staging: UnsafeMutableRawPointer
  // The frames of `staging` that the device has not taken yet.
  var staged = 0..<0
  // The frames of `staging` that are the source's; the others are silence.
  var stagedSound = 0..<0
  // The timeline frame as which the next frame given to the device will be heard.
  var writeFrame: Int64 = 0

  var timekeeper = Timekeeper.unknown(emptyWrites: 0)
  // Wake-ups in a row that brought no frame to the device.
  var idleWakes = 0
  var lastWriteNanoseconds: Int64 = 0
  // Frames from the device's queue to its converter, as far as it knows them.
  var extraDelayFrames: Int64 = 0
  var lastDelayNanoseconds: Int64 = 0
  // The first answers about the delay are judged, those after them believed up to a limit.
  var judgedDelays = 0
  var deepDelays = 0
  // By how much the device's frames begin later than the timeline's, half a frame at most: after an outage it starts
  // when it starts. Taken off again for the clock, so that many outages do not add up.
  var gridNanoseconds: Int64 = 0

  var isFirstStart = true
  var needsStart = true
  var needsPrepare = false
  var outage = Outage()
  // While there is no device.
  var away: Absence?
  var awayLimitNanoseconds: Int64 = 0
  // The outage that the control side was told of.
  var toldOutage: ToldOutage?

  /// Allocates everything the loop will use.
  init(device: Device, source: Source, parameters: NegotiatedParameters, control: LoopControl) {
    self.device = device
    self.source = source
    self.control = control
    rate = Int64(parameters.rate)
    periodFrames = parameters.periodFrames
    bufferFrames = parameters.bufferFrames
    bytesPerFrame = parameters.bytesPerFrame
    bufferNanoseconds = Int64(parameters.bufferFrames) * 1_000_000_000 / Int64(parameters.rate)
    control.statistics.begin(
      rate: parameters.rate, channels: parameters.channels, periodFrames: parameters.periodFrames)
    format = parameters.format
    staging = .allocate(byteCount: parameters.periodFrames * parameters.bytesPerFrame, alignment: 16)
    memset(staging, 0, parameters.periodFrames * parameters.bytesPerFrame)
  }

  deinit { staging.deallocate() }

  /// Plays until the end frame was heard, the control side calls it off or the device is lost. Hop 6; Next: libasound, and
  /// the card.
  ///
  /// Threads: render. Real-time: as far as libasound is.
  func run() -> LoopEnd {
    // Ordering: relaxed throughout, see LoopControl: each figure stands alone and none publishes memory.
    while !control.isClosing.load(ordering: .relaxed) {
      if let end = step() {
        if case .failed(let code) = end { tellEnd(code) }
        return end
      }
    }
    return .closed
  }

  private func step() -> LoopEnd? {
    if let away { return waitForReturn(away) }
    var code = needsStart ? begin() : 0
    if code >= 0 && isHeardToTheEnd() { return finish() }
    if code >= 0 { code = waitForRoom() }
    if code >= 0 { code = play() }
    return code < 0 ? recover(from: code) : nil
  }

  /// Sleeps until a period fits, or something happened.
  private func waitForRoom() -> Int32 {
    if let heard = timekeeper.frame(at: device.now(), rate: rate) {
      var early = writeFrame - Int64(bufferFrames - periodFrames) - heard
      // The end may come before the next period is due, by almost a whole one.
      let end = control.endFrame.load(ordering: .relaxed)
      if end <= min(writeFrame, source.nextFrame.value) { early = min(early, end - heard) }
      return early > 0 ? device.sleep(nanoseconds: early * 1_000_000_000 / rate) : 0
    }
    // A device that calls without having room, more than once in a row, is asked less and less often; at first not
    // so seldom that it could run dry meanwhile.
    if idleWakes > 1 {
      let longest = idleWakes < 100 ? min(50_000_000, periodNanoseconds / 2) : 50_000_000
      let code = device.sleep(nanoseconds: min(longest, 1_000_000 << Int64(min(idleWakes - 2, 6))))
      if code < 0 { return code }
    }
    let flags = device.wait(timeoutNanoseconds: bufferNanoseconds + 100_000_000)
    if flags < 0 { return flags }
    if flags & Int32(POLLNVAL) != 0 { return -ENODEV }
    if flags & Int32(POLLERR | POLLHUP) == 0 { return 0 }
    let code = faultOfState()
    return code < 0 ? code : -EIO
  }

  // The state is asked beside `avail`, which a card that was unplugged or suspended may still answer.
  private func faultOfState() -> Int32 {
    switch device.state() {
    case .prepared, .running, .draining: 0
    case .xrun: -EPIPE
    case .suspended: -ESTRPIPE
    case .disconnected: -ENODEV
    case .open, .setup, .paused: -EBADFD
    }
  }

  /// Fills the room the device has, whole periods at a time.
  private func play() -> Int32 {
    let code = faultOfState()
    if code < 0 { return code }
    var free = roomInFrames()
    if free < 0 { return Int32(clamping: free) }
    // What has become free beyond a period is how late this is.
    if case .device = timekeeper, idleWakes == 0, staged.isEmpty, free >= periodFrames {
      control.statistics.wokeUp(lateNanoseconds: Int64(free - periodFrames) * 1_000_000_000 / rate)
    }
    // Bounded: the loop comes by its wait however often the device says it has room.
    var rounds = 0
    defer { if rounds > 0 { source.tellNews() } }
    while rounds < 64 && free >= (staged.isEmpty ? periodFrames : staged.count) {
      rounds += 1
      if staged.isEmpty { stage() }
      let taken = device.write(staging + staged.lowerBound * bytesPerFrame, count: staged.count)
      if taken < 0 { return Int32(clamping: taken) }
      if taken == 0 { return -EAGAIN }
      account(taken)
      free -= taken
      if case .unknown(let emptyWrites) = timekeeper {
        free = findTimekeeper(after: emptyWrites)
        if free < 0 { return Int32(clamping: free) }
      }
    }
    idleWakes = rounds > 0 ? 0 : idleWakes + 1
    return rounds > 0 || !isStuck ? 0 : -ETIMEDOUT
  }

  /// Whether the device has taken nothing for so long that it will not on its own. One that has not played anything since it was
  /// started may need longer: a server's output that sleeps.
  var isStuck: Bool {
    let limit = outage.takenFrames > bufferFrames ? 1_000_000_000 : control.startPatience
    return device.now() - lastWriteNanoseconds > limit + bufferNanoseconds
  }

  private func account(_ taken: Int) {
    if taken < staged.count { control.shortWrites.add(1, ordering: .relaxed) }
    let written = (staged.lowerBound..<staged.lowerBound + taken).clamped(to: stagedSound)
    staged = staged.lowerBound + taken..<staged.upperBound
    if toldOutage != nil {
      noteReturn(frame: max(writeFrame, source.nextFrame.value - Int64(written.count)), taken)
    }
    writeFrame += Int64(taken)
    outage.takenFrames += taken
    control.writtenFrames.add(Int64(written.count), ordering: .relaxed)
    lastWriteNanoseconds = device.now()
    outage.hasWritten = true
  }

  /// Makes one period: silence before the frame that is due, the source's frames, silence after the last one.
  private func stage() {
    let next = source.nextFrame.value
    let end = control.endFrame.load(ordering: .relaxed)
    let silence = Int(min(max(0, next - writeFrame), Int64(periodFrames)))
    let sound = Int(min(max(0, end - next), Int64(periodFrames - silence)))
    memset(staging, 0, silence * bytesPerFrame)
    if sound > 0 {
      let memory = staging + silence * bytesPerFrame
      let began = device.now()
      source.fill(memory, frames: sound)
      control.statistics.rendered(nanoseconds: device.now() - began)
      control.statistics.measure(memory, frames: sound, stride: bytesPerFrame, format: format)
    }
    let rest = periodFrames - silence - sound
    memset(staging + (silence + sound) * bytesPerFrame, 0, rest * bytesPerFrame)
    staged = 0..<periodFrames
    stagedSound = silence..<silence + sound
    control.renderedFrame.store(source.nextFrame.value, ordering: .relaxed)
  }

  /// Frames that may be written now, or a fault.
  private func roomInFrames() -> Int {
    let free = device.avail()
    if free < 0 { return free }
    let now = device.now()
    if let heard = timekeeper.frame(at: now, rate: rate) {
      return min(free, pacedRoom(heard: heard, at: now))
    }
    guard case .device = timekeeper else { return free }
    // Some sound servers never report that they ran dry: an empty queue, and the clock long past it.
    if free >= bufferFrames && dueFrame(at: now) > writeFrame + Int64(periodFrames) { return -Int(EPIPE) }
    report(queued: Int64(bufferFrames - free), at: now)
    return deepDelays >= HiddenDelay.answersToRefuse ? -Int(EOVERFLOW) : free
  }

  private func report(queued: Int64, at now: Int64) {
    // About ten times a second; on hardware the question is a system call.
    if now - lastDelayNanoseconds > 100_000_000 {
      lastDelayNanoseconds = now
      // A fault shows at the next wake-up, and some devices know no delay.
      let delay = device.delay()
      if delay >= 0 {
        control.delayFrames.store(delay, ordering: .relaxed)
        extraDelayFrames = min(judge(hidden: max(0, Int64(delay) - queued)), largestHiddenFrames)
      }
    }
    source.report(
      heard: DeviceFrame(writeFrame - queued - extraDelayFrames), leaving: DeviceFrame(writeFrame - queued),
      nanoseconds: now - gridNanoseconds, delayFrames: Int(queued + extraDelayFrames))
  }

  /// The frame that should leave the device's queue at a time; before anything is known, the one that will be
  /// given to it next.
  func dueFrame(at nanoseconds: Int64) -> Int64 {
    if let heard = timekeeper.frame(at: nanoseconds, rate: rate) { return heard }
    return source.duePosition(atNanoseconds: nanoseconds).map { Int64($0.rounded()) } ?? writeFrame
  }

  // A device without a clock loses nothing by a late program, so nothing is skipped: time stands still with
  // it.
  private func pacedRoom(heard: Int64, at now: Int64) -> Int {
    let queued = min(max(0, writeFrame - heard), Int64(bufferFrames))
    if heard > writeFrame { timekeeper = .loop(frame: writeFrame, nanoseconds: now) }
    source.report(
      heard: DeviceFrame(writeFrame - queued), leaving: nil, nanoseconds: now, delayFrames: Int(queued))
    return bufferFrames - Int(queued)
  }

  // No device holds more than that behind the buffer it was given; one that says so is not believed.
  private var largestHiddenFrames: Int64 { 2 * rate }

  private func findTimekeeper(after emptyWrites: Int) -> Int {
    let free = device.avail()
    if free < 0 { return free }
    if free < bufferFrames {
      timekeeper = .device
    } else if emptyWrites + 1 < Timekeeper.emptyWritesToTell {
      timekeeper = .unknown(emptyWrites: emptyWrites + 1)
    } else {
      // As if the device had begun to play at its start what it was given since: of that, as much as fits its buffer,
      // so that a stop is never further off than that.
      let given = min(Int64(emptyWrites + 2) * Int64(periodFrames), Int64(bufferFrames))
      let started = writeFrame - given
      timekeeper = .loop(frame: started, nanoseconds: outage.startedNanoseconds)
      control.isPaced.store(true, ordering: .relaxed)
      let now = device.now()
      return pacedRoom(heard: dueFrame(at: now), at: now)
    }
    return free
  }

  /// Whether the last frame that matters has left the device, silence behind it.
  private func isHeardToTheEnd() -> Bool {
    let end = control.endFrame.load(ordering: .relaxed)
    if end > source.nextFrame.value || end > writeFrame { return false }
    // It may be gone again before it has played anything.
    if toldOutage != nil { return false }
    if let heard = timekeeper.frame(at: device.now(), rate: rate) { return heard >= end }
    let free = device.avail()
    if free < 0 { return false }
    // The larger of both: some devices report no delay, some leave their hardware's out of the queue.
    let queued = max(bufferFrames - free, min(device.delay(), bufferFrames + Int(largestHiddenFrames)))
    // At least 50 ms more, for what no device reports: a sound server's last cycle, a wireless link, a
    // converter's filter. And a period, so that as much silence as a buffer holds has followed, for what
    // copies whole buffers.
    return writeFrame - Int64(queued) >= end + max(rate / 20, Int64(periodFrames))
  }

  /// What is queued by now is silence, which nobody misses: the device is closed with it. Only one without a
  /// clock is drained, which costs no time: ALSA's `file` keeps the last buffer until then. Others are not,
  /// since plug-ins wait in there whatever mode they were opened in, with a server that has died for ever.
  private func finish() -> LoopEnd {
    guard case .loop = timekeeper else { return .drained }
    let code = device.drain()
    // One that does not want to be drained has nothing to hold back.
    return code == -EIO || code == -ENOSPC ? .failed(code) : .drained
  }
}
