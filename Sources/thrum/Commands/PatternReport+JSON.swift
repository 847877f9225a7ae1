import ThrumPattern

extension PatternReport {
  /// The report for a script: entries in file order, values as they count (clamped, as the file gives them).
  static func json(_ file: NamedPattern, _ level: LevelTrack) -> JSONValue {
    .object([
      ("file", .string(file.path.text)),
      ("version", .optional(file.pattern.version)),
      ("durationSeconds", .number(file.pattern.duration)),
      ("level", level.json),
      ("entries", .longArray(AnySequence(file.pattern.entries.lazy.map(json)))),
      ("diagnostics", .array(file.diagnostics.map(\.json))),
    ])
  }

  private static func json(_ entry: Pattern.Entry) -> JSONValue {
    switch entry {
    case .event(let event): return json(event)
    case .parameter(let parameter):
      return .object([
        ("kind", .string("parameter")), ("id", .string(parameter.id.rawValue)),
        ("time", .number(parameter.time)), ("value", .float(parameter.value)),
      ])
    case .curve(let curve):
      let points = curve.points.map { point in
        JSONValue.object([("time", .number(point.time)), ("value", .float(point.value))])
      }
      return .object([
        ("kind", .string("curve")), ("id", .string(curve.id.rawValue)), ("time", .number(curve.time)),
        ("points", .array(points)),
      ])
    }
  }

  private static func json(_ event: Event) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("kind", .string("event")), ("type", .string(event.type.rawValue)), ("time", .number(event.time)),
      ("duration", .optional(event.duration)),
    ]
    let parameters = EventParameterID.allCases.compactMap { parameter in
      event.parameters[parameter].map { (parameter.rawValue, JSONValue.float($0)) }
    }
    members.append(("parameters", .object(parameters)))
    if let path = event.waveformPath { members.append(("waveformPath", .string(path))) }
    if let isLooped = event.isLooped { members.append(("looped", .bool(isLooped))) }
    if let usesEnvelope = event.usesVolumeEnvelope {
      members.append(("usesVolumeEnvelope", .bool(usesEnvelope)))
    }
    return .object(members)
  }
}
