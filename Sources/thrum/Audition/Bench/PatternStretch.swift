import Glibc
import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// A part of a pattern as a pattern of its own, so that playing can begin, and go round, anywhere.
///
/// What is under way where the part begins goes on in it: a continuous event with what is left of it, at the level that its
/// envelope has there, and the value that each parameter has. What cannot go on is left out: a tap that rings, a sound from a
/// file, a release. Positions are render frames at rate 1.
enum PatternStretch {
  /// Cuts a part out.
  /// - Parameters:
  ///   - first: Where it begins.
  ///   - end: Where it ends; what begins there or later is left out, and what lasts longer is shortened. Nil is the
  ///     pattern's own end.
  static func cut(_ pattern: Pattern, from first: Int64, to end: Int64?) -> Pattern {
    var cutting = Cutting(first: first, end: end)
    for entry in pattern.entries { cutting.take(entry) }
    return Pattern(entries: cutting.entries)
  }

  /// The work of one cut.
  private struct Cutting {
    let first: Int64
    let end: Int64?
    private var inside: [Pattern.Entry] = []
    /// What is under way at the beginning.
    private var begun: [Pattern.Entry] = []
    /// The last writer of each parameter before the beginning: of equal starts the last in the file.
    private var writers: [(id: DynamicParameterID, frame: Int64, entry: Pattern.Entry)] = []

    init(first: Int64, end: Int64?) {
      self.first = first
      self.end = end
    }

    /// All that is left, those from before the beginning in front.
    var entries: [Pattern.Entry] {
      let values = writers.map { writer in
        if case .curve(let curve) = writer.entry { return Pattern.Entry.curve(rest(of: curve)) }
        guard case .parameter(var parameter) = writer.entry else { return writer.entry }
        parameter.time = 0
        return .parameter(parameter)
      }
      // A curve without points does nothing, and still counts towards the length.
      let length = end.map {
        Pattern.Entry.curve(
          ParameterCurve(id: .hapticIntensityControl, time: seconds($0 - first), points: []))
      }
      return values + begun + inside + (length.map { [$0] } ?? [])
    }

    mutating func take(_ entry: Pattern.Entry) {
      switch entry {
      case .event(let event): take(event)
      case .parameter(var parameter):
        let frame = PatternStretch.frame(parameter.time)
        if frame < first { return note(parameter.id, frame, entry) }
        guard isInside(frame) else { return }
        parameter.time = seconds(frame - first)
        inside.append(.parameter(parameter))
      case .curve(var curve):
        guard !curve.points.isEmpty else { return }
        let frame = PatternStretch.frame(curve.time)
        if frame < first { return note(curve.id, frame, entry) }
        guard isInside(frame) else { return }
        curve.time = seconds(frame - first)
        inside.append(.curve(curve))
      }
    }

    private mutating func take(_ event: Event) {
      var event = event
      let start = PatternStretch.frame(event.time)
      guard isInside(start) else { return }
      if start >= first {
        event.time = seconds(start - first)
        shorten(&event, from: start)
        inside.append(.event(event))
        return
      }
      guard event.type == .hapticContinuous || event.type == .audioContinuous else { return }
      let length = min(lasting(event), PatternStretch.longest)
      let left = start + length - first
      guard left > 0 else { return }
      event.time = 0
      event.duration = seconds(left)
      let level = EnvelopeCut.cut(&event, after: first - start)
      guard level > 0 else { return }
      let strength: EventParameterID = event.type == .hapticContinuous ? .hapticIntensity : .audioVolume
      event.parameters[strength] = event.value(of: strength) * Float(level)
      shorten(&event, from: first)
      begun.append(.event(event))
    }

    /// Ends an event with the part.
    private func shorten(_ event: inout Event, from start: Int64) {
      guard let end, event.type != .hapticTransient else { return }
      event.duration = seconds(min(lasting(event), end - start))
    }

    /// How long an event lasts, in frames; very long where nothing ends it.
    private func lasting(_ event: Event) -> Int64 {
      guard let duration = event.duration, duration > 0 else { return PatternStretch.longest }
      return PatternStretch.frame(duration)
    }

    private mutating func note(_ id: DynamicParameterID, _ frame: Int64, _ entry: Pattern.Entry) {
      guard let place = writers.firstIndex(where: { $0.id == id }) else {
        writers.append((id, frame, entry))
        return
      }
      if frame >= writers[place].frame { writers[place] = (id, frame, entry) }
    }

    /// What is left of a curve that began before.
    private func rest(of curve: ParameterCurve) -> ParameterCurve {
      let start = PatternStretch.frame(curve.time)
      let points = curve.points.map { (frame: start + PatternStretch.frame($0.time), value: $0.value) }
        .enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
        .map(\.element)
      guard let next = points.firstIndex(where: { $0.frame > first }) else {
        return ParameterCurve(
          id: curve.id, time: 0, points: [.init(time: 0, value: points.last?.value ?? 0)])
      }
      var value = points[next].value
      if next > 0 {
        let (before, after) = (points[next - 1], points[next])
        let share = Double(first - before.frame) / Double(after.frame - before.frame)
        value = before.value + (after.value - before.value) * Float(share)
      }
      let rest = points[next...].map {
        ParameterCurve.Point(time: seconds($0.frame - first), value: $0.value)
      }
      return ParameterCurve(id: curve.id, time: 0, points: [.init(time: 0, value: value)] + rest)
    }

    private func isInside(_ frame: Int64) -> Bool { end.map { frame < $0 } ?? true }

    private func seconds(_ frames: Int64) -> Double { Timeline.seconds(of: RenderFrame(frames)) }
  }

  /// A continuous event ends by itself after 30 s.
  fileprivate static let longest = Int64(30 * RenderRate.framesPerSecond)

  fileprivate static func frame(_ seconds: Double) -> Int64 { Timeline.frame(atSeconds: seconds).value }
}

/// What an envelope comes to in the middle of an event (docs/signal.md), in the adjusters of an event.
private enum EnvelopeCut {
  /// Leaves of an envelope what comes after some frames.
  /// - Returns: The level there, 0…1.
  static func cut(_ event: inout Event, after frames: Int64) -> Double {
    let seconds = Double(frames) / Double(RenderRate.framesPerSecond)
    let attack = Envelope.attackSeconds(Double(event.value(of: .attackTime)))
    if seconds < attack {
      // The rise begins anew, for as long as it had still to go.
      event.parameters[.attackTime] = adjuster(of: attack - seconds, Envelope.attackSeconds)
      return 1
    }
    event.parameters[.attackTime] = 0
    guard event.value(of: .sustained) < 0.5 else { return 1 }
    let decay = Envelope.decaySeconds(Double(event.value(of: .decayTime)))
    let fall = Fall(seconds: decay)
    let fallen = (seconds - attack) * Double(RenderRate.framesPerSecond)
    guard fallen < Double(fall.length) else { return 0 }
    let share = fallen / Double(fall.length)
    event.parameters[.decayTime] = adjuster(of: decay * (1 - share), Envelope.decaySeconds)
    return fall.level(SIMD8(repeating: fallen))[0]
  }

  /// The adjuster that makes a time: the inverse of shortest·(longest/shortest)^p; the nearer limit where none does.
  private static func adjuster(of seconds: Double, _ time: (Double) -> Double) -> Float {
    let (shortest, longest) = (time(0), time(1))
    return Float(min(max(log(seconds / shortest) / log(longest / shortest), 0), 1))
  }
}
