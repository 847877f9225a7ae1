import ThrumPattern

/// The timeline of a pattern, as text and as JSON.
enum PatternReport {
  /// Columns of the level picture.
  private static let pictureWidth = 72

  /// Writes the report for a person, in pieces.
  static func write(
    _ file: NamedPattern, _ level: LevelTrack, _ style: Style, blocks: Bool, to put: (String) -> Void
  ) {
    var text = style.bold(file.path == "-" ? file.name : file.path.description) + "\n"
    text += "  \(contents(of: file.pattern))\n  \(level.summary)\n"
    if level.peak > 0 {
      let columns = level.columns(pictureWidth).map { $0 / level.peak }
      text += "\n  \(Bars.column(columns, blocks: blocks))\n"
      let end = "\(NumberText.fixed(level.seconds, 3)) s"
      text += style.faint("  0 s" + NumberText.right(end, pictureWidth - 3)) + "\n"
    }
    if !file.pattern.entries.isEmpty {
      text += "\n" + style.faint("    time/s  what          intensity  sharpness  length/s  more") + "\n"
      for position in order(of: file.pattern.entries) {
        text += row(file.pattern.entries[position]) + "\n"
        if text.utf8.count < 1 << 16 { continue }
        put(text)
        text = ""
      }
    }
    if !file.diagnostics.isEmpty {
      text += "\n" + file.diagnostics.map { $0.text(style) + "\n" }.joined()
    }
    put(text)
  }

  /// The positions of entries in the order of their times, and of the file within one time.
  private static func order(of entries: PatternEntries) -> [Int] {
    var times: [Double] = []
    times.reserveCapacity(entries.count)
    var isSorted = true
    entries.forEachOutline { _, entry in
      if let last = times.last, entry.time < last { isSorted = false }
      times.append(entry.time)
    }
    if isSorted { return Array(entries.indices) }
    return entries.indices.sorted { (times[$0], $0) < (times[$1], $1) }
  }

  /// How long the pattern is and what is in it, on one line.
  static func contents(of pattern: Pattern) -> String {
    var events: [EventType: Int] = [:]
    var (curves, parameters) = (0, 0)
    pattern.entries.forEachOutline { _, entry in
      switch entry.kind {
      case .event(let type): events[type, default: 0] += 1
      case .curve: curves += 1
      case .parameter: parameters += 1
      }
    }
    var parts = EventType.allCases.compactMap { type in
      events[type].map { NumberText.count($0, type.words) }
    }
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
