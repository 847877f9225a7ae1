import ThrumRealtime

/// One renderer, the device that plays it, and the thread that calls its handlers.
///
/// An output lives from its making until ``close()``, or until it is let go of: keep it as long as anything
/// should be heard. Players made before ``start()`` and started "as soon as possible" begin on timeline frame
/// 0 exactly.
public final class Output: Sendable {
  /// The device.
  public let device: any OutputDevice
  /// Conversions between render frames and device frames, and the delay of the chain.
  public let timing: OutputTiming
  /// The output's clock.
  public let timeline: Timeline

  let console: Console
  let pump: NotificationPump
  let feed: OutputFeed
  /// The device that plays the sound, where it has one of its own.
  public let soundDevice: (any SoundDevice)?
  private let soundFeed: SoundFeed?
  private let phase = Locked(Phase.made)

  private enum Phase: Sendable {
    case made, running, closed
  }

  /// Allocates a renderer for a device that has been opened.
  /// - Parameters:
  ///   - device: The haptic device, and the sound's too unless it has one of its own.
  ///   - soundDevice: Plays the sound at its own clock's pace, in step with `device`, which stays the master; haptics are held
  ///     back as long as it needs. The map's channels for sound are then silent.
  ///
  /// Threads: control. Real-time: no.
  public init(
    device: any OutputDevice, configuration: OutputConfiguration = OutputConfiguration(),
    soundDevice: (any SoundDevice)? = nil
  ) {
    precondition(!configuration.profiles.isEmpty, "an output has at least one haptic bus")
    let description = device.output
    let settings = configuration.settings
    self.device = device
    self.soundDevice = soundDevice
    // The haptic device's thread writes the sound when it fills its buffer; the other device asks for it when it is due.
    let ahead =
      Double(description.bufferFrames) / Double(description.rate) + max(0, configuration.soundOffsetSeconds)
    let storage = soundDevice.map { LinkStorage(rate: $0.output.rate, aheadSeconds: ahead) }
    var offset = configuration.soundOffsetSeconds
    if let soundDevice {
      // The feed moves the sound; the stage only holds back.
      offset = -max(description.leadSeconds(for: soundDevice.output) - min(0, offset), 0)
    }
    feed = OutputFeed(
      stage: OutputStage(
        settings: settings, profiles: configuration.profiles,
        map: configuration.map ?? .allHaptic(channels: description.channels),
        rate: description.rate, format: description.format,
        soundOffset: OutputTiming.frames(ofSeconds: offset, rate: description.rate), link: storage?.link))
    feed.linkStorage = storage
    console = Console(feed: feed, settings: settings)
    timing = console.timing
    if let storage, let sound = soundDevice?.output {
      soundFeed = SoundFeed(
        storage: storage, master: feed.clock, timing: console.timing, rate: sound.rate, map: sound.soundMap,
        format: sound.format, lateSeconds: configuration.soundOffsetSeconds)
    } else {
      soundFeed = nil
    }
    pump = NotificationPump(console: console, feed: feed)
    timeline = Timeline(clock: feed.clock, timing: timing) { [device] in device.clockNanoseconds }
  }

  deinit { close() }

  /// Makes an engine.
  /// - Throws: `enginesExhausted` with the limit, or `notRunning` after the output was closed.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func makeEngine() throws(EngineError) -> Engine { try Engine(console: console, pump: pump) }

  /// Begins to play; does nothing on an output that plays.
  /// - Throws: ``OutputError`` of the device, or for an output that was closed; nothing was started.
  ///
  /// Threads: control. Real-time: no. Next: ``OutputFeed/fill(_:frames:)``
  public func start() throws(OutputError) {
    try phase.withLock { (phase) throws(OutputError) in
      switch phase {
      case .running: return
      case .closed: throw OutputError("the output on \(device.output.name) was closed; open another one")
      case .made: break
      }
      try pump.start()
      do throws(OutputError) {
        if let soundDevice, let soundFeed { try soundDevice.start(soundFeed) }
        try device.start(feed)
      } catch {
        soundDevice?.close()
        // A device that could not start leaves an output that cannot either: its handler thread has ended.
        phase = .closed
        console.close()
        pump.stop()
        throw error
      }
      phase = .running
    }
  }

  /// Whether any channel carries sound; if none does, players skip the sounds of their patterns.
  public var carriesSound: Bool { console.carriesSound }
  /// The rate at which sounds are played, for ``Schedule/prepareSounds(atRate:)``.
  public var soundRate: Int { console.soundRate }

  /// Whether the output was started and has not been closed.
  public var isRunning: Bool { phase.withLock { $0 == .running } }

  /// Whether commands or players are under way, of which the render thread may have something to tell.
  package var isBusy: Bool { console.withState { $0.isActive } }

  /// The render frame that is heard at this moment; 0 until the first one is.
  ///
  /// Threads: any. Real-time: no.
  public var currentFrame: RenderFrame { timeline.currentFrame }

  /// The figures of this moment.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public var status: OutputStatus {
    let status = console.status
    // Ordering: none needed. The figures stand for themselves.
    return OutputStatus(
      currentFrame: currentFrame,
      playhead: RenderFrame(status.pointee.playhead.load(ordering: .relaxed)),
      activeVoices: status.pointee.activeVoices.load(ordering: .relaxed),
      stolenVoices: status.pointee.stolenVoices.load(ordering: .relaxed),
      saturatedSamples: status.pointee.saturatedSamples.load(ordering: .relaxed),
      limitedFrames: status.pointee.limitedFrames.load(ordering: .relaxed),
      limits: LimitedFrames(status.pointee),
      droppedNotifications: status.pointee.droppedNotifications.load(ordering: .relaxed),
      lateCommands: status.pointee.lateCommands.load(ordering: .relaxed),
      starvedEvents: status.pointee.starvedEvents.load(ordering: .relaxed),
      commandsUnderWay: console.withState { $0.commandsUnderWay },
      deviceDelayFrames: timeline.deviceDelayFrames,
      scheduling: scheduling,
      device: device.counters)
  }

  /// The scheduling of the render thread, and whether its memory could not be locked; nil before the start.
  public var scheduling: String? {
    guard let scheduling = device.scheduling else { return nil }
    if feed.memoryLockError == 0 { return scheduling }
    return scheduling + ", renderer not locked (\(errorText(feed.memoryLockError)))"
  }

  /// Adds an observer of everything that happens from now on. It is called on the handler thread, in order,
  /// and may call anything.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func observe(_ handler: @escaping @Sendable (OutputEvent) -> Void) {
    console.withState { $0.observers.append(handler) }
  }

  /// Stops all players that play, with their fade of 61 frames. A full command queue does not refuse it.
  /// - Throws: `notRunning`; nothing was sent.
  ///
  /// Threads: any. Real-time: no, takes the control lock.
  public func stopPlayers() throws(EngineError) {
    try console.withState { (state) throws(EngineError) in try state.stopAll() }
    pump.wake()
  }

  /// Waits until every handler of what has been reported by now has been called. Within a handler, the rest
  /// are called before it returns.
  ///
  /// Threads: any. Real-time: no, blocks.
  public func flushHandlers() { pump.flush() }
}

// The end.
extension Output {
  /// Waits until all players that are not paused have finished, and then until the end of the last voice or
  /// pattern has been heard, delays and the kernel's tail included; ends the device. Close the output
  /// afterwards.
  /// - Parameter timeoutSeconds: How long all of it may take. A looping player never finishes.
  /// - Returns: `timedOut` with the device ended where it was, when the time was not enough.
  ///
  /// Threads: control. Real-time: no, blocks.
  public func drain(timeoutSeconds: Double) -> OutputEnd {
    guard isRunning else { return .drained }
    let seconds = min(max(0, timeoutSeconds), 1e9)
    let limit = MonotonicClock.nanoseconds + Int64(seconds * 1e9)
    let hasFinished: Bool
    if let virtual = device as? VirtualOutput, virtual.isTurnedByHand {
      hasFinished = turn(virtual, seconds: seconds)
    } else {
      // A device that failed ends the wait: its players would never finish.
      hasFinished = pump.wait(untilNanoseconds: limit) {
        device.end != nil || !console.withState { $0.hasPlayersUnderWay }
      }
    }
    let left = max(0, Double(limit - MonotonicClock.nanoseconds) / 1e9)
    let end = device.drain(through: lastFrame, timeoutSeconds: hasFinished ? left : 0)
    // What it holds and has asked for by now is the last of the sound.
    if let soundDevice {
      let made = DeviceFrame(soundDevice.counters.writtenFrames + Int64(soundDevice.output.bufferFrames))
      if case .failed(let message) = soundDevice.drain(through: made, timeoutSeconds: 0.5), end == .drained {
        pump.flush()
        return .failed(message)
      }
    }
    pump.flush()
    return hasFinished || end != .drained ? end : .timedOut
  }

  /// Ends at once, throwing away what has not been heard. What was reported by then is still delivered;
  /// players that have not finished report nothing more. Safe to call twice and from a handler.
  ///
  /// Threads: any. Real-time: no, blocks.
  public func close() {
    let wasClosed = phase.withLock { phase in
      defer { phase = .closed }
      return phase == .closed
    }
    console.close()
    device.close()
    soundDevice?.close()
    if !wasClosed { pump.stop() }
  }

  /// The last device frame that carries sound.
  private var lastFrame: DeviceFrame {
    DeviceFrame(timing.deviceFrames(forRenderFrames: console.endOfSound) - 1)
  }

  /// Turns a device by hand until all players have finished, for so much of its own time at most.
  private func turn(_ virtual: VirtualOutput, seconds: Double) -> Bool {
    let limit = feed.nextFrame.value + Int64(min(seconds * Double(timing.rate), 1e15))
    while true {
      pump.flush()
      if !console.withState({ $0.hasPlayersUnderWay }) { return true }
      if feed.nextFrame.value >= limit { return false }
      virtual.discard(frames: virtual.output.periodFrames)
    }
  }
}
