// The built-in tone: the first partials of a saw-tooth, as many as stay below the end of the band.
extension SoundVoice {
  /// Hz at pitch 0.
  private static var middleHz: Double { @_noLocks @_noAllocation get { 220 } }

  /// Makes the tone's next frames and moves on behind them.
  /// - Parameters:
  ///   - pitches: The pitch on each.
  ///   - count: 1…8 frames.
  @_noLocks @_noAllocation
  mutating func tone(pitches: SIMD8<Double>, count: Int, rate: SoundRate) -> SIMD8<Double> {
    let hertz = CoreMath.quickExp2(pitches) * SoundVoice.middleHz
    let perTurn = 4_294_967_296 / Double(rate.rate)
    var phases = SIMD8<UInt32>(repeating: 0)
    var partials = SIMD8<Float>(repeating: 0)
    var norms = SIMD8<Double>(repeating: 0)
    var most: Float = 1
    var lane = 0
    while lane < 8 {
      phases[lane] = source.phase
      if lane < count {
        let step = CoreMath.roundedHalfAway(hertz[lane] * perTurn)
        source.phase = source.phase &+ UInt32(truncatingIfNeeded: step)
      }
      let fitting = max(1, min(16, Int(0.45 * Double(rate.rate) / hertz[lane])))
      partials[lane] = Float(fitting)
      norms[lane] = SoundVoice.norm(fitting)
      most = max(most, Float(fitting))
      lane = lane &+ 1
    }
    var sum = SIMD8<Float>(repeating: 0)
    var turns = SIMD8<UInt32>(repeating: 0)
    var k: Float = 1
    while k <= most {
      turns = turns &+ phases
      // 1 in the lanes that have this partial, 0 in the others.
      var share = SIMD8<Float>(repeating: 0)
      lane = 0
      while lane < 8 {
        if k <= partials[lane] { share[lane] = 1 / k }
        lane = lane &+ 1
      }
      sum = sum + Oscillator.sine(turns) * share
      k = k + 1
    }
    return SIMD8<Double>(sum) * norms
  }

  /// The low-pass's corner over the device's rate at a pitch and a brightness.
  @_noLocks @_noAllocation
  func corner(pitch: Double, brightness: Double, rate: SoundRate) -> Double {
    if sound == nil {
      return SoundVoice.middleHz * CoreMath.exp2(pitch + 5 * brightness) / Double(rate.rate)
    }
    // 200·100^b; log₂ 100.
    return 200 * CoreMath.exp2(brightness * 6.643856189774724) / Double(rate.rate)
  }

  /// ½ over the peak of Σ sin(kφ)/k, which is at φ = π/(K + 1).
  @_noLocks @_noAllocation
  private static func norm(_ partials: Int) -> Double {
    switch partials {
    case 1: 0.5
    case 2: 0.3849001794597505
    case 3: 0.34654620645552786
    case 4: 0.32737968017844055
    case 5: 0.3158854258098673
    case 6: 0.30822574077320497
    case 7: 0.30275639737349047
    case 8: 0.2986555497988575
    case 9: 0.2954667595962376
    case 10: 0.29291624243943365
    case 11: 0.29082981737124997
    case 12: 0.2890913910644048
    case 13: 0.2876206082498001
    case 14: 0.2863600832841355
    case 15: 0.2852677406435639
    default: 0.284312028639645
    }
  }
}
