/// The controls of a voice over the frames of a span, as its player evaluated them.
struct SpanControls {
  var intensity: SpanSignal
  var sharpness: SpanSignal
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
  private let sharpness: Double
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
  // The step of the sharpness it was last computed for.
  private var steadySharpness = -1.0
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
  @_noLocks @_noAllocation
  init(
    event: ScheduledEvent, frame: Int64, stopFrame: Int64, stopPosition: Int64, attack: Double, decay: Double,
    phase: UInt32
  ) {
    startFrame = frame
    fade = VoiceFade()
    self.stopFrame = stopFrame
    self.stopPosition = stopPosition
    intensity = Double(event.intensity)
    sharpness = Double(event.sharpness)
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
      if isReleasing { end = stopFrame &+ release.length }
      if !isSustained { end = min(end, startFrame &+ attackLength &+ decay.length) }
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

  /// θ a number of frames after the beginning of the span, and the step there; for passing the phase on.
  @_noLocks @_noAllocation
  func phase(
    afterSpanFrames count: Int, spanStart: Int64, controls: borrowing SpanControls, history: StepHistory,
    map: FrequencyMap
  ) -> UInt32 {
    var phase = self.phase
    var index = 0
    while index < count {
      if spanStart &+ Int64(index) >= startFrame {
        phase =
          phase &+ map.step(sharpness(at: index, spanStart: spanStart, controls: controls, history: history))
      }
      index = index &+ 1
    }
    return phase
  }

  /// The sharpness on a frame whose control value is given, as it sounds.
  @_noLocks @_noAllocation
  func soundingSharpness(control: Double) -> Double { CoreMath.unitClamp(sharpness + control) }

  @_noLocks @_noAllocation
  private func sharpness(
    at index: Int, spanStart: Int64, controls: borrowing SpanControls, history: StepHistory
  ) -> Double {
    if history.hasStep(atOrBefore: startFrame) {
      let frame = spanStart &+ Int64(index)
      return CoreMath.unitClamp(
        sharpness + (controls.rawSharpness[index] - history.missing(at: frame, after: startFrame)))
    }
    return CoreMath.unitClamp(sharpness + controls.sharpness[index])
  }

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
      renderGroup(
        into: bus + offset, frame: frame, offset: offset, spanStart: spanStart, controls: controls,
        intensityHistory: intensityHistory, sharpnessHistory: sharpnessHistory, map: map)
      group = group &+ 1
    }
  }

  /// How many groups from a frame on change nothing but the phase.
  @_noLocks @_noAllocation
  private func steadyGroups(
    from frame: Int64, limit: Int, controls: borrowing SpanControls, histories: (StepHistory, StepHistory)
  ) -> Int {
    guard isSustained, !isReleasing, frame >= startFrame &+ attackLength, fade.isIdle(from: frame),
      controls.intensity.isConstant, controls.sharpness.isConstant, controls.gain.isConstant,
      !histories.0.hasStep(atOrBefore: startFrame), !histories.1.hasStep(atOrBefore: startFrame)
    else { return 0 }
    let left = (stopFrame &- frame) &>> 3
    return left < Int64(limit) ? Int(max(0, left)) : limit
  }

  @_noLocks @_noAllocation
  private mutating func renderSteady(
    into bus: UnsafeMutablePointer<Float>, groups: Int, controls: borrowing SpanControls, map: FrequencyMap
  ) {
    let step = steadyStep(for: CoreMath.unitClamp(sharpness + controls.sharpness.constant), map: map)
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
    let sounding = ContinuousVoice.unitClamp(c * intensity)
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
    let isLate = history.hasStep(atOrBefore: startFrame)
    var steps: SIMD8<UInt32>
    if controls.sharpness.isConstant, !isLate {
      steps = SIMD8(
        repeating: steadyStep(for: CoreMath.unitClamp(sharpness + controls.sharpness.constant), map: map))
    } else {
      var s = controls.sharpness.lanes(at: offset)
      if isLate { s = ownLanes(controls.rawSharpness, offset: offset, frame: frame, history: history) }
      steps = map.steps(ContinuousVoice.unitClamp(s + sharpness))
    }
    var lane = 0
    var phases = SIMD8<UInt32>(repeating: 0)
    while lane < 8 {
      phases[lane] = phase
      if frame &+ Int64(lane) >= startFrame { phase = phase &+ steps[lane] }
      lane = lane &+ 1
    }
    return phases
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
  private mutating func steadyStep(for sharpness: Double, map: FrequencyMap) -> UInt32 {
    if sharpness != steadySharpness {
      steadySharpness = sharpness
      steadyStep = map.step(sharpness)
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

  @_noLocks @_noAllocation
  static func unitClamp(_ x: SIMD8<Double>) -> SIMD8<Double> {
    let low = x.replacing(with: SIMD8(repeating: 0), where: x .< 0)
    return low.replacing(with: SIMD8(repeating: 1), where: low .> 1)
  }
}

// The envelope, a pure function of the frame.
extension ContinuousVoice {
  /// e of eight frames; 0 before the start and after the end.
  @_noLocks @_noAllocation
  func envelope(at frame: Int64) -> SIMD8<Double> {
    if !isReleasing || stopFrame >= frame &+ 8 { return beforeRelease(at: frame) }
    let m = ContinuousVoice.frameLanes(frame &- stopFrame)
    let length = Double(release.length)
    var falling = release.level(
      m.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: length)))
    falling = falling * releaseLevel
    if stopFrame <= frame { return falling }
    return beforeRelease(at: frame).replacing(with: falling, where: m .>= 0)
  }

  /// Attack, then hold or decay.
  @_noLocks @_noAllocation
  private func beforeRelease(at frame: Int64) -> SIMD8<Double> {
    let n = frame &- startFrame
    var level = SIMD8<Double>(repeating: 1)
    if n < attackLength {
      let u = ContinuousVoice.unitClamp(ContinuousVoice.frameLanes(n) / Double(attackLength))
      level = Envelope.smoothStep(u)
    }
    if !isSustained, n &+ 7 >= attackLength {
      let m = ContinuousVoice.frameLanes(n &- attackLength)
      let length = Double(decay.length)
      let falling = decay.level(
        m.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: length)))
      level = level.replacing(with: falling, where: m .>= 0)
    }
    return level
  }

  @_noLocks @_noAllocation
  private static func frameLanes(_ first: Int64) -> SIMD8<Double> {
    SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7) + Double(first)
  }
}
