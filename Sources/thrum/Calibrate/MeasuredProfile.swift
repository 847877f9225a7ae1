import ThrumActuator
import ThrumIdentification
import ThrumPattern

/// The profile of an actuator that was measured.
enum MeasuredProfile {
  /// From this Q on it is a resonant actuator: below it has a band to speak of.
  static let leastResonantQ = 5.0

  /// Writes what a measurement found into a profile.
  /// - Parameters:
  ///   - kind: What it is; nil goes by Q.
  ///   - method: How it was measured.
  ///   - mounting: Where it was.
  static func make(
    name: String, kind: ActuatorProfile.Kind?, resonance: ActuatorProfile.Resonance, brakes: Bool,
    method: String, mounting: String?
  ) -> ActuatorProfile {
    let kind = kind ?? (resonance.q >= leastResonantQ ? .lra : .wideband)
    let drive: ActuatorProfile.Drive =
      kind == .lra ? .halfCycle(overdrives: true, brakes: brakes) : .equalizer(targetHz: nil, targetQ: nil)
    return ActuatorProfile(
      name: name, kind: kind, resonance: resonance, drive: drive,
      protection: ActuatorProfile.Protection(excursionRatio: 1.3), mounting: mounting,
      measurement: "\(Machine.date.prefix(10)), thrum \(version), \(method)",
      notes: "The volts of amplifier and actuator are not measured: give them as \"volts\".")
  }

  /// The name of a profile by that of its file: what a name may not have becomes a dash.
  static func name(of file: FileName) -> String {
    var word = file.lastPart.description.lowercased()
    if word.hasSuffix(".json") { word.removeLast(5) }
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.")
    var name = String(word.map { allowed.contains($0) ? $0 : "-" }.prefix(64))
    while let first = name.first, first == "-" || first == "." { name.removeFirst() }
    return name.isEmpty ? "measured" : name
  }

  /// Writes it into a file.
  /// - Throws: `CommandError.failed`, where it makes no profile or the file cannot be written.
  static func write(_ profile: ActuatorProfile, to file: FileName) throws(CommandError) {
    if let problem = profile.problems().first {
      throw .failed("what was measured makes no profile: \(problem.keyPath) \(problem.message)")
    }
    try OutputFile.write(Array(profile.text.utf8), to: file)
  }
}

extension ActuatorIdentification {
  /// What was found, as a profile has it; nil where nothing was.
  var profileResonance: ActuatorProfile.Resonance? {
    guard let hertz = resonanceHz, let q else { return nil }
    func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
    return ActuatorProfile.Resonance(
      hz: rounded(hertz, 1000), q: rounded(q, 1000),
      // Rounded up: what is told is never less than what was found.
      hzUncertainty: min((resonanceUncertainty / hertz * 1e5).rounded(.up) / 1e5, 1),
      qUncertainty: min((qUncertainty / q * 1e4).rounded(.up) / 1e4, 1))
  }
}
