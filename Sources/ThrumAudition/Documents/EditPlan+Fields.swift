import ThrumPattern

extension EditBase {
  /// A number of an entry: where it stands in its element, and what it may be.
  private struct Spot {
    /// The object that holds it.
    var path: [ElementText.Step]
    /// Its key.
    var name: String
    /// The keys behind which it is added.
    var predecessors: [String]
    var rule: NumberRule
    /// What it is called.
    var label: String
  }

  /// Plans a change of one number.
  func plan(
    _ field: PatternField, of entry: Int, _ amount: (NumberText?) -> EditAmount
  ) throws(EditRefusal) -> EditPlan {
    switch field {
    case .pointTime(let point):
      return try planPoint(point, of: entry, isTime: true, amount)
    case .pointValue(let point):
      return try planPoint(point, of: entry, isTime: false, amount)
    default: break
    }
    let place = try place(of: entry)
    let element = Int(place.element)
    let style = style(near: element)
    let spot = try spot(of: field, entry, place.kind)
    let text = try ElementText(text(ofElement: element), style: style)
    let path = self.path(of: field, spot, in: text)
    let old = path.flatMap { text.number($0 + [.key(spot.name)]) }
    // A duration of 0 means no end, which is what none means.
    let isEndless = field == .duration && old?.value == 0
    let target = try spot.rule.target(amount(isEndless ? nil : old))
    let new = written(
      target.value, decimals: target.decimals, in: style, as: spot.rule.kind, replacing: old)
    var outcome = EditOutcome(entry: entry, isClamped: target.isClamped, name: spot.label)
    let isSame = old.map { spot.rule.isTime ? $0.value == new.value : Float($0.value) == Float(new.value) }
    if isSame ?? false {
      outcome.isChanged = false
      return EditPlan(expected: pattern, outcome: outcome)
    }
    let splice = try splice(ofElement: element, style: style) { (text) throws(EditRefusal) in
      if case .parameter(let id) = field {
        try setParameter(id, to: new.text, in: &text, near: element)
      } else {
        try text.set(spot.name, of: spot.path, to: new.text, after: spot.predecessors)
      }
    }
    return EditPlan(
      splice: splice, expected: replacing(entry, with: content(of: entry, field, new.value)),
      outcome: outcome, key: .field(field, entry: entry), entryBefore: entry)
  }

  /// The entry with a number changed.
  private func content(of entry: Int, _ field: PatternField, _ value: Double) -> Pattern.Entry {
    switch (pattern.entries[entry], field) {
    case (.event(var event), .time):
      event.time = value
      return .event(event)
    case (.event(var event), .duration):
      event.duration = value
      return .event(event)
    case (.event(var event), .parameter(let id)):
      event.parameters[id] = Float(value)
      return .event(event)
    case (.parameter(var parameter), .time):
      parameter.time = value
      return .parameter(parameter)
    case (.parameter(var parameter), _):
      parameter.value = Float(value)
      return .parameter(parameter)
    case (.curve(var curve), _):
      curve.time = value
      return .curve(curve)
    case (let content, _): return content
    }
  }

  private func spot(
    of field: PatternField, _ entry: Int, _ kind: DocumentMap.Kind
  ) throws(EditRefusal) -> Spot {
    let path: [ElementText.Step] = [.key(kind.key)]
    switch (field, pattern.entries[entry]) {
    case (.time, let content):
      let predecessors: [String] =
        switch content {
        case .event: []
        case .parameter: ["ParameterID", "ParameterValue"]
        case .curve: ["ParameterID"]
        }
      return Spot(path: path, name: "Time", predecessors: predecessors, rule: .time, label: "time")
    case (.duration, .event(let event)):
      guard event.type != .hapticTransient else {
        throw EditRefusal("a HapticTransient has a length of its own; only other events have a duration")
      }
      return Spot(
        path: path, name: "EventDuration", predecessors: ["Time", "EventType"],
        rule: .duration(of: event.type), label: "duration")
    case (.parameter(let id), .event(let event)):
      try refuseIdle(id, on: event)
      return Spot(
        path: path + [.key("EventParameters")], name: "ParameterValue", predecessors: ["ParameterID"],
        rule: .value(id.range, defaultValue: id.defaultValue(for: event.type)), label: Self.label(of: id))
    case (.value, .parameter(let parameter)):
      return Spot(
        path: path, name: "ParameterValue", predecessors: ["ParameterID"],
        rule: .value(parameter.id.range, defaultValue: parameter.value), label: "value")
    case (.duration, _): throw EditRefusal("only events have a duration")
    case (.parameter(let id), _): throw EditRefusal("only events have \(Self.label(of: id))")
    default: throw EditRefusal("only dynamic parameters have a single value")
    }
  }

  /// The object that holds a number; nil where the text has none yet.
  private func path(
    of field: PatternField, _ spot: Spot, in text: ElementText
  ) -> [ElementText.Step]? {
    guard case .parameter(let id) = field else { return spot.path }
    guard let item = text.parameterItem(id, in: spot.path) else { return nil }
    return spot.path + [.item(item)]
  }

  /// What a parameter is called beside "undo".
  static func label(of id: EventParameterID) -> String {
    switch id {
    case .hapticIntensity: "intensity"
    case .hapticSharpness: "sharpness"
    default: id.rawValue
    }
  }

  /// - Throws: ``EditRefusal`` where nobody would feel or hear the parameter on the event.
  private func refuseIdle(_ id: EventParameterID, on event: Event) throws(EditRefusal) {
    switch id {
    case .hapticIntensity, .hapticSharpness:
      if !event.type.isHaptic { throw EditRefusal("\(id.rawValue) has no effect on a sound") }
    case .audioVolume, .audioPitch, .audioPan, .audioBrightness:
      if event.type.isHaptic {
        throw EditRefusal("\(id.rawValue) has no effect on a \(event.type.rawValue), only on sounds")
      }
    case .releaseTime, .sustained:
      if event.type == .hapticTransient {
        throw EditRefusal("\(id.rawValue) has no effect on a HapticTransient, which ends by itself")
      }
    case .attackTime, .decayTime: break
    }
  }

  // MARK: - Clearing

  /// Plans to take away a number that need not be there.
  func planClear(_ field: PatternField, of entry: Int) throws(EditRefusal) -> EditPlan {
    let place = try place(of: entry)
    let style = style(near: Int(place.element))
    guard case .event(var event) = pattern.entries[entry] else {
      throw EditRefusal("only a duration or a parameter of an event can be taken away")
    }
    let path: [ElementText.Step] = [.key(place.kind.key)]
    let splice: Splice?
    var name = "duration"
    switch field {
    case .duration:
      guard event.duration != nil else { throw EditRefusal("the event has no duration") }
      guard event.type != .hapticContinuous, event.type != .audioContinuous else {
        throw EditRefusal("a \(event.type.rawValue) needs a duration; without one it fades out after 30 s")
      }
      event.duration = nil
      splice = try self.splice(ofElement: Int(place.element), style: style) { (text) throws(EditRefusal) in
        try text.remove("EventDuration", of: path)
      }
    case .parameter(let id):
      name = Self.label(of: id)
      guard event.parameters[id] != nil else { throw EditRefusal("the event carries no \(id.rawValue)") }
      event.parameters[id] = nil
      splice = try self.splice(ofElement: Int(place.element), style: style) { (text) throws(EditRefusal) in
        try text.keepParameters(in: path) { $0 != id.rawValue }
      }
    default: throw EditRefusal("only a duration or a parameter of an event can be taken away")
    }
    return EditPlan(
      splice: splice, expected: replacing(entry, with: .event(event)),
      outcome: EditOutcome(entry: entry, name: name), entryBefore: entry)
  }
}
