// What becomes of memory while 100,000 players come and go on one engine, each started and let go of; then while 10,000
// sounds are read, brought to the output's rate, played and taken back.
//
//   swift run -c release bench-lifetimes            the table
//   swift run -c release bench-lifetimes --check    exit 1 where memory or time grow
//
// The engine's time is turned by hand, 1 ms a player, so that some 60 play at once.
import CoreHaptics
import CoreHapticsTesting

let lifetimes = 100_000
let partLifetimes = 10_000
let soundLifetimes = 10_000

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

/// A WAV file of 16 bits: a tenth of a second at 44.1 kHz.
func makeSound() throws -> URL {
  var bytes: [UInt8] = []
  func append(_ number: Int, bytes count: Int) {
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }
  let frames = 4410
  bytes += Array("RIFF".utf8)
  append(36 + 2 * frames, bytes: 4)
  bytes += Array("WAVEfmt ".utf8)
  for (number, count) in [(16, 4), (1, 2), (1, 2), (44_100, 4), (88_200, 4), (2, 2), (16, 2)] {
    append(number, bytes: count)
  }
  bytes += Array("data".utf8)
  append(2 * frames, bytes: 4)
  for frame in 0..<frames { append(frame * 37 % 20_000, bytes: 2) }
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("thrum-\(UUID().uuidString).wav")
  try Data(bytes).write(to: file)
  return file
}

let sound = try makeSound()
func playSound() throws {
  let number = try engine.registerAudioResource(sound)
  let event = CHHapticEvent(audioResourceID: number, parameters: [], relativeTime: 0)
  try engine.makePlayer(with: CHHapticPattern(events: [event], parameters: [])).start(atTime: 0)
  haptics.advance(seconds: 0.01)
  try engine.unregisterAudioResource(number)
}
for _ in 0..<500 { try playSound() }
let soundsBefore = try residentKilobytes()
let soundsStart = seconds()
for _ in 0..<soundLifetimes { try playSound() }
let soundsMicroseconds = (seconds() - soundsStart) * 1e6 / Double(soundLifetimes)
haptics.advance(seconds: 1)
let soundsGrowth = try residentKilobytes() - soundsBefore
try FileManager.default.removeItem(at: sound)
print(
  "\(soundLifetimes) sounds   \(Int(soundsMicroseconds)) µs a sound; growth \(soundsGrowth) KB; "
    + "\(haptics.soundBytes) bytes of sounds left")
if CommandLine.arguments.contains("--check"),
  growth > 4096 || parts[parts.count - 1] > 2 * parts[0] || soundsGrowth > 4096 || haptics.soundBytes > 0
{
  print("memory or time grows")
  exit(1)
}
