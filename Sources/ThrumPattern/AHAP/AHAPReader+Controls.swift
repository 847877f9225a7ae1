extension AHAPReader {
  /// Reads a dynamic parameter; its value is looked at.
  mutating func readParameter() throws(Fault) {
    let start = scanner.at
    guard scanner.byte == .openBrace else { return try wrongType("a parameter, `{…}`,") }
    scanner.at += 1
    var members = Members()
    var id: DynamicParameterID?
    var value: Double?
    var range = 0..<0
    var time: Double?
    while let key = try nextKey(of: .parameter, &members) {
      let offset = scanner.at
      switch key {
      case .parameterID: id = try readControlID()
      case .parameterValue:
        value = try readNumber()
        range = offset..<scanner.at
      default: time = try readTime()
      }
    }
    place.key = nil
    if !members.has(.parameterID) { try refuseMissingControlID(at: start) }
    if !members.has(.parameterValue) {
      try refuse(.badParameterEntry, at: start) { _ in "no `ParameterValue`; a number is needed" }
    }
    guard let id, let value, time != nil || !members.has(.time) else { return }
    if time == nil {
      remark(.warning, .missingEntry, at: start) { _ in "no `Time`; the parameter takes effect at 0 s" }
    }
    let parameter = DynamicParameter(
      id: id, value: clamped(value, to: id.range, range: range, name: id.rawValue), time: time ?? 0)
    place.key = nil
    appendControl(.parameter(parameter), id, at: parameter.time, start, hasEffect: true)
  }

  /// Reads a curve; its value is looked at.
  mutating func readCurve() throws(Fault) {
    let start = scanner.at
    guard scanner.byte == .openBrace else { return try wrongType("a curve, `{…}`,") }
    scanner.at += 1
    var members = Members()
    var id: DynamicParameterID?
    var time: Double?
    var values: Range<Int> = 0..<0
    var isRefused = false
    dropPoints()
    while let key = try nextKey(of: .curve, &members) {
      let offset = scanner.at
      switch key {
      case .parameterID: id = try readControlID()
      case .time: time = try readTime()
      default:
        // A second list replaces the first.
        dropPoints()
        isRefused = scanner.byte != .openBracket
        try readObjects("an object with `Time` and `ParameterValue`") { reader, start throws(Fault) in
          if try !reader.readPoint(start) { isRefused = true }
        }
        values = offset..<scanner.at
      }
    }
    place.key = nil
    if !members.has(.parameterID) { try refuseMissingControlID(at: start) }
    guard let id, !isRefused, time != nil || !members.has(.time) else { return }
    if time == nil {
      remark(.warning, .missingEntry, at: start) { _ in "no `Time`; the curve begins at 0 s" }
    }
    let curveTime = time ?? 0
    clampPoints(to: id)
    remarkOnPoints(of: id, at: curveTime, in: values.isEmpty ? start..<start : values)
    let curve = ParameterCurve(id: id, time: curveTime, points: points)
    appendControl(.curve(curve), id, at: curveTime, start, hasEffect: !points.isEmpty)
  }

  private mutating func appendControl(
    _ entry: Pattern.Entry, _ id: DynamicParameterID, at time: Double, _ offset: Int, hasEffect: Bool
  ) {
    if hasEffect {
      controls.append(
        ControlStart(
          id: id, time: time, offset: offset, entry: pattern.entries.count, listIndex: place.entry ?? 0))
    }
    pattern.entries.append(entry)
  }

  // MARK: - Control points

  private mutating func dropPoints() {
    points.removeAll(keepingCapacity: true)
    pointValues.removeAll(keepingCapacity: true)
  }

  /// Reads one control point; its opening brace has been passed over.
  /// - Returns: Whether it was not refused.
  private mutating func readPoint(_ start: Int) throws(Fault) -> Bool {
    var members = Members()
    var time: Double?
    var value: Double?
    var range = 0..<0
    while let key = try nextKey(of: .controlPoint, &members) {
      if key == .time {
        time = try readTime()
      } else {
        let offset = scanner.at
        value = try readNumber()
        range = offset..<scanner.at
      }
    }
    place.key = nil
    if !members.has(.parameterValue) {
      try refuse(.badParameterEntry, at: start) { _ in "no `ParameterValue`; a control point needs a number" }
    }
    guard let value, time != nil || !members.has(.time) else { return false }
    if time == nil {
      remark(.warning, .missingEntry, at: start) { _ in "no `Time`; the point stands at the curve's start" }
    }
    points.append(ParameterCurve.Point(time: time ?? 0, value: Float(value)))
    pointValues.append(range)
    return true
  }

  /// Brings the points into the range of the curve's parameter; only now, for the id may come after the
  /// points.
  private mutating func clampPoints(to id: DynamicParameterID) {
    let limits = id.range
    for index in points.indices {
      let value = points[index].value
      if value >= limits.lowerBound, value <= limits.upperBound {
        points[index].value = value + 0
      } else {
        place.item = index
        points[index].value = clamped(Double(value), to: limits, range: pointValues[index], name: id.rawValue)
        place.item = nil
        place.key = nil
      }
    }
  }

  /// Warns of points without an effect, out of order, or counted from the pattern's start.
  private mutating func remarkOnPoints(of id: DynamicParameterID, at time: Double, in list: Range<Int>) {
    place.key = .parameterCurveControlPoints
    defer { place.key = nil }
    guard let first = points.first else {
      remark(.warning, .noEffect, at: list.lowerBound) { _ in "no control points; the curve has no effect" }
      return
    }
    if ControlReach.looksPatternTimed(firstPoint: first.time, curveTime: time) {
      let last = points.last?.time ?? first.time
      remark(.warning, .curve, at: list.lowerBound) { _ in
        "the points look counted from the pattern's start; they count from the curve's `Time`, so the last "
          + "one comes at \(plain(time + last)) s, not at \(plain(last)) s"
      }
    }
    guard zip(points, points.dropFirst()).contains(where: { $0.time > $1.time }) else { return }
    remark(.warning, .curve, at: list.lowerBound) { _ in "points out of order; they are sorted by `Time`" }
    // The standard sort promises no stability, so the index keeps points of one time in file order.
    points = points.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  // MARK: - Control ids

  private mutating func readControlID() throws(Fault) -> DynamicParameterID? {
    let offset = scanner.at
    guard let text = try readText() else { return nil }
    if let id = scanner.withBytes(of: text, { DynamicParameterID(spelled: $0) }) { return id }
    try refuse(.invalidParameterType, at: offset) { reader in
      let ids = DynamicParameterID.allCases.map(\.rawValue)
      let found = reader.scanner.excerpt(text)
      let event = reader.scanner.withBytes(of: text) { EventParameterID(spelled: $0) }
      if let meant = event.flatMap({ event in ids.first { $0 == "\(event.rawValue)Control" } }) {
        return "\"\(found)\" is an event parameter; the control is named \(meant)"
      }
      return "\"\(found)\" is not a control; \(reader.advice(for: text, among: ids))"
    }
    return nil
  }

  private mutating func refuseMissingControlID(at offset: Int) throws(Fault) {
    try refuse(.badParameterEntry, at: offset) { reader in
      "no `ParameterID`; use \(reader.list(DynamicParameterID.allCases.map(\.rawValue)))"
    }
  }
}
