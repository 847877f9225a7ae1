import ThrumPattern

/// The timeline of a pattern, as text and as JSON.
enum PatternReport {
  /// Columns of the level picture.
  private static let pictureWidth = 72

  /// The report for a person.
  static func text(_ file: NamedPattern, _ level: LevelTrack, _ style: Style, blocks: Bool) -> String {
    var lines = [
      style.bold(file.path == "-" ? file.name : file.path.description), "  " + contents(of: file.pattern),
    ]
    lines.append("  " + level.summary)
    if level.peak > 0 {
      let columns = level.columns(pictureWidth).map { $0 / level.peak }
      lines += ["", "  " + Bars.column(columns, blocks: blocks)]
      let end = "\(NumberText.fixed(level.seconds, 3)) s"
      lines.append(style.faint("  0 s" + NumberText.right(end, pictureWidth - 3)))
    }
    if !file.pattern.entries.isEmpty {
      lines += ["", style.faint("    time/s  what          intensity  sharpness  length/s  more")]
      let order = file.pattern.entries.indices.sorted {
        (file.pattern.entries[$0].time, $0) < (file.pattern.entries[$1].time, $1)
      }
      lines += order.map { row(file.pattern.entries[$0]) }
    }
    if !file.diagnostics.isEmpty {
      lines += [""] + file.diagnostics.map { $0.text(style) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How long the pattern is and what is in it, on one line.
  static func contents(of pattern: Pattern) -> String {
    var parts: [String] = []
    for type in EventType.allCases {
      let count = pattern.entries.count {
        if case .event(let event) = $0 { event.type == type } else { false }
      }
      if count > 0 { parts.append(NumberText.count(count, type.words)) }
    }
    let curves = pattern.entries.count { if case .curve = $0 { true } else { false } }
    let parameters = pattern.entries.count { if case .parameter = $0 { true } else { false } }
    if curves > 0 { parts.append(NumberText.count(curves, "curve")) }
    if parameters > 0 { parts.append(NumberText.count(parameters, "parameter")) }
    if parts.isEmpty { parts.append("no events") }
    return "\(NumberText.fixed(pattern.duration, 3)) s: \(parts.joined(separator: ", "))"
  }

  private static func row(_ entry: Pattern.Entry) -> String {
    let time = NumberText.right(NumberText.fixed(entry.time, 3), 10)
    switch entry {
    case .event(let event):
      let isFelt = event.type.isHaptic
      let columns = [
        NumberText.left(event.type.words, 12),
        NumberText.right(isFelt ? cell(event, .hapticIntensity) : "", 9),
        NumberText.right(isFelt ? cell(event, .hapticSharpness) : "", 9),
        NumberText.right(length(of: event), 8),
        more(of: event),
      ]
      return trimmed("\(time)  \(columns.joined(separator: "  "))")
    case .parameter(let parameter):
      return "\(time)  \(parameter.id.rawValue) = \(short(parameter.value))"
    case .curve(let curve):
      guard let first = curve.points.first, let last = curve.points.last else {
        return "\(time)  \(curve.id.rawValue) curve without points, no effect"
      }
      let values = curve.points.map(\.value)
      var shape = "\(short(first.value)) to \(short(last.value))"
      if let low = values.min(), let high = values.max(),
        low < min(first.value, last.value) || high > max(first.value, last.value)
      {
        shape += " within \(short(low))…\(short(high))"
      }
      let span = NumberText.fixed(last.time, 3)
      let points = NumberText.count(curve.points.count, "point")
      return "\(time)  \(curve.id.rawValue) curve: \(shape), \(points) to \(span) s"
    }
  }

  /// A value of an event, in brackets where it is the default.
  private static func cell(_ event: Event, _ parameter: EventParameterID) -> String {
    if let value = event.parameters[parameter] { return short(value) + " " }
    return "(\(short(parameter.defaultValue(for: event.type))))"
  }

  private static func length(of event: Event) -> String {
    if event.type == .hapticTransient { return "" }
    guard let duration = event.duration, duration > 0 else {
      return event.type == .audioCustom ? "" : "endless"
    }
    return NumberText.fixed(duration, 3)
  }

  private static func more(of event: Event) -> String {
    var parts: [String] = []
    for (parameter, word) in shownParameters {
      if let value = event.parameters[parameter] { parts.append("\(word) \(short(value))") }
    }
    if let sustained = event.parameters[.sustained], sustained < 0.5 { parts.append("not sustained") }
    if let path = event.waveformPath { parts.append(printable(path)) }
    if event.isLooped == true { parts.append("looped") }
    return parts.joined(separator: ", ")
  }

  private static let shownParameters: [(EventParameterID, String)] = [
    (.attackTime, "attack"), (.decayTime, "decay"), (.releaseTime, "release"), (.audioVolume, "volume"),
    (.audioPitch, "pitch"), (.audioPan, "pan"), (.audioBrightness, "brightness"),
  ]

  private static func short(_ value: Float) -> String { NumberText.fixed(Double(value), 2) }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension EventType {
  /// The word for the event in a sentence.
  var words: String {
    switch self {
    case .hapticTransient: "transient"
    case .hapticContinuous: "continuous"
    case .audioContinuous: "sound tone"
    case .audioCustom: "sound file"
    }
  }
}

extension Pattern.Entry {
  /// Seconds from the start of the pattern.
  var time: Double {
    switch self {
    case .event(let event): event.time
    case .parameter(let parameter): parameter.time
    case .curve(let curve): curve.time
    }
  }
}
