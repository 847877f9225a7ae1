// What becomes of memory while 100,000 players come and go on one engine, each started and let go of.
//
//   swift run -c release bench-lifetimes            the table
//   swift run -c release bench-lifetimes --check    exit 1 where memory or time grow
//
// The engine's time is turned by hand, 1 ms a player, so that some 60 play at once.
import CoreHaptics
import CoreHapticsTesting

let lifetimes = 100_000
let partLifetimes = 10_000

/// Resident memory in KB.
func residentKilobytes() throws -> Int {
  let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
}

func seconds() -> Double { ProcessInfo.processInfo.systemUptime }

let tap = CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 0)
let buzz = CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0, duration: 0.05)
let pattern = try CHHapticPattern(events: [tap, buzz], parameters: [])
let haptics = VirtualHaptics(isRecording: false)
let engine = try haptics.use { try CHHapticEngine() }
try engine.start()

// The first ones fill what is kept for reuse.
for _ in 0..<2000 {
  try engine.makePlayer(with: pattern).start(atTime: 0)
  haptics.advance(seconds: 0.001)
}
let before = try residentKilobytes()
var parts: [Double] = []
print("players   resident KB   µs a player")
for part in 1...lifetimes / partLifetimes {
  let start = seconds()
  for _ in 0..<partLifetimes {
    let player = try engine.makeAdvancedPlayer(with: pattern)
    player.completionHandler = { _ in }
    try player.start(atTime: 0)
    haptics.advance(seconds: 0.001)
  }
  parts.append((seconds() - start) * 1e6 / Double(partLifetimes))
  print("\(part * partLifetimes)   \(try residentKilobytes())   \(Int(parts[part - 1]))")
}
let growth = try residentKilobytes() - before
print("growth \(growth) KB; last part \(Int(parts[parts.count - 1] / parts[0] * 100)) % of the first")
if CommandLine.arguments.contains("--check"), growth > 4096 || parts[parts.count - 1] > 2 * parts[0] {
  print("memory or time grows")
  exit(1)
}
