// From a voice's state to samples: three ways of one result, from the steadiest to the general.
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
  static func lanes() -> SIMD8<UInt32> { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
}
