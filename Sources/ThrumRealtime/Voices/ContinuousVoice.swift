/// The controls of a voice over the frames of a span, as its player evaluated them.
struct SpanControls {
  var intensity: SpanSignal
  var sharpness: SpanSignal
  /// The frequency ratio of `sharpness` on the player's bus.
  var ratio: SpanSignal
  var rawIntensity: SpanSignal
  var rawSharpness: SpanSignal
  /// The release control, not smoothed.
  var release: SpanSignal
  /// The player's and its engine's mute.
  var gain: SpanSignal
}

/// A tone with an envelope.
///
/// ```
/// x[n] = ½·I[n]·e[n]·sin θ[n],  θ[n+1] = θ[n] + inc(s[n])
/// ```
/// Every factor is a pure function of the frame, so the samples do not depend on how a render is cut into spans.
struct ContinuousVoice {
  /// The frame on which it begins.
  private(set) var startFrame: Int64
  /// The frame on which its release begins.
  private(set) var stopFrame: Int64
  /// The pattern position of its release, for changes of rate; `Int64.max` for an endless event.
  let stopPosition: Int64
  /// Cuts it short.
  var fade: VoiceFade
  /// Whether it fades to wait for its player to resume.
  var isPausing = false
  /// Whether it waits, making no sound.
  var isHeld = false
  private let intensity: Double
  /// The frequency ratio of its own sharpness.
  private let ratio: Double
  private let attackLength: Int64
  private let decay: Fall
  private let isSustained: Bool
  private let releaseAdjuster: Double
  private var release: Fall
  private var releaseLevel = 0.0
  private var isReleasing = false
  // θ on the first frame of the span to come, minus the frames the voice is not yet in.
  private var phase: UInt32
  private var pausedPhase: UInt32 = 0
  // The step of the ratio it was last computed for.
  private var steadyRatio = -1.0
  private var steadyStep: UInt32 = 0

  /// Frames after which an event is released however long it says it is: 30 s.
  @_noLocks @_noAllocation
  static func longest() -> Int64 { 240_000 }

  /// Begins a tone.
  /// - Parameters:
  ///   - event: What the pattern says of it.
  ///   - frame: Its first frame.
  ///   - stopFrame: The frame of its release, the 30 s limit included.
  ///   - stopPosition: The same in pattern frames.
  ///   - attack: The attack control at `frame`.
  ///   - decay: The decay control at `frame`.
  ///   - phase: θ on its first frame; 0, or what another voice passes on.
  ///   - ratio: The frequency ratio of the event's sharpness.
  @_noLocks @_noAllocation
  init(
    event: ScheduledEvent, frame: Int64, stopFrame: Int64, stopPosition: Int64, attack: Double, decay: Double,
    phase: UInt32, ratio: Double
  ) {
    startFrame = frame
    fade = VoiceFade()
    self.stopFrame = stopFrame
    self.stopPosition = stopPosition
    intensity = Double(event.intensity)
    self.ratio = ratio
    attackLength = Envelope.frames(
      Envelope.attackSeconds(CoreMath.unitClamp(Double(event.attack) + attack)))
    self.decay =
      event.isSustained
      ? Fall() : Fall(seconds: Envelope.decaySeconds(CoreMath.unitClamp(Double(event.decay) + decay)))
    isSustained = event.isSustained
    release = Fall()
    releaseAdjuster = Double(event.release)
    self.phase = phase
  }

  /// The frame from which nothing is left of it, as far as is known: its release may still be to come.
  var endFrame: Int64 {
    @_noLocks @_noAllocation get {
      var end = Int64.max
      let decayEnd = startFrame &+ attackLength &+ decay.length
      // An unsustained event that its duration cuts is released from there (signal model, 11.10).
      if isReleasing, isSustained || stopFrame < decayEnd {
        end = stopFrame &+ release.length
      } else if !isSustained {
        end = decayEnd
      }
      return min(end, fade.end)
    }
  }

  /// Whether it can pass its phase on at a frame: inside its envelope, release included.
  @_noLocks @_noAllocation
  func isInsideEnvelope(at frame: Int64) -> Bool { !isHeld && startFrame <= frame && frame < endFrame }

  /// Moves the release, after a change of rate; never one that has begun.
  @_noLocks @_noAllocation
  mutating func setStop(_ frame: Int64) {
    if !isReleasing { stopFrame = frame }
  }

  /// Notes the phase to come back to, and falls.
  @_noLocks @_noAllocation
  mutating func pause(at frame: Int64) {
    pausedPhase = phase
    isPausing = true
    fade.fall(from: frame)
  }

  /// Comes back as it was when it paused, so many frames later.
  @_noLocks @_noAllocation
  mutating func resume(at frame: Int64, delay: Int64) {
    phase = pausedPhase
    isPausing = false
    isHeld = false
    startFrame = startFrame &+ delay
    stopFrame = stopFrame &+ delay
    // A release that began while it faded begins again where the pause left it.
    if isReleasing, stopFrame >= frame { isReleasing = false }
    fade.rise(from: frame)
  }

  /// A measure of how loud it is at a frame, for choosing the quietest.
  @_noLocks @_noAllocation
  func level(at frame: Int64, control: Double) -> Double {
    let lanes = envelope(at: frame)
    return 0.5 * CoreMath.unitClamp(intensity * control) * lanes[0] * fade.gain(at: frame)
  }

  /// θ a number of frames after the beginning of the span, for passing it on.
  @_noLocks @_noAllocation
  func phase(
    afterSpanFrames count: Int, spanStart: Int64, controls: borrowing SpanControls, history: StepHistory,
    map: FrequencyMap
  ) -> UInt32 {
    var phase = self.phase
    var index = 0
    while index < count {
      let frame = spanStart &+ Int64(index)
      if frame >= startFrame {
        // From the control itself, not `controls.ratio`, which is made when the whole span is known; the same bits.
        let isLate = history.hasStep(atOrBefore: startFrame)
        let control =
          isLate
          ? controls.rawSharpness[index] - history.missing(at: frame, after: startFrame)
          : controls.sharpness[index]
        phase = phase &+ map.step(ratio * map.ratio(control))
      }
      index = index &+ 1
    }
    return phase
  }

  /// Its frequency in Hz under a control.
  @_noLocks @_noAllocation
  func hertz(control: Double, map: FrequencyMap) -> Double { map.hertz(ratio * map.ratio(control)) }

  /// Its phase step under a control.
  @_noLocks @_noAllocation
  func step(control: Double, map: FrequencyMap) -> UInt32 { map.step(ratio * map.ratio(control)) }

  /// Adds whole groups of eight frames to a bus.
  /// - Parameters:
  ///   - bus: The frames of the span.
  ///   - spanStart: The timeline frame of `bus[0]`, a multiple of 8.
  ///   - groups: How many groups of eight frames.
  ///   - controls: The player's controls over the span.
  ///   - intensityHistory: Jumps of the intensity control still under way.
  ///   - sharpnessHistory: Jumps of the sharpness control still under way.
  ///   - map: The bus's frequency map.
  @_noLocks @_noAllocation
  mutating func render(
    into bus: UnsafeMutablePointer<Float>, spanStart: Int64, groups: Int, controls: borrowing SpanControls,
    intensityHistory: StepHistory, sharpnessHistory: StepHistory, map: FrequencyMap
  ) {
    var group = 0
    while group < groups {
      let offset = group &* 8
      let frame = spanStart &+ Int64(offset)
      if frame >= endFrame { return }
      if stopFrame < frame &+ 8, !isReleasing, stopFrame >= startFrame {
        beginRelease(
          control: controls.release[Int(max(0, min(stopFrame &- spanStart, Int64(groups &* 8 &- 1))))])
      }
      let steady = steadyGroups(
        from: frame, limit: groups &- group, controls: controls,
        histories: (intensityHistory, sharpnessHistory))
      if steady > 0 {
        renderSteady(into: bus + offset, groups: steady, controls: controls, map: map)
        group = group &+ steady
        continue
      }
      if isHolding(from: frame, controls: controls, histories: (intensityHistory, sharpnessHistory), map: map)
      {
        renderHeld(into: bus + offset, offset: offset, controls: controls, map: map)
        group = group &+ 1
        continue
      }
      renderGroup(
        into: bus + offset, frame: frame, offset: offset, spanStart: spanStart, controls: controls,
        intensityHistory: intensityHistory, sharpnessHistory: sharpnessHistory, map: map)
      group = group &+ 1
    }
  }

  /// Whether a group is in the hold of the envelope and its controls stay within their ranges.
  @_noLocks @_noAllocation
  @inline(__always)
  private func isHolding(
    from frame: Int64, controls: borrowing SpanControls, histories: (StepHistory, StepHistory),
    map: FrequencyMap
  ) -> Bool {
    guard isSustained, frame >= startFrame &+ attackLength, frame &+ 8 <= stopFrame, fade.isIdle(from: frame),
      controls.gain.isConstant, controls.gain.constant == 1, controls.intensity.minimum >= 0,
      controls.intensity.maximum <= 1, map.contains(ratio * controls.ratio.minimum),
      map.contains(ratio * controls.ratio.maximum), !histories.0.hasStep(atOrBefore: startFrame),
      !histories.1.hasStep(atOrBefore: startFrame)
    else { return false }
    return true
  }

  /// How many groups from a frame on change nothing but the phase.
  @_noLocks @_noAllocation
  private func steadyGroups(
    from frame: Int64, limit: Int, controls: borrowing SpanControls, histories: (StepHistory, StepHistory)
  ) -> Int {
    guard isSustained, !isReleasing, frame >= startFrame &+ attackLength, fade.isIdle(from: frame),
      controls.intensity.isConstant, controls.ratio.isConstant, controls.gain.isConstant,
      !histories.0.hasStep(atOrBefore: startFrame), !histories.1.hasStep(atOrBefore: startFrame)
    else { return 0 }
    let left = (stopFrame &- frame) &>> 3
    return left < Int64(limit) ? Int(max(0, left)) : limit
  }

  @_noLocks @_noAllocation
  private mutating func renderSteady(
    into bus: UnsafeMutablePointer<Float>, groups: Int, controls: borrowing SpanControls, map: FrequencyMap
  ) {
    let step = steadyStep(for: ratio * controls.ratio.constant, map: map)
    let level = Float(
      0.5 * CoreMath.unitClamp(intensity * controls.intensity.constant) * controls.gain.constant)
    var phases = SIMD8<UInt32>(repeating: phase) &+ SIMD8(repeating: step) &* ContinuousVoice.lanes()
    let stride = SIMD8<UInt32>(repeating: step &* 8)
    var target = UnsafeMutableRawPointer(bus)
    var group = 0
    while group < groups {
      let sum = target.loadUnaligned(as: SIMD8<Float>.self) + Oscillator.sine(phases) * level
      target.storeBytes(of: sum, as: SIMD8<Float>.self)
      phases = phases &+ stride
      target = target + 32
      group = group &+ 1
    }
    phase = phases[0]
  }

  /// A group in the hold of the envelope, under controls that move within their ranges: the same samples as
  /// `renderGroup`, without the factors that are exactly 1 and the bounds that are not met.
  @_noLocks @_noAllocation
  @inline(__always)
  private mutating func renderHeld(
    into bus: UnsafeMutablePointer<Float>, offset: Int, controls: borrowing SpanControls, map: FrequencyMap
  ) {
    let amplitude = controls.intensity.lanes(at: offset) * (0.5 * intensity)
    let phases = advance(by: map.unboundedSteps(controls.ratio.lanes(at: offset) * ratio))
    let target = UnsafeMutableRawPointer(bus)
    let samples = Oscillator.sine(phases) * SIMD8<Float>(amplitude)
    target.storeBytes(of: target.loadUnaligned(as: SIMD8<Float>.self) + samples, as: SIMD8<Float>.self)
  }

  /// θ of eight frames that turn by given steps; moves on behind them.
  @_noLocks @_noAllocation
  @inline(__always)
  private mutating func advance(by steps: SIMD8<UInt32>) -> SIMD8<UInt32> {
    // Sums of one, two, four and eight neighbours: three vector additions instead of eight in a row.
    let pairs =
      steps &+ SIMD8(0, steps[0], steps[1], steps[2], steps[3], steps[4], steps[5], steps[6])
    let fours = pairs &+ SIMD8(0, 0, pairs[0], pairs[1], pairs[2], pairs[3], pairs[4], pairs[5])
    let sums = fours &+ SIMD8(0, 0, 0, 0, fours[0], fours[1], fours[2], fours[3])
    let phases = sums &- steps &+ SIMD8(repeating: phase)
    phase = phase &+ sums[7]
    return phases
  }

  @_noLocks @_noAllocation
  private mutating func renderGroup(
    into bus: UnsafeMutablePointer<Float>, frame: Int64, offset: Int, spanStart: Int64,
    controls: borrowing SpanControls, intensityHistory: StepHistory, sharpnessHistory: StepHistory,
    map: FrequencyMap
  ) {
    var c = controls.intensity.lanes(at: offset)
    if intensityHistory.hasStep(atOrBefore: startFrame) {
      c = ownLanes(controls.rawIntensity, offset: offset, frame: frame, history: intensityHistory)
    }
    let sounding = Lanes.clamp(c * intensity, to: 1)
    var amplitude = sounding * 0.5 * envelope(at: frame) * controls.gain.lanes(at: offset)
    if !fade.isIdle(from: frame) { amplitude = amplitude * fade.lanes(at: frame) }
    let samples =
      Oscillator.sine(
        phases(frame: frame, offset: offset, controls: controls, history: sharpnessHistory, map: map))
      * SIMD8<Float>(amplitude)
    let target = UnsafeMutableRawPointer(bus)
    target.storeBytes(of: target.loadUnaligned(as: SIMD8<Float>.self) + samples, as: SIMD8<Float>.self)
  }

  /// θ of a group's frames; moves on to the next group. Frames before the voice's first do not turn it.
  @_noLocks @_noAllocation
  private mutating func phases(
    frame: Int64, offset: Int, controls: borrowing SpanControls, history: StepHistory, map: FrequencyMap
  ) -> SIMD8<UInt32> {
    var steps: SIMD8<UInt32>
    if history.hasStep(atOrBefore: startFrame) {
      let own = ownLanes(controls.rawSharpness, offset: offset, frame: frame, history: history)
      steps = map.steps(map.ratios(own) * ratio)
    } else if controls.ratio.isConstant {
      steps = SIMD8(repeating: steadyStep(for: ratio * controls.ratio.constant, map: map))
    } else {
      steps = map.steps(controls.ratio.lanes(at: offset) * ratio)
    }
    if frame < startFrame {
      var lane = 0
      while lane < Int(startFrame &- frame), lane < 8 {
        steps[lane] = 0
        lane = lane &+ 1
      }
    }
    return advance(by: steps)
  }

  /// The control of a voice that began in the middle of a step: what jumped before is settled for it (11.8).
  @_noLocks @_noAllocation
  private func ownLanes(
    _ raw: borrowing SpanSignal, offset: Int, frame: Int64, history: StepHistory
  ) -> SIMD8<Double> {
    var lanes = raw.lanes(at: offset)
    var lane = 0
    while lane < 8 {
      lanes[lane] = lanes[lane] - history.missing(at: frame &+ Int64(lane), after: startFrame)
      lane = lane &+ 1
    }
    return lanes
  }

  @_noLocks @_noAllocation
  private mutating func steadyStep(for ratio: Double, map: FrequencyMap) -> UInt32 {
    if ratio != steadyRatio {
      steadyRatio = ratio
      steadyStep = map.step(ratio)
    }
    return steadyStep
  }

  @_noLocks @_noAllocation
  private mutating func beginRelease(control: Double) {
    releaseLevel = beforeRelease(at: stopFrame)[0]
    release = Fall(seconds: Envelope.releaseSeconds(CoreMath.unitClamp(releaseAdjuster + control)))
    isReleasing = true
  }

  @_noLocks @_noAllocation
  static func lanes() -> SIMD8<UInt32> { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
}

// The envelope, a pure function of the frame.
extension ContinuousVoice {
  /// e of eight frames; 0 before the start and after the end.
  @_noLocks @_noAllocation
  func envelope(at frame: Int64) -> SIMD8<Double> {
    if !isReleasing || stopFrame >= frame &+ 8 { return beforeRelease(at: frame) }
    let m = Lanes.counting(from: frame &- stopFrame)
    let length = Double(release.length)
    var falling = release.level(
      Lanes.clamp(m, to: length))
    falling = falling * releaseLevel
    if stopFrame <= frame { return falling }
    return Lanes.select(Lanes.signMask(m), beforeRelease(at: frame), falling)
  }

  /// Attack, then hold or decay.
  @_noLocks @_noAllocation
  private func beforeRelease(at frame: Int64) -> SIMD8<Double> {
    let n = frame &- startFrame
    var level = SIMD8<Double>(repeating: 1)
    if n < attackLength {
      let u = Lanes.clamp(Lanes.counting(from: n) / Double(attackLength), to: 1)
      level = Envelope.smoothStep(u)
    }
    if !isSustained, n &+ 7 >= attackLength {
      let m = Lanes.counting(from: n &- attackLength)
      let length = Double(decay.length)
      let falling = decay.level(
        Lanes.clamp(m, to: length))
      level = Lanes.select(Lanes.signMask(m), level, falling)
    }
    return level
  }
}
