// The samples of a file, at the pitch's rate.
extension SoundVoice {
  /// 1 in units of a position.
  private static var one: Int64 { @_noLocks @_noAllocation get { 4_294_967_296 } }

  /// Gives the frame at the present position, with the ramp at the sound's end, and moves on.
  /// - Parameters:
  ///   - pitch: −1…1; at 0 samples pass as they are.
  ///   - frame: The device frame, for noting where the samples end.
  ///   - weights: Room for a kernel's weights.
  @_noLocks @_noAllocation
  mutating func sample(
    pitch: Double, at frame: Int64, of sound: SoundView, kernel: SoundKernel,
    weights: UnsafeMutablePointer<Float>
  ) -> (left: Double, right: Double) {
    if pitch != source.steadyPitch {
      source.steadyPitch = pitch
      source.step =
        pitch == 0
        ? SoundVoice.one : CoreMath.roundedHalfAway(CoreMath.exp2(pitch) * Double(SoundVoice.one))
    }
    let length = sound.frames &* SoundVoice.one
    if source.position >= length {
      if !isLooped {
        samplesEnd = min(samplesEnd, frame)
        return (0, 0)
      }
      source.position = source.position % length
    }
    let whole = source.position &>> 32
    let fraction = Double(source.position & 0xFFFF_FFFF) / Double(SoundVoice.one)
    var result: (left: Double, right: Double)
    if source.step == SoundVoice.one, fraction == 0 {
      let place = sound.samples + Int(whole &* Int64(sound.channels))
      result = (Double(place[0]), Double(sound.channels == 2 ? place[1] : place[0]))
    } else {
      // Nothing above the lower of the two bands: its own, and that of the device.
      let cutoff = source.step > SoundVoice.one ? 0.45 * Double(SoundVoice.one) / Double(source.step) : 0.45
      kernel.weights(fraction: fraction, cutoff: cutoff, into: weights)
      result = interpolated(at: whole, of: sound, weights: weights)
    }
    if ending.length > 0 {
      let left = Double(sound.frames &- whole) - fraction
      if left < Double(ending.length) {
        let gain = ending.level(SIMD8(repeating: max(0, Double(ending.length) - left)))[0]
        result = (result.left * gain, result.right * gain)
      }
    }
    source.position = source.position &+ source.step
    return result
  }

  @_noLocks @_noAllocation
  private func interpolated(
    at whole: Int64, of sound: SoundView, weights: UnsafePointer<Float>
  ) -> (left: Double, right: Double) {
    let first = whole &- Int64(SoundKernel.centre)
    let isStereo = sound.channels == 2
    var left: Float = 0
    var right: Float = 0
    let isInside = first >= 0 && first &+ Int64(SoundKernel.taps) <= sound.frames
    var tap = 0
    while tap < SoundKernel.taps {
      var index = first &+ Int64(tap)
      if !isInside {
        if isLooped {
          index = index % sound.frames
          if index < 0 { index = index &+ sound.frames }
        } else if index < 0 || index >= sound.frames {
          tap = tap &+ 1
          continue
        }
      }
      let place = sound.samples + Int(index &* Int64(sound.channels))
      left = left + place[0] * weights[tap]
      if isStereo { right = right + place[1] * weights[tap] }
      tap = tap &+ 1
    }
    return (Double(left), Double(isStereo ? right : left))
  }
}
