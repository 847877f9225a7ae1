import ThrumPattern
import ThrumPlot

/// The value of a dynamic parameter over a pattern's time.
///
/// The latest to start is the writer, of equal starts the last in the file; one that was cut off does not come back.
enum ControlTrack {
  /// One writer: a parameter has one point, a curve as many as the file gives.
  private struct Writer {
    var start: Double
    var points: [Track.Breakpoint]

    /// The value at a time from the start on.
    func value(at time: Double) -> Double {
      Track(points: points, initialValue: points[0].value).value(at: time)
    }
  }

  /// The track of a parameter, nil where nothing writes it.
  static func track(of id: DynamicParameterID, in pattern: Pattern) -> Track? {
    let writers = pattern.entries.compactMap { writer($0, of: id) }.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
    if writers.isEmpty { return nil }
    var points: [Track.Breakpoint] = []
    var value = Double(id.neutralValue)
    for (index, writer) in writers.enumerated() {
      let end = index + 1 < writers.count ? writers[index + 1].start : .infinity
      if end <= writer.start { continue }
      // A writer begins with a step from whatever stood there.
      points.append(.init(time: writer.start, value: value))
      points.append(.init(time: writer.start, value: writer.value(at: writer.start)))
      points += writer.points.filter { $0.time > writer.start && $0.time < end }
      value = writer.value(at: end)
      if end.isFinite { points.append(.init(time: end, value: value)) }
    }
    return Track(points: points, initialValue: Double(id.neutralValue))
  }

  private static func writer(_ entry: Pattern.Entry, of id: DynamicParameterID) -> Writer? {
    switch entry {
    case .parameter(let parameter) where parameter.id == id:
      return Writer(
        start: parameter.time, points: [.init(time: parameter.time, value: Double(parameter.value))])
    case .curve(let curve) where curve.id == id && !curve.points.isEmpty:
      return Writer(
        start: curve.time,
        points: curve.points.map { .init(time: curve.time + $0.time, value: Double($0.value)) })
    default: return nil
    }
  }
}
