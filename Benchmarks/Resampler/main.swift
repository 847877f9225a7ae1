// What bringing a signal from 8 kHz to the device's 48 kHz costs: the output stage's kernel, the same sum as a plain C loop, and
// the libraries soxr and libsamplerate on the same signal, interleaved in one run.
//
//   swift run -c release bench-resampler            the table
//   swift run -c release bench-resampler --check    exit 1 where the kernel takes more than its threshold times the C loop
//
// The kernel is what the stage takes at 48 kHz beyond what it takes at 8 kHz: it includes writing five times as many more
// samples. libsamplerate is taken where its library is installed. The libraries are asked for qualities that keep what the
// kernel keeps, or more.
import BenchmarkSupport
import CReference
import CSoxr
import Glibc
import ThrumEngine
import ThrumPattern
import ThrumRealtime

let frames = 8000
let phases = 6
let rounds = Options.isSmoke ? 31 : 201

/// A stage that plays one long tone.
final class Stage {
  let stage: UnsafeMutablePointer<OutputStage>
  let schedule: Schedule
  let bytes: UnsafeMutableRawPointer
  let rate: Int

  init(rate: Int) {
    self.rate = rate
    schedule = ScheduleCompiler.compile(
      Pattern(entries: [.event(Event(type: .hapticContinuous, time: 0, duration: 30))]))
    stage = .allocate(capacity: 1)
    stage.initialize(
      to: OutputStage(
        settings: RendererSettings(), profiles: [.none], map: .allHaptic(channels: 1), rate: rate,
        format: .float))
    bytes = .allocate(byteCount: rate * 4, alignment: 64)
    guard
      stage.pointee.port.commands.push(
        Command(action: .addPlayer(player: 0, engine: 0, bus: 0, schedule: schedule.view))),
      stage.pointee.port.commands.push(Command(action: .start(player: 0, run: 1)))
    else { fail("the command queue is full") }
  }

  /// One second of signal in spans of 5 ms; nanoseconds.
  func run() -> Double {
    let start = Clock.thread
    for _ in 0..<200 { stage.pointee.fill(bytes, frames: rate / 200) }
    return Clock.thread - start
  }
}

func fail(_ reason: String) -> Never {
  print("bench-resampler: \(reason)")
  exit(1)
}

nonisolated(unsafe) let input = UnsafeMutablePointer<Float>.allocate(capacity: frames + 11)
for frame in 0..<frames + 11 { input[frame] = Float(sin(Double(frame) * 0.13)) }
nonisolated(unsafe) let output = UnsafeMutablePointer<Float>.allocate(capacity: frames * phases * 2)
output.initialize(repeating: 0, count: frames * phases * 2)
nonisolated(unsafe) let weights = UnsafeMutablePointer<Float>.allocate(capacity: phases * 12)
for index in 0..<phases * 12 { weights[index] = Float(index % 12) / 66 }

func runC() -> Double {
  let start = Clock.thread
  for block in 0..<200 {
    thrum_reference_polyphase(
      weights, phases, input + 11 + block * 40, 40, output + block * 40 * phases)
  }
  return Clock.thread - start
}

/// A second of 8 kHz through a converter of soxr that goes on from one second to the next.
final class Soxr {
  let converter: soxr_t

  init(recipe: UInt, from: Double) {
    var error: soxr_error_t?
    var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(recipe, 0)
    var runtime = soxr_runtime_spec(1)
    guard let converter = soxr_create(from, 48000, 1, &error, &io, &quality, &runtime), error == nil else {
      fail("soxr gives no converter")
    }
    self.converter = converter
  }

  func run() -> Double {
    let start = Clock.thread
    var (taken, made) = (0, 0)
    for block in 0..<200 {
      if soxr_process(converter, input + 11 + block * 40, 40, &taken, output, frames * phases * 2, &made)
        != nil
      {
        fail("soxr refuses a block")
      }
    }
    return Clock.thread - start
  }
}

/// The part of libsamplerate that is needed, as its header lays it out.
struct SampleRateData {
  var input: UnsafePointer<Float>?
  var output: UnsafeMutablePointer<Float>?
  var inputFrames = 0
  var outputFrames = 0
  var usedFrames = 0
  var madeFrames = 0
  var isEnd: Int32 = 0
  var ratio = 6.0
}

/// libsamplerate, where it is installed.
final class SampleRate {
  typealias Process = @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> Int32
  typealias New = @convention(c) (Int32, Int32, UnsafeMutablePointer<Int32>) -> OpaquePointer?
  let state: OpaquePointer
  let process: Process

  private let ratio: Double

  /// - Parameter kind: 0 best, 1 medium, 2 fastest, all of them windowed sines.
  init?(kind: Int32, ratio: Double = 6) {
    self.ratio = ratio
    guard let library = dlopen("libsamplerate.so.0", RTLD_NOW), let new = dlsym(library, "src_new"),
      let process = dlsym(library, "src_process")
    else { return nil }
    var error: Int32 = 0
    guard let state = unsafeBitCast(new, to: New.self)(kind, 1, &error) else { return nil }
    self.state = state
    self.process = unsafeBitCast(process, to: Process.self)
  }

  func run() -> Double {
    let start = Clock.thread
    for block in 0..<200 {
      var part = SampleRateData()
      part.input = UnsafePointer(input + 11 + block * 40)
      part.output = output
      part.ratio = ratio
      (part.inputFrames, part.outputFrames) = (40, frames * phases * 2)
      if process(state, &part) != 0 { fail("libsamplerate refuses a block") }
    }
    return Clock.thread - start
  }
}

let (native, resampled) = (Stage(rate: 8000), Stage(rate: 48000))
var contestants: [(name: String, run: () -> Double)] = [("C loop, 12 taps a phase", runC)]
for (name, recipe) in [("soxr low", UInt(1)), ("soxr high", 4), ("soxr very high", 6)] {
  let soxr = Soxr(recipe: recipe, from: 8000)
  contestants.append((name, soxr.run))
}
for (name, kind) in [("libsamplerate fastest", Int32(2)), ("libsamplerate medium", 1)] {
  if let sampleRate = SampleRate(kind: kind) { contestants.append((name, sampleRate.run)) }
}
var kernel: [Double] = []
var others = [[Double]](repeating: [], count: contestants.count)
var ratios: [Double] = []
for round in 0..<rounds + 3 {
  // The tone lasts 30 s: a stage is made anew before it ends.
  let own = resampled.run() - native.run()
  let rest = contestants.map { $0.run() }
  if round < 3 { continue }
  kernel.append(own / Double(frames * phases))
  ratios.append(own / rest[0])
  for (index, time) in rest.enumerated() { others[index].append(time / Double(frames * phases)) }
}

var table = Table(["8 kHz to 48 kHz, ns an output sample", "p50", "p90", "p99", "n", "times the kernel"])
let own = Percentiles(kernel)
@MainActor func add(_ name: String, _ values: Percentiles) {
  table.add(
    [name] + [50.0, 90, 99].map { fixed(values[$0], 2) }
      + [String(values.count), fixed(values.median / own.median, 2)])
}
add("Thrum's kernel, in the stage", own)
for (index, contestant) in contestants.enumerated() { add(contestant.name, Percentiles(others[index])) }
table.print()

// Sounds are converted once, before they play, by soxr at its very high quality.
var sounds: [(name: String, run: () -> Double)] = []
let veryHigh = Soxr(recipe: 6, from: 44_100)
sounds.append(("soxr very high, as sounds are", veryHigh.run))
for (name, kind) in [("libsamplerate best", Int32(0)), ("libsamplerate medium", 1)] {
  if let sampleRate = SampleRate(kind: kind, ratio: 48_000 / 44_100) { sounds.append((name, sampleRate.run)) }
}
var soundTimes = [[Double]](repeating: [], count: sounds.count)
for _ in 0..<rounds {
  for (index, sound) in sounds.enumerated() {
    soundTimes[index].append(sound.run() / (Double(frames) * 48 / 44.1))
  }
}
table = Table(["44.1 kHz to 48 kHz, ns an output sample", "p50", "p90", "p99", "n", "times soxr"])
let soxrMedian = Percentiles(soundTimes[0]).median
for (index, sound) in sounds.enumerated() {
  let values = Percentiles(soundTimes[index])
  table.add(
    [sound.name] + [50.0, 90, 99].map { fixed(values[$0], 2) }
      + [String(values.count), fixed(values.median / soxrMedian, 2)])
}
table.print()
var thresholds = Thresholds()
thresholds.check("kernel-per-c-loop", Percentiles(ratios).median)
thresholds.finish()
