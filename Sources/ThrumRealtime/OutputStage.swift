import Synchronization

/// The one entry that every output uses: it renders, limits, resamples and converts, a buffer at a time.
///
/// Each haptic bus goes through its profile's chain and, unless the device runs at 8 kHz, through the kernel; then each
/// channel takes the signal the map gives it. The same bytes come out whatever sizes are asked for. Allocated once, owned by
/// the render thread while an output runs.
public struct OutputStage: ~Copyable {
  // First, as `players` is in it, and for the same reason.
  var renderer: Renderer

  /// The control side's end.
  public let port: RendererPort
  /// Conversions between the two timelines, and the delay of the chain.
  public let timing: OutputTiming
  /// The next device frame to be made; 0 at the start.
  public private(set) var deviceFrame: Int64 = 0
  /// Haptic buses.
  public var hapticBusCount: Int { @_noLocks @_noAllocation get { renderer.busCount } }
  /// Whether any channel carries sound; if none does, sounds are not begun.
  public var carriesSound: Bool { @_noLocks @_noAllocation get { renderer.carriesSound } }
  /// The rate at which sounds are played: the device's, or a link's.
  public var soundRate: Int { @_noLocks @_noAllocation get { Int(renderer.soundBus.rate.rate) } }
  /// Bytes of a frame of the device's buffer.
  public let bytesPerFrame: Int

  private var writer: SampleWriter
  private let kernel: PolyphaseKernel
  private let isNative: Bool
  private let channelCount: Int
  // Safety: allocated in `init`, freed in `deinit`. A history is the kernel's past inputs followed by a block; sources are
  // bus numbers, −1 for silence.
  private let chains: UnsafeMutablePointer<BusChain>
  private let histories: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  // The haptic frames that are held back for the sound's lead, a ring a bus.
  private let leads: UnsafeMutablePointer<Float>
  private var leadPlace = 0
  private let link: SoundLink?
  private var linkedFrames: Int64 = 0
  private let sources: UnsafeMutablePointer<Int32>
  private let hasBothSides: Bool
  // Whether a bus is held at ±1 after the kernel: not where its profile is none, nor in integers, where the writer holds
  // what is beyond full scale and adds no dither to it.
  private let saturates: UnsafeMutablePointer<Bool>
  // What a run makes of each bus, `runFrames` a bus, and which of its frames are dithered.
  private let values: UnsafeMutablePointer<Float>
  private let isDithered: UnsafeMutablePointer<Bool>
  private let bytesPerSample: Int
  // Of the histories' block.
  private var marks: BlockMarks
  private var limits = LimitCounts()
  // Render frames made so far, and how many of them are in the histories' block.
  private var renderedFrames: Int64 = 0
  private var blockFrames = 0
  private var rampStart = Int64.min
  private let rampFrames: Int64

  /// Device frames that are made at a time, at most: kernel, limits and formats are loops over such a run.
  private static var runFrames: Int { @_noLocks @_noAllocation get { 256 } }

  /// Allocates everything the output will ever use.
  /// - Parameters:
  ///   - settings: The capacities, each within its range.
  ///   - profiles: One a haptic bus, 1…16, each value within its range.
  ///   - map: What each channel carries; a bus beyond `profiles` is silence.
  ///   - rate: Device frames a second, 8,000 or more.
  ///   - format: The layout of a sample.
  ///   - soundOffset: Device frames by which sound comes later than the haptics of its time; below 0 earlier.
  ///   - link: Takes the sound to a device of its own, in place of the map's channels for it; freed by whoever made it.
  ///
  /// Threads: control. Real-time: no.
  public init(
    settings: RendererSettings, profiles: [BusProfile], map: ChannelMap, rate: Int, format: SampleFormat,
    soundOffset: Int64 = 0, link: SoundLink? = nil
  ) {
    precondition(!profiles.isEmpty && profiles.count <= 16, "an output has 1…16 haptic buses")
    settings.check()
    for profile in profiles { profile.check() }
    precondition(rate >= RenderRate.framesPerSecond, "the kernel only goes up in rate")
    // All buses of an output share one delay, so that actuators stay in step.
    let isLimited = profiles.contains { $0.looksAhead }
    var tailFrames: Int64 = 0
    for profile in profiles { tailFrames = max(tailFrames, profile.tailFrames) }
    timing = OutputTiming(
      rate: rate, isLimited: isLimited, tailFrames: tailFrames,
      soundOffset: map.carriesSound || link != nil ? soundOffset : 0, linkRate: link?.rate ?? 0)
    self.link = link
    renderer = Renderer(
      settings: settings, profiles: profiles,
      soundBus: SoundBus(
        rate: link?.rate ?? rate, delayFrames: timing.soundDelayFrames, isLimited: isLimited),
      carriesSound: map.carriesSound || link != nil)
    port = renderer.port
    let leadCount = max(1, Int(timing.leadFrames) * profiles.count)
    leads = .allocate(capacity: leadCount)
    leads.initialize(repeating: 0, count: leadCount)
    isNative = rate == RenderRate.framesPerSecond
    kernel = PolyphaseKernel(deviceRate: rate)
    channelCount = map.sources.count
    bytesPerFrame = map.sources.count * format.bytesPerSample
    bytesPerSample = format.bytesPerSample
    // Behind the haptic buses: the sound's left, its right, and both together.
    values = .allocate(capacity: (profiles.count + 3) * OutputStage.runFrames)
    values.initialize(repeating: 0, count: (profiles.count + 3) * OutputStage.runFrames)
    hasBothSides = map.sources.contains(.soundBoth)
    isDithered = .allocate(capacity: OutputStage.runFrames)
    isDithered.initialize(repeating: false, count: OutputStage.runFrames)
    marks = BlockMarks()
    writer = SampleWriter(format: format, channels: map.sources.count)
    chains = .allocate(capacity: profiles.count)
    histories = .allocate(capacity: profiles.count)
    saturates = .allocate(capacity: profiles.count)
    let historyLength = PolyphaseKernel.taps - 1 + Renderer.blockFrames
    for (index, profile) in profiles.enumerated() {
      (chains + index).initialize(to: BusChain(profile, isOutputLimited: isLimited))
      let history = UnsafeMutablePointer<Float>.allocate(capacity: historyLength)
      history.initialize(repeating: 0, count: historyLength)
      (histories + index).initialize(to: history)
      (saturates + index).initialize(to: profile.isHeldAtFullScale && format == .float)
    }
    sources = .allocate(capacity: max(1, map.sources.count))
    for (index, source) in map.sources.enumerated() {
      var bus: Int32 = -1
      switch source {
      case .silent: break
      case .haptic(let number): if number >= 0, number < profiles.count { bus = number }
      case _ where link != nil: break
      case .soundLeft: bus = Int32(profiles.count)
      case .soundRight: bus = Int32(profiles.count + 1)
      case .soundBoth: bus = Int32(profiles.count + 2)
      }
      (sources + index).initialize(to: bus)
    }
    rampFrames = Int64(64 * rate / RenderRate.framesPerSecond)
  }

  deinit {
    for bus in 0..<renderer.busCount {
      chains[bus].deallocate()
      histories[bus].deallocate()
    }
    chains.deallocate()
    histories.deallocate()
    saturates.deallocate()
    values.deallocate()
    isDithered.deallocate()
    marks.deallocate()
    sources.deallocate()
    leads.deallocate()
    kernel.deallocate()
  }

  /// Makes the next frames of the output. Hop 5; Next: the device's own loop hands them on.
  /// - Parameters:
  ///   - destination: Room for `frames` × ``bytesPerFrame`` bytes, interleaved.
  ///   - frames: Device frames, any number.
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func fill(_ destination: UnsafeMutableRawPointer, frames: Int) {
    let denormals = VouchedMath.disableDenormals()
    let end = deviceFrame &+ Int64(frames)
    var target = destination
    while deviceFrame < end {
      let frames = makeSignals(before: end)
      finishSignals(frames: frames)
      noteSound(frames: frames, isHeard: true)
      writeChannels(to: target, frames: frames)
      target = target + frames &* bytesPerFrame
      deviceFrame = deviceFrame &+ Int64(frames)
    }
    publish()
    VouchedMath.restoreDenormals(denormals)
  }

  /// Renders frames and throws them away, so that what follows is what it would have been.
  ///
  /// Threads: render. Real-time: yes; it costs what the frames cost.
  @_noLocks @_noAllocation
  public mutating func skip(frames: Int) {
    let denormals = VouchedMath.disableDenormals()
    let end = deviceFrame &+ Int64(frames)
    while deviceFrame < end {
      let frames = makeSignals(before: end)
      noteSound(frames: frames, isHeard: false)
      deviceFrame = deviceFrame &+ Int64(frames)
    }
    publish()
    VouchedMath.restoreDenormals(denormals)
  }

  /// Ramps the next 64 render frames in, for sound that resumes in mid-signal (signal model, 11.18).
  ///
  /// Threads: render. Real-time: yes.
  @_noLocks @_noAllocation
  public mutating func rampIn() { rampStart = deviceFrame }

  /// Renders until the present frame's inputs are there; at once as far as a later frame needs, in groups of eight.
  @_noLocks @_noAllocation
  private mutating func renderAhead(through last: Int64) {
    if newestInput(of: deviceFrame) < renderedFrames { return }
    let wanted = newestInput(of: last) &+ 1 &- renderedFrames
    let frames = min(Renderer.blockFrames, Int((wanted &+ 7) & ~7))
    renderer.render(frames: frames)
    marks.begin(voiceEnds: renderer.soundEnds, start: renderedFrames, frames: frames, timing: timing)
    var bus = 0
    while bus < renderer.busCount {
      let block = renderer.buses[bus]
      if chains[bus].process(block, frames: frames, rings: marks.rings, limited: marks.limited) {
        marks.isAnyLimited = true
      }
      if timing.leadFrames > 0 { holdBack(block, frames: frames, bus: bus) }
      let history = histories[bus]
      // The kernel's reach moves to the front, the new block behind it.
      let reach = PolyphaseKernel.taps &- 1
      var index = 0
      while index < reach {
        history[index] = history[index &+ blockFrames]
        index = index &+ 1
      }
      index = 0
      while index < frames {
        history[reach &+ index] = block[index]
        index = index &+ 1
      }
      bus = bus &+ 1
    }
    if timing.leadFrames > 0 { leadPlace = (leadPlace &+ frames) % Int(timing.leadFrames) }
    blockFrames = frames
    renderedFrames = renderedFrames &+ Int64(frames)
    if let link { forwardSound(over: link) }
  }

  /// Delays a block of a bus by the lead that the sound has.
  @_noLocks @_noAllocation
  private func holdBack(_ block: UnsafeMutablePointer<Float>, frames: Int, bus: Int) {
    let ring = leads + bus &* Int(timing.leadFrames)
    var place = leadPlace
    var index = 0
    while index < frames {
      let earlier = ring[place]
      ring[place] = block[index]
      block[index] = earlier
      place = place &+ 1
      if place == Int(timing.leadFrames) { place = 0 }
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func newestInput(of frame: Int64) -> Int64 { isNative ? frame : kernel.input(of: frame) }

  @_noLocks @_noAllocation
  private func firstOutput(of input: Int64) -> Int64 { isNative ? input : kernel.firstOutput(of: input) }

  /// Makes each bus's values from the present frame on, as far as the inputs that are there reach, and tells how many.
  @_noLocks @_noAllocation
  private mutating func makeSignals(before end: Int64) -> Int {
    renderAhead(through: end &- 1)
    let reached = firstOutput(of: renderedFrames)
    let frames = Int(min(Int64(OutputStage.runFrames), min(reached, end) &- deviceFrame))
    let offset = newestInput(of: deviceFrame) &- (renderedFrames &- Int64(blockFrames))
    var bus = 0
    while bus < renderer.busCount {
      let newest = histories[bus] + (PolyphaseKernel.taps &- 1 &+ Int(offset))
      let signal = values + bus &* OutputStage.runFrames
      if isNative {
        var index = 0
        while index < frames {
          signal[index] = newest[index]
          index = index &+ 1
        }
      } else {
        kernel.run(from: deviceFrame, count: frames, newest: newest, into: signal)
      }
      bus = bus &+ 1
    }
    if carriesOwnSound { makeSound(frames: frames) }
    return frames
  }

  /// Takes the sound of the same frames off its bus.
  @_noLocks @_noAllocation
  private mutating func makeSound(frames: Int) {
    let left = values + renderer.busCount &* OutputStage.runFrames
    let right = left + OutputStage.runFrames
    renderer.soundBus.take(from: deviceFrame, frames: frames, left: left, right: right)
    if !hasBothSides { return }
    let both = right + OutputStage.runFrames
    var index = 0
    while index < frames {
      both[index] = (left[index] + right[index]) * 0.5
      index = index &+ 1
    }
  }

  /// Whether sound goes to the device's own channels.
  private var carriesOwnSound: Bool { @_noLocks @_noAllocation get { renderer.carriesSound && link == nil } }

  /// Hands on the sound of the frames that have been rendered.
  @_noLocks @_noAllocation
  private mutating func forwardSound(over link: SoundLink) {
    let left = values + renderer.busCount &* OutputStage.runFrames
    let right = left + OutputStage.runFrames
    let end = renderer.soundBus.rate.first(renderedFrames)
    while linkedFrames < end {
      let frames = Int(min(Int64(OutputStage.runFrames), end &- linkedFrames))
      renderer.soundBus.take(from: linkedFrames, frames: frames, left: left, right: right)
      link.write(left: left, right: right, frames: frames)
      linkedFrames = linkedFrames &+ Int64(frames)
    }
  }

  /// The signals there are: the haptic buses, and the sound's where any channel carries it.
  private var signalCount: Int {
    @_noLocks @_noAllocation get { renderer.busCount &+ (carriesOwnSound ? 3 : 0) }
  }

  /// Makes the values what leaves for the channels: held at ±1 where the profile protects an actuator, and ramped.
  @_noLocks @_noAllocation
  private mutating func finishSignals(frames: Int) {
    let isRamped = rampStart != .min && deviceFrame &- rampStart < rampFrames
    var bus = 0
    while bus < signalCount {
      let signal = values + bus &* OutputStage.runFrames
      if bus < renderer.busCount, saturates[bus] { saturate(signal, frames: frames) }
      if isRamped { ramp(signal, frames: frames) }
      bus = bus &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func saturate(_ signal: UnsafeMutablePointer<Float>, frames: Int) {
    var index = 0
    while index < frames {
      let value = signal[index]
      if value > 1 || value < -1 {
        writer.countSaturated()
        signal[index] = value > 1 ? 1 : -1
      }
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func ramp(_ signal: UnsafeMutablePointer<Float>, frames: Int) {
    let first = deviceFrame &- rampStart
    let count = min(frames, Int(rampFrames &- first))
    var index = 0
    while index < count {
      let u = SIMD8<Double>(repeating: Double(first &+ Int64(index)) / Double(rampFrames))
      signal[index] = Float(Double(signal[index]) * Envelope.smoothStep(u)[0])
      index = index &+ 1
    }
  }

  /// Tells the writer of each frame whether any bus sounds and asks it for the frames to dither; counts those that limiters
  /// turned down. All by the group of eight in which a frame's newest input lies, so that no block size shows.
  @_noLocks @_noAllocation
  private mutating func noteSound(frames: Int, isHeard: Bool) {
    let countsLimited = marks.isAnyLimited && isHeard
    if !writer.dithers, !countsLimited { return }
    let blockStart = renderedFrames &- Int64(blockFrames)
    var index = 0
    while index < frames {
      let input = newestInput(of: deviceFrame &+ Int64(index))
      writer.soundEnd = marks.soundEnds[Int(input &- blockStart) &>> 3]
      let next = firstOutput(of: (input & ~7) &+ 8) &- deviceFrame
      let end = min(frames, Int(next))
      if countsLimited { countLimited(from: index, to: end, blockStart: blockStart) }
      if writer.dithers { noteSound(from: index, to: end) }
      index = end
    }
  }

  @_noLocks @_noAllocation
  private mutating func countLimited(from start: Int, to end: Int, blockStart: Int64) {
    var index = start
    while index < end {
      let frame = deviceFrame &+ Int64(index)
      if frame < writer.soundEnd { limits.note(marks.limited[Int(newestInput(of: frame) &- blockStart)]) }
      index = index &+ 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func noteSound(from start: Int, to end: Int) {
    var index = start
    while index < end {
      var isSilent = true
      var bus = 0
      while bus < signalCount {
        if values[bus &* OutputStage.runFrames &+ index] != 0 { isSilent = false }
        bus = bus &+ 1
      }
      let frame = deviceFrame &+ Int64(index)
      writer.begin(frame: frame, isSilent: isSilent)
      isDithered[index] = writer.isDithered(frame: frame)
      index = index &+ 1
    }
  }

  /// Every channel takes its bus's values.
  @_noLocks @_noAllocation
  private mutating func writeChannels(to destination: UnsafeMutableRawPointer, frames: Int) {
    var target = destination
    var channel = 0
    while channel < channelCount {
      let source = Int(sources[channel])
      if source < 0 {
        writer.writeSilence(frames: frames, to: target)
      } else {
        writer.write(
          values + source &* OutputStage.runFrames, frames: frames, isDithered: isDithered, to: target,
          frame: deviceFrame, channel: channel)
      }
      target = target + bytesPerSample
      channel = channel &+ 1
    }
  }

  @_noLocks @_noAllocation
  private func publish() {
    // Ordering: relaxed; each figure stands alone.
    port.status.pointee.saturatedSamples.store(writer.saturated, ordering: .relaxed)
    port.status.pointee.limitedFrames.store(
      limits.frames &+ renderer.soundBus.limitedFrames, ordering: .relaxed)
    port.status.pointee.thermallyLimitedFrames.store(limits.rmsFrames, ordering: .relaxed)
    port.status.pointee.excursionLimitedFrames.store(limits.excursionFrames, ordering: .relaxed)
    port.status.pointee.peakLimitedFrames.store(limits.peakFrames, ordering: .relaxed)
  }
}
