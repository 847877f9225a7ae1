import ThrumPattern

extension Take {
  /// The performance as a pattern, in order of time.
  ///
  /// A hold whose values moved is an event with the greatest intensity it had and the sharpness it began
  /// with; curves of both controls over it do the moving, each as short as its shape allows. As controls act
  /// on everything, taps and holds that begin meanwhile are written with what makes them come out as played,
  /// as far as 0 to 1 reaches; of holds that overlap, only the first to begin can move. Behind a moved hold
  /// the controls go back before the next event begins.
  /// - Parameters:
  ///   - quantisation: The grid that taps, and starts and ends of holds, are brought to; nil leaves them. A
  ///     hold that would have no length keeps its own.
  ///   - startsAtFirst: Whether the silence before the first of them is left out (before the grid is
  ///     applied).
  ///
  /// Threads: any. Real-time: no.
  public func pattern(quantised quantisation: Quantisation? = nil, startsAtFirst: Bool = false) -> Pattern {
    var score = Score(self, quantisation, startsAtFirst: startsAtFirst)
    return score.pattern()
  }

  /// The performance as AHAP text; as ``pattern(quantised:startsAtFirst:)``.
  public func encoded(quantised quantisation: Quantisation? = nil, startsAtFirst: Bool = false) -> [UInt8] {
    AHAPEncoder.encode(pattern(quantised: quantisation, startsAtFirst: startsAtFirst))
  }
}

/// A take on its way to a pattern: times where they will be.
private struct Score {
  /// A hold, and the lanes of its movement where it leads.
  struct Part {
    var start: Double
    var end: Double
    var intensity: Float
    var sharpness: Float
    /// Its moves, counted from its start.
    var moves: [Take.Move]
    var lanes: [Lane] = []
  }

  private var taps: [Take.Tap]
  private var parts: [Part]

  init(_ take: Take, _ quantisation: Quantisation?, startsAtFirst: Bool) {
    let starts = take.taps.map(\.time) + take.holds.map(\.start)
    let origin = startsAtFirst ? starts.min() ?? 0 : 0
    func place(_ time: Double) -> Double {
      let moved = quantisation?.moved(time - origin) ?? time - origin
      return max(0, (moved * 1e6).rounded() / 1e6)
    }
    let length = take.duration
    taps = take.taps.map { tap in
      Take.Tap(time: place(tap.time), intensity: tap.intensity, sharpness: tap.sharpness)
    }
    parts = take.holds.map { hold in
      // What is still held ends with the take.
      let end = max(hold.end ?? length, hold.start + Self.shortest)
      let start = place(hold.start)
      var placedEnd = place(end)
      if placedEnd < start + Self.shortest { placedEnd = start + end - hold.start }
      let stretch = (placedEnd - start) / (end - hold.start)
      let moves = hold.moves.map { move in
        Take.Move(
          time: (move.time - hold.start) * stretch, intensity: move.intensity, sharpness: move.sharpness)
      }
      return Part(
        start: start, end: placedEnd, intensity: hold.intensity, sharpness: hold.sharpness, moves: moves)
    }
    taps.sort { $0.time < $1.time }
    parts.sort { $0.start < $1.start }
  }

  /// The shortest hold, in seconds.
  private static let shortest = 0.001

  mutating func pattern() -> Pattern {
    lead()
    var timed: [(time: Double, rank: Int, entry: Pattern.Entry)] = []
    for part in parts {
      for lane in part.lanes {
        let curve = ParameterCurve(id: lane.id, time: part.start, points: lane.points)
        timed.append((part.start, 1, .curve(curve)))
        guard let time = returnTime(of: lane, after: part) else { continue }
        timed.append(
          (time, 0, .parameter(DynamicParameter(id: lane.id, value: lane.id.neutralValue, time: time))))
      }
    }
    for part in parts {
      let values = part.lanes.isEmpty ? compensated(part.intensity, part.sharpness, at: part.start) : nil
      let event = Event.haptic(
        .hapticContinuous, part.start, ((part.end - part.start) * 1e6).rounded() / 1e6,
        rounded(values?.intensity ?? part.intensity), rounded(values?.sharpness ?? part.sharpness))
      timed.append((part.start, 2, .event(event)))
    }
    for tap in taps {
      let values = compensated(tap.intensity, tap.sharpness, at: tap.time)
      let event = Event.haptic(
        .hapticTransient, tap.time, nil, rounded(values.intensity), rounded(values.sharpness))
      timed.append((tap.time, 2, .event(event)))
    }
    let order = timed.indices.sorted {
      (timed[$0].time, timed[$0].rank, $0) < (timed[$1].time, timed[$1].rank, $1)
    }
    return Pattern(entries: order.map { timed[$0].entry }, version: 1)
  }

  /// Gives lanes to the holds that may move: each that begins when no other that moves is held.
  private mutating func lead() {
    var free = -Double.infinity
    for index in parts.indices where parts[index].start >= free {
      let part = parts[index]
      let loudest = part.moves.reduce(part.intensity) { max($0, $1.intensity) }
      var lanes: [Lane] = []
      if loudest > 0 {
        let begin = part.intensity / loudest
        let steps = part.moves.map { (time: $0.time, value: $0.intensity / loudest) }
        lanes += Lane(.hapticIntensityControl, begin, steps).map { [$0] } ?? []
      }
      let steps = part.moves.map { (time: $0.time, value: $0.sharpness - part.sharpness) }
      lanes += Lane(.hapticSharpnessControl, 0, steps).map { [$0] } ?? []
      guard !lanes.isEmpty else { continue }
      parts[index].lanes = lanes
      if lanes.contains(where: { $0.id == .hapticIntensityControl }) { parts[index].intensity = loudest }
      free = part.end
    }
  }

  /// When a control goes back behind a hold: with the next event, so that the hold's own release is not
  /// changed; at once where another is still held. Nil where nothing follows, or what follows sets the
  /// control itself.
  private func returnTime(of lane: Lane, after part: Part) -> Double? {
    guard let last = lane.points.last, last.value != lane.id.neutralValue else { return nil }
    let isHeldOn = parts.contains { $0.start < part.end && $0.end > part.end }
    let next = (taps.map(\.time) + parts.map(\.start)).filter { $0 >= part.end }.min()
    guard let time = isHeldOn ? part.end : next else { return nil }
    let isSet = parts.contains { $0.start == time && $0.lanes.contains { $0.id == lane.id } }
    return isSet ? nil : time
  }

  /// The values with which an event comes out as played while a moved hold sets the controls.
  private func compensated(
    _ intensity: Float, _ sharpness: Float, at time: Double
  ) -> (intensity: Float, sharpness: Float) {
    var values = (intensity: intensity, sharpness: sharpness)
    guard let part = parts.first(where: { !$0.lanes.isEmpty && $0.start <= time && time < $0.end }) else {
      return values
    }
    for lane in part.lanes {
      let control = lane.value(at: time - part.start)
      if lane.id == .hapticIntensityControl {
        if control > 0 { values.intensity = min(1, intensity / control) }
      } else {
        values.sharpness = min(max(sharpness - control, 0), 1)
      }
    }
    return values
  }

  private func rounded(_ value: Float) -> Float { Lane.rounded(value) }
}

/// How a control moves over a hold.
private struct Lane {
  var id: DynamicParameterID
  /// In order of time, counted from the hold's start.
  var points: [ParameterCurve.Point]

  /// How long a step takes, in seconds: what is played in steps must not become a slope from one to the next.
  private static let rampSeconds = 0.01
  /// How far a point may be from the line that replaces it.
  private static let tolerance: Float = 0.002

  /// - Returns: Nil where nothing moves.
  init?(_ id: DynamicParameterID, _ begin: Float, _ steps: [(time: Double, value: Float)]) {
    guard steps.contains(where: { abs($0.value - begin) > Self.tolerance }) else { return nil }
    self.id = id
    var all = [ParameterCurve.Point(time: 0, value: begin)]
    for step in steps {
      let last = all[all.count - 1]
      if step.time - last.time > Self.rampSeconds {
        all.append(.init(time: step.time - Self.rampSeconds, value: last.value))
      }
      all.append(.init(time: step.time, value: step.value))
    }
    points = Self.thinned(all).map {
      .init(time: ($0.time * 1e6).rounded() / 1e6, value: Self.rounded($0.value))
    }
  }

  /// A value to four digits after the point, finer than anyone feels.
  static func rounded(_ value: Float) -> Float { Float((Double(value) * 10_000).rounded() / 10_000) }

  /// The value at a time, by straight lines between the points.
  func value(at time: Double) -> Float {
    guard let next = points.firstIndex(where: { $0.time > time }) else { return points.last?.value ?? 0 }
    guard next > 0 else { return points[0].value }
    let (from, to) = (points[next - 1], points[next])
    return from.value + (to.value - from.value) * Float((time - from.time) / (to.time - from.time))
  }

  /// The points without which the lines would be elsewhere.
  private static func thinned(_ points: [ParameterCurve.Point]) -> [ParameterCurve.Point] {
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var spans = [0..<points.count - 1]
    while let span = spans.popLast() {
      let (from, to) = (points[span.lowerBound], points[span.upperBound])
      var farthest = (index: 0, distance: tolerance)
      for index in span.dropFirst() {
        let share = to.time > from.time ? (points[index].time - from.time) / (to.time - from.time) : 0
        let line = from.value + (to.value - from.value) * Float(share)
        let distance = abs(points[index].value - line)
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index > 0 else { continue }
      isKept[farthest.index] = true
      spans.append(span.lowerBound..<farthest.index)
      spans.append(farthest.index..<span.upperBound)
    }
    return zip(points, isKept).filter(\.1).map(\.0)
  }
}
