import CRealtimeShims

// From a voice's state to samples: in runs over which the envelope does one thing, by a kernel; group by group where it turns
// from one thing to another, fades, or makes up for a step before its time.
extension ContinuousVoice {
  /// Adds whole groups of eight frames to a bus.
  /// - Parameters:
  ///   - bus: The frames of the span.
  ///   - spanStart: The timeline frame of `bus[0]`, a multiple of 8.
  ///   - groups: How many groups of eight frames.
  ///   - controls: The player's controls over the span.
  ///   - intensityHistory: Jumps of the intensity control still under way.
  ///   - sharpnessHistory: Jumps of the sharpness control still under way.
  ///   - map: The bus's frequency map.
  ///   - curve: The bus's intensity law.
  ///   - kernel: The instruction set of the runs.
  ///   - tone: Room for a run. The address of a local would bring a stack guard, which is a call out of the render path.
  @_noLocks @_noAllocation
  mutating func render(
    into bus: UnsafeMutablePointer<Float>, spanStart: Int64, groups: Int,
    controls: UnsafePointer<SpanControls>,
    intensityHistory: StepHistory, sharpnessHistory: StepHistory, map: FrequencyMap, curve: IntensityCurve,
    kernel: RenderKernel, tone: UnsafeMutablePointer<thrum_tone>
  ) {
    let isLate =
      intensityHistory.hasStep(atOrBefore: startFrame) || sharpnessHistory.hasStep(atOrBefore: startFrame)
    var group = 0
    while group < groups {
      let offset = group &* 8
      let frame = spanStart &+ Int64(offset)
      if frame >= endFrame { return }
      if stopFrame < frame &+ 8, !isReleasing, stopFrame >= attackFrame {
        beginRelease(
          control: controls.pointee.release[Int(max(0, min(stopFrame &- spanStart, Int64(groups &* 8 &- 1))))]
        )
      }
      if !isLate, !curve.isWhole, fade.isIdle(from: frame) {
        let run = evenRun(from: frame, limit: groups &- group)
        if run.groups > 0 {
          render(
            run, into: bus + offset, offset: offset, controls: controls, map: map, kernel: kernel,
            tone: tone)
          group = group &+ run.groups
          continue
        }
      }
      renderGroup(
        into: bus + offset, frame: frame, offset: offset, spanStart: spanStart, controls: controls,
        intensityHistory: intensityHistory, sharpnessHistory: sharpnessHistory, map: map, curve: curve)
      group = group &+ 1
    }
  }

  /// Groups over which the envelope does one thing.
  private struct EvenRun {
    let groups: Int
    /// As the kernels number them: 0 hold, 1 attack, 2 fall.
    let shape: Int32
    /// Frames since the attack or fall began.
    let position: Int64
    let fall: Fall
    let level: Double

    @_noLocks @_noAllocation
    @inline(__always)
    init(groups: Int, shape: Int32 = 0, position: Int64 = 0, fall: Fall = Fall(), level: Double = 1) {
      self.groups = groups
      self.shape = shape
      self.position = position
      self.fall = fall
      self.level = level
    }
  }

  /// The run that begins on a frame; none where the envelope turns in the frame's group.
  @_noLocks @_noAllocation
  @inline(__always)
  private func evenRun(from frame: Int64, limit: Int) -> EvenRun {
    if frame < startFrame { return EvenRun(groups: 0) }
    if isReleasing, stopFrame < frame &+ 8 {
      if stopFrame > frame { return EvenRun(groups: 0) }
      return EvenRun(
        groups: Int(min(Int64(limit), groupsUntilEnd(from: frame))), shape: 2, position: frame &- stopFrame,
        fall: release,
        level: releaseLevel)
    }
    let untilStop = min(Int64(limit), (stopFrame &- frame) &>> 3)
    let n = frame &- attackFrame
    if n >= attackLength {
      if isSustained { return EvenRun(groups: Int(untilStop)) }
      return EvenRun(
        groups: Int(min(untilStop, groupsUntilEnd(from: frame))), shape: 2, position: n &- attackLength,
        fall: decay)
    }
    // The attack's last group holds 1 behind it, where there is no decay.
    let left = attackLength &- n
    return EvenRun(groups: Int(min(untilStop, (isSustained ? left &+ 7 : left) &>> 3)), shape: 1, position: n)
  }

  /// Groups up to the end, the one in which it lies included.
  @_noLocks @_noAllocation
  private func groupsUntilEnd(from frame: Int64) -> Int64 { (endFrame &- frame &+ 7) &>> 3 }

  @_noLocks @_noAllocation
  @inline(__always)
  private mutating func render(
    _ run: EvenRun, into bus: UnsafeMutablePointer<Float>, offset: Int, controls: UnsafePointer<SpanControls>,
    map: FrequencyMap, kernel: RenderKernel, tone: UnsafeMutablePointer<thrum_tone>
  ) {
    var step: UInt32 = 0
    if controls.pointee.ratio.isConstant {
      step = steadyStep(for: ratio * controls.pointee.ratio.constant, map: map)
      if run.shape == 0, controls.pointee.intensity.isConstant, controls.pointee.gain.isConstant {
        let level = Float(
          0.5 * CoreMath.unitClamp(intensity * controls.pointee.intensity.constant)
            * controls.pointee.gain.constant)
        phase = VouchedMath.renderSteady(
          into: bus, groups: run.groups, phase: phase, step: step, level: level, kernel: kernel)
        return
      }
    }
    tone.pointee = thrum_tone(
      bus: bus, groups: Int64(run.groups), intensity: controls.pointee.intensity.signal(from: offset),
      ratio: controls.pointee.ratio.signal(from: offset), gain: controls.pointee.gain.signal(from: offset),
      own_intensity: intensity, own_ratio: ratio, minimum_step: map.minimumStep,
      largest_ratio: map.largestRatio, position: Double(run.position),
      length: Double(run.shape == 1 ? attackLength : run.fall.length), slope: run.fall.slope,
      level: run.level, phase: phase, step: step, shape: run.shape,
      is_bounded: isBounded(controls, map: map) ? 1 : 0)
    phase = VouchedMath.render(tone, kernel: kernel)
  }

  /// Whether its controls over a span stay within their ranges for this voice.
  @_noLocks @_noAllocation
  @inline(__always)
  private func isBounded(_ controls: UnsafePointer<SpanControls>, map: FrequencyMap) -> Bool {
    // A product that is rounded grows with its factor.
    controls.pointee.intensity.minimum >= 0 && intensity * controls.pointee.intensity.maximum <= 1
      && ratio * controls.pointee.ratio.minimum >= 1
      && ratio * controls.pointee.ratio.maximum <= map.largestRatio
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
    controls: UnsafePointer<SpanControls>, intensityHistory: StepHistory, sharpnessHistory: StepHistory,
    map: FrequencyMap, curve: IntensityCurve
  ) {
    var c = controls.pointee.intensity.lanes(at: offset)
    if intensityHistory.hasStep(atOrBefore: startFrame) {
      c = ownLanes(controls.pointee.rawIntensity, offset: offset, frame: frame, history: intensityHistory)
      // The controls of a span come with the law of a power; what a voice makes of the raw ones does not.
      if !curve.isLinear, !curve.isWhole { c = curve.amplitudes(c) }
    }
    var sounding = Lanes.clamp(c * intensity, to: 1)
    if curve.isWhole { sounding = curve.amplitudes(sounding) }
    var amplitude = sounding * 0.5 * envelope(at: frame) * controls.pointee.gain.lanes(at: offset)
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
    frame: Int64, offset: Int, controls: UnsafePointer<SpanControls>, history: StepHistory, map: FrequencyMap
  ) -> SIMD8<UInt32> {
    var steps: SIMD8<UInt32>
    if history.hasStep(atOrBefore: startFrame) {
      let own = ownLanes(controls.pointee.rawSharpness, offset: offset, frame: frame, history: history)
      steps = map.steps(map.ratios(own) * ratio)
    } else if controls.pointee.ratio.isConstant {
      steps = SIMD8(repeating: steadyStep(for: ratio * controls.pointee.ratio.constant, map: map))
    } else {
      steps = map.steps(controls.pointee.ratio.lanes(at: offset) * ratio)
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

  /// A copy at the phase of the second harmonic, for a map of twice the frequency.
  var overtone: ContinuousVoice {
    @_noLocks @_noAllocation get {
      var copy = self
      copy.phase = overtonePhase
      copy.steadyRatio = -1
      return copy
    }
  }

  /// Adds its amplitude to a resonant bus, and its amplitude times Vₑ behind it.
  /// - Parameters:
  ///   - rendered: Its amplitudes over the span, and zeros before it began or its envelope does.
  ///   - bus: The bus's first block, at the span.
  @_noLocks @_noAllocation
  func add(
    _ rendered: UnsafeMutablePointer<Float>, to bus: UnsafeMutablePointer<Float>, spanStart: Int64,
    groups: Int,
    controls: UnsafePointer<SpanControls>, history: StepHistory, map: FrequencyMap
  ) {
    let isLate = history.hasStep(atOrBefore: startFrame)
    // An envelope that runs ahead has begun before the voice.
    var index = max(0, Int(min(Int64(groups &* 8), startFrame &- spanStart)))
    while index < groups &* 8 {
      // Once a group, on its first frame or the voice's: the drive asks once in half a cycle.
      let control =
        isLate
        ? map.ratio(
          controls.pointee.rawSharpness[index]
            - history.missing(at: spanStart &+ Int64(index), after: startFrame))
        : controls.pointee.ratio[index]
      let crispness = Float(map.clamped(ratio * control))
      let end = (index | 7) &+ 1
      while index < end {
        bus[index] = bus[index] + rendered[index]
        let weighted = bus + (BusVoicing.crispness &+ index)
        weighted.pointee = weighted.pointee + rendered[index] * crispness
        index = index &+ 1
      }
    }
  }

  @_noLocks @_noAllocation
  private mutating func steadyStep(for ratio: Double, map: FrequencyMap) -> UInt32 {
    if ratio != steadyRatio {
      steadyRatio = ratio
      steadyStep = map.step(ratio)
    }
    return steadyStep
  }
}
