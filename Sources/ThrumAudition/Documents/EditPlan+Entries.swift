import ThrumPattern

extension EditBase {
  // MARK: - Removing

  /// Plans to remove an entry.
  func planRemove(_ entry: Int) throws(EditRefusal) -> EditPlan {
    let place = try place(of: entry)
    let element = Int(place.element)
    let splice: Splice?
    if map.entries(ofElement: element).count == 1 {
      splice = Container(map.list, children: map.elements).removing(at: element)
    } else {
      splice = try self.splice(ofElement: element, style: style(near: element)) {
        (text) throws(EditRefusal) in
        try text.remove(place.kind.key, of: [])
      }
    }
    var expected = pattern
    expected.entries.remove(at: entry)
    let next = expected.entries.isEmpty ? nil : min(entry, expected.entries.count - 1)
    return EditPlan(
      splice: splice, expected: expected, outcome: EditOutcome(entry: next, name: "removal"),
      entryBefore: entry)
  }

  // MARK: - Adding

  /// Plans to add an event.
  func planAdd(_ event: Event) throws(EditRefusal) -> EditPlan {
    guard event.type.isHaptic else {
      throw EditRefusal("only events that are felt can be added here; a sound is added in an editor")
    }
    let isHeld = event.type == .hapticContinuous
    let element = elementForEvent(at: event.time)
    let style = style(near: element)
    let time = try number(event.time, .time, style)
    var isClamped = time.isClamped
    var duration: (text: String, value: Double)?
    if isHeld {
      let held = try number(event.duration ?? 0.5, .duration(of: event.type), style)
      duration = (held.text, held.value)
      isClamped = isClamped || held.isClamped
    }
    var parameters: [(id: EventParameterID, text: String)] = []
    var added = Event(type: event.type, time: time.value, duration: duration?.value)
    for id in EventParameterID.allCases {
      guard let value = event.parameters[id] else { continue }
      let rule = NumberRule.value(id.range, defaultValue: 0)
      let new = try number(Double(value), rule, style)
      isClamped = isClamped || new.isClamped
      parameters.append((id, new.text))
      added.parameters[id] = Float(new.value)
    }
    let type = "\"\(event.type.rawValue)\""
    let model =
      nearestEntry(to: element) { self.eventType(of: $0) == event.type }
      ?? nearestEntry(to: element) { self.eventType(of: $0)?.isHaptic ?? false }
    var text = try newElement(like: model, near: element, key: "Event", style: style) {
      var members: [(String, TextStyle.Fresh)] = [("Time", .plain(time.text)), ("EventType", .plain(type))]
      if let duration { members.append(("EventDuration", .plain(duration.text))) }
      if !parameters.isEmpty {
        let items = parameters.map { id, text in
          TextStyle.Fresh.line([
            ("ParameterID", .plain("\"\(id.rawValue)\"")), ("ParameterValue", .plain(text)),
          ])
        }
        members.append(("EventParameters", .list(items)))
      }
      return members
    }
    if model != nil {
      let path: [ElementText.Step] = [.key("Event")]
      try text.keep(["Time", "EventType", "EventDuration", "EventParameters"], of: path)
      try text.set("Time", of: path, to: time.text, after: [])
      try text.set("EventType", of: path, to: type, after: ["Time"])
      if let duration {
        try text.set("EventDuration", of: path, to: duration.text, after: ["Time", "EventType"])
      } else {
        try text.remove("EventDuration", of: path)
      }
      for (id, number) in parameters { try setParameter(id, to: number, in: &text, near: element) }
      var wanted = Set(parameters.map(\.id.rawValue))
      // From the end, so that of a repeated one the one that counts stays.
      try text.keepParameters(in: path) { wanted.remove($0) != nil }
    }
    let name = isHeld ? "new vibration" : "new tap"
    return planInsertion(
      of: text.bytes, at: element, style, .event(added), isClamped: isClamped, name: name)
  }

  /// Plans to add a dynamic parameter.
  func planAdd(_ parameter: DynamicParameter) throws(EditRefusal) -> EditPlan {
    let element = elementForControl(parameter.id, at: parameter.time)
    let style = style(near: element)
    let time = try number(parameter.time, .time, style)
    let value = try number(Double(parameter.value), .value(parameter.id.range, defaultValue: 0), style)
    let members = [
      ("ParameterID", "\"\(parameter.id.rawValue)\""), ("ParameterValue", value.text), ("Time", time.text),
    ]
    let model = nearestEntry(to: element) { if case .parameter = $0 { true } else { false } }
    var text = try newElement(like: model, near: element, key: "Parameter", style: style) {
      members.map { ($0.0, .plain($0.1)) }
    }
    if model != nil { try fill(&text, "Parameter", members) }
    let added = DynamicParameter(id: parameter.id, value: Float(value.value), time: time.value)
    return planInsertion(
      of: text.bytes, at: element, style, .parameter(added), isClamped: time.isClamped || value.isClamped,
      name: "new parameter")
  }

  /// Plans to add a curve.
  func planAdd(_ curve: ParameterCurve) throws(EditRefusal) -> EditPlan {
    guard !curve.points.isEmpty else {
      throw EditRefusal("a curve without points has no effect; give it one")
    }
    let element = elementForControl(curve.id, at: curve.time)
    let style = style(near: element)
    let time = try number(curve.time, .time, style)
    var isClamped = time.isClamped
    var points: [[(String, String)]] = []
    var added = ParameterCurve(id: curve.id, time: time.value, points: [])
    // The text has them in order of time, as does the pattern.
    for point in stablySorted(curve.points).map(\.point) {
      let time = try number(point.time, .pointTime, style)
      let value = try number(Double(point.value), .value(curve.id.range, defaultValue: 0), style)
      isClamped = isClamped || time.isClamped || value.isClamped
      points.append([("Time", time.text), ("ParameterValue", value.text)])
      added.points.append(ParameterCurve.Point(time: time.value, value: Float(value.value)))
    }
    let members = [("ParameterID", "\"\(curve.id.rawValue)\""), ("Time", time.text)]
    let list = "ParameterCurveControlPoints"
    let model = nearestEntry(to: element) {
      if case .curve(let curve) = $0 { !curve.points.isEmpty } else { false }
    }
    var text = try newElement(like: model, near: element, key: "ParameterCurve", style: style) {
      let items = points.map { TextStyle.Fresh.line($0.map { ($0.0, .plain($0.1)) }) }
      return members.map { ($0.0, .plain($0.1)) } + [(list, .list(items))]
    }
    if model != nil {
      let path: [ElementText.Step] = [.key("ParameterCurve")]
      try text.keep(members.map(\.0) + [list], of: path)
      try fill(&text, "ParameterCurve", members, and: [list])
      let model = text.childTexts(of: path + [.key(list)]).first
      var items: [[UInt8]] = []
      for point in points { items.append(try item(model, point, style: style)) }
      try text.replaceItems(of: path + [.key(list)], with: items)
    }
    return planInsertion(
      of: text.bytes, at: element, style, .curve(added), isClamped: isClamped, name: "new curve")
  }

  /// Gives the members of a control their values, and takes away the others but some.
  private func fill(
    _ text: inout ElementText, _ key: String, _ members: [(String, String)], and others: [String] = []
  ) throws(EditRefusal) {
    try text.keep(members.map(\.0) + others, of: [.key(key)])
    var before: [String] = []
    for (name, value) in members {
      try text.set(name, of: [.key(key)], to: value, after: before)
      before.append(name)
    }
  }

  /// A number to be written into a new entry.
  func number(
    _ value: Double, _ rule: NumberRule, _ style: TextStyle
  ) throws(EditRefusal) -> (text: String, value: Double, isClamped: Bool) {
    let target = try rule.target(.to(value))
    let new = written(target.value, decimals: target.decimals, in: style, as: rule.kind)
    return (new.text, new.value, target.isClamped)
  }

  /// The text of a new element, taken from the model where there is one.
  private func newElement(
    like model: Int?, near element: Int, key: String, style: TextStyle,
    _ members: () -> [(String, TextStyle.Fresh)]
  ) throws(EditRefusal) -> ElementText {
    if let model {
      let range = map.elements[Int(map.places[model].element)]
      let indent = TextStyle.indentOfLine(at: range.lowerBound, in: bytes)
      var text = try ElementText(Array(bytes[range]), style: style, firstIndent: indent)
      try text.keep([key], of: [])
      return text
    }
    var indent = TextStyle.indentOfLine(at: map.list.lowerBound, in: bytes) + style.indent
    if !map.elements.isEmpty {
      let neighbour = map.elements[min(element, map.elements.count - 1)]
      indent = TextStyle.indentOfLine(at: neighbour.lowerBound, in: bytes)
    }
    let isControl = key == "Parameter"
    let written = style.written(
      .object([(key, isControl ? .line(members()) : .object(members()))]), indent: indent)
    return try ElementText(written, style: style, firstIndent: indent)
  }

  private func planInsertion(
    of text: [UInt8], at element: Int, _ style: TextStyle, _ content: Pattern.Entry, isClamped: Bool,
    name: String
  ) -> EditPlan {
    let splice = Container(map.list, children: map.elements).inserting(
      text, at: element, in: bytes, style: style,
      indent: TextStyle.indentOfLine(at: map.list.lowerBound, in: bytes))
    let entry = map.places.partitioningIndex { $0.element >= element }
    var expected = pattern
    expected.entries.insert(content, at: entry)
    return EditPlan(
      splice: splice, expected: expected,
      outcome: EditOutcome(entry: entry, isClamped: isClamped, name: name),
      entryBefore: pattern.entries.isEmpty ? nil : min(entry, pattern.entries.count - 1))
  }

  // MARK: - Where to add

  private func eventType(of entry: Pattern.Entry) -> EventType? {
    if case .event(let event) = entry { event.type } else { nil }
  }

  /// The element that a new event is to be: behind those that begin no later, where the events are in order.
  private func elementForEvent(at time: Double) -> Int {
    element(at: time, isCounted: { if case .event = $0 { true } else { false } }, otherwise: 0)
  }

  /// The element that a new control is to be: behind those of its id that take effect no later, so that it
  /// counts.
  private func elementForControl(_ id: DynamicParameterID, at time: Double) -> Int {
    let own = element(at: time, isCounted: { Self.control(of: $0) == id }, otherwise: -1)
    if own >= 0 { return own }
    return element(at: time, isCounted: { Self.control(of: $0) != nil }, otherwise: map.elements.count)
  }

  private static func control(of kind: EntryOutline.Kind) -> DynamicParameterID? {
    switch kind {
    case .event: nil
    case .parameter(let id), .curve(let id): id
    }
  }

  private func element(
    at time: Double, isCounted: (EntryOutline.Kind) -> Bool, otherwise: Int
  ) -> Int {
    var first: Int?
    var behind: Int?
    var last = 0
    var latest = 0.0
    var isInOrder = true
    pattern.entries.forEachOutline { index, outline in
      guard isCounted(outline.kind) else { return }
      let element = Int(map.places[index].element)
      if first == nil { first = element }
      if outline.time <= time { behind = element + 1 }
      if outline.time < latest { isInOrder = false }
      latest = max(latest, outline.time)
      last = element + 1
    }
    guard let first else { return otherwise }
    return isInOrder ? behind ?? first : last
  }
}
