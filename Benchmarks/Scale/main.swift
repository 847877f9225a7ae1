// How cost and memory grow: voices, players and engines on one output, and players that come and go.
//
//   swift run -c release bench-scale            the tables
//   swift run -c release bench-scale --check    exit 1 where cost grows faster than the count, or memory while players come and go
//
// Costs are processor time of the rendering thread, medians of interleaved rounds. A slope is that of a line through the
// logarithms of count and cost over the upper half of the counts: 1 where twice as many cost twice as much.
import BenchmarkSupport
import Glibc
import ThrumEngine
import ThrumPattern
import ThrumRealtime

let rounds = Options.isSmoke ? 9 : 41

func fail(_ reason: String) -> Never {
  print("bench-scale: \(reason)")
  exit(1)
}

/// A tone of half a minute; voices differ in frequency.
func tone(_ index: Int, seconds: Double = 30) -> Event {
  var event = Event(type: .hapticContinuous, time: 0, duration: seconds)
  event.parameters[.hapticIntensity] = 0.001
  event.parameters[.hapticSharpness] = Float(index % 97) / 97
  return event
}

/// An output stage with so many players of so many tones each, as devices render it; with several actuators each is a channel of
/// its own, with the profile safe.
final class Load {
  private let stage: UnsafeMutablePointer<OutputStage>
  private let schedule: Schedule
  private let bytes: UnsafeMutableRawPointer
  private let frames: Int
  private let renderFrames: Double

  init(players: Int, voicesEach: Int, engines: Int = 1, actuators: Int = 1, rate: Int = 8000) {
    (frames, renderFrames) = (480 * rate / 8000, 480)
    var settings = RendererSettings()
    settings.voiceCapacity = max(256, players * voicesEach)
    settings.playerCapacity = max(64, players)
    settings.engineCapacity = max(8, engines)
    schedule = ScheduleCompiler.compile(Pattern(entries: (0..<voicesEach).map { .event(tone($0)) }))
    stage = .allocate(capacity: 1)
    stage.initialize(
      to: OutputStage(
        settings: settings, profiles: Array(repeating: actuators > 1 ? .safe : .none, count: actuators),
        map: ChannelMap((0..<actuators).map { .haptic(Int32($0)) }), rate: rate, format: .float))
    bytes = .allocate(byteCount: frames * actuators * 4, alignment: 64)
    for player in 0..<players {
      let number = Int32(player)
      let commands = stage.pointee.port.commands
      guard
        commands.push(
          Command(
            action: .addPlayer(
              player: number, engine: Int32(player % engines), bus: Int32(player % actuators),
              schedule: schedule.view))),
        commands.push(Command(action: .start(player: number, run: 1)))
      else { fail("the command queue is full") }
    }
    // Past the attacks.
    for _ in 0..<3 { stage.pointee.fill(bytes, frames: frames) }
  }

  deinit {
    stage.deinitialize(count: 1)
    stage.deallocate()
    bytes.deallocate()
  }

  /// Nanoseconds a render frame, of which there are 8,000 a second.
  func measure() -> Double {
    let start = Clock.thread
    stage.pointee.fill(bytes, frames: frames)
    return (Clock.thread - start) / renderFrames
  }
}

/// Prints a curve, and returns the slope of its upper half.
func grow(_ name: String, _ counts: [Int], _ make: (Int) -> Load) -> Double {
  let loads = counts.map(make)
  var costs = [[Double]](repeating: [], count: counts.count)
  for _ in 0..<rounds {
    for (index, load) in loads.enumerated() { costs[index].append(load.measure()) }
  }
  let medians = costs.map { Percentiles($0) }
  var table = Table([name, "ns a render frame, p50", "p90", "max", "n", "each"])
  for (index, count) in counts.enumerated() {
    let values = medians[index]
    table.add([
      String(count), fixed(values[50], 1),
      fixed(values[90], 1),
      fixed(values[100], 1), String(values.count), fixed(values[50] / Double(count), 2),
    ])
  }
  table.print()
  let upper = counts.indices.suffix((counts.count + 1) / 2)
  return logLogSlope(upper.map { (Double(counts[$0]), medians[$0].median) })
}

/// What an output with its engines and players keeps in RAM, each kind by itself.
func measureMemory() {
  var table = Table(["resident memory", "made", "bytes each"])
  func add(_ name: String, _ count: Int, _ make: () throws -> Any) {
    do {
      let before = residentBytes()
      let kept = try make()
      let bytes = residentBytes() - before
      withExtendedLifetime(kept) {}
      table.add([name, String(count), fixed(Double(bytes) / Double(count), 0)])
    } catch {
      fail("\(error)")
    }
  }
  let schedule = ScheduleCompiler.compile(Pattern(entries: [.event(tone(0))]))
  var wide = OutputConfiguration()
  (wide.settings.playerCapacity, wide.settings.engineCapacity) = (4096, 256)
  add("output with its first engine, as it comes, running", 1) {
    let output = Output(device: VirtualOutput(isTurnedByHand: true))
    let engine = try output.makeEngine()
    try output.start()
    return (output, engine)
  }
  do {
    let device = VirtualOutput(isTurnedByHand: true)
    let output = Output(device: device, configuration: wide)
    try output.start()
    add("engine more on an output", 128) { try (0..<128).map { _ in try output.makeEngine() } }
    let engine = try output.makeEngine()
    add("player of a pattern that others play too", 2048) {
      try (0..<2048).map { _ in
        // The render thread takes each one in.
        defer { device.discard(frames: 8) }
        return try engine.makePlayer(for: schedule)
      }
    }
    output.close()
  } catch {
    fail("\(error)")
  }
  add("voice", 10_000) { Load(players: 1, voicesEach: 10_000) }
  table.print()
}

/// Players made, started, stopped and let go of, on a device whose time is turned by hand: the rate, and by how much memory
/// grows after the first tenth.
func measureChurn() -> Int {
  let lifetimes = Options.isSmoke ? 20_000 : 100_000
  let schedule = ScheduleCompiler.compile(Pattern(entries: [.event(tone(0, seconds: 0.05))]))
  var configuration = OutputConfiguration()
  configuration.settings.playerCapacity = 1024
  do {
    let device = VirtualOutput(isTurnedByHand: true)
    let output = Output(device: device, configuration: configuration)
    let engine = try output.makeEngine()
    try output.start()
    var (parts, before): ([Double], Int) = ([], 0)
    for part in 0..<10 {
      let start = Clock.process
      for number in 0..<lifetimes / 10 {
        let player = try engine.makePlayer(for: schedule)
        try player.start()
        device.discard(frames: 8)
        try player.stop()
        device.discard(frames: 8)
        // What has ended is given back by the handlers' thread.
        if number % 64 == 63 { output.flushHandlers() }
      }
      parts.append((Clock.process - start) / Double(lifetimes / 10))
      if part == 0 { before = residentBytes() }
    }
    let growth = (residentBytes() - before) / 1024
    let values = Percentiles(parts)
    print(
      "players made, started, stopped and let go of, 2 ms of rendering in each: "
        + "\(fixed(1e9 / values.median, 0)) a second (\(fixed(values.median / 1000, 2)) µs each, slowest tenth "
        + "\(fixed(values[100] / 1000, 2)) µs, n \(lifetimes)); memory grows by \(growth) KB")
    output.close()
    return growth
  } catch {
    fail("\(error)")
  }
}

measureMemory()
let growth = measureChurn()
let voices = grow("voices", [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000]) { Load(players: 1, voicesEach: $0) }
let players = grow("players of one tone", [1, 4, 16, 64, 256]) { Load(players: $0, voicesEach: 1) }
let engines = grow("engines of one player", [1, 4, 16, 64]) { Load(players: $0, voicesEach: 1, engines: $0) }
let actuators = grow("actuators at 48 kHz, 16 voices each", [2, 4, 8]) {
  Load(players: $0, voicesEach: 16, actuators: $0, rate: 48_000)
}
print(
  "slopes: voices \(fixed(voices, 2)), players \(fixed(players, 2)), engines \(fixed(engines, 2)), actuators \(fixed(actuators, 2))"
)
var thresholds = Thresholds()
thresholds.check("voices-slope", voices)
thresholds.check("players-slope", max(players, engines))
thresholds.check("churn-growth-kilobytes", Double(growth), digits: 0)
thresholds.finish()
