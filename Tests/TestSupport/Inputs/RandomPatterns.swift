import ThrumPattern

/// Patterns that exercise everything a haptic pattern can say, each made from a seed.
///
/// Times are chosen to tie (events, parameters and curves on one frame), to fall on halves of a frame, and to
/// come out of order; values to stand at the ends of their ranges as often as between; sharpness to lie so
/// close that phases are inherited; curves to have points that share a frame or nearly do, and to cut each
/// other off.
public enum RandomPatterns {
  /// The pattern of a seed. Endless events and those over 30 s take 30 s to render, so they are an option.
  public static func pattern(seed: UInt64, withLongEvents: Bool) -> Pattern {
    var maker = Maker(random: SeededGenerator(seed: seed), withLongEvents: withLongEvents)
    return maker.pattern()
  }

  /// The crowded pattern of a seed: everything begins within 25 ms, so that voices begin while steps before them are
  /// still being smoothed, steps follow within a few frames of an onset, and envelopes are cut everywhere.
  public static func crowded(seed: UInt64) -> Pattern {
    var maker = Maker(random: SeededGenerator(seed: seed), withLongEvents: false)
    maker.span = 0.025
    return maker.pattern()
  }
}

private struct Maker {
  var random: SeededGenerator
  let withLongEvents: Bool
  var span = 2.0
  var times: [Double] = [0]
  var sharpnesses: [Float] = [0.5]

  mutating func pattern() -> Pattern {
    var entries: [Pattern.Entry] = []
    for _ in 0..<random.whole(in: 1...14) { entries.append(.event(event())) }
    for _ in 0..<random.whole(in: 0...10) { entries.append(.parameter(parameter())) }
    for _ in 0..<random.whole(in: 0...6) { entries.append(.curve(curve())) }
    if random.chance(0.2) { entries.append(.event(sound())) }
    entries.shuffle(using: &random)
    return Pattern(entries: entries, version: 1)
  }

  /// A start: one that has been used, half a frame beside one, or a new one in the span.
  mutating func time() -> Double {
    let known = random.one(of: times)
    switch random.whole(in: 0...9) {
    case 0...2: return known
    case 3: return max(0, (known * 8000).rounded() + 0.5 * Double(random.whole(in: -3...3))) / 8000
    default:
      let new = random.number(in: 0..<span)
      times.append(new)
      return new
    }
  }

  mutating func duration() -> Double? {
    switch random.whole(in: 0...19) {
    case 0: return random.number(in: 0..<0.00006)
    case 1: return 0.5 / 8000
    case 2...6: return random.number(in: 0.0001..<0.03)
    case 7 where withLongEvents: return random.chance(0.3) ? nil : random.chance(0.5) ? 0 : 31.5
    default: return random.number(in: 0.02..<1.2)
    }
  }

  /// A value of 0…1, at an end in two of five cases.
  mutating func unit() -> Float {
    switch random.whole(in: 0...9) {
    case 0, 1: 0
    case 2, 3: 1
    default: Float(random.number(in: 0..<1))
    }
  }

  /// A sharpness: one used before, one so close that its frequency is within about 1 % of it, or a new one.
  mutating func sharpness() -> Float {
    let known = random.one(of: sharpnesses)
    switch random.whole(in: 0...9) {
    case 0...3: return known
    case 4...5: return min(max(known + Float(random.number(in: -0.012..<0.012)), 0), 1)
    default:
      let new = unit()
      sharpnesses.append(new)
      return new
    }
  }

  mutating func event() -> Event {
    let isTap = random.chance(0.35)
    var event = Event(type: isTap ? .hapticTransient : .hapticContinuous, time: time())
    event.duration = isTap ? (random.chance(0.1) ? random.number(in: 0..<0.5) : nil) : duration()
    if random.chance(0.85) { event.parameters[.hapticIntensity] = unit() }
    if random.chance(0.85) { event.parameters[.hapticSharpness] = sharpness() }
    // A long attack or release is an envelope of a second; most stay short.
    if random.chance(0.4) { event.parameters[.attackTime] = random.chance(0.7) ? unit() * 0.6 : unit() }
    if random.chance(0.4) { event.parameters[.decayTime] = unit() }
    if random.chance(0.4) { event.parameters[.releaseTime] = random.chance(0.7) ? unit() * 0.6 : unit() }
    if random.chance(0.5) { event.parameters[.sustained] = random.one(of: [0, 0, 0.49, 0.5, 1]) }
    return event
  }

  mutating func parameterID() -> DynamicParameterID {
    random.one(of: [
      .hapticIntensityControl, .hapticIntensityControl, .hapticSharpnessControl, .hapticSharpnessControl,
      .hapticAttackTimeControl, .hapticDecayTimeControl, .hapticReleaseTimeControl, .audioVolumeControl,
    ])
  }

  mutating func value(of id: DynamicParameterID) -> Float {
    id.isMultiplier ? unit() : random.chance(0.2) ? 0 : 2 * unit() - 1
  }

  mutating func parameter() -> DynamicParameter {
    let id = parameterID()
    return DynamicParameter(id: id, value: value(of: id), time: time())
  }

  mutating func curve() -> ParameterCurve {
    let id = parameterID()
    var points: [ParameterCurve.Point] = []
    var at = random.chance(0.5) ? 0 : random.number(in: 0..<0.2)
    for _ in 0..<random.whole(in: 0...8) {
      points.append(.init(time: at, value: value(of: id)))
      switch random.whole(in: 0...9) {
      case 0, 1: break
      case 2: at += 0.00001
      case 3: at += random.number(in: 0.0001..<0.003)
      default: at += random.number(in: 0.003..<0.5)
      }
    }
    return ParameterCurve(id: id, time: time(), points: points)
  }

  /// An event that is heard, not felt: it may lengthen the render and nothing else.
  mutating func sound() -> Event {
    Event(
      type: .audioContinuous, time: time(), duration: random.number(in: 0.1..<3))
  }
}
