/// A sound that plays: the built-in tone, or samples of a file.
///
/// ```
/// y[n] = volume[n]·e[n]·pan(x[n])·lowpass(source[n])
/// ```
/// on the device's own frames (signal model, 9).
struct SoundVoice {
  /// The render frame on which it begins; steps of controls on or before it are settled for it.
  private(set) var renderStart: Int64
  var envelope: SoundEnvelope
  var fade: VoiceFade
  /// Whether it fades to wait for its player to resume.
  private(set) var isPausing: Bool
  /// Whether it waits, making no sound.
  var isHeld: Bool
  /// The pattern position of its release, for changes of rate; infinite for none.
  let stopPosition: Double
  let volume: Double
  let pitch: Double
  let pan: Double
  let brightness: Double
  let isLooped: Bool
  /// What it plays; nil for the tone.
  let sound: SoundView?
  /// The fall in the sound's own last frames, so that it does not end with a click.
  let ending: Fall
  /// The frame from which its samples are at an end; `Int64.max` while they are not.
  var samplesEnd: Int64
  var source: Source
  var filter: BrightnessFilter
  private var pausedSource: Source
  private var pausedFilter: BrightnessFilter

  /// Where a source is: everything that moves on from frame to frame.
  struct Source {
    /// Of the tone: a whole turn is 2³².
    var phase: UInt32
    /// Of samples: frames of the sound, in units of 2⁻³².
    var position: Int64
    /// The pitch for which `step` was computed.
    var steadyPitch: Double
    var step: Int64

    /// The beginning.
    @_noLocks @_noAllocation
    init() {
      phase = 0
      position = 0
      steadyPitch = .infinity
      step = 0
    }
  }

  /// Begins a sound.
  /// - Parameters:
  ///   - event: What the pattern says of it.
  ///   - sound: Its samples; nil for the tone.
  ///   - renderStart: The render frame on which its player begins it.
  ///   - start: Its first device frame.
  ///   - stop: The device frame of its release, `Int64.max` for none.
  ///   - stopPosition: The same in pattern frames.
  ///   - attack: The attack control.
  ///   - decay: The decay control.
  @_noLocks @_noAllocation
  init(
    event: ScheduledEvent, sound: SoundView?, renderStart: Int64, start: Int64, stop: Int64,
    stopPosition: Double, attack: Double, decay: Double, rate: SoundRate
  ) {
    self.renderStart = renderStart
    fade = VoiceFade()
    isPausing = false
    isHeld = false
    samplesEnd = .max
    source = Source()
    filter = BrightnessFilter()
    pausedSource = Source()
    pausedFilter = BrightnessFilter()
    self.stopPosition = stopPosition
    self.sound = sound
    volume = Double(event.intensity)
    brightness = Double(event.sharpness)
    pitch = Double(event.pitch)
    pan = Double(event.pan)
    isLooped = event.isLooped
    let isRamped = event.usesEnvelope || sound == nil
    var attackLength: Int64 = 0
    if isRamped {
      attackLength = rate.frames(
        Envelope.attackSeconds(CoreMath.unitClamp(Double(event.attack) + attack)))
    }
    var ending = Fall()
    if let sound, isRamped {
      // A ramp takes no more than an eighth of a short sound at its beginning, and a quarter at its end.
      if !event.isLooped { attackLength = min(attackLength, sound.frames / 8) }
      let seconds = Envelope.releaseSeconds(CoreMath.unitClamp(Double(event.release)))
      let length = min(rate.frames(seconds), sound.frames / 4)
      if !event.isLooped { ending = Fall(seconds: Double(length) / Double(rate.rate), length: length) }
    }
    self.ending = ending
    var decayFall = Fall()
    let isSustained = event.isSustained || !isRamped
    if !isSustained {
      let seconds = Envelope.decaySeconds(CoreMath.unitClamp(Double(event.decay) + decay))
      decayFall = Fall(seconds: seconds, length: rate.frames(seconds))
    }
    envelope = SoundEnvelope(
      startFrame: start, stopFrame: stop, attackLength: attackLength, decay: decayFall,
      isSustained: isSustained, releaseAdjuster: isRamped ? Double(event.release) : 0)
  }

  /// The frame from which nothing is left of it, as far as is known.
  @_noLocks @_noAllocation
  func endFrame(_ rate: SoundRate) -> Int64 {
    min(samplesEnd, min(envelope.endFrame, fade.end(rate.response)))
  }

  /// Notes the state to come back to, and falls.
  @_noLocks @_noAllocation
  mutating func pause(at frame: Int64) {
    pausedSource = source
    pausedFilter = filter
    isPausing = true
    fade.fall(from: frame)
  }

  /// Does not come back from a pause.
  @_noLocks @_noAllocation
  mutating func forgetPause() { isPausing = false }

  /// Comes back as it was when it paused.
  /// - Parameters:
  ///   - frame: The render frame.
  ///   - delay: Render frames since the pause.
  @_noLocks @_noAllocation
  mutating func resume(at frame: Int64, delay: Int64, rate: SoundRate) {
    source = pausedSource
    filter = pausedFilter
    samplesEnd = .max
    isPausing = false
    isHeld = false
    renderStart = renderStart &+ delay
    let now = rate.first(frame)
    envelope.delay(by: now &- rate.first(frame &- delay), resumedAt: now)
    fade.rise(from: now)
  }

  /// A measure of how loud it is at a frame, for choosing the quietest: while it rises, what it rises to.
  @_noLocks @_noAllocation
  func level(at frame: Int64, control: Double, rate: SoundRate) -> Double {
    let level = envelope.isRising(at: frame) ? 1 : envelope.level(at: frame)[0]
    return CoreMath.unitClamp(volume * control) * level * fade.gain(at: frame, rate.response)
  }
}
