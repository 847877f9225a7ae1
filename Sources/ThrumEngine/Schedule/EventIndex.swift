import ThrumPattern
import ThrumRealtime

/// The events of a pattern in the order in which they sound, four bytes each, and the means to make a page of
/// them.
///
/// Sorting a long pattern's index instead of its compiled events leaves the pattern's own memory as the only
/// other copy; a page is compiled when it is wanted and can be thrown away and compiled again.
struct EventIndex: Sendable {
  private let entries: [Pattern.Entry]
  /// Positions in `entries`, by start frame and then by place in the file.
  private let order: [UInt32]

  /// Sorts the events that can sound.
  init(entries: [Pattern.Entry]) {
    var keys: [(frame: Int64, entry: UInt32)] = []
    keys.reserveCapacity(entries.count)
    var isSorted = true
    for (position, entry) in entries.enumerated() {
      guard case .event(let event) = entry, Self.canSound(event) else { continue }
      let frame = Timeline.frame(atSeconds: event.time).value
      if let last = keys.last, last.frame > frame { isSorted = false }
      keys.append((frame, UInt32(truncatingIfNeeded: position)))
    }
    if !isSorted { keys.sort { ($0.frame, $0.entry) < ($1.frame, $1.entry) } }
    order = keys.map(\.entry)
    self.entries = entries
  }

  /// The number of events.
  var count: Int { order.count }

  /// The number of pages, the last of which may not be full.
  var pageCount: Int { (order.count + ScheduleView.pageEvents - 1) / ScheduleView.pageEvents }

  /// The number of events on a page.
  func eventCount(onPage page: Int) -> Int {
    min(ScheduleView.pageEvents, order.count - page * ScheduleView.pageEvents)
  }

  /// The page of the first event that begins at a frame or later; the last page where there is none.
  func page(atFrame frame: Int64) -> Int {
    max(0, min(firstEvent(atFrame: frame) / ScheduleView.pageEvents, pageCount - 1))
  }

  /// The first event that begins at a frame or later.
  func firstEvent(atFrame frame: Int64) -> Int {
    firstIndex(below: order.count) { startFrame(of: $0) >= frame }
  }

  /// The end of the last tap's tail at the parameters of the pattern's events, if any tap can sound past a
  /// frame.
  func lastTapEnd(notBefore frame: Int64) -> Int64 {
    var last: Int64 = 0
    for position in order.indices.reversed() {
      if startFrame(of: position) + TapLength.longest < frame { break }
      guard case .event(let event) = entries[Int(order[position])], event.type == .hapticTransient else {
        continue
      }
      let tap = ScheduledEvent(event, entryIndex: 0)
      last = max(last, tap.startFrame + TapLength.frames(of: tap))
    }
    return last
  }

  private func startFrame(of position: Int) -> Int64 {
    guard case .event(let event) = entries[Int(order[position])] else { return 0 }
    return Timeline.frame(atSeconds: event.time).value
  }

  /// Compiles a page into memory for ``ScheduleView/pageEvents`` events.
  func compile(page: Int, into destination: UnsafeMutablePointer<ScheduledEvent>) {
    let first = page * ScheduleView.pageEvents
    for offset in 0..<eventCount(onPage: page) {
      let position = order[first + offset]
      guard case .event(let event) = entries[Int(position)] else { continue }
      (destination + offset).initialize(to: ScheduledEvent(event, entryIndex: position))
    }
  }

  /// Whether an event reaches a voice: it is felt, and not a continuous event whose duration is a part of a
  /// frame.
  private static func canSound(_ event: Event) -> Bool {
    guard event.type.isHaptic else { return false }
    guard event.type == .hapticContinuous, let duration = event.duration, duration > 0 else { return true }
    return Timeline.frame(atSeconds: duration).value > 0
  }
}

extension ScheduledEvent {
  /// Converts an event that can sound.
  init(_ event: Event, entryIndex: UInt32) {
    var durationFrames = ScheduledEvent.endless
    if let duration = event.duration, duration > 0 {
      durationFrames = Timeline.frame(atSeconds: duration).value
    }
    self.init(
      startFrame: Timeline.frame(atSeconds: event.time).value,
      durationFrames: durationFrames,
      entryIndex: entryIndex,
      kind: event.type == .hapticTransient ? .transient : .continuous,
      isSustained: event.value(of: .sustained) >= 0.5,
      intensity: event.clampedValue(of: .hapticIntensity),
      sharpness: event.clampedValue(of: .hapticSharpness),
      attack: event.clampedValue(of: .attackTime),
      decay: event.clampedValue(of: .decayTime),
      release: event.clampedValue(of: .releaseTime))
  }
}

extension Event {
  /// The value of a parameter within its range; the default for what is no number. A pattern from a file is
  /// in range already, one made by a program need not be.
  fileprivate func clampedValue(of parameter: EventParameterID) -> Float {
    let value = value(of: parameter)
    if value.isNaN { return parameter.defaultValue(for: type) }
    return min(max(value, parameter.range.lowerBound), parameter.range.upperBound)
  }
}
