// From an AHAP file to a schedule, and on to a WAV file: time, memory and how they grow, from 10 to 1,000,000 events, beside a
// scanner in C that does the same for one purpose.
//
//   swift run -c release bench-codec              the tables
//   swift run -c release bench-codec --smoke      up to 100,000 events
//   swift run -c release bench-codec --check      exit 1 where a bar is missed
import BenchmarkSupport
import CBenchmark
import Glibc
import ThrumEngine
import ThrumPattern

let isSmoke = CommandLine.arguments.contains("--smoke")
/// One row of the table of growth.
struct Row {
  var events: Int
  var bytes: Int
  var parse: [Double]
  var compile: [Double]
  var scan: [Double]
  /// Bytes that the process holds more once the pattern and its schedule are there.
  var held: Int
}

func measure(events: Int, unsorted: Bool = false) throws -> Row {
  let file = try PatternOnDisk(ahap(events: events, unsorted: unsorted))
  defer { file.remove() }
  let trials = max(5, min(200, 400_000 / events))
  var row = Row(events: events, bytes: file.count, parse: [], compile: [], scan: [], held: 0)
  for _ in 0..<trials {
    let before = allocatedBytes()
    let start = Clock.process
    let result = try PatternFile.read(path: file.path)
    let parsed = Clock.process
    let schedule = ScheduleCompiler.compile(result.pattern)
    let compiled = Clock.process
    row.held = max(row.held, allocatedBytes() - before)
    row.parse.append((parsed - start) / 1e6)
    row.compile.append((compiled - parsed) / 1e6)
    guard schedule.eventCount == events else {
      throw Wrong(what: "\(schedule.eventCount) of \(events) events")
    }
    row.scan.append(try file.scanned { _, _ in })
  }
  return row
}

/// From a file to the bytes of a WAV file, ours and C's, milliseconds.
func toWAV(taps: Int, seconds: Double) throws -> (ours: Double, c: Double) {
  let file = try PatternOnDisk(ahap(events: taps, spacing: seconds / Double(taps), tapsOnly: true))
  defer { file.remove() }
  var (ours, c): ([Double], [Double]) = ([], [])
  for _ in 0..<21 {
    let start = Clock.process
    let schedule = ScheduleCompiler.compile(try PatternFile.read(path: file.path).pattern)
    let wav = try OfflineRender.wav(schedule, profile: .none, rate: 8000, format: .float)
    ours.append((Clock.process - start) / 1e6)
    guard wav.count > Int(seconds * 7000) * 4 else { throw Wrong(what: "a short file") }
    let frames = Int(seconds * 8000) + 176
    c.append(
      try file.scanned { events, count in
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames)
        samples.initialize(repeating: 0, count: frames)
        thrum_render_events(events, count, samples, frames)
        samples.deallocate()
      })
  }
  return (Percentiles(ours).median, Percentiles(c).median)
}

do {
  print(
    "events       file kB    read ms p50/p99    compile ms p50/p99    C scan ms p50   read and compile/C    memory/file    "
      + "B an event    n")
  let sizes = [10, 100, 1000, 10_000, 100_000] + (isSmoke ? [] : [1_000_000])
  let rows = try sizes.map { events in
    let row = try measure(events: events)
    show(row)
    return row
  }
  let unsorted = try measure(events: sizes.last ?? 10, unsorted: true)
  print("the last one out of order:")
  show(unsorted)

  // From 1,000 events on, below which a file costs what opening it costs.
  let grown = rows.filter { $0.events >= 1000 }
  let read = logLogSlope(grown.map { (count: Double($0.events), cost: Percentiles($0.parse).median) })
  let compile = logLogSlope(grown.map { (count: Double($0.events), cost: Percentiles($0.compile).median) })
  print(
    "growth from 1,000 events on (slope, log-log; 1 is linear): read \(fixed(read, 2)), compile \(fixed(compile, 2))"
  )
  let wave = try toWAV(taps: 10_000, seconds: 30)
  print(
    "30 s with 10,000 taps to the bytes of a WAV file: \(fixed(wave.ours, 2)) ms, in C \(fixed(wave.c, 2)) ms, ratio "
      + fixed(wave.ours / wave.c, 2))

  var bars = Bars()
  bars.tell(read < 1.15 && compile < 1.25, "time grows with the number of events and no faster")
  if let row = rows.first(where: { $0.events == 10_000 }) {
    bars.tell(
      Percentiles(row.parse).median + Percentiles(row.compile).median <= 20,
      "10,000 events read and compiled within 20 ms")
    bars.tell(row.held <= 10 * row.bytes, "10,000 events in 10 times the memory of their file at most")
    bars.tell(
      Percentiles(row.parse).median + Percentiles(row.compile).median <= 2 * Percentiles(row.scan).median,
      "10,000 events read and compiled within twice the time of the C scanner")
  }
  bars.tell(wave.ours <= 2 * wave.c, "30 s with 10,000 taps to WAV within twice the time of C", isAim: true)
  for row in [rows.last, unsorted].compactMap({ $0 }) where row.events > 65_536 {
    bars.tell(row.held <= 64 * row.events, "\(row.events) events in 64 bytes each at most")
    bars.tell(
      Percentiles(row.parse).median + Percentiles(row.compile).median <= 2e-3 * Double(row.events),
      "\(row.events) events read and compiled within 2 s a million")
  }
  if CommandLine.arguments.contains("--check"), bars.areMissed { exit(1) }
} catch {
  print("bench-codec: \(error)")
  exit(1)
}
