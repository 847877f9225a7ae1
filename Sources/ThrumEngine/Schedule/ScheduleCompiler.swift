import ThrumPattern
import ThrumRealtime

/// Turns a pattern in seconds into a schedule in frames.
public enum ScheduleCompiler {
  /// Patterns of more pages are streamed: 16 pages are 65,536 events and 3 MB.
  static let largestUnstreamedPageCount = 16
  /// A continuous event sounds, and counts, 30 s at most.
  static let longestContinuousSeconds = 30.0

  /// Compiles a pattern.
  ///
  /// Events are ordered by frame, and by their place in the file within a frame. Left out are sounds that `sounds` does not
  /// have, curves without points and events whose duration rounds to no frame; the place and the length of each still count
  /// towards the pattern's. A haptic event whose duration is absent or 0 is endless, which is 30 s, and so is a built-in or
  /// a looped sound; any other sound then lasts as long as its samples, which do not count towards the pattern's length.
  /// Values outside their range are clamped.
  /// - Parameters:
  ///   - pattern: What to play.
  ///   - sounds: The sounds of its `AudioCustom` events.
  ///
  /// Threads: any. Real-time: no, allocates. Next: ``Player/send(_:)``
  public static func compile(_ pattern: Pattern, sounds: ScheduleSounds = .none) -> Schedule {
    compile(pattern, sounds: sounds, largestUnstreamedPageCount: largestUnstreamedPageCount)
  }

  static func compile(
    _ pattern: Pattern, sounds: ScheduleSounds = .none, largestUnstreamedPageCount: Int
  ) -> Schedule {
    let index = EventIndex(entries: pattern.entries, sounds: sounds)
    return Schedule(
      index: index, controls: controls(of: pattern), durationFrames: durationFrames(of: pattern),
      pages: index.pageCount > largestUnstreamedPageCount ? .streamed : .whole)
  }

  /// Compiles the points of a curve that counts from a frame: sorted by time, clamped to the parameter's
  /// range.
  static func points(of curve: ParameterCurve, from frame: Int64) -> [ControlPoint] {
    let points = curve.points.map { point in
      ControlPoint(
        frame: frame + Timeline.frame(atSeconds: point.time).value,
        value: clamped(point.value, for: curve.id))
    }
    // Points from a file are in order; the sort is stable, so that a step keeps its direction.
    let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.frame <= $1.frame }
    return isSorted ? points : points.sorted { $0.frame < $1.frame }
  }

  /// A control's value within its range; the neutral value for what is no number.
  static func clamped(_ value: Float, for id: DynamicParameterID) -> Float {
    if value.isNaN { return id.neutralValue }
    return min(max(value, id.range.lowerBound), id.range.upperBound)
  }

  private static func controls(of pattern: Pattern) -> CompiledControls {
    var items = 0
    var points = 0
    pattern.entries.forEachOutline { _, entry in
      if case .event = entry.kind { return }
      items += 1
      points += entry.pointCount
    }
    let controls = CompiledControls(itemCapacity: items, pointCapacity: points)
    if items == 0 { return controls }
    for entry in pattern.entries {
      switch entry {
      case .event: continue
      case .parameter(let parameter):
        controls.append(
          ControlItem(
            startFrame: Timeline.frame(atSeconds: parameter.time).value, parameter: ControlID(parameter.id),
            value: clamped(parameter.value, for: parameter.id)))
      case .curve(let curve):
        guard !curve.points.isEmpty else { continue }
        let start = Timeline.frame(atSeconds: curve.time).value
        controls.append(
          ControlItem(
            startFrame: start, parameter: ControlID(curve.id), firstPoint: Int32(controls.pointCount),
            pointCount: Int32(curve.points.count)), points: ScheduleCompiler.points(of: curve, from: start))
      }
    }
    controls.sort()
    return controls
  }

  private static func durationFrames(of pattern: Pattern) -> Int64 {
    var end: Int64 = 0
    pattern.entries.forEachOutline { _, entry in
      var seconds = entry.duration ?? 0
      if case .event(.hapticContinuous) = entry.kind { seconds = min(seconds, longestContinuousSeconds) }
      end = max(
        end, Timeline.frame(atSeconds: entry.time).value + Timeline.frame(atSeconds: seconds).value)
    }
    return end
  }
}

extension ControlID {
  /// The control that a parameter of a pattern is.
  init(_ id: DynamicParameterID) {
    switch id {
    case .hapticIntensityControl: self = .hapticIntensity
    case .hapticSharpnessControl: self = .hapticSharpness
    case .hapticAttackTimeControl: self = .hapticAttackTime
    case .hapticDecayTimeControl: self = .hapticDecayTime
    case .hapticReleaseTimeControl: self = .hapticReleaseTime
    case .audioVolumeControl: self = .audioVolume
    case .audioPanControl: self = .audioPan
    case .audioBrightnessControl: self = .audioBrightness
    case .audioPitchControl: self = .audioPitch
    case .audioAttackTimeControl: self = .audioAttackTime
    case .audioDecayTimeControl: self = .audioDecayTime
    case .audioReleaseTimeControl: self = .audioReleaseTime
    }
  }
}
