/// What stands between a bus's voices and the kernel: drive, gain, high-pass, RMS limiter, excursion and peak limiter.
struct BusChain {
  private let gain: Double
  private let hasHighPass: Bool
  private let hasEqualizer: Bool
  private let isResonant: Bool
  private let isLimited: Bool
  private let isSoft: Bool
  private let hasExcursion: Bool
  private let isPlain: Bool
  private let isDelayed: Bool
  // A gain below 0 makes −0 of silence.
  private let canRest: Bool
  private var equalizer: Biquad
  private var resonant: ResonantDrive
  private var highPass: Biquad
  private var rms: RMSLimiter
  private var excursion: ExcursionLimiter
  private var peak: PeakLimiter
  private let soft: SoftCeiling

  /// Control side.
  /// - Parameters:
  ///   - profile: What the bus drives.
  ///   - isOutputLimited: Whether any bus of the output looks ahead: then one that does not is delayed like it, so that
  ///     actuators stay in step.
  init(_ profile: BusProfile, isOutputLimited: Bool) {
    let protection = profile.protection ?? ActuatorProtection()
    gain = Double(profile.gain)
    canRest = profile.gain.sign == .plus
    hasHighPass = profile.highPassHz > 0
    highPass = Biquad(highPassHz: hasHighPass ? profile.highPassHz : 1)
    isLimited = profile.protection != nil
    isSoft = protection.peak == .softCeiling
    isDelayed = isOutputLimited && !profile.looksAhead
    hasExcursion = protection.excursion != nil
    rms = RMSLimiter(ratedSquare: protection.ratedSquare, thermalSeconds: protection.thermalSeconds)
    excursion = ExcursionLimiter(
      protection.excursion ?? .init(resonanceHz: 100, q: 1), ratedSquare: protection.ratedSquare)
    peak = PeakLimiter(ceiling: protection.ceiling)
    soft = SoftCeiling(ceiling: protection.ceiling)
    let filter = BusChain.equalizer(profile.drive)
    hasEqualizer = filter != nil
    equalizer = filter ?? Biquad(displacementOf: Quadratic(hertz: 100, q: 1))
    let drive = BusChain.resonant(profile.drive)
    isResonant = drive != nil
    resonant =
      drive ?? ResonantDrive(resonanceHz: 100, q: 1, headroom: 1, overdrives: false, brakes: false)
    isPlain =
      !isOutputLimited && !isLimited && profile.highPassHz <= 0 && profile.gain == 1 && !hasEqualizer
      && !isResonant
  }

  func deallocate() { peak.deallocate() }

  /// The filter of an equalizing drive. Control side.
  private static func equalizer(_ drive: ActuatorDrive) -> Biquad? {
    guard case .equalizer(let hertz, let q, let targetHz, let targetQ) = drive else { return nil }
    // At a frequency that they share the numerator is q/targetQ of the denominator.
    return Biquad(
      resonance: Quadratic(hertz: hertz, q: q), target: Quadratic(hertz: targetHz, q: targetQ),
      gain: hertz == targetHz ? q / targetQ : 1)
  }

  private static func resonant(_ drive: ActuatorDrive) -> ResonantDrive? {
    guard case .resonant(let hertz, let q, let headroom, let overdrives, let brakes) = drive else {
      return nil
    }
    return ResonantDrive(
      resonanceHz: hertz, q: q, headroom: headroom, overdrives: overdrives, brakes: brakes)
  }

  /// Render frames for which drive and filters ring on. Control side.
  static func tailFrames(_ profile: BusProfile) -> Int64 {
    let highPass = profile.highPassHz > 0 ? Biquad(highPassHz: profile.highPassHz).ringFrames : 0
    return highPass + (equalizer(profile.drive)?.ringFrames ?? 0)
      + (resonant(profile.drive)?.ringFrames ?? 0)
  }

  /// Works on the frames of a block in place.
  /// - Parameters:
  ///   - samples: The block; behind it, on a resonant bus, what ``BusVoicing`` says.
  ///   - frames: Its length, a multiple of 8.
  ///   - rings: One a group of eight: whether the filters may ring there; they are emptied where not.
  ///   - limited: One a frame: takes the ``LimitKinds`` of what turns the sample down that leaves.
  /// - Returns: Whether it set any.
  @_noLocks @_noAllocation
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, rings: UnsafePointer<Bool>,
    limited: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    if isPlain { return false }
    var hasLimited = false
    var index = 0
    while index < frames {
      let group = samples + index
      if !rings[index &>> 3] { clear() }
      if isAtRest(group) {
        if isLimited, rest(limited + index) { hasLimited = true }
      } else {
        if isResonant {
          resonant.drive(
            group, crispness: group + BusVoicing.crispness, clicks: group + BusVoicing.clicks)
        }
        if process(group, limited: limited + index) { hasLimited = true }
      }
      index = index &+ 8
    }
    return hasLimited
  }

  /// The eight frames of a group, the drive's but for the filter.
  @_noLocks @_noAllocation
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, limited: UnsafeMutablePointer<UInt8>)
    -> Bool
  {
    var hasLimited = false
    var index = 0
    while index < 8 {
      var u = Double(samples[index])
      if hasEqualizer { u = equalizer.next(u) }
      u = u * gain
      if hasHighPass { u = highPass.next(u) }
      if isLimited {
        let kinds = limit(&u)
        if kinds != 0 {
          limited[index] = limited[index] | kinds
          hasLimited = true
        }
      }
      if isDelayed { u = peak.delay(u) }
      samples[index] = Float(u)
      index = index &+ 1
    }
    highPass.settle()
    if hasEqualizer { equalizer.settle() }
    if hasExcursion { excursion.settle() }
    return hasLimited
  }

  /// Puts the sample that leaves in the place of the one that comes, and tells what turned it down.
  @_noLocks @_noAllocation
  @inline(__always)
  private mutating func limit(_ u: inout Double) -> UInt8 {
    let rmsGain = rms.next(u)
    var kinds: UInt8 = rmsGain < 0.999 ? LimitKinds.rms : 0
    u = u * rmsGain
    if isSoft {
      if hasExcursion {
        let gain = excursion.gain(u)
        if gain < 0.999 { kinds = kinds | LimitKinds.excursion }
        u = u * gain
      }
      let bent = soft.bent(u)
      u = bent.sample
      return kinds | bent.kind
    }
    let held = peak.next(u, excursionRequest: hasExcursion ? excursion.request(u) : 1)
    u = held.sample
    return kinds | held.kind
  }

  /// Whether a group is silent and so is everything behind it, so that zeros leave and nothing but the RMS changes.
  @_noLocks @_noAllocation
  private func isAtRest(_ samples: UnsafePointer<Float>) -> Bool {
    if !canRest || !isClear { return false }
    return BusChain.isSilent(samples)
      && (!isResonant || BusChain.isSilent(samples + BusVoicing.clicks))
  }

  /// Whether every state but the mean square is as at the beginning.
  var isClear: Bool {
    @_noLocks @_noAllocation get {
      if isLimited && !isSoft || isDelayed, !peak.isAtRest { return false }
      return highPass.isClear && equalizer.isClear && excursion.isClear && resonant.isClear
    }
  }

  /// Whether eight samples are zeros, −0 excepted.
  @_noLocks @_noAllocation
  private static func isSilent(_ samples: UnsafePointer<Float>) -> Bool {
    var bits: UInt32 = 0
    var index = 0
    while index < 8 {
      bits = bits | samples[index].bitPattern
      index = index &+ 1
    }
    return bits == 0
  }

  /// Passes a group at rest. The RMS limiter goes on forgetting, by the same operations.
  @_noLocks @_noAllocation
  private mutating func rest(_ limited: UnsafeMutablePointer<UInt8>) -> Bool {
    var hasLimited = false
    var index = 0
    while index < 8 {
      if rms.next(0) < 0.999 {
        limited[index] = limited[index] | LimitKinds.rms
        hasLimited = true
      }
      index = index &+ 1
    }
    peak.pass(frames: 8)
    return hasLimited
  }

  @_noLocks @_noAllocation
  private mutating func clear() {
    highPass.clear()
    equalizer.clear()
    excursion.clear()
  }
}
