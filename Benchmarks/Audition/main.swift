// What somebody at `thrum audition` feels and when: from a key to the first frame of its tap, from a file's save to the first
// frame of the new version, and what the screen costs while nothing is done. The command itself, in a terminal of its own, on the
// simulated card, which writes down each frame and when it sounded.
//
//   swift build -c release --product ThrumTestCard && swift build -c release --product thrum
//   swift run -c release bench-audition
//   swift run -c release bench-audition --check    exit 1 where a bar of docs/performance.md does not hold
//
// The bars are 10 ms and the buffer for a key, 50 ms and the buffer for a save, and 1 % of a core. Commands that an xrun came
// into are left out and counted.
import BenchmarkSupport
import Glibc

let rate = 48_000
let periodFrames = rate / 200
let bufferMilliseconds = 15.0
let touches = Options.isSmoke ? 100 : 1000
let saves = Options.isSmoke ? 30 : 200
let idleSeconds = Options.isSmoke ? 4.0 : 10.0
/// The device is given back after so long without anything to play.
let patienceSeconds = 20.0

func fail(_ reason: String) -> Never {
  print("bench-audition: \(reason)")
  exit(1)
}

func write(_ text: String, to path: String) {
  guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
    fail("\(path) cannot be written")
  }
}

/// Two seconds of a tone, or of silence.
func pattern(sounds: Bool) -> String {
  let parameter = #"{"ParameterID": "HapticIntensity", "ParameterValue": \#(sounds ? 1 : 0)}"#
  return #"{"Version": 1.0, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "#
    + #""EventDuration": 2, "EventParameters": [\#(parameter)]}}]}"# + "\n"
}

let folder = SimulatedCard.use(keys: #"rates "48000" channels "1" formats "FLOAT_LE""#, isLogging: true)
// Not in /tmp: every folder on the way to a file is watched, and what others do there would be measured.
var template = Array("/var/tmp/thrum-audition-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { fail("no folder in /var/tmp") }
let patterns = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
let file = patterns + "/bench.ahap"
let draft = patterns + "/draft"
write(pattern(sounds: false), to: file)
let program = SimulatedCard.libraryPath.split(separator: "/").dropLast().joined(separator: "/")
var variables = [
  "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=\(folder)", "XDG_CONFIG_HOME=\(folder)",
  "XDG_STATE_HOME=\(folder)",
  "PATH=/usr/bin:/bin",
]
if let path = getenv("ALSA_CONFIG_PATH") { variables.append("ALSA_CONFIG_PATH=\(String(cString: path))") }
let terminal = Terminal(
  [
    "/\(program)/thrum", "audition", "-d", "simulated", "-r", "\(rate)", "-f", "float", "-p",
    "\(periodFrames)f",
    "-a", "none", file,
  ], environment: variables)
var random = Random(seed: 1)
terminal.rest(seconds: 1)

// The first tap opens the device.
terminal.press("t")
terminal.rest(seconds: 1)
var touched: [Double] = []
for _ in 0..<touches {
  touched.append(Clock.wall)
  terminal.press("t")
  terminal.rest(seconds: 0.060 + 0.010 * random.unit())
}
let wakesBefore = (terminal.renderWakeUps, Clock.wall)
// In a loop, whose place a save enters at once.
for key in "lo " {
  terminal.press(key)
  terminal.rest(seconds: 0.5)
}
var saved: [Double] = []
for _ in 0..<saves {
  write(pattern(sounds: true), to: draft)
  saved.append(Clock.wall)
  if rename(draft, file) != 0 { fail("\(file) cannot be saved") }
  terminal.rest(seconds: 0.150 + 0.010 * random.unit())
  write(pattern(sounds: false), to: draft)
  if rename(draft, file) != 0 { fail("\(file) cannot be saved") }
  terminal.rest(seconds: 0.200)
}
let wakesAfter = (terminal.renderWakeUps, Clock.wall)
terminal.press(" ")
terminal.rest(seconds: 1)

/// What the command takes of a core while nothing is done, per cent.
@MainActor func idle() -> Double {
  let (processor, wall) = (terminal.processorNanoseconds, Clock.wall)
  terminal.rest(seconds: idleSeconds)
  return (terminal.processorNanoseconds - processor) / (Clock.wall - wall) * 100
}
let drawn = terminal.bytes
let open = idle()
terminal.rest(seconds: patienceSeconds)
let given = idle()
let drawnIdle = terminal.bytes - drawn
terminal.quit()

let record = CardRecord(folder: folder, rate: rate)
/// The milliseconds from times to the first frame behind each that is not silent.
@MainActor func latencies(_ calls: [Double]) -> (values: [Double], lost: Int) {
  var (values, lost) = ([Double](), 0)
  for call in calls {
    let called = record.frame(soundingAt: call)
    let first = Int(called) + 1
    // A frame that is not silent already is not the command's.
    guard first < record.samples.count, record.samples[first] == 0,
      let found = (first..<max(first, record.samples.count)).first(where: { record.samples[$0] != 0 }),
      record.isWhole(from: first, through: found)
    else {
      lost += 1
      continue
    }
    values.append((Double(found) - called) * 1000 / Double(rate))
  }
  return (values, lost)
}
let (touch, save) = (latencies(touched), latencies(saved))
for path in [file, draft] { unlink(path) }
rmdir(patterns)
SimulatedCard.remove(folder: folder)

var table = Table(["milliseconds", "p50", "p90", "p99", "p99.9", "max", "n", "bar"])
for (name, values, bar) in [
  ("key to first frame", touch.values, 10 + bufferMilliseconds),
  ("save to first frame", save.values, 50 + bufferMilliseconds),
] {
  table.add([name] + Percentiles(values).named(digits: 1).map(\.text) + [fixed(bar, 0)])
}
print("thrum audition on the simulated card, period 5 ms, buffer 15 ms, profile none")
table.print()
print(
  "left out for xruns, or for what sounded still: \(touch.lost) of \(touches) keys, \(save.lost) of \(saves) saves; breaks \(record.breaks)"
)
print(
  "idle: \(fixed(open, 2)) % of a core with the device open, \(fixed(given, 2)) % once it is given back; "
    + "\(drawnIdle) bytes drawn meanwhile")
if let before = wakesBefore.0, let after = wakesAfter.0 {
  let perSecond = Double(after - before) / (wakesAfter.1 - wakesBefore.1) * 1e9
  print(
    "render thread while the screen moves: \(fixed(perSecond, 0)) wake-ups a second, at 200 periods a second")
}
var thresholds = Thresholds()
thresholds.check("audition-touch-p50-of-bar", Percentiles(touch.values).median / (10 + bufferMilliseconds))
thresholds.check("audition-save-p50-of-bar", Percentiles(save.values).median / (50 + bufferMilliseconds))
// While the device is open, the work of the simulated card is in it too, which writes down every frame; that is told, not judged.
thresholds.check("audition-idle-percent", given)
thresholds.finish()
