// Render cost: nanoseconds a voice-sample, beside a hand-written C bank in the same run.
//
//   swift run -c release bench-render            the table
//   swift run -c release bench-render --check    exit 1 where a ratio is below Benchmarks/Thresholds
import CBenchmark
import Glibc
import ThrumRealtime

let blockFrames = 480
let trials = CommandLine.arguments.contains("--smoke") ? 40 : 400

func nanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Percentiles of a set of measurements, in their unit.
struct Percentiles {
  let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  subscript(p: Double) -> Double { sorted[min(sorted.count - 1, Int(p / 100 * Double(sorted.count)))] }

  var line: String {
    "p50 \(fixed(self[50]))  p90 \(fixed(self[90]))  p99 \(fixed(self[99]))  max \(fixed(sorted[sorted.count - 1]))  n \(sorted.count)"
  }
}

func fixed(_ value: Double) -> String {
  let scaled = (value * 1000).rounded()
  let whole = Int(scaled) / 1000
  let rest = String(Int(scaled) % 1000)
  return "\(whole)." + String(repeating: "0", count: 3 - rest.count) + rest
}

/// What a scenario adds to plain steady tones.
enum Scenario: String, CaseIterable {
  case steady = "steady tones"
  case curve = "intensity and sharpness curves"
  case release = "envelopes in motion"
  case transients = "taps"
}

/// A renderer with so many voices sounding.
final class VoiceLoad {
  let stage: UnsafeMutablePointer<OutputStage>
  let output: UnsafeMutableRawPointer
  let voices: Int

  init(voices: Int, scenario: Scenario, profile: BusProfile = .none, rate: Int = 8000) {
    self.voices = voices
    var settings = RendererSettings()
    settings.voiceCapacity = voices
    stage = .allocate(capacity: 1)
    stage.initialize(
      to: OutputStage(
        settings: settings, profiles: [profile], map: .allHaptic(channels: 1), rate: rate, format: .float))
    output = .allocate(byteCount: blockFrames * 8 * 4, alignment: 64)
    var events = [ScheduledEvent]()
    for voice in 0..<voices {
      let sharpness = Float(voice % 97) / 97
      switch scenario {
      case .steady, .curve:
        events.append(
          ScheduledEvent(startFrame: 0, kind: .continuous, intensity: 0.001, sharpness: sharpness))
      case .release:
        events.append(
          ScheduledEvent(
            startFrame: 0, kind: .continuous, isSustained: false, intensity: 0.001, sharpness: sharpness,
            attack: 1,
            decay: 1))
      case .transients:
        events.append(
          ScheduledEvent(
            startFrame: 0, kind: .transient, intensity: 0.001, sharpness: sharpness / 10, attack: 0, decay: 1)
        )
      }
    }
    // The memory lives as long as the process: a benchmark's few pages.
    var items = [ControlItem]()
    var points = [ControlPoint]()
    if scenario == .curve {
      for (index, parameter) in [ControlID.hapticIntensity, .hapticSharpness].enumerated() {
        items.append(
          ControlItem(startFrame: 0, parameter: parameter, firstPoint: Int32(index * 2), pointCount: 2))
        points.append(ControlPoint(frame: 0, value: index == 0 ? 1 : 0))
        points.append(ControlPoint(frame: 240_000, value: 0.5))
      }
    }
    let pageCount = (voices + ScheduleView.pageEvents - 1) / ScheduleView.pageEvents
    let pages = UnsafeMutablePointer<UnsafePointer<ScheduledEvent>?>.allocate(capacity: pageCount)
    let storage = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: voices)
    storage.initialize(from: events, count: voices)
    for page in 0..<pageCount {
      (pages + page).initialize(to: UnsafePointer(storage + page * ScheduleView.pageEvents))
    }
    let itemStorage = UnsafeMutablePointer<ControlItem>.allocate(capacity: items.count + 1)
    itemStorage.initialize(from: items, count: items.count)
    let pointStorage = UnsafeMutablePointer<ControlPoint>.allocate(capacity: points.count + 1)
    pointStorage.initialize(from: points, count: points.count)
    let view = ScheduleView(
      pages: pages, pageCount: pageCount, eventCount: voices, items: itemStorage, itemCount: items.count,
      points: pointStorage, durationFrames: 240_000)
    let port = stage.pointee.port
    guard port.commands.push(Command(action: .addPlayer(player: 0, engine: 0, bus: 0, schedule: view))),
      port.commands.push(Command(action: .start(player: 0, run: 1)))
    else {
      print("bench-render: the command queue is full")
      exit(1)
    }
    // Past the shortest attack, so that steady tones are steady.
    stage.pointee.fill(output, frames: scenario == .steady ? 960 : 8)
  }

  deinit {
    stage.deinitialize(count: 1)
    stage.deallocate()
    output.deallocate()
  }

  func renderBlock(frames: Int) { stage.pointee.fill(output, frames: frames) }
}

func measureC(voices: Int) -> Percentiles {
  let phase = UnsafeMutablePointer<UInt32>.allocate(capacity: voices)
  let step = UnsafeMutablePointer<UInt32>.allocate(capacity: voices)
  let level = UnsafeMutablePointer<Float>.allocate(capacity: voices)
  defer {
    phase.deallocate()
    step.deallocate()
    level.deallocate()
  }
  for voice in 0..<voices {
    phase[voice] = UInt32(voice) &* 0x9E37_79B9
    step[voice] = 60_000_000 + UInt32(voice % 97) * 100_000
    level[voice] = 0.0005
  }
  var bank = thrum_voice_bank(phase: phase, step: step, level: level, count: voices)
  let out = UnsafeMutablePointer<Float>.allocate(capacity: 64)
  defer { out.deallocate() }
  var times = [Double]()
  for trial in 0..<trials + 5 {
    let start = nanoseconds()
    // In blocks of 64, as the renderer works.
    for _ in 0..<(blockFrames / 64 + (blockFrames % 64 == 0 ? 0 : 1)) {
      out.update(repeating: 0, count: 64)
      thrum_voice_bank_render(&bank, out, 64)
    }
    let frames = Double((blockFrames + 63) / 64 * 64)
    if trial >= 5 { times.append((nanoseconds() - start) / frames / Double(voices)) }
  }
  return Percentiles(times)
}

func measure(_ make: () -> VoiceLoad, frames: Int, blocksPerLoad: Int) -> Percentiles {
  var times = [Double]()
  while times.count < trials {
    let load = make()
    for _ in 0..<blocksPerLoad {
      let start = nanoseconds()
      load.renderBlock(frames: frames)
      times.append((nanoseconds() - start) / Double(frames) / Double(load.voices))
    }
  }
  return Percentiles(times)
}

print("render cost, ns a voice-sample; blocks of \(blockFrames) frames at 8 kHz, one bus, profile none")
var worst = Double.infinity
for voices in [1, 16, 128, 1024, 10_000] {
  let c = measureC(voices: voices)
  print("\(voices) voices")
  print("  C bank                          \(c.line)")
  for scenario in Scenario.allCases {
    let blocks: Int
    switch scenario {
    case .steady: blocks = 200
    case .curve: blocks = 200
    case .release: blocks = 15
    case .transients: blocks = 3
    }
    let cost = measure(
      { VoiceLoad(voices: voices, scenario: scenario) }, frames: blockFrames, blocksPerLoad: blocks)
    let ratio = c[50] / cost[50]
    print("  \(scenario.rawValue.padded(to: 31)) \(cost.line)  speed/C \(fixed(ratio))")
    if scenario == .steady, voices == 128 || voices == 1024 { worst = min(worst, ratio) }
  }
}
print("steady tones at 128 and 1,024 voices: at least \(fixed(worst)) of the C bank's speed (bar 0.500)")
if CommandLine.arguments.contains("--check"), worst < 0.5 { exit(1) }

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
