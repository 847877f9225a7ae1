// From a sound's state to frames of the bus.
extension SoundVoice {
  /// What a voice needs of its player and the renderer over a span.
  struct Span {
    /// The first render frame, and how many.
    let start: Int64
    let frames: Int
    let rate: SoundRate
    let kernel: SoundKernel
    /// Room for a kernel's weights.
    let weights: UnsafeMutablePointer<Float>
    /// The player's mute and its engine's.
    let mute: GainSwitch
    let engineMute: GainSwitch

    @_noLocks @_noAllocation
    init(
      start: Int64, frames: Int, rate: SoundRate, kernel: SoundKernel, weights: UnsafeMutablePointer<Float>,
      mute: GainSwitch, engineMute: GainSwitch
    ) {
      self.start = start
      self.frames = frames
      self.rate = rate
      self.kernel = kernel
      self.weights = weights
      self.mute = mute
      self.engineMute = engineMute
    }
  }

  /// Adds the frames of a span to the bus.
  @_noLocks @_noAllocation
  mutating func render(
    into bus: SoundBus, span: borrowing Span, player: UnsafeMutablePointer<PlayerSlot>
  ) {
    let rate = span.rate
    let end = rate.first(span.start &+ Int64(span.frames))
    var frame = max(rate.first(span.start), envelope.startFrame)
    // A sound may begin a part of a render frame before the span that begins it.
    if renderStart >= span.start { frame = max(envelope.startFrame, bus.earliest(at: span.start)) }
    if !envelope.isReleasing, envelope.stopFrame < end {
      let offset = max(0, min(Int64(span.frames &- 1), envelope.stopFrame &* 8000 / rate.rate &- span.start))
      envelope.beginRelease(control: player.pointee.sound.release[Int(offset)], rate: rate)
    }
    let last = endFrame(rate)
    let volumes = line(player.pointee.sound.volume, .audioVolume, 0, span, player)
    let pans = line(player.pointee.sound.pan, .audioPan, 1, span, player)
    let brightnesses = line(player.pointee.sound.brightness, .audioBrightness, 2, span, player)
    let pitches = line(player.pointee.sound.pitch, .audioPitch, 3, span, player)
    var gains = (left: 0.0, right: 0.0)
    var gainsPan = Double.infinity
    while frame < end, frame < last, samplesEnd == .max {
      let count = Int(min(end, (frame & ~7) &+ 8) &- frame)
      let p = pitchLanes(pitches, at: frame, count: count, player: player)
      let b = CoreMath.unitClamp(
        brightness + brightnesses.value(at: frame, of: player.pointee.sound.brightness))
      if frame & 7 == 0 || frame == envelope.startFrame {
        filter.set(
          corner: corner(pitch: p[0], brightness: b, rate: rate), isOpen: b == 1,
          isFirst: frame == envelope.startFrame)
      }
      let amplitudes = amplitude(at: frame, count: count, volumes, span: span, player: player)
      var tones = SIMD8<Double>(repeating: 0)
      if sound == nil { tones = tone(pitches: p, count: count, rate: rate) }
      var lane = 0
      while lane < count {
        let now = frame &+ Int64(lane)
        var left = tones[lane]
        var right = left
        if let sound {
          (left, right) = sample(
            pitch: p[lane], at: now, of: sound, kernel: span.kernel, weights: span.weights)
          if samplesEnd != .max { break }
        }
        if !filter.isIdle { filter.next(&left, &right) }
        let x = max(-1, min(1, pan + pans.value(at: now, of: player.pointee.sound.pan)))
        if x != gainsPan {
          gainsPan = x
          gains = sideGains(x)
        }
        bus.add(
          Float(left * amplitudes[lane] * gains.left), Float(right * amplitudes[lane] * gains.right), at: now)
        lane = lane &+ 1
      }
      filter.settle()
      frame = frame &+ Int64(count)
    }
  }

  @_noLocks @_noAllocation
  private func line(
    _ signal: borrowing SpanSignal, _ control: ControlID, _ place: Int, _ span: borrowing Span,
    _ player: UnsafeMutablePointer<PlayerSlot>
  ) -> SoundLine {
    SoundLine(
      signal, next: player.pointee.sound.next[place], history: player.pointee.tracks[control.index].history,
      voiceStart: renderStart, spanStart: span.start, spanFrames: span.frames, rate: span.rate)
  }

  /// The pitch on eight frames; behind `count` of them it stands still.
  @_noLocks @_noAllocation
  private func pitchLanes(
    _ pitches: borrowing SoundLine, at frame: Int64, count: Int, player: UnsafeMutablePointer<PlayerSlot>
  ) -> SIMD8<Double> {
    var lanes = SIMD8<Double>(repeating: max(-1, min(1, pitch + pitches.constant)))
    if pitches.isConstant { return lanes }
    var lane = 0
    while lane < 8 {
      let now = frame &+ Int64(min(lane, count &- 1))
      lanes[lane] = max(-1, min(1, pitch + pitches.value(at: now, of: player.pointee.sound.pitch)))
      lane = lane &+ 1
    }
    return lanes
  }

  /// Volume, envelope, fade and mutes of eight frames.
  @_noLocks @_noAllocation
  private func amplitude(
    at frame: Int64, count: Int, _ volumes: borrowing SoundLine, span: borrowing Span,
    player: UnsafeMutablePointer<PlayerSlot>
  ) -> SIMD8<Double> {
    var lanes = SIMD8<Double>(repeating: 1)
    if !envelope.isHolding(at: frame) { lanes = envelope.level(at: frame) }
    if volumes.isConstant {
      lanes = lanes * CoreMath.unitClamp(volume * volumes.constant)
    } else {
      var lane = 0
      while lane < count {
        let control = volumes.value(at: frame &+ Int64(lane), of: player.pointee.sound.volume)
        lanes[lane] = lanes[lane] * CoreMath.unitClamp(volume * control)
        lane = lane &+ 1
      }
    }
    let isFading = !fade.isIdle(from: frame, span.rate.response)
    if !isFading, span.mute.isSettled, span.engineMute.isSettled {
      return lanes * (span.mute.target * span.engineMute.target)
    }
    var lane = 0
    while lane < count {
      let now = frame &+ Int64(lane)
      var gain = span.mute.gain(atDeviceFrame: now, rate: span.rate)
      gain = gain * span.engineMute.gain(atDeviceFrame: now, rate: span.rate)
      if isFading { gain = gain * fade.gain(at: now, span.rate.response) }
      lanes[lane] = lanes[lane] * gain
      lane = lane &+ 1
    }
    return lanes
  }

  /// The gains of the two sides for a place between them: equal power for one channel, balance for two.
  @_noLocks @_noAllocation
  private func sideGains(_ x: Double) -> (left: Double, right: Double) {
    let angle = x * 0.7853981633974483
    let sine = CoreMath.smallSine(angle)
    let cosine = CoreMath.smallCosine(angle)
    let isStereo = (sound?.channels ?? 1) == 2
    // cos(π/4 + a) and sin(π/4 + a), times √2 where two channels are balanced.
    let scale = isStereo ? 1 : 0.7071067811865476
    let left = (cosine - sine) * scale
    let right = (cosine + sine) * scale
    return isStereo ? (min(1, left), min(1, right)) : (left, right)
  }
}
