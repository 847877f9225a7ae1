import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumPlot
import ThrumRealtime

/// A pattern through a profile into the model of an actuator, and what is to be told of it.
struct SimulationCase {
  /// Frames a second of what is simulated: the model joins samples by straight lines, for which 8000 Hz are too few.
  static let rate = 48_000
  /// What is simulated of a longer pattern, seconds.
  static let longestSeconds = 60

  let file: NamedPattern
  /// What drives.
  let profile: ActuatorProfile
  /// What is driven.
  let plant: ActuatorProfile
  let simulation: ActuatorSimulation
  /// Whether the pattern goes on after what was simulated.
  let isCut: Bool
  /// Device frames during which a limiter turned the signal down.
  let limitedFrames: Int
  /// Whether it has several events, of which rise and length of the whole say nothing.
  private let isSeveral: Bool
  /// Seconds from the end of the last continuous event until the actuator is still; nil where no such event ends it.
  private(set) var stopSeconds: Double?
  /// Pulse over ring, dB, of a pattern that is a lone tap.
  private(set) var pulseToRing: Double?

  /// Renders a pattern and plays it into the model.
  /// - Parameters:
  ///   - plant: The actuator; it has a resonance.
  ///   - resonance: Its resonance, which may be off what its profile says.
  ///   - gain: Level in dB.
  init(
    _ file: NamedPattern, profile: ActuatorProfile, plant: ActuatorProfile,
    resonance: ActuatorProfile.Resonance, gain: Double
  ) {
    (self.file, self.profile, self.plant) = (file, profile, plant)
    var bus = profile.busProfile
    bus.gain *= Float(linearGain(decibels: gain))
    var samples: [Float] = []
    let scale = 1 / Float(plant.ratedAmplitude)
    let result = OfflineRender.render(
      ScheduleCompiler.compile(file.pattern), profile: bus, rate: Self.rate, format: .float,
      longestFrames: Int64(Self.longestSeconds * RenderRate.framesPerSecond)
    ) { bytes in
      samples += bytes.bindMemory(to: Float.self).lazy.map { $0 * scale }
    }
    // All cases begin at the pattern's beginning, whatever limiter and kernel hold back.
    let timing = OutputTiming(rate: Self.rate, isLimited: bus.protection?.peak == .lookAhead)
    let delay = Int(timing.delayFrames) * Self.rate / RenderRate.framesPerSecond
    samples.removeFirst(min(delay, samples.count))
    // Until a free vibration has fallen by 60 dB.
    simulation = ActuatorSimulation(
      drive: samples, rate: Double(Self.rate), resonance: resonance,
      tailSeconds: min(2, max(0.06, 6.9 * resonance.timeConstant)))
    isCut = result.isCut
    limitedFrames = result.limitedFrames
    let events = file.pattern.entries.compactMap { entry -> Event? in
      guard case .event(let event) = entry, event.type.isHaptic else { return nil }
      return event
    }
    let ends = events.filter { $0.type == .hapticContinuous }.compactMap { event in
      event.duration.flatMap { $0 > 0 ? event.time + $0 : nil }
    }
    isSeveral = events.count > 1
    if let end = ends.max(), events.allSatisfy({ $0.time < end }) {
      stopSeconds = simulation.stopSeconds(from: end)
    }
    if events.count == 1, let tap = events.first, tap.type == .hapticTransient {
      pulseToRing = simulation.pulseToRing(from: tap.time)
    }
  }

  /// What it is called beside others: by what differs.
  func name(among cases: [SimulationCase]) -> String {
    var parts: [String] = []
    if Set(cases.map(\.file.name)).count > 1 { parts.append(file.name) }
    if Set(cases.map(\.profile.name)).count > 1 || parts.isEmpty { parts.append(profile.name) }
    return parts.joined(separator: ", ")
  }

  /// The figures on one line.
  var figures: String {
    let peak = simulation.peak
    guard peak.value > 0 else { return "still" }
    func milliseconds(_ seconds: Double) -> String { "\(NumberText.fixed(seconds * 1000, 1)) ms" }
    var parts = ["peak \(NumberText.fixed(peak.value, 2)) × rated"]
    if !isSeveral, let rise = simulation.riseSeconds { parts.append("rise \(milliseconds(rise))") }
    if let stop = stopSeconds {
      parts.append("stop \(milliseconds(stop))")
    } else if !isSeveral, let length = simulation.lengthSeconds {
      parts.append("length \(milliseconds(length))")
    }
    if let ratio = pulseToRing { parts.append("pulse:ring \(NumberText.fixed(ratio, 1)) dB") }
    if limitedFrames > 0 {
      parts.append("limited \(milliseconds(Double(limitedFrames) / Double(Self.rate)))")
    }
    return parts.joined(separator: ", ")
  }

  /// The figures for a script.
  var json: JSONValue {
    let peak = simulation.peak
    return .object([
      ("file", .string(file.path.text)), ("actuator", .string(profile.name)),
      ("simulated", .string(plant.name)), ("peak", .number(peak.value)),
      ("peakSeconds", .number(peak.seconds)), ("drivePeak", .number(simulation.drivePeak)),
      ("riseSeconds", .optional(isSeveral ? nil : simulation.riseSeconds)),
      ("lengthSeconds", .optional(isSeveral ? nil : simulation.lengthSeconds)),
      ("stopSeconds", .optional(stopSeconds)),
      ("pulseToRingDecibels", .optional(pulseToRing)), ("limitedFrames", .count(limitedFrames)),
      ("isCut", .bool(isCut)),
    ])
  }

  /// The case for a picture, as long as all are.
  func picture(among cases: [SimulationCase], seconds: Double) -> ResponsePicture.Case {
    let count = Int(seconds * simulation.rate)
    func cut(_ samples: [Float]) -> [Float] { Array(samples.prefix(count)) }
    return .init(
      name: name(among: cases), figures: figures, drive: cut(simulation.drive),
      response: cut(simulation.acceleration), envelope: cut(simulation.envelope()))
  }

  /// Seconds after which nothing is to be seen any more: the outline has fallen by 60 dB.
  var shownSeconds: Double {
    let floor = Float(simulation.peak.value) * 0.001
    let last = simulation.acceleration.lastIndex { $0.magnitude > floor } ?? 0
    return Double(last + 1) / simulation.rate
  }
}
