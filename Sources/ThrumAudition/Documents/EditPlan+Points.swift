import ThrumPattern

/// Points in order of time, those of one time in the order they had, with the place each had.
func stablySorted(_ points: [ParameterCurve.Point]) -> [(place: Int, point: ParameterCurve.Point)] {
  points.enumerated().map { (place: $0.offset, point: $0.element) }
    .sorted { ($0.point.time, $0.place) < ($1.point.time, $1.place) }
}

extension EditBase {
  /// A curve and its points as they stand in the text, which need not be in order of time.
  private struct CurveText {
    let entry: Int
    let element: Int
    let style: TextStyle
    let text: ElementText
    let curve: ParameterCurve
    /// The points in the order of the text.
    let points: [ParameterCurve.Point]
    /// Where each point stands in the text, in order of time.
    let places: [Int]

    static let holder: [ElementText.Step] = [.key("ParameterCurve")]
    static let list: [ElementText.Step] = holder + [.key("ParameterCurveControlPoints")]

    /// The curve's values and times, as the rule for a number.
    var valueRule: NumberRule { .value(curve.id.range, defaultValue: curve.id.neutralValue) }

    /// Whether the text has the points in order.
    var isInOrder: Bool { places == Array(places.indices) }
  }

  private func curveText(_ entry: Int) throws(EditRefusal) -> CurveText {
    let place = try place(of: entry)
    guard case .curve(let curve) = pattern.entries[entry] else {
      throw EditRefusal("only a curve has points")
    }
    let element = Int(place.element)
    let style = style(near: element)
    let text = try ElementText(
      text(ofElement: element), style: style,
      firstIndent: TextStyle.indentOfLine(at: map.elements[element].lowerBound, in: bytes))
    let items = text.node(CurveText.list)?.children ?? []
    guard items.count == curve.points.count else { throw ElementText.notUnderstood }
    let written = items.map { item in
      let time = item.value["Time"].flatMap { NumberText(text.bytes[$0.range]) }?.value ?? 0
      return ParameterCurve.Point(time: time, value: 0)
    }
    let places = stablySorted(written).map(\.place)
    var points = curve.points
    for (position, place) in places.enumerated() { points[place] = curve.points[position] }
    return CurveText(
      entry: entry, element: element, style: style, text: text, curve: curve, points: points, places: places)
  }

  private func place(of point: Int, in curve: CurveText) throws(EditRefusal) -> Int {
    guard curve.places.indices.contains(point) else {
      throw EditRefusal("there is no point \(point); the curve has \(curve.places.count)")
    }
    return curve.places[point]
  }

  /// The plan that leads to other points, in the order of the new text.
  private func plan(
    _ curve: CurveText, _ text: ElementText, _ points: [ParameterCurve.Point], selecting place: Int?,
    isClamped: Bool, key: (Int) -> EditKey?, name: String
  ) -> EditPlan {
    let sorted = stablySorted(points)
    let point = place.flatMap { place in sorted.firstIndex { $0.place == place } }
    var changed = curve.curve
    changed.points = sorted.map(\.point)
    let old = curve.text.bytes
    let splice = Splice(from: old, to: text.bytes, at: map.elements[curve.element].lowerBound)
    return EditPlan(
      splice: splice, expected: replacing(curve.entry, with: .curve(changed)),
      outcome: EditOutcome(
        entry: curve.entry, point: point, isChanged: splice != nil, isClamped: isClamped, name: name),
      key: point.flatMap(key), entryBefore: curve.entry)
  }

  // MARK: - Numbers of a point

  /// Plans a change of a point's time or value.
  func planPoint(
    _ point: Int, of entry: Int, isTime: Bool, _ amount: (NumberText?) -> EditAmount
  ) throws(EditRefusal) -> EditPlan {
    let curve = try curveText(entry)
    let place = try place(of: point, in: curve)
    let rule = isTime ? NumberRule.pointTime : curve.valueRule
    let old = curve.text.number(CurveText.list + [.item(place), .key(isTime ? "Time" : "ParameterValue")])
    let target = try rule.target(amount(old))
    return try planMove(
      curve, place, time: isTime ? target : nil, value: isTime ? nil : target,
      name: isTime ? "point's time" : "point's value"
    ) { .field(isTime ? .pointTime($0) : .pointValue($0), entry: entry) }
  }

  /// Plans to move a point.
  func planMove(
    _ point: Int, of entry: Int, to target: ParameterCurve.Point
  ) throws(EditRefusal) -> EditPlan {
    let curve = try curveText(entry)
    let place = try place(of: point, in: curve)
    return try planMove(
      curve, place, time: NumberRule.pointTime.target(.to(target.time)),
      value: curve.valueRule.target(.to(Double(target.value))), name: "point"
    ) { .point($0, entry: entry) }
  }

  private func planMove(
    _ curve: CurveText, _ place: Int, time: NumberRule.Target?, value: NumberRule.Target?, name: String,
    key: (Int) -> EditKey?
  ) throws(EditRefusal) -> EditPlan {
    var text = curve.text
    var points = curve.points
    let path = CurveText.list + [.item(place)]
    if let time {
      let old = text.number(path + [.key("Time")])
      let new = written(time.value, decimals: time.decimals, in: curve.style, as: .pointTime, replacing: old)
      if (old?.value ?? 0) != new.value {
        try text.set("Time", of: path, to: new.text, after: [])
        points[place].time = new.value
      }
    }
    if let value {
      let old = text.number(path + [.key("ParameterValue")])
      let new = written(value.value, decimals: value.decimals, in: curve.style, as: .value, replacing: old)
      if old.map({ Float($0.value) }) != Float(new.value) {
        try text.set("ParameterValue", of: path, to: new.text, after: ["Time"])
        points[place].value = Float(new.value)
      }
    }
    var selected = place
    let order = stablySorted(points).map(\.place)
    if curve.isInOrder, order != Array(points.indices), let position = order.firstIndex(of: place) {
      // The text goes on having its points in order, as the author had them.
      let items = text.childTexts(of: CurveText.list)
      try text.replaceItems(of: CurveText.list, with: order.map { items[$0] })
      points = order.map { points[$0] }
      selected = position
    }
    let isClamped = time?.isClamped ?? false || value?.isClamped ?? false
    var plan = plan(
      curve, text, points, selecting: selected, isClamped: isClamped, key: key, name: name)
    plan.keyBefore = curve.places.firstIndex(of: place).flatMap(key)
    return plan
  }

  // MARK: - Adding and removing

  /// Plans to add a point.
  func planAdd(_ point: ParameterCurve.Point, to entry: Int) throws(EditRefusal) -> EditPlan {
    let curve = try curveText(entry)
    var text = curve.text
    let time = try number(point.time, .pointTime, curve.style)
    let value = try number(Double(point.value), curve.valueRule, curve.style)
    let added = ParameterCurve.Point(time: time.value, value: Float(value.value))
    let members = [("Time", time.text), ("ParameterValue", value.text)]
    if text.node(CurveText.list) == nil {
      try text.set(
        "ParameterCurveControlPoints", of: CurveText.holder, to: "[]", after: ["ParameterID", "Time"])
    }
    // Behind the last one in the text that is no later; at the beginning where all are.
    let position = (curve.points.lastIndex { $0.time <= added.time }).map { $0 + 1 } ?? 0
    let items = text.childTexts(of: CurveText.list)
    let model = items.isEmpty ? nil : items[max(0, position - 1)]
    try text.insert(item(model, members, style: curve.style), into: CurveText.list, at: position)
    var points = curve.points
    points.insert(added, at: position)
    return plan(
      curve, text, points, selecting: position, isClamped: time.isClamped || value.isClamped,
      key: { _ in nil }, name: "new point")
  }

  /// Plans to remove a point.
  func planRemovePoint(_ point: Int, of entry: Int) throws(EditRefusal) -> EditPlan {
    let curve = try curveText(entry)
    let place = try place(of: point, in: curve)
    guard curve.points.count > 1 else {
      throw EditRefusal("a curve without points has no effect; remove the curve instead")
    }
    var text = curve.text
    try text.remove(at: place, of: CurveText.list)
    var points = curve.points
    points.remove(at: place)
    let next = min(point, points.count - 1)
    var plan = plan(
      curve, text, points, selecting: nil, isClamped: false, key: { _ in nil }, name: "removal of a point")
    plan.outcome.point = next
    return plan
  }
}
