import ThrumRealtime

extension ActuatorProfile {
  /// A value that is not right, and what would be.
  public struct Problem: Sendable, Equatable {
    /// The path of the value as a file has it, such as `volts.ratedRMS`.
    public var keyPath: String
    /// What is wrong and what would be right.
    public var message: String
  }

  /// What is wrong with the values, alone and together; empty where nothing is.
  ///
  /// Threads: any. Real-time: no.
  public func problems() -> [Problem] { problemList().found }

  /// The same, with which of them are of a range alone.
  func problemList() -> ProblemList {
    var list = ProblemList()
    if !Self.isName(name) {
      list.add("name", "takes 1 to 64 lower-case letters, digits, dashes, underscores and points")
    }
    checkResonance(&list)
    checkVolts(&list)
    if let headroom {
      list.check("headroom", headroom, 1...8)
      if volts?.overdrivePeak != nil {
        list.add("headroom", "follows from volts.ratedRMS and volts.overdrivePeak; leave one of them out")
      }
    }
    list.check("gain", gain, 0.001...8)
    checkFrequency(&list)
    checkDrive(&list)
    checkProtection(&list)
    if !channels.allSatisfy((1...64).contains) || Set(channels).count != channels.count {
      list.add("channels", "takes numbers from 1 to 64, none of them twice")
    }
    for (key, text) in [("mounting", mounting), ("measurement", measurement), ("notes", notes)]
    where (text?.utf8.count ?? 0) > 4000 {
      list.add(key, "takes a text of at most 4000 bytes")
    }
    // What the core would refuse for a reason that no rule above names.
    if list.found.isEmpty, let flaw = busProfile.flaw { list.add("", flaw) }
    return list
  }

  /// Whether a word can be a profile's name.
  static func isName(_ word: String) -> Bool {
    (1...64).contains(word.utf8.count)
      && word.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || [UInt8]("_-.".utf8).contains($0)
      } && word.utf8.first != UInt8(ascii: ".") && word.utf8.first != UInt8(ascii: "-")
      && !word.hasSuffix(".json")
  }

  private func checkResonance(_ list: inout ProblemList) {
    guard let resonance else {
      if kind == .lra { list.add("resonance", "is missing; a resonant actuator is driven at its resonance") }
      return
    }
    list.check("resonance.hz", resonance.hz, 10...1000)
    list.check("resonance.q", resonance.q, 0.3...200)
    for (key, share) in [
      ("resonance.hzUncertaintyPercent", resonance.hzUncertainty),
      ("resonance.qUncertaintyPercent", resonance.qUncertainty),
    ] {
      if let share { list.check(key, share * 100, 0...100) }
    }
  }

  private func checkVolts(_ list: inout ProblemList) {
    guard let volts else { return }
    list.check("volts.fullScalePeak", volts.fullScalePeak, 0.01...100)
    list.check("volts.ratedRMS", volts.ratedRMS, 0.01...100)
    if let overdrive = volts.overdrivePeak {
      list.check("volts.overdrivePeak", overdrive, 0.01...100)
      let rated = volts.ratedRMS * 2.0.squareRoot()
      if overdrive < rated {
        list.add(
          "volts.overdrivePeak",
          "is less than the rated amplitude, \(ProfileText.short(rated)) V: ratedRMS is rms and overdrivePeak a peak; "
            + "give \(ProfileText.short(rated)) or more, or leave it out")
      } else if overdrive > 8 * rated {
        list.add(
          "volts.overdrivePeak", "is more than 8 times the rated amplitude, \(ProfileText.short(rated)) V")
      }
    }
    if let seconds = volts.overdriveSeconds {
      list.check("volts.overdriveSeconds", seconds, 0.005...10)
      if volts.overdrivePeak == nil {
        list.add("volts.overdriveSeconds", "says how long volts.overdrivePeak may last, which is missing")
      }
    }
  }

  private func checkFrequency(_ list: inout ProblemList) {
    list.check("frequency.minimumHz", frequency.minimumHz, 20...1000)
    list.check("frequency.maximumHz", frequency.maximumHz, 20...1000)
    if frequency.maximumHz < frequency.minimumHz {
      list.add(
        "frequency.maximumHz", "is below frequency.minimumHz, \(ProfileText.short(frequency.minimumHz))")
    }
    switch law {
    case .power(let gamma): list.check("intensity.gamma", gamma, 1...3)
    case .sensation(let decibels): list.check("intensity.sensationDecibels", decibels, 10...80)
    }
    switch (kind, speakerCornerHz) {
    case (.speaker, let corner?):
      list.check("speakerCornerHz", corner, 20...400)
      if frequency.maximumHz * Double(2 << octaves) >= 4000 {
        list.add(
          "frequency.maximumHz", "and its harmonic, \(octaves) octaves up, pass 4000 Hz; lower it")
      }
    case (.speaker, nil):
      list.add("speakerCornerHz", "is missing; where a loudspeaker has lost 6 dB, such as 200")
    case (_, .some): list.add("speakerCornerHz", "is for the kind speaker; leave it out")
    default: break
    }
  }

  private func checkDrive(_ list: inout ProblemList) {
    switch drive {
    case .plain: return
    case .equalizer(let hz, let q):
      if let hz { list.check("drive.targetHz", hz, 10...1000) }
      if let q { list.check("drive.targetQ", q, 0.3...200) }
      guard let resonance else {
        list.add(
          "drive.form", "needs the resonance that is to be equalized; give resonance.hz and resonance.q")
        return
      }
      if kind == .speaker {
        list.add("drive.form", "equalizer is for the kinds wideband and lra, not for speaker")
      }
      if kind == .lra, !resonance.canBrake {
        list.add("drive.form", "brakes with every end; \(Self.brakingRule)")
      }
      if kind == .wideband, hz == nil, resonance.hz > 400 {
        list.add("drive.targetHz", "is missing; where the resonance is above 400 Hz no target suits all")
      }
    case .halfCycle(_, let brakes):
      if kind != .lra { list.add("drive.form", "half-cycle is for the kind lra, not for \(kind.rawValue)") }
      guard let resonance else { return }
      list.check("resonance.hz", resonance.hz, 20...500, "driven by half cycles")
      list.check("resonance.q", resonance.q, 1...200, "driven by half cycles")
      if brakes, !resonance.canBrake { list.add("drive.brake", Self.brakingRule) }
    }
  }

  private static let brakingRule =
    "braking helps only where resonance.hz was measured, in place, to 1 % or better, "
    + "and resonance.hzUncertaintyPercent says so"

  private func checkProtection(_ list: inout ProblemList) {
    guard let protection else {
      if self != .none { list.add("protection", "is missing; only the built-in profile none goes without") }
      return
    }
    list.check("protection.highPassHz", protection.highPassHz, 5...200)
    list.check("protection.thermalSeconds", protection.thermalSeconds, 0.05...60)
    list.check("protection.ceiling", protection.ceiling, 0.05...0.98)
    if let ratio = protection.excursionRatio {
      list.check("protection.excursionRatio", ratio, 1...4)
      if resonance == nil {
        list.add("protection.excursionRatio", "is estimated from the resonance, which is missing")
      }
    }
  }
}

/// Problems on their way together.
struct ProblemList {
  private(set) var found: [ActuatorProfile.Problem] = []
  /// The key paths of values that are not within their range, whatever other values are.
  private(set) var outOfRange: Set<String> = []

  mutating func add(_ keyPath: String, _ message: String) {
    // One sentence for each value is enough.
    if found.contains(where: { $0.keyPath == keyPath }) { return }
    found.append(.init(keyPath: keyPath, message: message))
  }

  mutating func check(
    _ keyPath: String, _ value: Double, _ range: ClosedRange<Double>, _ condition: String? = nil
  ) {
    // A value that is not a number is in no range.
    if range.contains(value) { return }
    if condition == nil { outOfRange.insert(keyPath) }
    let bounds = "from \(ProfileText.short(range.lowerBound)) to \(ProfileText.short(range.upperBound))"
    let given = value.isFinite ? ", not \(ProfileText.number(value))" : ""
    add(keyPath, "takes a number \(bounds)\(condition.map { " where it is \($0)" } ?? "")\(given)")
  }
}
