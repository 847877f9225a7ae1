// How long `start()` takes on the virtual actuator, which itself takes no time to open, beside what the system alone takes
// for the least that it must do: to bring in and lock as much memory, and to start two threads.
//
//   swift run -c release bench-start            the table
//   swift run -c release bench-start --check    exit 1 where half of the starts take three times the system's part or more
import CoreHaptics

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  try body()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}

func line(_ values: [Double]) -> String {
  let sorted = values.sorted()
  func at(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))] }
  return [("p50", 0.5), ("p90", 0.9), ("max", 1)].map { "\($0.0) \((at($0.1) * 1000).rounded() / 1000)" }
    .joined(separator: "  ")
}

/// Bytes of this process that are locked.
func lockedBytes() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
  return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1024
}

/// The system's part of a start, for so much memory.
func systemPart(bytes: Int) {
  let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  if mlock(memory, bytes) != 0, let memory { memset(memory, 1, bytes) }
  for _ in 0..<2 { Thread {}.start() }
  munmap(memory, bytes)
}

let engine = try CHHapticEngine(outputNamed: "virtual")
let tap = CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 0)
let player = try engine.makePlayer(with: CHHapticPattern(events: [tap], parameters: []))
var (system, cold, warm, plays): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
try engine.start()
// Where nothing may be locked, the pages come in all the same: as much as there is on other machines.
let bytes = max(try lockedBytes(), 16 << 20)
engine.stop()
Thread.sleep(forTimeInterval: 0.4)
for _ in 0..<20 {
  system.append(milliseconds { systemPart(bytes: bytes) })
  cold.append(try milliseconds { try engine.start() })
  plays.append(try milliseconds { try player.start(atTime: CHHapticTimeImmediate) })
  engine.stop()
  warm.append(try milliseconds { try engine.start() })
  engine.stop()
  // The output is closed a quarter of a second after the last engine has stopped, and may fade that long.
  Thread.sleep(forTimeInterval: 0.4)
}
print("the system's part      \(line(system)) ms, \(bytes >> 10) KB")
print("start, output closed   \(line(cold)) ms")
print("start, output open     \(line(warm)) ms")
print("first play             \(line(plays)) ms")
let ratio = cold.sorted()[cold.count / 2] / system.sorted()[system.count / 2]
print("start() takes \((ratio * 100).rounded() / 100) times the system's part (bar 3)")
if CommandLine.arguments.contains("--check"), ratio >= 3 { exit(1) }
