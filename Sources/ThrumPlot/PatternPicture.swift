/// An event as a picture shows it.
public struct EventMark: Sendable, Equatable {
  /// What kind of event it is.
  public enum Kind: Sendable {
    /// A tap, shown as a stem.
    case transient
    /// A vibration, shown as an area over its duration.
    case continuous
    /// A sound, shown as a bar in a lane of its own.
    case sound
  }

  /// What kind of event it is.
  public var kind: Kind
  /// Seconds from the start of the pattern.
  public var time: Double
  /// Seconds to the release, nil for one that lasts to the end of the picture; of no effect for a transient.
  public var duration: Double?
  /// 0 to 1, before any control; the volume of a sound.
  public var intensity: Double
  /// 0 to 1, before any control.
  public var sharpness: Double

  /// Creates a mark.
  public init(kind: Kind, time: Double, duration: Double? = nil, intensity: Double, sharpness: Double) {
    self.kind = kind
    self.time = time
    self.duration = duration
    self.intensity = intensity
    self.sharpness = sharpness
  }
}

/// A picture of a pattern: its signal, its events with their intensity and sharpness, and its spectrum.
///
/// It knows nothing of pattern files or of the engine: all it shows is handed to it, and nothing in it depends on the
/// time, the machine or the locale, so that the same values give the same file.
///
/// Threads: any. Real-time: no.
public struct PatternPicture: Sendable {
  /// The name of what is shown.
  public var title: String
  /// Lines below the title: where it comes from, length, profile, rate, levels.
  public var subtitle: [String]
  /// The signal, 1 being full scale. Samples that are not finite are left out, and the picture says how many.
  public var samples: [Float]
  /// The sound beside it, at the same rate and from the same time on; empty where there is none.
  public var sound: [Float]
  /// Samples a second.
  public var rate: Double
  /// Seconds to the pattern's end, which may be before the end of the signal's tail; nil where there is none to mark.
  public var patternEnd: Double?
  /// The events, in any order. Those whose values are not finite are left out.
  public var events: [EventMark]
  /// What multiplies the intensity of every event, nil where nothing does.
  public var intensityControl: Track?
  /// What is added to the sharpness of every event, nil where nothing is.
  public var sharpnessControl: Track?

  /// Creates a picture.
  public init(
    title: String, subtitle: [String] = [], samples: [Float], sound: [Float] = [], rate: Double,
    patternEnd: Double? = nil,
    events: [EventMark] = [], intensityControl: Track? = nil, sharpnessControl: Track? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.samples = samples
    self.sound = sound
    self.rate = rate
    self.patternEnd = patternEnd
    self.events = events
    self.intensityControl = intensityControl
    self.sharpnessControl = sharpnessControl
  }

  /// Writes the picture to a file, replacing one that is there.
  /// - Parameters:
  ///   - path: A name that ends in `.png` or `.svg`.
  ///   - scale: Pixels for each unit of a PNG, which is 1,200 units wide; an SVG takes no notice of it.
  /// - Throws: ``PlotError``. An older file is as it was unless writing itself failed.
  public func write(to path: String, scale: Double = 2) throws(PlotError) {
    try writeFile(to: path, scale: scale)
  }

  /// The bytes of the picture's file, for a pipe.
  /// - Throws: ``PlotError``.
  public func bytes(as format: PictureFormat, scale: Double = 2) throws(PlotError) -> [UInt8] {
    try encoded(as: format, scale: scale)
  }
}

extension PatternPicture: Drawing {
  var size: (width: Double, height: Double) { (PatternLayout.width, PatternLayout(self).height) }

  var summary: String {
    let transients = events.count { $0.kind == .transient }
    let continuous = events.count { $0.kind == .continuous }
    let sounds = events.count { $0.kind == .sound }
    var parts = subtitle
    parts.append("\(grouped(transients)) transient and \(counted(continuous, "continuous event"))")
    if sounds > 0 { parts.append(counted(sounds, "sound event")) }
    return sentences(parts)
  }

  func draw(on canvas: Canvas) { PatternLayout(self).draw(on: canvas) }

  /// The seconds the picture spans: to the end of the signal or, without one, of the last event.
  var seconds: Double {
    if !samples.isEmpty, rate > 0, rate.isFinite { return Double(samples.count) / rate }
    var end = patternEnd.map { $0.isFinite ? $0 : 0 } ?? 0
    for event in events where event.isDrawable {
      // A vibration sounds for 30 s at most, whatever its duration says.
      let duration = event.kind == .transient ? 0.05 : min(max(event.duration ?? 1, 0), 30)
      end = max(end, event.time + duration)
    }
    return min(end, 1e9)
  }

  /// How many samples are not finite.
  var brokenSampleCount: Int { samples.count { !$0.isFinite } + sound.count { !$0.isFinite } }
}

extension EventMark {
  /// Whether all that is drawn of it is a number.
  var isDrawable: Bool {
    time.isFinite && time >= 0 && intensity.isFinite && sharpness.isFinite && !(duration?.isNaN ?? false)
  }
}
