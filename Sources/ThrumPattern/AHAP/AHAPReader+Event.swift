extension AHAPReader {
  /// What has been read of an event; its keys come in any order, so it is judged when it is whole.
  struct EventDraft {
    /// Where the event's object begins.
    var start: Int
    var type: EventType?
    var time: Double?
    var duration: Double?
    var durationOffset = 0
    var parameters = EventParameters()
    /// Where each parameter's entry begins, by the parameter's index.
    var parameterOffsets = SIMD16<Int32>()
    var waveformPath: String?
    var waveformOffset = 0
    var usesVolumeEnvelope: Bool?
    var volumeEnvelopeOffset = 0
    var isLooped: Bool?
    var loopOffset = 0
    /// Whether something in it was refused.
    var isRefused = false
  }

  /// Reads an event; its value is looked at.
  mutating func readEvent() throws(Fault) {
    var draft = EventDraft(start: scanner.at)
    guard scanner.byte == .openBrace else { return try wrongType("an event, `{…}`,") }
    scanner.at += 1
    var members = Members()
    while let key = try nextKey(of: .event, &members) {
      let offset = scanner.at
      switch key {
      case .eventType: try readEventType(into: &draft)
      case .time:
        draft.time = try readTime()
        draft.isRefused = draft.isRefused || draft.time == nil
      case .eventDuration:
        draft.duration = try readDuration()
        draft.durationOffset = offset
        draft.isRefused = draft.isRefused || draft.duration == nil
      case .eventParameters: try readEventParameters(into: &draft)
      case .eventWaveformPath:
        guard let text = try readText() else { break }
        if !scanner.isUTF8(text) { remarkNotUTF8(at: offset) }
        draft.waveformPath = scanner.string(text)
        draft.waveformOffset = offset
      case .eventWaveformUseVolumeEnvelope:
        draft.usesVolumeEnvelope = try readTruth()
        draft.volumeEnvelopeOffset = offset
      default:
        draft.isLooped = try readTruth()
        draft.loopOffset = offset
      }
    }
    place.key = nil
    if !members.has(.eventType) {
      try refuse(.badEventEntry, at: draft.start) { reader in
        "no `EventType`; use \(reader.list(EventType.allCases.map(\.rawValue)))"
      }
    }
    guard let type = draft.type, !draft.isRefused else { return }
    if draft.time == nil {
      remark(.warning, .missingEntry, at: draft.start) { _ in "no `Time`; the event begins at 0 s" }
    }
    let event = Event(
      type: type, time: draft.time ?? 0, duration: draft.duration, parameters: draft.parameters,
      waveformPath: draft.waveformPath, usesVolumeEnvelope: draft.usesVolumeEnvelope,
      isLooped: draft.isLooped)
    remarkOnEffect(of: event, draft)
    pattern.entries.append(.event(event))
  }

  private mutating func readEventType(into draft: inout EventDraft) throws(Fault) {
    draft.type = nil
    let offset = scanner.at
    guard let text = try readText() else { return }
    draft.type = scanner.withBytes(of: text) { EventType(spelled: $0) }
    if draft.type == nil {
      try refuse(.invalidEventType, at: offset) { reader in
        let types = EventType.allCases.map(\.rawValue)
        let advice = reader.advice(for: text, among: types)
        return "\"\(reader.scanner.excerpt(text))\" is not an event type; \(advice)"
      }
    }
  }

  // MARK: - Event parameters

  private mutating func readEventParameters(into draft: inout EventDraft) throws(Fault) {
    // A second list replaces the first.
    draft.parameters = EventParameters()
    var parameters = draft.parameters
    var offsets = draft.parameterOffsets
    var isRefused = false
    try readObjects("an object with `ParameterID` and `ParameterValue`") { reader, start throws(Fault) in
      guard let (id, value) = try reader.readEventParameter(start) else {
        isRefused = true
        return
      }
      if parameters[id] != nil {
        reader.remark(.warning, .repeated, at: start) { _ in
          "\(id.rawValue) comes twice in this event; the last one counts"
        }
      }
      parameters[id] = value
      offsets[id.index] = Int32(truncatingIfNeeded: start)
    }
    draft.parameters = parameters
    draft.parameterOffsets = offsets
    draft.isRefused = draft.isRefused || isRefused
  }

  /// Reads one event parameter; its opening brace has been passed over.
  /// - Returns: The parameter, its value nil where the default is to be taken; nil where it was refused.
  private mutating func readEventParameter(
    _ start: Int
  ) throws(Fault) -> (id: EventParameterID, value: Float?)? {
    var members = Members()
    var id: EventParameterID?
    var value: Double?
    var range = 0..<0
    while let key = try nextKey(of: .eventParameter, &members) {
      if key == .parameterID {
        id = try readEventParameterID()
      } else {
        let offset = scanner.at
        value = try readNumber()
        range = offset..<scanner.at
      }
    }
    place.key = nil
    guard members.has(.parameterID) else {
      try refuse(.badParameterEntry, at: start) { reader in
        "no `ParameterID`; use \(reader.list(EventParameterID.allCases.map(\.rawValue)))"
      }
      return nil
    }
    guard let id else { return nil }
    guard let value else {
      if members.has(.parameterValue) { return nil }
      remark(.warning, .missingEntry, at: start) { _ in
        "no `ParameterValue`; \(id.rawValue) takes its default"
      }
      return (id, nil)
    }
    let inRange = clamped(value, to: id.range, range: range, name: id.rawValue)
    if id == .sustained, inRange != 0, inRange != 1 {
      remark(.warning, .outOfRange, at: range.lowerBound) { _ in
        "Sustained is 0 or 1; \(plain(inRange)) counts as \(inRange >= 0.5 ? 1 : 0)"
      }
    }
    place.key = nil
    return (id, inRange)
  }

  private mutating func readEventParameterID() throws(Fault) -> EventParameterID? {
    let offset = scanner.at
    guard let text = try readText() else { return nil }
    if let id = scanner.withBytes(of: text, { EventParameterID(spelled: $0) }) { return id }
    try refuse(.invalidParameterType, at: offset) { reader in
      if let control = reader.scanner.withBytes(of: text, { DynamicParameterID(spelled: $0) }) {
        return "\"\(control.rawValue)\" is a control, not an event parameter; "
          + "it belongs in a `Parameter` or `ParameterCurve` entry"
      }
      let advice = reader.advice(for: text, among: EventParameterID.allCases.map(\.rawValue))
      return "\"\(reader.scanner.excerpt(text))\" is not an event parameter; \(advice)"
    }
    return nil
  }

  /// What to use instead of a name that does not exist.
  func advice(for text: ScannedText, among names: [String]) -> String {
    if let meant = suggestion(for: scanner.string(text), among: names) { return "did you mean \(meant)?" }
    return "use \(list(names))"
  }

  /// Names in a row, the last after an "or".
  func list(_ names: [String]) -> String {
    names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
