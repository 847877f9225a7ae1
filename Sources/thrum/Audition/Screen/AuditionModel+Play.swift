extension AuditionModel {
  /// Steps of a share, and of the gain in dB.
  private static let step = 0.05
  private static let gainStep = 1.0

  /// A number moved by a step, kept on the grid of steps and in a range.
  static func stepped(_ value: Double, by step: Double, in range: ClosedRange<Double>) -> Double {
    let moved = ((value + step) / abs(step)).rounded() * abs(step)
    // The grid's own errors are below a millionth.
    let clean = (moved * 1e6).rounded() / 1e6
    return min(max(clean, range.lowerBound), range.upperBound)
  }

  mutating func transport(_ command: KeyCommand) -> [AuditionAction] {
    let seconds = drawing?.seconds ?? 0
    switch command {
    case .play:
      // One that is still being read plays when it is there.
      if list.chosen == nil { return [] }
      return [transport.isPlaying ? .stop : .play(fromStart: false)]
    case .playFromStart: return list.chosen == nil ? [] : [.play(fromStart: true)]
    case .back, .forward:
      let step = max(seconds / 20, 0.001) * (command == .back ? -1 : 1)
      transport.position = min(max(transport.position + step, 0), seconds)
      return [.seek(transport.position)]
    case .loop:
      transport.isLooping.toggle()
      return [.setLoop(transport.isLooping)]
    case .regionStart, .regionEnd: return region(isStart: command == .regionStart, seconds: seconds)
    case .noRegion:
      transport.region = nil
      return [.setRegion(nil)]
    case .slower:
      transport.rate = Self.rates.last { $0 < transport.rate - 1e-9 } ?? Self.rates[0]
      return [.setRate(transport.rate)]
    case .faster:
      transport.rate = Self.rates.first { $0 > transport.rate + 1e-9 } ?? transport.rate
      return [.setRate(transport.rate)]
    case .plainRate:
      transport.rate = 1
      return [.setRate(1)]
    case .entry:
      transport.entersAtLoop.toggle()
      message = ScreenMessage(
        kind: .note,
        text: transport.entersAtLoop
          ? "while it loops, a new version enters at the loop point" : "a new version enters at once")
      return []
    default: return []
    }
  }

  private mutating func region(isStart: Bool, seconds: Double) -> [AuditionAction] {
    guard drawing != nil else { return [] }
    let here = min(max(transport.position, 0), seconds)
    let old = transport.region ?? 0...seconds
    // An end that would be before the start takes all behind or before it.
    let new =
      isStart
      ? here...(old.upperBound > here ? old.upperBound : seconds)
      : (old.lowerBound < here ? old.lowerBound : 0)...here
    guard new.upperBound - new.lowerBound >= 0.001 else {
      message = ScreenMessage(kind: .warning, text: "a loop region has at least 1 ms")
      return []
    }
    transport.region = new
    transport.isLooping = true
    return [.setRegion(new), .setLoop(true)]
  }

  mutating func turn(_ command: KeyCommand) -> [AuditionAction] {
    let step = Self.step
    switch command {
    case .lessIntensity, .moreIntensity:
      intensity = Self.stepped(intensity, by: command == .lessIntensity ? -step : step, in: 0...1)
      return [.setIntensity(intensity)]
    case .lessSharpness, .moreSharpness:
      sharpness = Self.stepped(sharpness, by: command == .lessSharpness ? -step : step, in: -1...1)
      return [.setSharpness(sharpness)]
    case .neutral:
      (intensity, sharpness) = (1, 0)
      return [.setIntensity(1), .setSharpness(0)]
    case .weakerTouch, .strongerTouch:
      touchIntensity = Self.stepped(touchIntensity, by: command == .weakerTouch ? -step : step, in: 0...1)
      return []
    case .rounderTouch, .sharperTouch:
      touchSharpness = Self.stepped(touchSharpness, by: command == .rounderTouch ? -step : step, in: 0...1)
      return []
    case .quieter, .louder:
      let step = command == .quieter ? -Self.gainStep : Self.gainStep
      output.gain = Self.stepped(output.gain, by: step, in: Bench.gainRange)
      return [.setGain(output.gain)]
    case .muteHaptics:
      output.isHapticMuted.toggle()
      return [.muteHaptics(output.isHapticMuted)]
    case .muteSound:
      output.isSoundMuted.toggle()
      return [.muteSound(output.isSoundMuted)]
    default: return []
    }
  }

  /// A press of the key that holds: the first begins, those that the keyboard repeats go on.
  mutating func hold(now: Int64) -> [AuditionAction] {
    if isHolding, holdEnd != nil {
      holdEnd = now + Self.nextHoldNanoseconds
      return []
    }
    return isHolding ? endHold() : beginHold(until: now + Self.firstHoldNanoseconds)
  }

  mutating func beginHold(until end: Int64?) -> [AuditionAction] {
    isHolding = true
    holdEnd = end
    return [.hold(intensity: touchIntensity, sharpness: touchSharpness)]
  }

  mutating func endHold() -> [AuditionAction] {
    isHolding = false
    holdEnd = nil
    return [.release]
  }

  mutating func compare(_ command: KeyCommand) -> [AuditionAction] {
    switch command {
    case .putA: return drawing == nil ? [] : [.put(.a)]
    case .putB: return drawing == nil ? [] : [.put(.b)]
    case .listenA: return listen(.a)
    case .listenB: return listen(.b)
    case .other: return listen(compare.active == .a ? .b : .a)
    case .blind:
      guard compare.nameA != nil, compare.nameB != nil else {
        message = ScreenMessage(
          kind: .warning, text: "a blind comparison takes two versions; A and B keep the one in hand")
        return []
      }
      return [.beginBlind]
    default: return []
    }
  }

  private mutating func listen(_ slot: CompareSlot) -> [AuditionAction] {
    guard (slot == .a ? compare.nameA : compare.nameB) != nil else {
      message = ScreenMessage(
        kind: .warning,
        text: "\(slot.rawValue) is empty: Shift-\(slot.rawValue) keeps the pattern in hand there")
      return []
    }
    compare.active = slot
    return [.listen(slot)]
  }

  /// Keys of a blind comparison: what is heard, and which one X is.
  mutating func blind(_ key: Key, now: Int64) -> [AuditionAction] {
    switch key {
    case .character("x"), .character("X"): return [.blind(.hear(.x))]
    case .character("a"): return [.blind(.hear(.a))]
    case .character("b"): return [.blind(.hear(.b))]
    case .character("1"): return [.blind(.answer(.a))]
    case .character("2"): return [.blind(.answer(.b))]
    case .character(" "): return transport(.play)
    case .character("l"): return transport(.loop)
    case .escape, .character("q"): return [.blind(.end)]
    default: return []
    }
  }
}
