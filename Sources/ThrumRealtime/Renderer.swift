import CRealtimeShims
import Synchronization
import ThrumRings

/// Turns schedules and commands into the haptic buses of one output, at 8 kHz.
///
/// One per output, allocated once, owned by the render thread. It renders whole groups of eight frames on a grid of
/// absolute time, so that what an output asks for at a time never shows in the samples.
struct Renderer: ~Copyable {
  /// Frames of the longest block.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
  /// Signals of a player's controls that are worked out for a block.
  static var signalsPerPlayer: Int { @_noLocks @_noAllocation get { 12 } }

  // Safety: allocated in `init`, freed in `deinit`, touched by the render thread only.
  // The first of them comes before anything shared: for a method that takes `self` by value, ThreadSanitizer is told of a
  // write through the first word of it.
  let players: UnsafeMutablePointer<PlayerSlot>
  let port: RendererPort
  let playerCapacity: Int
  let engineCapacity: Int
  let busCount: Int
  let reservedReleases: Int
  let engineMutes: UnsafeMutablePointer<GainSwitch>
  let soundMutes: UnsafeMutablePointer<GainSwitch>
  let maps: UnsafeMutablePointer<FrequencyMap>
  let voicings: UnsafeMutablePointer<BusVoicing>
  /// A block a bus; three behind one another where it is resonant, see ``BusVoicing``.
  let buses: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  // Room for a voice's second harmonic, and for a voice's own samples of a block.
  let overtone: UnsafeMutablePointer<ContinuousVoice>
  let scratch: UnsafeMutablePointer<Float>
  /// For each group of the last block the frame from which nothing sounds; `Int64.max` where something plays or fades.
  let soundEnds: UnsafeMutablePointer<Int64>
  /// The first player that came to its end by each frame of the present span, −1 for none; see ``PlayerSlot/nextFinished``.
  let finished: UnsafeMutablePointer<Int32>
  let tracks: UnsafeMutablePointer<ControlTrack>
  let steps: UnsafeMutablePointer<Step>
  let historyCount: Int
  let spanValues: UnsafeMutablePointer<Double>
  var pool: VoicePool
  var sounds: SoundPool
  var soundBus: SoundBus
  let soundKernel: SoundKernel
  // Room for one kernel's weights.
  let kernelWeights: UnsafeMutablePointer<Float>
  /// Whether any channel carries sound; if none does, sounds are not begun.
  let carriesSound: Bool
  var pending: PendingCommands
  /// The next frame to be rendered; always a multiple of 8 between blocks.
  var playhead: Int64 = 0
  var droppedNotifications = 0
  var lateCommands = 0
  var starvedEvents = 0
  var appliedCommands = 0
  var lastVoiceEnd: Int64 = 0
  /// Where the last run to finish ended: its last tail or its pattern's end.
  var lastFinish: Int64 = 0
  /// The instruction set of the innermost loops.
  let kernel: RenderKernel
  var taps: TapBatch
  /// Room for what a kernel is told of a run.
  let tone: UnsafeMutablePointer<thrum_tone>
  // One past the highest player slot in use.
  var playerBound = 0

  /// Allocates everything.
  /// - Parameters:
  ///   - settings: The capacities.
  ///   - profiles: One a haptic bus.
  ///   - soundBus: Freed with the renderer.
  ///   - carriesSound: Whether any channel carries it.
  init(
    settings: RendererSettings, profiles: [BusProfile],
    soundBus: SoundBus = SoundBus(rate: RenderRate.framesPerSecond, delayFrames: 0, isLimited: false),
    carriesSound: Bool = false
  ) {
    self.soundBus = soundBus
    self.carriesSound = carriesSound
    sounds = SoundPool(
      capacity: carriesSound ? settings.soundCapacity : 0,
      fadeCapacity: carriesSound ? settings.fadeCapacity : 0)
    soundKernel = SoundKernel()
    kernelWeights = .allocate(capacity: SoundKernel.taps)
    kernelWeights.initialize(repeating: 0, count: SoundKernel.taps)
    port = RendererPort(settings: settings)
    kernel = settings.kernel.held
    tone = .allocate(capacity: 1)
    tone.initialize(to: thrum_tone())
    taps = TapBatch(blockFrames: Renderer.blockFrames)
    playerCapacity = settings.playerCapacity
    engineCapacity = settings.engineCapacity
    busCount = profiles.count
    reservedReleases = RendererPort.reservedReleases(settings)
    pool = VoicePool(capacity: settings.voiceCapacity, fadeCapacity: settings.fadeCapacity)
    pending = PendingCommands(
      capacity: settings.commandCapacity + RendererPort.reservedCommands(settings))

    let trackCount = PlayerSlot.trackCount
    let historiesPerPlayer = trackCount + 1
    historyCount = settings.playerCapacity * historiesPerPlayer + 2 * settings.engineCapacity
    steps = .allocate(capacity: historyCount * StepHistory.capacity)
    spanValues = Renderer.allocateAligned(
      settings.playerCapacity * Renderer.signalsPerPlayer * Renderer.blockFrames, of: Double.self)
    tracks = .allocate(capacity: settings.playerCapacity * trackCount)
    players = .allocate(capacity: settings.playerCapacity)
    for player in 0..<settings.playerCapacity {
      let base = player * historiesPerPlayer
      for track in 0..<trackCount {
        let history = StepHistory(steps: steps + (base + track) * StepHistory.capacity)
        (tracks + player * trackCount + track).initialize(
          to: ControlTrack(neutral: PlayerSlot.neutral(track), history: history))
      }
      let values = spanValues + player * Renderer.signalsPerPlayer * Renderer.blockFrames
      let controls = SpanControls(
        intensity: SpanSignal(values: values, constant: 1),
        sharpness: SpanSignal(values: values + Renderer.blockFrames, constant: 0),
        ratio: SpanSignal(values: values + 6 * Renderer.blockFrames, constant: 1),
        rawIntensity: SpanSignal(values: values + 2 * Renderer.blockFrames, constant: 1),
        rawSharpness: SpanSignal(values: values + 3 * Renderer.blockFrames, constant: 0),
        release: SpanSignal(values: values + 4 * Renderer.blockFrames, constant: 0),
        gain: SpanSignal(values: values + 5 * Renderer.blockFrames, constant: 1))
      let sound = SoundControls(
        volume: SpanSignal(values: values + 7 * Renderer.blockFrames, constant: 1),
        pan: SpanSignal(values: values + 8 * Renderer.blockFrames, constant: 0),
        brightness: SpanSignal(values: values + 9 * Renderer.blockFrames, constant: 0),
        pitch: SpanSignal(values: values + 10 * Renderer.blockFrames, constant: 0),
        release: SpanSignal(values: values + 11 * Renderer.blockFrames, constant: 0))
      let mute = GainSwitch(
        history: StepHistory(steps: steps + (base + trackCount) * StepHistory.capacity))
      (players + player).initialize(
        to: PlayerSlot(
          mute: mute, controls: controls, sound: sound, tracks: tracks + player * trackCount))
    }
    engineMutes = .allocate(capacity: settings.engineCapacity)
    soundMutes = .allocate(capacity: settings.engineCapacity)
    for engine in 0..<settings.engineCapacity {
      let index = settings.playerCapacity * historiesPerPlayer + 2 * engine
      (engineMutes + engine).initialize(
        to: GainSwitch(history: StepHistory(steps: steps + index * StepHistory.capacity)))
      (soundMutes + engine).initialize(
        to: GainSwitch(history: StepHistory(steps: steps + (index + 1) * StepHistory.capacity)))
    }
    soundEnds = .allocate(capacity: Renderer.blockFrames / 8)
    soundEnds.initialize(repeating: .max, count: Renderer.blockFrames / 8)
    finished = .allocate(capacity: Renderer.blockFrames + 1)
    finished.initialize(repeating: -1, count: Renderer.blockFrames + 1)
    maps = .allocate(capacity: profiles.count)
    voicings = .allocate(capacity: profiles.count)
    overtone = .allocate(capacity: 1)
    scratch = Renderer.allocateAligned(Renderer.blockFrames, of: Float.self)
    scratch.initialize(repeating: 0, count: Renderer.blockFrames)
    buses = .allocate(capacity: profiles.count)
    for (index, profile) in profiles.enumerated() {
      (maps + index).initialize(to: FrequencyMap(profile))
      (voicings + index).initialize(to: BusVoicing(profile))
      let count = voicings[index].blockCount * Renderer.blockFrames
      let bus = Renderer.allocateAligned(count, of: Float.self)
      bus.initialize(repeating: 0, count: count)
      (buses + index).initialize(to: bus)
    }
  }

  /// Memory whose groups of eight lie within lines of the cache.
  private static func allocateAligned<T>(_ count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<T>.stride, alignment: 64)
      .bindMemory(to: type, capacity: count)
  }

  deinit {
    for bus in 0..<busCount { buses[bus].deallocate() }
    buses.deallocate()
    soundEnds.deallocate()
    finished.deallocate()
    maps.deallocate()
    voicings.deallocate()
    overtone.deallocate()
    scratch.deallocate()
    players.deallocate()
    engineMutes.deallocate()
    soundMutes.deallocate()
    sounds.deallocate()
    soundBus.deallocate()
    soundKernel.deallocate()
    kernelWeights.deallocate()
    tracks.deallocate()
    steps.deallocate()
    spanValues.deallocate()
    pool.deallocate()
    taps.deallocate()
    tone.deallocate()
    pending.deallocate()
    port.deallocate()
  }

  /// Renders the next frames into `buses`. Hop 4; Next: ``OutputStage/fill(_:frames:)`` limits, resamples and converts.
  /// - Parameter frames: A multiple of 8, at most `blockFrames`.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  mutating func render(frames: Int) {
    clearBuses(frames: frames)
    takeCommands()
    var done = 0
    while done < frames {
      applyDueCommands()
      let span = nextSpan(limit: frames &- done)
      prepareSpan(frames: span)
      renderVoices(offset: done, groups: span &>> 3)
      renderSounds(frames: span)
      playhead = playhead &+ Int64(span)
      endSpan(frames: span)
      noteSoundEnd(from: done, frames: span)
      done = done &+ span
    }
    publish()
  }

  /// Render frames after which whatever fades is silent.
  var settlingFrames: Int64 {
    @_noLocks @_noAllocation get { StepResponse.native.length &+ (carriesSound ? 4 : 0) }
  }

  /// Notes for the groups of a span whether all had ended behind it, and when. Whatever begins splits a span, so the note
  /// says the same however long the block is.
  @_noLocks @_noAllocation
  private func noteSoundEnd(from offset: Int, frames: Int) {
    let end = isIdle ? max(lastFinish, lastVoiceEnd) : Int64.max
    var group = offset &>> 3
    while group < (offset &+ frames) &>> 3 {
      soundEnds[group] = end
      group = group &+ 1
    }
  }

  /// Whether nothing plays or fades.
  private var isIdle: Bool {
    @_noLocks @_noAllocation get {
      var player = 0
      while player < playerBound {
        if players[player].isActive { return false }
        player = player &+ 1
      }
      return true
    }
  }

  @_noLocks @_noAllocation
  private func clearBuses(frames: Int) {
    var bus = 0
    while bus < busCount {
      var samples = buses[bus]
      var block = 0
      while block < (voicings[bus].isResonant ? 3 : 1) {
        var frame = 0
        while frame < frames {
          samples[frame] = 0
          frame = frame &+ 1
        }
        samples = samples + Renderer.blockFrames
        block = block &+ 1
      }
      bus = bus &+ 1
    }
  }

  /// How far can be rendered at once: to the next command or boundary, in groups of eight; one group where a boundary is
  /// inside it.
  @_noLocks @_noAllocation
  private func nextSpan(limit: Int) -> Int {
    var end = playhead &+ Int64(limit)
    end = min(end, pending.nextFrame)
    var player = 0
    while player < playerBound {
      if players[player].isActive { end = min(end, players[player].nextBoundary()) }
      if players[player].resumesAfterFade {
        end = min(end, players[player].resumeFrame(after: settlingFrames))
      }
      player = player &+ 1
    }
    let whole = Int(max(0, end &- playhead)) & ~7
    return max(8, whole)
  }

  /// Evaluates every active player's parameters over a span, and begins what begins in it, frame by frame.
  @_noLocks @_noAllocation
  private mutating func prepareSpan(frames: Int) {
    let start = playhead
    let end = start &+ Int64(frames)
    var engine = 0
    while engine < engineCapacity {
      engineMutes[engine].settle(before: start)
      soundMutes[engine].settle(before: start &- 4)
      engine = engine &+ 1
    }
    var player = 0
    while player < playerBound {
      if players[player].isActive { players[player].beginSpan(at: start, carriesSound: carriesSound) }
      player = player &+ 1
    }
    var frame = start
    while true {
      let boundary = min(end, max(frame, nextBoundary()))
      fillControls(from: frame, to: boundary)
      frame = boundary
      if frame >= end { break }
      passBoundary(at: frame)
      beginEvents(at: frame)
    }
    player = 0
    while player < playerBound {
      if players[player].isActive {
        let engine = Int(players[player].engine)
        let bus = Int(players[player].bus)
        players[player].fillRatios(frames: frames, map: maps[bus])
        let curve = voicings[bus].curve
        if !curve.isLinear, !curve.isWhole { players[player].controls.intensity.shape(by: curve) }
        players[player].fillGain(from: start, to: end, engine: engineMutes[engine])
      }
      player = player &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func nextBoundary() -> Int64 {
    var boundary = Int64.max
    var player = 0
    while player < playerBound {
      if players[player].isActive { boundary = min(boundary, players[player].nextBoundary()) }
      player = player &+ 1
    }
    return boundary
  }

  @_noLocks @_noAllocation
  private mutating func fillControls(from start: Int64, to end: Int64) {
    if start >= end { return }
    var player = 0
    while player < playerBound {
      if players[player].isActive {
        players[player].fillControls(from: start, to: end)
        if carriesSound { players[player].fillSound(from: start, to: end) }
      }
      player = player &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func publish() {
    // Ordering: relaxed; each figure stands alone and no memory is published by it.
    let status = port.status
    status.pointee.playhead.store(playhead, ordering: .relaxed)
    status.pointee.activeVoices.store(pool.activeCount &+ sounds.activeCount, ordering: .relaxed)
    status.pointee.stolenVoices.store(pool.stolenCount &+ sounds.stolenCount, ordering: .relaxed)
    status.pointee.droppedNotifications.store(droppedNotifications, ordering: .relaxed)
    status.pointee.lateCommands.store(lateCommands, ordering: .relaxed)
    status.pointee.starvedEvents.store(starvedEvents, ordering: .relaxed)
    status.pointee.appliedCommands.store(appliedCommands, ordering: .relaxed)
    status.pointee.lastVoiceEnd.store(lastVoiceEnd, ordering: .relaxed)
    var player = 0
    while player < playerBound {
      port.publish(players[player].report, ofPlayer: player)
      player = player &+ 1
    }
  }

  /// Tells the control side. The last places of the queue are kept for what must not be lost: the end of a run, and a
  /// page that a player waits for. Next: the control side's notification pump drains the queue.
  /// - Returns: Whether there was room. What must not be lost is then told again by the caller; all else is counted.
  @discardableResult
  @_noLocks @_noAllocation
  mutating func notify(_ notification: Notification) -> Bool {
    switch notification {
    case .playerFinished, .pageNeeded: return port.notifications.push(notification)
    case .eventStarted, .looped, .commandApplied: break
    }
    if port.notifications.freeCapacity > 3 &* playerCapacity, port.notifications.push(notification) {
      return true
    }
    droppedNotifications = droppedNotifications &+ 1
    return false
  }
}
