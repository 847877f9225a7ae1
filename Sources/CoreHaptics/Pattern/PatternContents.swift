internal import ThrumEngine
internal import ThrumPattern

/// What a pattern holds: a copy of what it was made from, in the terms of the layer below.
struct PatternContents: Sendable {
  /// The pattern.
  let pattern: Pattern
  /// The registered sounds of its events, by the place of the event among all entries.
  let resources: [Int: CHHapticAudioResourceID]
  /// The folder that the paths of sounds are relative to; nil where it did not come from a file.
  let folder: URL?
  /// Whether any event is heard.
  let hasSounds: Bool

  private init(pattern: Pattern, resources: [Int: CHHapticAudioResourceID] = [:], folder: URL? = nil) {
    self.pattern = pattern
    self.resources = resources
    self.folder = folder
    hasSounds = pattern.hasSounds
  }

  /// Copies events, parameters and curves.
  init(
    events: [CHHapticEvent], parameters: [CHHapticDynamicParameter], curves: [CHHapticParameterCurve]
  ) throws {
    var entries: [Pattern.Entry] = []
    entries.reserveCapacity(events.count + parameters.count + curves.count)
    var resources: [Int: CHHapticAudioResourceID] = [:]
    for (index, event) in events.enumerated() {
      entries.append(.event(try Event(event, place: "events[\(index)]")))
      resources[index] = event.audioResourceID
    }
    for (index, parameter) in parameters.enumerated() {
      entries.append(.parameter(try DynamicParameter(parameter, place: "parameters[\(index)]")))
    }
    for (index, curve) in curves.enumerated() {
      entries.append(.curve(try ParameterCurve(curve, place: "parameterCurves[\(index)]")))
    }
    self.init(pattern: Pattern(entries: entries), resources: resources)
  }

  /// Reads a file, or the variant of an asset that suits settings.
  init(file: URL, settings: HapticAssetSettings) throws {
    guard file.isFileURL else {
      throw CHHapticError(
        .fileNotFound, condition: "URL is a file",
        "\(file.absoluteString) is not the URL of a file; load it, and play its bytes.")
    }
    let file = try HapticAsset.file(of: file, for: settings)
    do throws(Diagnostic) {
      self.init(
        pattern: try PatternFile.read(path: file.path).pattern, folder: file.deletingLastPathComponent())
    } catch {
      throw CHHapticError(error)
    }
  }

  /// Reads the bytes of a file.
  init(data: Data, name: String = "the pattern's bytes") throws {
    do throws(Diagnostic) {
      self.init(pattern: try Self.decode(data, name: name))
    } catch {
      throw CHHapticError(error)
    }
  }

  private static func decode(_ data: Data, name: String) throws(Diagnostic) -> Pattern {
    // The closure of `withUnsafeBytes` cannot throw a type of its own.
    let result = data.withUnsafeBytes { bytes in
      Result { () throws(Diagnostic) in try AHAPDecoder.decode(bytes, file: name).pattern }
    }
    return try result.get()
  }
}

extension Event {
  /// Copies an event of a program's.
  fileprivate init(_ event: CHHapticEvent, place: String) throws {
    guard let type = EventType(rawValue: event.type.rawValue) else {
      throw CHHapticError.unknown(event.type)
    }
    try checkTime(event.relativeTime, place: "\(place).relativeTime")
    guard event.duration >= 0, event.duration.isFinite else {
      throw CHHapticError(
        .invalidEventDuration, condition: "duration >= 0",
        "\(place).duration is \(event.duration); a duration is 0 or more seconds.")
    }
    if type == .audioCustom, event.audioResourceID == nil {
      throw CHHapticError(
        .invalidAudioResource, condition: "event has an audio resource",
        "\(place) names no sound; make it with init(audioResourceID:parameters:relativeTime:).")
    }
    self.init(
      type: type, time: event.relativeTime, duration: event.duration > 0 ? event.duration : nil,
      soundNumber: event.audioResourceID)
    for parameter in event.eventParameters {
      guard let id = EventParameterID(rawValue: parameter.parameterID.rawValue) else {
        throw CHHapticError.unknown(parameter.parameterID)
      }
      parameters[id] = parameter.value
    }
  }
}

extension DynamicParameter {
  /// Copies a parameter of a program's.
  /// - Parameter place: Where it stands, for the error.
  init(_ parameter: CHHapticDynamicParameter, place: String) throws {
    guard let id = DynamicParameterID(rawValue: parameter.parameterID.rawValue) else {
      throw CHHapticError.unknown(parameter.parameterID)
    }
    try checkTime(parameter.relativeTime, place: "\(place).relativeTime")
    self.init(id: id, value: parameter.value, time: parameter.relativeTime)
  }
}

extension ParameterCurve {
  /// Copies a curve of a program's.
  /// - Parameter place: Where it stands, for the error.
  init(_ curve: CHHapticParameterCurve, place: String) throws {
    guard let id = DynamicParameterID(rawValue: curve.parameterID.rawValue) else {
      throw CHHapticError.unknown(curve.parameterID)
    }
    try checkTime(curve.relativeTime, place: "\(place).relativeTime")
    var points: [Point] = []
    for (index, point) in curve.controlPoints.enumerated() {
      try checkTime(point.relativeTime, place: "\(place).controlPoints[\(index)].relativeTime")
      points.append(Point(time: point.relativeTime, value: point.value))
    }
    // Points are in order as a rule; the sort keeps the direction of a step.
    let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time }
    self.init(
      id: id, time: curve.relativeTime, points: isSorted ? points : points.sorted { $0.time < $1.time })
  }
}

/// Refuses a time in a pattern that is negative or cannot be counted.
private func checkTime(_ time: TimeInterval, place: String) throws {
  // Beyond 2⁵³ frames neighbouring ones cannot be told apart.
  guard time >= 0, time * framesPerSecond <= 0x1p53 else {
    throw CHHapticError(
      .invalidEventTime, condition: "time >= 0",
      "\(place) is \(time); a time is 0 or more seconds, 2^53 frames at most.")
  }
}
