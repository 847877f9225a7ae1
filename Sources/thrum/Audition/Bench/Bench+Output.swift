import ThrumALSA
import ThrumEngine
import ThrumPattern
import ThrumRealtime

// The device: opened when it is needed, given back when it is not, and what it has to tell.
extension Bench {
  /// Runs to come, those that fade, what is played by hand, and what OSC plays.
  private static let playerCapacity =
    2 * (LiveValues.most.taps + LiveValues.most.holds) + 64 + OSCVoices.most.taps
    + OSCVoices.most.continuous + OSCVoices.most.fading + OSCVoices.most.patterns
  /// How long a drain may take beyond what the device holds, seconds.
  private static let drainLimitSeconds = 2.0

  /// The output, opened where none is.
  /// - Returns: Nil where it cannot be had, which was told.
  ///
  /// Threads: the bench's own.
  func opened() -> BenchOutput? {
    let (open, isClosed) = state.withLock { state in
      state.lastUse = MonotonicClock.nanoseconds
      return (state.open, state.isClosed)
    }
    if isClosed { return nil }
    if let open, open.output.device.end == nil { return open }
    if open != nil { lose() }
    do throws(CommandError) {
      let open = try makeOutput()
      state.withLock { state in
        state.open = open
        state.knownLimitedFrames = 0
        open.engine.gain = Float(linearGain(decibels: state.gainDecibels))
        open.engine.isMutedForHaptics = state.isMutedForHaptics
        open.engine.isMutedForSound = state.isMutedForSound
      }
      bell.ring()
      return open
    } catch {
      tell(.problem(error.words))
      return nil
    }
  }

  private func makeOutput() throws(CommandError) -> BenchOutput {
    let opened = try settings.opening()
    if let notice = opened.notice { tell(.notice(notice)) }
    let sound = try openSoundDevice(closing: opened.device)
    var configuration = OutputConfiguration(profiles: [settings.profile])
    configuration.settings.playerCapacity = Self.playerCapacity
    configuration.map = settings.channels?.map(channels: opened.device.output.channels)
    configuration.soundOffsetSeconds = settings.soundOffsetSeconds
    let output = Output(device: opened.device, configuration: configuration, soundDevice: sound)
    follow(output)
    return BenchOutput(
      output: output, engine: try output.started(), isVirtual: opened.device is VirtualOutput)
  }

  private func openSoundDevice(closing device: any OutputDevice) throws(CommandError) -> ALSAOutput? {
    guard let name = settings.soundDevice, settings.sounds.isWanted else { return nil }
    do throws(OutputError) {
      return try ALSAOutput.open(name: name, request: .sound)
    } catch {
      device.close()
      throw .failed(error.message)
    }
  }

  /// Has the bench hear of what happens to the device.
  private func follow(_ output: Output) {
    let device = output.device
    output.onOutage { [weak self] outage in
      guard let self else { return }
      state.withLock { state in
        state.outage = outage.message
        if outage.isFinal { return }
        let now = MonotonicClock.nanoseconds
        if let line = state.deviceNews.began(outage.message, frame: outage.frame, at: now) {
          state.tell(.outage(line))
        }
      }
      bell.ring()
      worker.ring()
    }
    output.onReturn { [weak self] back in
      guard let self else { return }
      let skipped = device.counters.skippedFrames
      state.withLock { state in
        state.outage = nil
        let now = MonotonicClock.nanoseconds
        if let line = state.deviceNews.returned(frame: back.frame, skipped: skipped, at: now) {
          state.tell(.returned(line))
        }
      }
      bell.ring()
    }
  }

  /// Lets go of a device that is gone for good: what played on it is over.
  private func lose() {
    let output = state.withLock { state -> Output? in
      guard let open = state.open else { return nil }
      if case .failed(let message)? = open.output.device.end { state.tell(.problem(message)) }
      state.place = state.position(at: open.output.currentFrame.value)
      if state.transport == .playing { state.transport = .paused }
      state.halt(nil)
      state.live.cancel()
      state.outage = nil
      state.open = nil
      return open.output
    }
    output?.close()
    bell.ring()
  }

  /// Lets the device play what it holds, and closes it.
  ///
  /// Threads: the bench's own.
  func giveBack() {
    let output = state.withLock { state -> Output? in
      state.live.cancel()
      defer { state.open = nil }
      state.runs = []
      state.outage = nil
      return state.open?.output
    }
    guard let output else { return }
    let device = output.device.output
    let held = Double(device.bufferFrames + device.periodFrames) / Double(device.rate)
    if case .failed(let message) = output.drain(timeoutSeconds: held + Self.drainLimitSeconds) {
      tell(.problem(message))
    }
    output.close()
    bell.ring()
  }

  /// What there is to do when nothing is asked for.
  /// - Returns: When there is more to do, nanoseconds; nil for not before something happens.
  ///
  /// Threads: the bench's own.
  func rest() -> Int64? {
    let now = MonotonicClock.nanoseconds
    let (due, isLost, isIdle) = state.withLock { state -> (Int64?, Bool, Bool) in
      guard let open = state.open else { return (nil, false, false) }
      if open.output.device.end != nil { return (nil, true, false) }
      state.prune()
      if state.transport == .playing, !state.runs.contains(where: { $0.player.isActive }) {
        state.transport = .stopped
        state.runs = []
        state.tell(.finished)
        bell.ring()
      }
      state.live.taps.removeAll { !$0.isActive }
      state.live.holds = state.live.holds.filter { $0.value.player.isActive }
      // Others may play on the same output.
      let isResting = state.transport != .playing && !state.live.isSounding && !open.output.isBusy
      if !isResting { state.lastUse = now }
      let idle = state.lastUse + Int64(settings.idleSeconds * 1e9)
      if isResting, now >= idle { return (nil, false, true) }
      let sending = state.sendValues(at: now)
      return ([sending, state.transport == .playing ? nil : idle].compactMap { $0 }.min(), false, false)
    }
    if isLost { lose() }
    if isIdle { giveBack() }
    return due
  }

  /// Notes something to tell, and rings.
  func tell(_ item: BenchNews) {
    state.withLock { $0.tell(item) }
    bell.ring()
  }
}

// The figures.
extension Bench {
  /// The figures of this moment; the levels are those since the last reading. Reading wakes no other thread.
  var meters: BenchMeters {
    let (open, wasTold) = state.withLock { ($0.open, $0.news.count) }
    let status = open?.output.status
    let statistics = open?.output.device.statistics
    let (meters, isNews) = state.withLock { state -> (BenchMeters, Bool) in
      var meters = BenchMeters()
      meters.transport = state.transport
      meters.slot = state.slot
      meters.seconds = Timeline.seconds(
        of: RenderFrame(state.position(at: status?.currentFrame.value ?? 0)))
      meters.durationSeconds = Timeline.seconds(of: RenderFrame(state.length))
      meters.rate = state.wantedRate
      meters.isLooping = state.wantsLoop
      meters.region = state.wantedRegion
      meters.outage = state.outage
      guard let open, let status else { return (meters, false) }
      if let statistics {
        meters.channelPeaks = statistics.peaks
        meters.peak = statistics.peaks.max() ?? 0
        meters.rms = statistics.rms.max() ?? 0
      }
      meters.limitedFrames = status.limitedFrames
      meters.newLimitedFrames = max(0, status.limitedFrames - state.knownLimitedFrames)
      state.knownLimitedFrames = status.limitedFrames
      meters.clippedSamples = status.saturatedSamples
      meters.xruns = status.device.xruns
      meters.voices = status.activeVoices
      let device = open.output.device
      let chain = Double(open.output.timing.delayFrames) / Double(RenderRate.framesPerSecond)
      meters.latencySeconds = status.deviceDelayFrames.map {
        Double($0) / Double(device.output.rate) + chain
      }
      meters.device = device.words
      meters.isVirtual = open.isVirtual
      meters.scheduling = status.scheduling
      let lines = state.deviceNews.look(
        skipped: status.device.skippedFrames, rate: device.output.rate, at: MonotonicClock.nanoseconds)
      for line in lines { state.tell(.notice(line)) }
      return (meters, state.news.count > wasTold)
    }
    if isNews { bell.ring() }
    return meters
  }
}
