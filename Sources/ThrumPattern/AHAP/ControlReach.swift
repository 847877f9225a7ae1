/// Where a dynamic parameter or a curve takes effect.
struct ControlStart {
  var id: DynamicParameterID
  /// Seconds from the start of the pattern.
  var time: Double
  /// Byte of the file at which the entry begins.
  var offset: Int
  /// The index in the pattern's entries.
  var entry: Int
  /// The index in the file's `Pattern`.
  var listIndex: Int
}

/// Finds the controls of a pattern that change no event: a control counts from its start to the start of the
/// next one of its id, so it is without effect where no event can notice it in between.
struct ControlReach {
  /// The controls of one id in the order in which they take over from one another, and which of them are noticed.
  ///
  /// Nothing is kept for an event, so that a long pattern costs no more memory than its controls do.
  private struct Succession {
    /// The frames on which they take over.
    let begins: [Double]
    /// How many more events notice a control than the one before.
    private var changes: [Int]

    init(_ begins: [Double]) {
      self.begins = begins
      changes = [Int](repeating: 0, count: begins.count + 1)
    }

    /// Notes an event that notices what it meets from one frame to another, both included.
    mutating func note(from first: Double, through last: Double) {
      let writer = latest(at: last)
      guard writer >= 0 else { return }
      changes[max(0, latest(at: first))] += 1
      changes[writer + 1] -= 1
    }

    /// Whether each of them is noticed.
    func noticed() -> [Bool] {
      var count = 0
      return begins.indices.map { index in
        count += changes[index]
        return count > 0
      }
    }

    /// The last control that has taken over by a frame; −1 before the first.
    private func latest(at frame: Double) -> Int {
      var low = 0
      var high = begins.count
      while low < high {
        let middle = (low + high) / 2
        if begins[middle] <= frame { low = middle + 1 } else { high = middle }
      }
      return low - 1
    }
  }

  /// Whether a curve's points look counted from the pattern's start instead of the curve's.
  ///
  /// Some converters write the times of later curves so; the first point then has the curve's own time. Read
  /// as the format says, such a curve comes late by that much.
  static func looksPatternTimed(firstPoint: Double, curveTime: Double) -> Bool {
    curveTime > 0 && abs(firstPoint - curveTime) < 0.0005
  }

  /// Why a control changes nothing.
  enum Idleness {
    /// Another one of its id begins on the same frame and stands later in the file.
    case replaced
    /// No event notices it.
    case unnoticed
    /// It is a curve with points behind the start of the next control of its id.
    case cutOff(at: Double)
  }

  /// The controls that change nothing, or less than they hold, in no particular order.
  static func idle(_ controls: [ControlStart], in pattern: Pattern) -> [(
    control: ControlStart, why: Idleness
  )] {
    guard !controls.isEmpty else { return [] }
    var found: [(control: ControlStart, why: Idleness)] = []
    for id in DynamicParameterID.allCases {
      let writers = controls.filter { $0.id == id }
        .sorted { (frame($0.time), $0.entry) < (frame($1.time), $1.entry) }
      guard !writers.isEmpty else { continue }
      var succession = Succession(writers.map { frame($0.time) })
      noteMoments(for: id, in: pattern, to: &succession)
      let noticed = succession.noticed()
      for (index, writer) in writers.enumerated() {
        let first = succession.begins[index]
        let next = index + 1 < writers.count ? succession.begins[index + 1] : .infinity
        if next == first {
          found.append((writer, .replaced))
        } else if !noticed[index] {
          found.append((writer, .unnoticed))
        } else if isCut(writer.entry, of: pattern, at: next) {
          found.append((writer, .cutOff(at: writers[index + 1].time)))
        }
      }
    }
    return found
  }

  /// Whether a curve goes on when the next control of its id begins, for a reason its author has not been
  /// told yet.
  private static func isCut(_ position: Int, of pattern: Pattern, at next: Double) -> Bool {
    let curve = pattern.entries.outline(at: position)
    guard curve.pointCount > 0 else { return false }
    let first = pattern.entries.point(0, ofCurveAt: position)
    let last = pattern.entries.point(curve.pointCount - 1, ofCurveAt: position)
    if looksPatternTimed(firstPoint: first.time, curveTime: curve.time) { return false }
    // Consecutive pieces of one curve share a point; the two ways of rounding it may be a frame apart.
    return frame(curve.time) + frame(last.time) > next + 1
  }

  /// Notes when the events of a pattern notice a control of an id: while they are held, or only as they begin or
  /// stop.
  private static func noteMoments(
    for id: DynamicParameterID, in pattern: Pattern, to succession: inout Succession
  ) {
    for entry in pattern.entries {
      guard case .event(let event) = entry, event.type.isHaptic == id.isHaptic,
        let moment = moments(for: id, of: event)
      else { continue }
      succession.note(from: moment.first, through: moment.last)
    }
  }

  private static func moments(
    for id: DynamicParameterID, of event: Event
  ) -> (first: Double, last: Double)? {
    let first = frame(event.time)
    if !id.isHaptic { return moments(for: id, of: event, from: first) }
    guard event.type == .hapticContinuous else {
      return id == .hapticReleaseTimeControl ? nil : (first, first)
    }
    let written = event.duration ?? 0
    let held = written == 0 ? longestHeldSeconds : min(written, longestHeldSeconds)
    let last = first + frame(held)
    switch id {
    case .hapticAttackTimeControl: return (first, first)
    case .hapticDecayTimeControl: return event.value(of: .sustained) < 0.5 ? (first, first) : nil
    case .hapticReleaseTimeControl: return (last, last)
    default: return (first, last)
    }
  }

  /// When a sound notices a control. How long a file is, is not known here.
  private static func moments(
    for id: DynamicParameterID, of event: Event, from first: Double
  ) -> (first: Double, last: Double)? {
    let written = event.duration ?? 0
    let playsOn = event.type == .audioContinuous || event.isLooped == true
    var last = Double.infinity
    if written > 0 {
      last = first + frame(written)
    } else if playsOn {
      last = first + frame(longestHeldSeconds)
    }
    let isRamped = event.type == .audioContinuous || event.usesVolumeEnvelope != false
    switch id {
    case .audioAttackTimeControl: return isRamped ? (first, first) : nil
    case .audioDecayTimeControl: return isRamped && event.value(of: .sustained) < 0.5 ? (first, first) : nil
    // A file that plays to its own end is not released.
    case .audioReleaseTimeControl: return last < .infinity ? (last, last) : nil
    default: return (first, last)
    }
  }

  private static func frame(_ seconds: Double) -> Double {
    (seconds * timelineFramesPerSecond).rounded(.toNearestOrAwayFromZero)
  }
}

extension AHAPReader {
  /// Adds what can be told only of the pattern as a whole.
  mutating func finish() {
    pattern.entries.trim()
    for (control, why) in ControlReach.idle(controls, in: pattern) {
      place = Place(entry: control.listIndex, container: .parameter)
      if case .curve = pattern.entries.outline(at: control.entry).kind { place.container = .parameterCurve }
      remark(.warning, .reach, at: control.offset) { _ in
        switch why {
        case .replaced:
          "no effect; a later entry of the file sets \(control.id.rawValue) at the same time"
        case .unnoticed: Self.unnoticed(control.id)
        case .cutOff(let time):
          "the points past \(plain(time)) s have no effect; there the next \(control.id.rawValue) takes over"
        }
      }
    }
    place = Place()
    if let comma = scanner.firstTrailingComma {
      remark(.note, .text, at: comma) { _ in
        "a comma before the closing bracket is accepted here, but not by strict JSON readers"
      }
    }
  }

  private static func unnoticed(_ id: DynamicParameterID) -> String {
    let (event, verb) =
      switch id {
      case .hapticAttackTimeControl: ("haptic event", "begins")
      case .hapticDecayTimeControl: ("HapticTransient, or HapticContinuous with Sustained 0,", "begins")
      case .hapticReleaseTimeControl: ("HapticContinuous event", "is released")
      case .audioAttackTimeControl: ("ramped sound", "begins")
      case .audioDecayTimeControl: ("ramped sound with Sustained 0", "begins")
      case .audioReleaseTimeControl: ("sound", "is released")
      case .audioVolumeControl, .audioPanControl, .audioBrightnessControl, .audioPitchControl:
        ("sound", "begins or is held")
      default: ("haptic event", "begins or is held")
      }
    return "no effect, or only on a release; no \(event) \(verb) from here to the next \(id.rawValue)"
  }
}
