import ThrumEngine
import ThrumPattern
import ThrumRealtime

/// The level of a rendered pattern over its time.
struct LevelTrack {
  /// Frames of a window: 10 ms.
  private static let windowFrames = RenderRate.framesPerSecond / 100
  /// What is measured of a longer pattern, seconds.
  static let longestSeconds = 600.0

  /// The largest sample, linear, 1 being full scale.
  private(set) var peak = 0.0
  /// When it is.
  private(set) var peakSeconds = 0.0
  /// The root mean square of the whole, linear.
  private(set) var rms = 0.0
  /// What was measured, seconds.
  private(set) var seconds = 0.0
  /// The same without what a filter rings on for behind the last sound.
  private(set) var soundSeconds = 0.0
  /// Whether the pattern goes on after what was measured.
  private(set) var isCut = false
  /// The profile it was measured behind.
  let profile: BusProfile
  /// The largest sample of each window.
  private var windows: [Double] = []

  /// Renders a pattern and measures it.
  init(of pattern: Pattern, profile: BusProfile) {
    self.profile = profile
    var frame = 0
    var (windows, peak, peakFrame) = ([Double](), 0.0, 0)
    let result = OfflineRender.render(
      ScheduleCompiler.compile(pattern), profile: profile, rate: RenderRate.framesPerSecond, format: .float,
      longestFrames: Int64(Self.longestSeconds) * Int64(RenderRate.framesPerSecond)
    ) { bytes in
      for sample in bytes.bindMemory(to: Float.self) {
        let size = abs(Double(sample))
        if frame % Self.windowFrames == 0 { windows.append(0) }
        windows[windows.count - 1] = max(windows[windows.count - 1], size)
        if size > peak { (peak, peakFrame) = (size, frame) }
        frame += 1
      }
    }
    let rate = Double(RenderRate.framesPerSecond)
    self.windows = windows
    self.peak = peak
    peakSeconds = Double(peakFrame) / rate
    seconds = Double(result.deviceFrames) / rate
    soundSeconds = Double(result.deviceFrames - (result.isCut ? 0 : profile.tailFrames)) / rate
    rms = result.levels.rms
    isCut = result.isCut
  }

  /// The largest sample between two times, to 10 ms, linear.
  func level(fromSeconds start: Double, toSeconds end: Double) -> Double {
    let rate = Double(RenderRate.framesPerSecond) / Double(Self.windowFrames)
    let first = max(0, Int(start * rate))
    let last = min(windows.count - 1, Int(end * rate))
    return first <= last ? windows[first...last].max() ?? 0 : 0
  }

  /// The largest samples of equal parts of the whole, linear.
  func columns(_ count: Int) -> [Double] {
    (0..<count).map { column in
      let first = column * windows.count / count
      let last = max(first + 1, (column + 1) * windows.count / count)
      return windows[min(first, windows.count)..<min(last, windows.count)].max() ?? 0
    }
  }

  /// The figures on one line.
  var summary: String {
    guard peak > 0 else { return isCut ? "silent in the first \(Int(Self.longestSeconds)) s" : "silent" }
    let cut = isCut ? ", of the first \(Int(Self.longestSeconds)) s" : ""
    return "peak \(NumberText.level(peak)) (\(NumberText.fixed(peak, 3))) at "
      + "\(NumberText.fixed(peakSeconds, 3)) s, RMS \(NumberText.level(rms)) (\(NumberText.fixed(rms, 3))), "
      + "actuator \(profile.name)\(cut)"
  }

  /// The figures for a script.
  var json: JSONValue {
    .object([
      ("actuator", .string(profile.name)), ("peak", .number(peak)), ("peakSeconds", .number(peakSeconds)),
      ("rms", .number(rms)), ("measuredSeconds", .number(seconds)),
    ])
  }
}
