import Glibc
import ThrumRealtime

/// What the voices of a load do.
enum Scenario: String, CaseIterable {
  case steady = "steady tones"
  case curve = "intensity and sharpness curves"
  case release = "envelopes in motion"
  case transients = "taps"
  case live = "live parameters"
  /// As the peers were measured: each a sine with attack, decay, sustain and release in a note of ten seconds. Attack and
  /// release are the events'; decay and sustain are an intensity curve.
  case adsr = "sines with ADSR"
  /// The same under a sharpness curve that never rests and live parameters, through the high-pass and both limiters.
  case everything = "everything included"

  /// Frames that are rendered of a load before another is made.
  var frames: Int {
    switch self {
    case .steady, .curve, .live: 480 * 200
    case .release: 480 * 15
    case .transients: 480 * 3
    case .adsr, .everything: 480 * 170
    }
  }

  /// Whether a load is measured as a whole: its parts differ and all of them count.
  var isWhole: Bool { self == .adsr || self == .everything }
}

/// A renderer with so many voices sounding.
final class VoiceLoad {
  private let stage: UnsafeMutablePointer<OutputStage>
  private let output: UnsafeMutableRawPointer
  private let scenario: Scenario
  private var blocks = 0
  let voices: Int
  static let blockFrames = 480

  init(voices: Int, scenario: Scenario, kernel: RenderKernel = .best) {
    self.voices = voices
    self.scenario = scenario
    var settings = RendererSettings()
    settings.voiceCapacity = max(1, voices)
    settings.kernel = kernel
    stage = .allocate(capacity: 1)
    stage.initialize(
      to: OutputStage(
        settings: settings, profiles: [scenario == .everything ? .safe : .none],
        map: .allHaptic(channels: 1), rate: 8000, format: .float))
    output = .allocate(byteCount: VoiceLoad.blockFrames * 8 * 4, alignment: 64)
    if voices == 0 { return }
    let view = VoiceLoad.schedule(
      events: (0..<voices).map { VoiceLoad.event($0, scenario) }, curves: VoiceLoad.curves(scenario))
    send(.addPlayer(player: 0, engine: 0, bus: 0, schedule: view))
    send(.start(player: 0, run: 1))
    // Past the shortest attack, so that steady tones are steady; a whole note is measured from its first frame.
    if !scenario.isWhole { stage.pointee.fill(output, frames: scenario == .release ? 8 : 480) }
  }

  deinit {
    stage.deinitialize(count: 1)
    stage.deallocate()
    output.deallocate()
  }

  func renderBlock() {
    if scenario == .live || scenario == .everything {
      // Two jumps a block: the smoother works on the first quarter of it.
      let value = Float(blocks & 15) / 16
      send(
        .setControl(player: 0, parameter: .hapticIntensity, value: scenario == .live ? value : 1 - value / 8))
      send(.setControl(player: 0, parameter: .hapticReleaseTime, value: value / 4))
      if scenario == .live { send(.setControl(player: 0, parameter: .hapticSharpness, value: value - 0.5)) }
    }
    blocks += 1
    stage.pointee.fill(output, frames: VoiceLoad.blockFrames)
    while stage.pointee.port.notifications.pop() != nil {}
  }

  private func send(_ action: CommandAction) {
    guard stage.pointee.port.commands.push(Command(action: action)) else {
      print("bench-render: the command queue is full")
      exit(1)
    }
  }

  private static func event(_ voice: Int, _ scenario: Scenario) -> ScheduledEvent {
    let sharpness = Float(voice % 97) / 97
    switch scenario {
    case .steady, .curve, .live:
      return ScheduledEvent(startFrame: 0, kind: .continuous, intensity: 0.001, sharpness: sharpness)
    case .release:
      return ScheduledEvent(
        startFrame: 0, kind: .continuous, isSustained: false, intensity: 0.001, sharpness: sharpness,
        attack: 1, decay: 1)
    case .transients:
      return ScheduledEvent(
        startFrame: 0, kind: .transient, intensity: 0.001, sharpness: sharpness / 10, attack: 0, decay: 1)
    case .adsr, .everything:
      // An attack of 60 ms and a release of 180 ms.
      return ScheduledEvent(
        startFrame: 0, durationFrames: 78_400, kind: .continuous, intensity: 0.001, sharpness: sharpness,
        attack: 0.5, release: 0.65)
    }
  }

  private typealias Curve = (parameter: ControlID, points: [ControlPoint])

  private static func curves(_ scenario: Scenario) -> [Curve] {
    func line(_ points: (Int64, Float)...) -> [ControlPoint] {
      points.map { ControlPoint(frame: $0.0, value: $0.1) }
    }
    let decay = line((0, 1), (480, 1), (1280, 0.7))
    switch scenario {
    case .curve:
      return [
        (.hapticIntensity, line((0, 1), (240_000, 0.5))), (.hapticSharpness, line((0, 0), (240_000, 0.5))),
      ]
    case .adsr: return [(.hapticIntensity, decay)]
    case .everything:
      return [(.hapticIntensity, decay), (.hapticSharpness, line((0, -0.3), (40_000, 0.3), (80_000, -0.3)))]
    case .steady, .release, .transients, .live: return []
    }
  }

  /// A schedule whose memory lives as long as the process.
  private static func schedule(events: [ScheduledEvent], curves: [Curve]) -> ScheduleView {
    var items = [ControlItem]()
    var points = [ControlPoint]()
    for curve in curves {
      items.append(
        ControlItem(
          startFrame: 0, parameter: curve.parameter, firstPoint: Int32(points.count),
          pointCount: Int32(curve.points.count)))
      points += curve.points
    }
    let pageCount = (events.count + ScheduleView.pageEvents - 1) / ScheduleView.pageEvents
    let pages = UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>.allocate(capacity: pageCount)
    let storage = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: events.count)
    storage.initialize(from: events, count: events.count)
    for page in 0..<pageCount {
      (pages + page).initialize(to: UnsafePointer(storage + page * ScheduleView.pageEvents))
    }
    let itemStorage = UnsafeMutablePointer<ControlItem>.allocate(capacity: items.count + 1)
    itemStorage.initialize(from: items, count: items.count)
    let pointStorage = UnsafeMutablePointer<ControlPoint>.allocate(capacity: points.count + 1)
    pointStorage.initialize(from: points, count: points.count)
    return ScheduleView(
      pages: pages, pageCount: pageCount, eventCount: events.count, items: itemStorage,
      itemCount: items.count, points: pointStorage, durationFrames: 240_000)
  }
}
