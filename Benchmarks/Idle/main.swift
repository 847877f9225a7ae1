// What an engine costs that plays nothing, at a period of 1 ms on the simulated card, beside a C loop that waits for the same
// card and writes zeros; and what it costs once it is shut down. Then how late both are woken.
//
//   swift build -c release --product ThrumTestCard && swift run -c release bench-idle
//   swift run -c release bench-idle --check    exit 1 where the engine takes more than its threshold times the C loop's
//                                              processor time, or any once it is shut down
//
// Processor time is that of the whole process, the handlers' thread included. Rounds are interleaved; the ratio is the median
// of theirs.
import BenchmarkSupport
import CReference
import Glibc
import ThrumALSA
import ThrumEngine

let rate = 48_000
let periodFrames = rate / 1000
let rounds = Options.isSmoke ? 7 : 15
let secondsEach = Options.isSmoke ? 1.0 : 2.0

func fail(_ reason: String) -> Never {
  print("bench-idle: \(reason)")
  exit(1)
}

/// Processor time of an idle engine over so long, as a share of the wall; what its thread had to tell, and the time after
/// it was shut down.
func measureEngine() -> (share: Double, after: Double, statistics: OutputStatistics?, scheduling: String) {
  do {
    var request = ALSARequest(rate: rate, format: .s16, channels: 2)
    request.period = .frames(periodFrames)
    let output = Output(device: try ALSAOutput.open(name: SimulatedCard.name, request: request))
    let engine = try output.makeEngine()
    try output.start()
    Clock.rest(seconds: 0.1)
    let (processor, wall) = (Clock.process, Clock.wall)
    Clock.rest(seconds: secondsEach)
    let share = (Clock.process - processor) / (Clock.wall - wall)
    let (statistics, scheduling) = (output.device.statistics, output.scheduling ?? "not told")
    output.close()
    withExtendedLifetime(engine) {}
    Clock.rest(seconds: 0.05)
    let (processorAfter, wallAfter) = (Clock.process, Clock.wall)
    Clock.rest(seconds: 0.25)
    let after = (Clock.process - processorAfter) / (Clock.wall - wallAfter)
    return (share, after, statistics, scheduling)
  } catch {
    fail("\(error)")
  }
}

/// The same of the C loop, with how late it was woken each time.
func measureC() -> (share: Double, late: [Double], isFIFO: Bool, xruns: Int) {
  let periods = Int(secondsEach * 1000)
  let late = UnsafeMutablePointer<Double>.allocate(capacity: periods)
  defer { late.deallocate() }
  var result = thrum_reference_idle_result()
  let code = thrum_reference_idle(
    SimulatedCard.name, UInt32(rate), 2, periodFrames, periods, RenderThread.defaultPriority, late, &result)
  if code < 0 { fail("the C loop: ALSA's error \(code)") }
  let values = Array(UnsafeBufferPointer(start: late, count: result.late_count))
  return (
    result.processor_nanoseconds / result.wall_nanoseconds, values, result.is_fifo != 0, result.xruns
  )
}

let folder = SimulatedCard.use(keys: #"rates "48000" channels "2" formats "S16_LE""#)
var (engine, reference, ratios, after, late): ([Double], [Double], [Double], [Double], [Double]) =
  ([], [], [], [], [])
var classes = [Int](repeating: 0, count: OutputStatistics.classes)
var scheduling = ""
var isFIFO = false
for _ in 0..<rounds {
  let c = measureC()
  let swift = measureEngine()
  reference.append(c.share * 100)
  engine.append(swift.share * 100)
  ratios.append(swift.share / c.share)
  after.append(swift.after * 100)
  late += c.late
  (scheduling, isFIFO) = (swift.scheduling, c.isFIFO)
  for (index, count) in (swift.statistics?.wakeUps ?? []).enumerated() { classes[index] += count }
}
SimulatedCard.remove(folder: folder)

var table = Table(["processor, % of a core", "p50", "p90", "max", "rounds"])
for (name, values) in [
  ("C loop", reference), ("idle engine", engine), ("engine shut down", after),
] {
  let sorted = Percentiles(values)
  table.add([name, fixed(sorted[50], 2), fixed(sorted[90], 2), fixed(sorted[100], 2), String(rounds)])
}
table.print()
print(
  "C loop: \(isFIFO ? "SCHED_FIFO \(RenderThread.defaultPriority)" : "normal priority"); engine: \(scheduling)"
)
print("C loop woken late, µs: \(Percentiles(late).line(digits: 0)), in steps of a frame")
let total = classes.reduce(0, +)
let shares = [0.5, 0.9, 0.99, 0.999].map { share in
  var statistics = OutputStatistics()
  statistics.wakeUps = classes
  let limit = statistics.lateness(ofShare: share)
  return "\(fixed(share * 100, 1)) % under \(limit.isFinite ? fixed(limit * 1e6, 0) : "any")"
}
print("engine woken late, µs: \(shares.joined(separator: "  "))  n \(total), in classes that double from 50")

var thresholds = Thresholds()
thresholds.check("idle-engine-per-c-loop", Percentiles(ratios).median)
thresholds.check("shut-down-processor-percent", Percentiles(after).median)
thresholds.finish()
