/// The events of a turn, in order: of values that nothing came between, the last of each.
struct ControlList {
  private(set) var events: [ControlEvent] = []
  /// Where the values behind the last event of another kind begin.
  private var valuesStart = 0

  /// Adds an event behind the others.
  mutating func append(_ event: ControlEvent) {
    switch event {
    case .intensity:
      if let index = lastValue(where: { if case .intensity = $0 { true } else { false } }) {
        events[index] = event
      } else {
        events.append(event)
      }
    case .sharpness:
      if let index = lastValue(where: { if case .sharpness = $0 { true } else { false } }) {
        events[index] = event
      } else {
        events.append(event)
      }
    case .tap, .hold, .release, .notice:
      events.append(event)
      valuesStart = events.count
    }
  }

  private func lastValue(where isOfKind: (ControlEvent) -> Bool) -> Int? {
    events[valuesStart...].firstIndex(where: isOfKind)
  }
}
