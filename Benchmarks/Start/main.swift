// How long `start()` takes on the virtual actuator, which itself takes no time to open.
//
//   swift run -c release bench-start            the table
//   swift run -c release bench-start --check    exit 1 where half of the starts take 5 ms or more
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

let engine = try CHHapticEngine(outputNamed: "virtual")
let tap = CHHapticEvent(eventType: .hapticTransient, parameters: [], relativeTime: 0)
let player = try engine.makePlayer(with: CHHapticPattern(events: [tap], parameters: []))
var (cold, warm, plays): ([Double], [Double], [Double]) = ([], [], [])
for _ in 0..<20 {
  cold.append(try milliseconds { try engine.start() })
  plays.append(try milliseconds { try player.start(atTime: CHHapticTimeImmediate) })
  engine.stop()
  warm.append(try milliseconds { try engine.start() })
  engine.stop()
  // The output is closed a quarter of a second after the last engine has stopped, and may fade that long.
  Thread.sleep(forTimeInterval: 0.4)
}
print("start, output closed   \(line(cold)) ms")
print("start, output open     \(line(warm)) ms")
print("first play             \(line(plays)) ms")
if CommandLine.arguments.contains("--check"), cold.sorted()[cold.count / 2] >= 5 {
  print("start() takes too long")
  exit(1)
}
