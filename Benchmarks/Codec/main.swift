// From an AHAP file to a schedule: time and memory, at 10 to 1,000,000 events.
//
//   swift run -c release bench-codec            the table
//   swift run -c release bench-codec --check    exit 1 where 10,000 events take over 20 ms or 10 times the file
import CBenchmark
import Glibc
import ThrumEngine
import ThrumPattern

func nanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func allocatedBytes() -> Int { Int(thrum_allocated_bytes()) }

/// A number with so many digits behind the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((value * scale).rounded())
  let rest = String(scaled % Int(scale))
  if digits == 0 { return String(scaled) }
  return "\(scaled / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
}

/// The text of a pattern of taps and short tones, with as many digits as tools write.
func ahap(events: Int) -> [UInt8] {
  var text = "{\n  \"Version\": 1.0,\n  \"Pattern\": [\n"
  var state: UInt64 = 1
  func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
  for index in 0..<events {
    let isTap = index % 3 != 0
    text += "    { \"Event\": { \"Time\": \(Double(index) * 0.003 + unit() * 0.001), \"EventType\": "
    text +=
      isTap ? "\"HapticTransient\"" : "\"HapticContinuous\", \"EventDuration\": \(unit() * 0.01 + 0.005)"
    text +=
      ", \"EventParameters\": [ { \"ParameterID\": \"HapticIntensity\", \"ParameterValue\": \(unit()) }, "
    text += "{ \"ParameterID\": \"HapticSharpness\", \"ParameterValue\": \(unit()) } ] } }"
    text += index + 1 < events ? ",\n" : "\n"
  }
  text += "  ]\n}\n"
  return Array(text.utf8)
}

let isSmoke = CommandLine.arguments.contains("--smoke")
var isWithinBars = true
print(
  "events       file kB   parse ms p50/p99    compile ms p50/p99   both ms p50   memory/file   B an event   n"
)
for events in [10, 100, 1000, 10_000, 100_000] + (isSmoke ? [] : [1_000_000]) {
  let bytes = ahap(events: events)
  let trials = max(5, min(200, 400_000 / events))
  var parse = [Double]()
  var compile = [Double]()
  var memory = 0
  for _ in 0..<trials {
    let before = allocatedBytes()
    let start = nanoseconds()
    do {
      let result = try bytes.withUnsafeBytes { buffer throws(Diagnostic) in
        try AHAPDecoder.decode(buffer, file: "bench")
      }
      let parsed = nanoseconds()
      let schedule = ScheduleCompiler.compile(result.pattern)
      let compiled = nanoseconds()
      memory = max(memory, allocatedBytes() - before)
      parse.append((parsed - start) / 1e6)
      compile.append((compiled - parsed) / 1e6)
      guard schedule.eventCount == events else {
        print("bench-codec: \(schedule.eventCount) of \(events) events compiled")
        exit(1)
      }
    } catch {
      print("bench-codec: \(error)")
      exit(1)
    }
  }
  parse.sort()
  compile.sort()
  func p(_ values: [Double], _ percentile: Int) -> Double {
    values[min(values.count - 1, values.count * percentile / 100)]
  }
  let both = p(parse, 50) + p(compile, 50)
  let ratio = Double(memory) / Double(bytes.count)
  print(
    [
      String(events), fixed(Double(bytes.count) / 1000, 1),
      fixed(p(parse, 50), 3) + "/" + fixed(p(parse, 99), 3),
      fixed(p(compile, 50), 3) + "/" + fixed(p(compile, 99), 3), fixed(both, 3), fixed(ratio, 2),
      fixed(Double(memory) / Double(events), 0), String(trials),
    ].joined(separator: "    "))
  if events == 10_000, both > 20 || ratio > 10 { isWithinBars = false }
}
print("bars at 10,000 events: parsed and compiled within 20 ms, memory within 10 times the file")
if CommandLine.arguments.contains("--check"), !isWithinBars { exit(1) }
