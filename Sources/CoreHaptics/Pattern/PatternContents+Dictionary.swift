internal import ThrumPattern

// A dictionary and a file are read by the same reader: what one takes the other takes, with the same codes.
extension PatternContents {
  /// Reads a dictionary.
  init(dictionary: [CHHapticPattern.Key: Any]) throws {
    var text = DictionaryText()
    text.write(dictionary, depth: 0, isSwitch: false)
    try self.init(data: Data(text.bytes), name: "the pattern's dictionary")
  }

  /// Writes a dictionary.
  func dictionary() throws -> [CHHapticPattern.Key: Any] {
    guard resources.isEmpty else {
      throw CHHapticError(
        .operationNotPermitted, condition: "pattern has no audio resource ids",
        "The pattern plays registered sounds, whose numbers mean nothing outside this engine.")
    }
    let entries: [[CHHapticPattern.Key: Any]] = pattern.entries.map { entry in
      switch entry {
      case .event(let event): [.event: event.dictionary]
      case .parameter(let parameter): [.parameter: parameter.dictionary]
      case .curve(let curve): [.parameterCurve: curve.dictionary]
      }
    }
    return [.version: NSNumber(value: pattern.version ?? 1), .pattern: entries]
  }
}

// Numbers are `NSNumber`, which a program may read as whatever kind of number it likes.
extension Event {
  fileprivate var dictionary: [CHHapticPattern.Key: Any] {
    var dictionary: [CHHapticPattern.Key: Any] = [
      .eventType: type.rawValue, .time: NSNumber(value: time),
    ]
    if let duration { dictionary[.eventDuration] = NSNumber(value: duration) }
    dictionary[.eventWaveformPath] = waveformPath
    if let usesVolumeEnvelope {
      dictionary[.eventWaveformUseVolumeEnvelope] = NSNumber(value: usesVolumeEnvelope)
    }
    if let isLooped { dictionary[.eventWaveformLoopEnabled] = NSNumber(value: isLooped) }
    let values: [[CHHapticPattern.Key: Any]] = EventParameterID.allCases.compactMap { id in
      parameters[id].map { [.parameterID: id.rawValue, .parameterValue: NSNumber(value: $0)] }
    }
    if !values.isEmpty { dictionary[.eventParameters] = values }
    return dictionary
  }
}

extension DynamicParameter {
  fileprivate var dictionary: [CHHapticPattern.Key: Any] {
    [
      .parameterID: id.rawValue, .parameterValue: NSNumber(value: value), .time: NSNumber(value: time),
    ]
  }
}

extension ParameterCurve {
  fileprivate var dictionary: [CHHapticPattern.Key: Any] {
    let points: [[CHHapticPattern.Key: Any]] = points.map {
      [.time: NSNumber(value: $0.time), .parameterValue: NSNumber(value: $0.value)]
    }
    return [
      .parameterID: id.rawValue, .time: NSNumber(value: time), .parameterCurveControlPoints: points,
    ]
  }
}

/// The text of a pattern file from a dictionary of a program's.
private struct DictionaryText {
  /// Deeper values have no meaning in a pattern.
  private static let deepest = 32

  var bytes: [UInt8] = []

  /// Writes a value; what has no place in a pattern becomes a null, which the reader refuses.
  /// - Parameter isSwitch: Whether the key takes true or false.
  mutating func write(_ value: Any, depth: Int, isSwitch: Bool) {
    if depth > Self.deepest {
      append("null")
    } else if let text = Self.text(of: value) {
      write(text: text)
    } else if let dictionary = value as? [AnyHashable: Any] {
      write(dictionary: dictionary, depth: depth)
    } else if let list = value as? [Any] {
      write(list: list, depth: depth)
    } else if type(of: value) == Bool.self || isSwitch, let number = value as? NSNumber {
      append(number.boolValue ? "true" : "false")
    } else if let number = value as? NSNumber {
      write(number: number.doubleValue)
    } else {
      append("null")
    }
  }

  private mutating func write(dictionary: [AnyHashable: Any], depth: Int) {
    append("{")
    var isFirst = true
    for (key, value) in dictionary {
      guard let name = Self.text(of: key.base) else { continue }
      if !isFirst { append(",") }
      isFirst = false
      write(text: name)
      append(":")
      let key = CHHapticPattern.Key(rawValue: name)
      let isSwitch = key == .eventWaveformUseVolumeEnvelope || key == .eventWaveformLoopEnabled
      write(value, depth: depth + 1, isSwitch: isSwitch)
    }
    append("}")
  }

  private mutating func write(list: [Any], depth: Int) {
    append("[")
    for (index, element) in list.enumerated() {
      if index > 0 { append(",") }
      write(element, depth: depth + 1, isSwitch: false)
    }
    append("]")
  }

  private mutating func write(number: Double) {
    // Written so that the reader finds it too large, and says so with the code for its place.
    guard number.isFinite else { return append(number < 0 ? "-1e999" : "1e999") }
    append(number.description)
  }

  private mutating func write(text: String) {
    append("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0..<0x20:
        append(byte < 0x10 ? "\\u000" : "\\u001")
        append(String(byte & 0x0F, radix: 16))
      default: bytes.append(byte)
      }
    }
    append("\"")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// The string of a string, a key or another named constant; nil for everything else.
  private static func text(of value: Any) -> String? {
    if let text = value as? String { return text }
    return (value as? any RawRepresentable)?.rawValue as? String
  }
}
