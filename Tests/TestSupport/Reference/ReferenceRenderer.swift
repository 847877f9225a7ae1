import Foundation
import ThrumPattern

/// A plain Float64 implementation of the signal model, written from its text alone.
///
/// It shares nothing with the renderer it is compared with but the pattern model: direct sums in place of
/// closed forms, `sin` and `exp2` of the C library in place of polynomials, whole arrays in place of
/// recurrences. Section numbers in comments are those of the signal model; section 11 wins. Audio events make
/// no haptic sample.
public enum ReferenceRenderer {
  /// Frames in a second, before any kernel.
  public static let framesPerSecond = 8000.0
  /// Frames after which the release of a longer or endless continuous event begins (11.12).
  public static let longestContinuous = 240_000

  /// Renders a pattern at 8 kHz: the sum of the voices, then what the profile does to it.
  public static func render(_ pattern: Pattern, profile: ReferenceProfile = .none) -> [Double] {
    profile.apply(to: profile.withRoomToRing(voices(of: pattern, profile: profile)))
  }

  /// Renders a pattern at a device rate: as at 8 kHz, then through the polyphase kernel (section 6), then, in
  /// every profile but `none`, saturated at ±1 (11.2).
  ///
  /// Reading chosen: 11.14 gives the length of N frames through a kernel; what goes into it behind them is zero.
  public static func render(_ pattern: Pattern, profile: ReferenceProfile = .none, rate: Int) -> [Double] {
    guard rate != Int(framesPerSecond) else { return render(pattern, profile: profile) }
    let native = render(pattern, profile: profile)
    let kernel = ReferenceKernel(rate: rate)
    let longer = native + [Double](repeating: 0, count: ReferenceKernel.tapsPerPhase - 1)
    let resampled = kernel.apply(to: longer).prefix(kernel.length(of: native.count))
    return resampled.map { profile.isTransparent ? $0 : clamped($0, to: -1...1) }
  }

  /// The sum of a pattern's voices over the length of 11.14, without the limiter's 8 frames.
  static func voices(of pattern: Pattern, profile: ReferenceProfile) -> [Double] {
    let controls = Controls(pattern)
    // 11.11: events start in order of frame, then of place in the file.
    let events = pattern.events.filter(\.type.isHaptic).stablySorted {
      referenceFrames($0.time) < referenceFrames($1.time)
    }

    var output = [Double](repeating: 0, count: endFrame(of: pattern))
    var sounding: [ContinuousVoice] = []
    for event in events {
      let start = referenceFrames(event.time)
      let samples: [Double]
      if event.type == .hapticTransient {
        samples = transient(event, at: start, controls, profile).samples
      } else {
        sounding.removeAll { $0.life.upperBound <= start }
        guard let voice = ContinuousVoice(event, at: start, controls, profile, sounding: sounding) else {
          continue
        }
        sounding.append(voice)
        samples = voice.samples
      }
      let end = start + samples.count
      if end > output.count { output += [Double](repeating: 0, count: end - output.count) }
      for (index, sample) in samples.enumerated() { output[start + index] += sample }
    }
    return output
  }

  /// The pattern's end in frames: the latest start, plus the duration where there is one, a continuous event
  /// counting at most 30 s and an endless one as its start (11.14 and API sheet 2.5), a curve as its start.
  ///
  /// Reading chosen: an end is start frame + round(duration), as 11.1 has it for stops, not round of the sum.
  /// The tail of a transient counts its N frames, that of a continuous event ends before the frame at which
  /// the release (or decay) reaches 0; events at intensity 0 count like others.
  static func endFrame(of pattern: Pattern) -> Int {
    pattern.entries.reduce(0) { end, entry in
      switch entry {
      case .parameter(let parameter): return max(end, referenceFrames(parameter.time))
      case .curve(let curve): return max(end, referenceFrames(curve.time))
      case .event(let event):
        var frames = referenceFrames(event.duration ?? 0)
        if event.type == .hapticContinuous || event.type == .audioContinuous {
          frames = min(frames, longestContinuous)
        }
        return max(end, referenceFrames(event.time) + frames)
      }
    }
  }

  /// 11.9: a transient takes everything at its start frame, that frame's step included, unsmoothed.
  private static func transient(
    _ event: Event, at start: Int, _ controls: Controls, _ profile: ReferenceProfile
  ) -> ReferenceTransient {
    ReferenceTransient(
      intensity: clamped(event.loaded(.hapticIntensity) * controls.intensity.value(at: start), to: 0...1),
      sharpness: clamped(event.loaded(.hapticSharpness) + controls.sharpness.value(at: start), to: 0...1),
      attack: clamped(event.loaded(.attackTime) + controls.attack.value(at: start), to: 0...1),
      decay: clamped(event.loaded(.decayTime) + controls.decay.value(at: start), to: -1...1),
      gamma: profile.gamma)
  }
}

/// The five dynamic parameters that act on haptic events.
struct Controls {
  let intensity: ReferenceControl
  let sharpness: ReferenceControl
  let attack: ReferenceControl
  let decay: ReferenceControl
  let release: ReferenceControl

  init(_ pattern: Pattern) {
    intensity = ReferenceControl(.hapticIntensityControl, in: pattern)
    sharpness = ReferenceControl(.hapticSharpnessControl, in: pattern)
    attack = ReferenceControl(.hapticAttackTimeControl, in: pattern)
    decay = ReferenceControl(.hapticDecayTimeControl, in: pattern)
    release = ReferenceControl(.hapticReleaseTimeControl, in: pattern)
  }
}

/// A continuous event with everything that happens to it.
struct ContinuousVoice {
  /// From its first frame to the one before its envelope is 0 for good.
  let life: Range<Int>
  /// Hz on each frame.
  let frequencies: [Double]
  /// The oscillator's phase on each frame, 2^32 to a cycle.
  let phases: [UInt32]
  /// What it adds to the output on each frame.
  let samples: [Double]

  /// Nil for an event that is silent: a duration that is not 0 but rounds to 0 frames (11.12).
  ///
  /// `sounding` are the voices that began before it, in order of their beginning.
  init?(
    _ event: Event, at start: Int, _ controls: Controls, _ profile: ReferenceProfile,
    sounding: [ContinuousVoice]
  ) {
    // 11.12: absent or exactly 0 is endless; whatever is longer than 30 s is released 240,000 frames after
    // the start.
    let duration = event.duration ?? 0
    var stop = ReferenceRenderer.longestContinuous
    if duration != 0 { stop = min(stop, referenceFrames(duration)) }
    if stop == 0 { return nil }

    // 11.10: attack and decay at the start frame, release at the stop frame.
    let envelope = ReferenceEnvelope(
      attack: clamped(event.loaded(.attackTime) + controls.attack.value(at: start), to: 0...1),
      decay: clamped(event.loaded(.decayTime) + controls.decay.value(at: start), to: 0...1),
      release: clamped(event.loaded(.releaseTime) + controls.release.value(at: start + stop), to: 0...1),
      isSustained: event.loaded(.sustained) >= 0.5, stop: stop)
    let life = start..<(start + envelope.levels.count)

    // 11.3: sums (and products: API sheet 2.1) of event and control are clamped per frame, after smoothing.
    // Reading chosen: the smoothed control itself is not clamped, only its sum or product with the event's
    // value.
    let eventIntensity = event.loaded(.hapticIntensity)
    let eventSharpness = event.loaded(.hapticSharpness)
    let intensities = controls.intensity.smoothed(over: life).map { clamped(eventIntensity * $0, to: 0...1) }
    let frequencies = controls.sharpness.smoothed(over: life).map {
      profile.frequency(atSharpness: clamped(eventSharpness + $0, to: 0...1))
    }

    var phase = Self.inheritedPhase(at: start, frequency: frequencies[0], from: sounding)
    var phases: [UInt32] = []
    phases.reserveCapacity(life.count)
    for frequency in frequencies {
      phases.append(phase)
      // 11.5: the phase moves after the sample.
      phase &+= Self.increment(frequency)
    }

    self.life = life
    self.frequencies = frequencies
    self.phases = phases
    samples = envelope.levels.indices.map { n in
      let amplitude = 0.5 * pow(intensities[n], profile.gamma)
      return amplitude * envelope.levels[n] * sin(2 * .pi * Double(phases[n]) / 4_294_967_296)
    }
  }

  /// Section 1: inc = round(2^32·f/fs).
  private static func increment(_ frequency: Double) -> UInt32 {
    UInt32((4_294_967_296 * frequency / ReferenceRenderer.framesPerSecond).rounded())
  }

  /// 11.11: the phase of the sounding voice whose frequency is nearest, within 1 % of the new one; of equally near ones
  /// that begun last; 0 where there is none. `f_old` is the old voice's own, smoothed frequency at that frame.
  ///
  /// Reading chosen: nearness is that of the oscillators' increments, so that voices of one pitch are equally near
  /// even if the last bits of their sharpness, come by in different sums, are not the same.
  private static func inheritedPhase(
    at start: Int, frequency: Double, from sounding: [ContinuousVoice]
  ) -> UInt32 {
    var nearest = Int.max
    var phase: UInt32 = 0
    for voice in sounding where voice.life.contains(start) {
      let index = start - voice.life.lowerBound
      guard abs(frequency - voice.frequencies[index]) <= 0.01 * frequency else { continue }
      let distance = abs(Int(increment(frequency)) - Int(increment(voice.frequencies[index])))
      if distance <= nearest {
        nearest = distance
        phase = voice.phases[index]
      }
    }
    return phase
  }
}

extension Event {
  /// A parameter as it is after loading: in its range, a Float32, from there on Float64 (11.3).
  func loaded(_ parameter: EventParameterID) -> Double {
    Double(clamped(value(of: parameter), to: parameter.range))
  }
}
