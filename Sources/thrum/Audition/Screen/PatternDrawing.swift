import Glibc
import ThrumEngine
import ThrumPattern
import ThrumPlot
import ThrumRealtime

/// What is drawn of a pattern, made once for each version of it.
struct PatternDrawing: Equatable {
  /// An event as it is drawn.
  struct Mark: Equatable {
    enum Kind { case transient, continuous, sound }
    /// Its place among all entries of the file, from 0.
    var entry: Int
    var kind: Kind
    /// Seconds.
    var time: Double
    /// Seconds; nil for a tap, and for what has none.
    var duration: Double?
    /// 0…1; the volume of a sound.
    var intensity: Double
    /// 0…1.
    var sharpness: Double
  }

  /// A control point as it is drawn.
  struct Point: Equatable {
    /// The place of its curve or parameter among all entries, from 0.
    var entry: Int
    /// Its place in the curve, from 0; nil for a parameter, which is one value.
    var index: Int?
    var isSharpness: Bool
    /// Seconds from the start of the pattern.
    var time: Double
    var value: Double
  }

  /// What is drawn of a longer pattern's signal, seconds.
  static let longestSeconds = 120.0
  /// Pairs of extremes that are kept of the signal.
  private static let pairs = 4096
  /// Events and points that are drawn one by one.
  private static let mostMarks = 20_000

  /// Seconds to the pattern's end.
  var duration = 0.0
  /// Seconds that the picture is wide: the duration and what rings on behind it.
  var seconds = 0.01
  /// The events, in order of time.
  var marks: [Mark] = []
  /// The events that the pattern has, those that are not drawn included.
  var eventCount = 0
  /// The points of both curves, in order of time.
  var points: [Point] = []
  var intensityControl: Track?
  var sharpnessControl: Track?
  /// The signal's extremes, low and high by turns.
  var signal: [Float] = []
  /// Seconds that the signal covers.
  var signalSeconds = 0.0
  /// The largest sample, linear.
  var peak = 0.0

  init() {}

  /// Renders a pattern and takes what is drawn of it.
  init(of pattern: Pattern, profile: BusProfile) {
    duration = pattern.duration
    takeEntries(pattern)
    intensityControl = ControlTrack.track(of: .hapticIntensityControl, in: pattern)
    sharpnessControl = ControlTrack.track(of: .hapticSharpnessControl, in: pattern)
    takeSignal(pattern, profile: profile)
    seconds = max(duration, min(signalSeconds, duration + 1), 0.01)
  }

  private mutating func takeEntries(_ pattern: Pattern) {
    eventCount = pattern.entries.count { if case .event = $0 { true } else { false } }
    for (index, entry) in pattern.entries.enumerated() {
      if marks.count + points.count >= Self.mostMarks { break }
      switch entry {
      case .event(let event):
        let kind: Mark.Kind =
          switch event.type {
          case .hapticTransient: .transient
          case .hapticContinuous: .continuous
          case .audioContinuous, .audioCustom: .sound
          }
        marks.append(
          Mark(
            entry: index, kind: kind, time: event.time,
            duration: kind == .transient ? nil : event.duration,
            intensity: Double(event.value(of: kind == .sound ? .audioVolume : .hapticIntensity)),
            sharpness: Double(event.value(of: .hapticSharpness))))
      case .parameter(let parameter) where Self.isDrawn(parameter.id):
        points.append(
          Point(
            entry: index, index: nil, isSharpness: parameter.id == .hapticSharpnessControl,
            time: parameter.time, value: Double(parameter.value)))
      case .curve(let curve) where Self.isDrawn(curve.id):
        for (place, point) in curve.points.enumerated() {
          points.append(
            Point(
              entry: index, index: place, isSharpness: curve.id == .hapticSharpnessControl,
              time: curve.time + point.time, value: Double(point.value)))
        }
      default: break
      }
    }
    // Of equal times the order of the file stays.
    marks.sort { ($0.time, $0.entry) < ($1.time, $1.entry) }
    points.sort { ($0.time, $0.entry, $0.index ?? 0) < ($1.time, $1.entry, $1.index ?? 0) }
  }

  private static func isDrawn(_ id: DynamicParameterID) -> Bool {
    id == .hapticIntensityControl || id == .hapticSharpnessControl
  }

  private mutating func takeSignal(_ pattern: Pattern, profile: BusProfile) {
    let rate = Double(RenderRate.framesPerSecond)
    let expected = min(duration + 1, Self.longestSeconds) * rate
    let frames = max(1, Int(expected) / Self.pairs)
    var (low, high, count) = (Float(0), Float(0), 0)
    var pairs: [Float] = []
    let result = OfflineRender.render(
      ScheduleCompiler.compile(pattern), profile: profile, rate: RenderRate.framesPerSecond, format: .float,
      longestFrames: Int64(Self.longestSeconds * rate)
    ) { bytes in
      for sample in bytes.bindMemory(to: Float.self) {
        low = count == 0 ? sample : min(low, sample)
        high = count == 0 ? sample : max(high, sample)
        count += 1
        if count == frames {
          pairs += [low, high]
          count = 0
        }
      }
    }
    if count > 0 { pairs += [low, high] }
    signal = pairs
    signalSeconds = Double(result.deviceFrames) / rate
    peak = Double(result.peak)
  }

  /// The control that multiplies at a time, 1 where nothing writes it.
  func intensityControl(at time: Double) -> Double { intensityControl?.value(at: time) ?? 1 }

  /// The control that is added at a time, 0 where nothing writes it.
  func sharpnessControl(at time: Double) -> Double { sharpnessControl?.value(at: time) ?? 0 }

  /// How long a mark is drawn, seconds: what has no duration lasts to the end.
  func length(of mark: Mark) -> Double {
    mark.kind == .transient ? 0 : mark.duration ?? max(0, seconds - mark.time)
  }
}
