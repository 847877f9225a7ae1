/// A tap: a short decaying sine without DC, of equal energy at every sharpness (signal model, 2).
///
/// ```
/// p[n] = w[n]·(sin θn − c),  w[n] = rⁿ(1 − qⁿ)²,  x[n] = I·g·p[n],  n = 0…N−1
/// ```
/// The constants N, c and g come from closed forms at the onset; the samples from one rotation and two decays.
struct TransientVoice {
  /// The frame of n = 0.
  let startFrame: Int64
  /// The frame after the last.
  let endFrame: Int64
  /// Cuts it short.
  var fade: VoiceFade
  // I·g.
  private let amplitude: Double
  // Where a click turns from drive to brake, and the brake's level; a tap has neither.
  private let turnFrame: Int64
  private let brake: Double
  private var pulse: Pulse

  /// Computes a tap's constants.
  /// - Parameters:
  ///   - startFrame: Its onset.
  ///   - intensity: 0…1, its control included.
  ///   - sharpness: 0…1, its control included.
  ///   - attack: 0…1, its control included.
  ///   - decay: −1…1, its control included.
  ///   - octaves: By which its frequency is raised, 0…2.
  ///
  /// Real-time: yes. The dearest onset searches its first cycles for the peak: about 300 steps of the recurrence.
  @_noLocks @_noAllocation
  init(
    startFrame: Int64, intensity: Double, sharpness: Double, attack: Double, decay: Double, octaves: Int = 0
  ) {
    let shape = TapShape(sharpness: sharpness, attack: attack, decay: decay, octaves: octaves)
    let r = CoreMath.exp(-1 / shape.decayFrames)
    let q = CoreMath.exp(-1 / shape.attackFrames)
    let rate = Double(RenderRate.framesPerSecond)
    let theta = 2 * Double.pi * shape.hertz / rate
    let sine = CoreMath.smallSine(theta)
    let cosine = CoreMath.smallCosine(theta)

    let sums = PulseSums(r: r, q: q, cosine: cosine, sine: sine, count: shape.frames)
    let c = sums.offset
    let pulse = Pulse(r: r, q: q, cosine: cosine, sine: sine, offset: c)
    var g = VouchedMath.squareRoot(6.4 / sums.energy(offset: c))
    // The cap g·max|p| ≤ 1 can only bite where the bound wmax·(1 + |c|) says so.
    let bound = CoreMath.exp(shape.logPeak) * (1 + (c < 0 ? -c : c))
    if g * bound > 1 {
      // w peaks at τa·ln((τa + 2τd)/τa); |p| within a cycle of it.
      let (ka, kd) = (shape.attackCycles, shape.decayCycles)
      let cycles = ka * CoreMath.log((ka + 2 * kd) / ka) + 1
      let peak = pulse.peak(frames: min(shape.frames, Int64(cycles * rate / shape.hertz) &+ 1))
      if g * peak > 1 { g = 1 / peak }
    }
    self.startFrame = startFrame
    fade = VoiceFade()
    endFrame = startFrame &+ shape.frames
    amplitude = intensity * g
    turnFrame = .max
    brake = 0
    self.pulse = pulse
  }

  /// Computes a click of a resonant bus: a sine that does not decay, which turns against itself.
  @_noLocks @_noAllocation
  init(startFrame: Int64, intensity: Double, sharpness: Double, click: ClickShape) {
    self.startFrame = startFrame
    fade = VoiceFade()
    endFrame = startFrame &+ click.frames(sharpness: sharpness)
    amplitude = intensity * click.level
    turnFrame = startFrame &+ click.turn(sharpness: sharpness)
    brake = amplitude * click.brake(sharpness: sharpness)
    pulse = Pulse(r: 1, q: 0, cosine: click.cosine, sine: click.sine, offset: 0)
  }

  /// Whether its frames from a span's beginning on need nothing but its recurrence and one level.
  @_noLocks @_noAllocation
  func isEven(from frame: Int64, gain: borrowing SpanSignal) -> Bool {
    if !gain.isConstant || turnFrame != .max { return false }
    return startFrame <= frame && frame < endFrame && fade.isIdle(from: frame)
  }

  /// Puts it into a lane of taps that are rendered side by side, for a span in which it is even.
  @_noLocks @_noAllocation
  func place(at lane: UnsafeMutablePointer<Double>, gain: borrowing SpanSignal) {
    pulse.place(at: lane, level: amplitude * gain.constant)
  }

  /// Takes from its lane where it has come to.
  @_noLocks @_noAllocation
  mutating func take(from lane: UnsafePointer<Double>) { pulse.take(from: lane) }

  /// Adds the next frames of the voice to a bus.
  /// - Parameters:
  ///   - bus: Where the frame `from` goes, and those after it.
  ///   - from: The first frame; the voice must be called for each frame once, in order.
  ///   - to: The frame after the last.
  ///   - gain: The player's gain over the span, which begins on `from`.
  @_noLocks @_noAllocation
  mutating func render(
    into bus: UnsafeMutablePointer<Float>, from: Int64, to: Int64, gain: borrowing SpanSignal
  ) {
    let first = max(from, startFrame)
    let end = min(to, endFrame)
    if gain.isConstant, fade.isIdle(from: first), turnFrame == .max {
      let level = amplitude * gain.constant
      var frame = first
      while frame < end {
        let index = Int(frame &- from)
        bus[index] = bus[index] + Float(level * pulse.next())
        frame = frame &+ 1
      }
      return
    }
    var frame = first
    while frame < end {
      let index = Int(frame &- from)
      let level = (frame < turnFrame ? amplitude : brake) * gain[index] * fade.gain(at: frame)
      bus[index] = bus[index] + Float(level * pulse.next())
      frame = frame &+ 1
    }
  }

  /// A measure of how loud it is on a frame, for choosing the quietest: the fall alone, so that a tap that has just begun is
  /// not taken for one that has died.
  /// - Parameters:
  ///   - frame: A frame of the group of eight that is about to be rendered.
  ///   - playhead: The group's first frame.
  @_noLocks @_noAllocation
  func level(at frame: Int64, playhead: Int64) -> Double {
    amplitude * pulse.fall(frames: frame &- max(playhead, startFrame)) * fade.gain(at: frame)
  }
}
