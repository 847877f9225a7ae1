import Glibc
import ThrumActuator
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// What follows from a profile, for a person or a script.
enum ProfileReport {
  /// What an actuator is for people, such as `lra, 175 Hz, Q 15, overdrive`.
  static func summary(_ profile: ActuatorProfile) -> String {
    var parts = [profile.kind.rawValue]
    if let resonance = profile.resonance {
      parts.append("\(NumberText.short(resonance.hz)) Hz, Q \(NumberText.short(resonance.q))")
    }
    switch profile.drive {
    case .plain: break
    case .equalizer: parts.append("equalizer")
    case .halfCycle(let overdrives, let brakes):
      if overdrives { parts.append("overdrive \(NumberText.short(profile.overdriveRatio)) ×") }
      if brakes { parts.append("brake") }
    }
    if profile.kind == .speaker { parts.append(NumberText.count(profile.octaves, "octave") + " up") }
    if profile.protection == nil { parts.append("no protection") }
    if !profile.channels.isEmpty {
      parts.append("channels \(profile.channels.map(String.init).joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }

  /// The rows of the report: what, and its value in words.
  private static func rows(_ profile: ActuatorProfile) -> [(String, String)] {
    let bus = profile.busProfile
    var rows = [("kind", profile.kind.rawValue)]
    if let resonance = profile.resonance {
      let off = resonance.hzUncertainty.map { " ± \(NumberText.short($0 * 100)) %" } ?? ", not measured"
      rows.append(
        ("resonance", "\(NumberText.short(resonance.hz)) Hz\(off), Q \(NumberText.short(resonance.q))"))
      rows.append(
        (
          "rings down",
          "by 20 dB in \(NumberText.fixed(resonance.timeConstant * log(10) * 1000, 1)) ms by itself"
        ))
    }
    switch bus.drive {
    case .none: rows.append(("drive", "the patterns' signal"))
    case .equalizer(_, _, let hz, let q):
      rows.append(("drive", "equalizer to \(NumberText.short(hz)) Hz, Q \(NumberText.short(q))"))
    case .resonant(_, _, let headroom, let overdrives, let brakes):
      rows.append(
        (
          "drive",
          "half cycles, \(overdrives ? "overdrive to \(NumberText.short(headroom)) × rated" : "no overdrive"), "
            + (brakes ? "brake" : "no brake")
        ))
    case .speaker(let octaves): rows.append(("drive", NumberText.count(octaves, "octave") + " up"))
    }
    if case .resonant = bus.drive {
      rows.append(("sharpness", "how crisp an onset is"))
    } else {
      rows.append(
        ("sharpness", "\(NumberText.short(bus.minimumHz)) to \(NumberText.short(bus.maximumHz)) Hz"))
    }
    switch bus.law {
    case .power(let gamma):
      rows.append(("intensity", gamma == 1 ? "linear" : "to the power \(NumberText.short(gamma))"))
    case .sensation(let range):
      rows.append(("intensity", "in equal steps of level over \(NumberText.short(range)) dB"))
    }
    rows.append(
      (
        "gain",
        "\(NumberText.level(Double(bus.gain))), intensity 1 is \(NumberText.level(Double(bus.gain) / 2)) of full scale"
      ))
    if let volts = profile.volts {
      let amplitude = Double(bus.gain) / 2 * volts.fullScalePeak
      rows.append(
        (
          "at the actuator",
          "\(NumberText.short(amplitude)) V peak, \(NumberText.short(amplitude / 2.0.squareRoot())) V rms"
        ))
    }
    rows += protectionRows(bus)
    if !profile.channels.isEmpty {
      rows.append(("channels", profile.channels.map(String.init).joined(separator: ", ")))
    }
    for (key, text) in [
      ("mounting", profile.mounting), ("measurement", profile.measurement), ("notes", profile.notes),
    ] {
      if let text { rows.append((key, printable(text))) }
    }
    return rows
  }

  private static func protectionRows(_ bus: BusProfile) -> [(String, String)] {
    guard let protection = bus.protection else { return [("protection", "none")] }
    var rows = [
      ("high-pass", "\(NumberText.short(bus.highPassHz)) Hz"),
      (
        "rms limit",
        "\(NumberText.level(protection.ratedSquare.squareRoot())) for ever, over "
          + "\(NumberText.short(protection.thermalSeconds)) s"
      ),
      (
        "ceiling",
        "\(NumberText.level(protection.ceiling)) "
          + (protection.peak == .lookAhead ? "by a limiter that looks 1 ms ahead" : "by a soft ceiling")
      ),
    ]
    if let excursion = protection.excursion {
      rows.append(
        ("excursion", "at most \(NumberText.short(excursion.ratio)) × that of rated drive, by an estimate"))
    }
    return rows
  }

  /// The report for a person.
  static func text(_ profile: ActuatorProfile, _ style: Style) -> String {
    let rows = rows(profile)
    let width = rows.map(\.0.count).max() ?? 0
    return "\(style.bold(printable(profile.name)))\n"
      + rows.map { "  \(NumberText.left($0.0, width))  \($0.1)\n" }.joined()
  }

  /// The report for a script.
  static func json(_ profile: ActuatorProfile) -> JSONValue {
    let bus = profile.busProfile
    return .object([
      ("actuator", .string(profile.name)), ("kind", .string(profile.kind.rawValue)),
      ("resonanceHz", .optional(profile.resonance?.hz)),
      ("q", .optional(profile.resonance?.q)),
      ("overdriveRatio", .number(profile.overdriveRatio)),
      ("ratedAmplitude", .number(profile.ratedAmplitude)), ("gain", .float(bus.gain)),
      (
        "brakes",
        .bool(
          profile.drive == .halfCycle(overdrives: true, brakes: true)
            || profile.drive == .halfCycle(overdrives: false, brakes: true))
      ),
      ("channels", .array(profile.channels.map(JSONValue.count))),
      ("text", .string(profile.text)),
    ])
  }

  /// Lists the profiles that have names.
  /// - Returns: Failure where a file of the user's folder is refused.
  static func list(json isJSON: Bool) -> ExitCode {
    let library = ActuatorLibrary()
    let names = library.names
    let width = names.map(\.count).max() ?? 0
    var members: [JSONValue] = []
    var code = ExitCode.success
    for name in names {
      do throws(ActuatorLibrary.Problem) {
        let profile = try library.profile(name)
        let file =
          ActuatorLibrary.builtInNames.contains(name) ? nil : library.folder.map { "\($0)/\(name).json" }
        members.append(
          .object([("name", .string(name)), ("file", .optional(file)), ("profile", json(profile))]))
        if isJSON { continue }
        let place = file.map { "  \(printable($0))" } ?? ""
        StandardOutput.write("\(NumberText.left(name, width))  \(summary(profile))\(place)\n")
      } catch {
        code = .failure
        for line in error.description.split(separator: "\n") {
          StandardError.write(printable(String(line)) + "\n")
        }
      }
    }
    if isJSON { StandardOutput.write(JSONValue.object([("actuators", .array(members))]).text + "\n") }
    return code
  }
}
