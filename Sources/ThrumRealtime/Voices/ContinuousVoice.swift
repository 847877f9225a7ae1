/// A tone with an envelope.
///
/// ```
/// x[n] = ½·I[n]·e[n]·sin θ[n],  θ[n+1] = θ[n] + inc(s[n])
/// ```
/// Every factor is a pure function of the frame, so the samples do not depend on how a render is cut into spans.
struct ContinuousVoice {
  /// The frame on which it begins.
  private(set) var startFrame: Int64
  /// The frame on which its envelope begins: earlier than the voice where it runs ahead, see ``BusVoicing/lead``.
  private(set) var attackFrame: Int64
  /// The frame on which its release begins, the envelope's lead included.
  private(set) var stopFrame: Int64
  /// The pattern position of its release, for changes of rate; `Int64.max` for an endless event.
  let stopPosition: Int64
  /// Cuts it short.
  var fade: VoiceFade
  /// Whether it fades to wait for its player to resume.
  var isPausing = false
  /// Whether it waits, making no sound.
  var isHeld = false
  /// Its own factor of the amplitude, by the bus's law.
  let intensity: Double
  /// The frequency ratio of its own sharpness.
  let ratio: Double
  let attackLength: Int64
  let decay: Fall
  let isSustained: Bool
  let releaseAdjuster: Double
  var release: Fall
  var releaseLevel = 0.0
  var isReleasing = false
  // θ on the first frame of the span to come, minus the frames the voice is not yet in.
  var phase: UInt32
  var pausedPhase: UInt32 = 0
  /// θ of its second harmonic, where the bus has one.
  var overtonePhase: UInt32
  // The step of the ratio it was last computed for.
  var steadyRatio = -1.0
  var steadyStep: UInt32 = 0

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
  ///   - intensity: What the bus's law makes of the event's intensity.
  ///   - lead: Frames by which the envelope runs ahead.
  @_noLocks @_noAllocation
  init(
    event: ScheduledEvent, frame: Int64, stopFrame: Int64, stopPosition: Int64, attack: Double, decay: Double,
    phase: UInt32, ratio: Double, intensity: Double, lead: Int64
  ) {
    startFrame = frame
    attackFrame = frame &- lead
    fade = VoiceFade()
    self.stopFrame = stopFrame &- lead
    self.stopPosition = stopPosition
    self.intensity = intensity
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
    overtonePhase = phase &* 2
  }

  /// The frame from which nothing is left of it, as far as is known: its release may still be to come.
  var endFrame: Int64 {
    @_noLocks @_noAllocation get {
      var end = Int64.max
      let decayEnd = attackFrame &+ attackLength &+ decay.length
      // An unsustained event that its duration cuts is released from there (signal model, 11.10).
      if isReleasing, isSustained || stopFrame < decayEnd {
        end = stopFrame &+ release.length
      } else if !isSustained {
        end = decayEnd
      }
      return min(end, fade.end())
    }
  }

  /// Whether it can pass its phase on at a frame: inside its envelope, release included.
  @_noLocks @_noAllocation
  func isInsideEnvelope(at frame: Int64) -> Bool { !isHeld && startFrame <= frame && frame < endFrame }

  /// Moves the release, after a change of rate; never one that has begun.
  /// - Parameter frame: Where the pattern has it.
  @_noLocks @_noAllocation
  mutating func setStop(_ frame: Int64) {
    if !isReleasing { stopFrame = frame &- lead }
  }

  /// Frames by which the envelope runs ahead.
  var lead: Int64 { @_noLocks @_noAllocation get { startFrame &- attackFrame } }

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
    overtonePhase = pausedPhase &* 2
    isPausing = false
    isHeld = false
    startFrame = startFrame &+ delay
    attackFrame = attackFrame &+ delay
    stopFrame = stopFrame &+ delay
    // A release that began while it faded begins again where the pause left it.
    if isReleasing, stopFrame >= frame { isReleasing = false }
    fade.rise(from: frame)
  }

  /// A measure of how loud it is on a frame, for choosing the quietest: while it rises, what it rises to.
  @_noLocks @_noAllocation
  func level(at frame: Int64, control: Double) -> Double {
    let isRising = frame < attackFrame &+ attackLength && (!isReleasing || frame < stopFrame)
    let level = isRising ? 1 : envelope(at: frame)[0]
    return 0.5 * CoreMath.unitClamp(intensity * control) * level * fade.gain(at: frame)
  }

  /// θ a number of frames after the beginning of the span, for passing it on.
  @_noLocks @_noAllocation
  func phase(
    afterSpanFrames count: Int, spanStart: Int64, controls: UnsafePointer<SpanControls>, history: StepHistory,
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
          ? controls.pointee.rawSharpness[index] - history.missing(at: frame, after: startFrame)
          : controls.pointee.sharpness[index]
        phase = phase &+ map.step(ratio * map.ratio(control))
      }
      index = index &+ 1
    }
    return phase
  }
}
