// How long one call of the render path takes: a busy pattern in calls of 64 frames.
//
//   swift run -c release bench-calls            the table
//   swift run -c release bench-calls --check    exit 1 where a 1,000th of the calls takes 1 ms or more
//
// The bar is on the render thread's own processor time: what the machine takes away in the middle of a call is printed
// beside it, as time on the wall, and is not the call's doing.
import BenchmarkSupport
import Glibc
import ThrumEngine
import ThrumPattern
import ThrumRealtime

let callFrames = 64
let barMicroseconds = 1000.0

/// Ten seconds: a tone, a curve with a corner every 100 ms, and a tap every 50 ms.
func busyPattern() -> Pattern {
  var entries = [Pattern.Entry.event(Event(type: .hapticContinuous, time: 0, duration: 10))]
  let corners = (0...100).map {
    ParameterCurve.Point(time: Double($0) / 10, value: $0 % 2 == 0 ? 0.3 : 1)
  }
  entries.append(.curve(ParameterCurve(id: .hapticIntensityControl, time: 0, points: corners)))
  for index in 0..<200 {
    entries.append(.event(Event(type: .hapticTransient, time: Double(index) / 20)))
  }
  return Pattern(entries: entries)
}

/// The times of all calls of one render with so many players of the pattern at once.
func measure(players: Int32, rate: Int, profile: BusProfile) -> (thread: [Double], wall: [Double]) {
  let schedule = ScheduleCompiler.compile(busyPattern())
  var stage = OutputStage(
    settings: RendererSettings(), profiles: [profile], map: .allHaptic(channels: 1), rate: rate, format: .s16)
  for player in 0..<players {
    guard
      stage.port.commands.push(
        Command(action: .addPlayer(player: player, engine: 0, bus: 0, schedule: schedule.view))),
      stage.port.commands.push(Command(frame: Int64(player) * 37, action: .start(player: player, run: 1)))
    else {
      print("bench-calls: the command queue is full")
      exit(1)
    }
  }
  let memory = UnsafeMutableRawPointer.allocate(byteCount: callFrames * stage.bytesPerFrame, alignment: 64)
  defer { memory.deallocate() }
  let calls = 10 * rate / callFrames
  var thread = [Double]()
  var wall = [Double]()
  thread.reserveCapacity(calls)
  wall.reserveCapacity(calls)
  for _ in 0..<calls {
    let wallStart = Clock.wall
    let threadStart = Clock.thread
    stage.fill(memory, frames: callFrames)
    thread.append((Clock.thread - threadStart) / 1e3)
    wall.append((Clock.wall - wallStart) / 1e3)
  }
  withExtendedLifetime(schedule) {}
  return (thread, wall)
}

print("one call of \(callFrames) frames, µs; ten busy seconds to S16")
var isWithinBar = true
for (rate, profile) in [(8000, BusProfile.none), (48000, .safe)] {
  for players: Int32 in [1, 32] {
    let times = measure(players: players, rate: rate, profile: profile)
    print("\(rate) Hz, profile \(profile.name), \(players) players, \(times.thread.count) calls")
    print("  processor  \(Percentiles(times.thread).line(digits: 0))")
    print("  wall       \(Percentiles(times.wall).line(digits: 0))")
    let slow = times.thread.count { $0 >= barMicroseconds }
    if slow * 1000 > times.thread.count { isWithinBar = false }
  }
}
print("99.9 % of the calls under \(Int(barMicroseconds)) µs of processor time: \(isWithinBar ? "yes" : "no")")
if CommandLine.arguments.contains("--check"), !isWithinBar { exit(1) }
